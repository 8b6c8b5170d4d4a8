module github.com/go-nx/nx/interop/gonum

go 1.26.0

require (
	github.com/go-nx/nx v0.0.0
	gonum.org/v1/gonum v0.17.0
)

require golang.org/x/sys v0.49.0 // indirect

replace github.com/go-nx/nx => ../..
