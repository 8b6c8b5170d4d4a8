module github.com/go-nx/nx/internal/properties

go 1.26.0

require (
	github.com/go-nx/nx v0.0.0
	pgregory.net/rapid v1.2.0
)

require golang.org/x/sys v0.49.0 // indirect

replace github.com/go-nx/nx => ../..
