module github.com/go-nx/nx

go 1.26
