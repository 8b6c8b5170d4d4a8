package autodiff

import "github.com/go-nx/nx/stablehlo"

// HasTangents reports whether results of an op can have tangents.
func HasTangents(code stablehlo.OpCode) bool { return jvpOf(code) != nil && !isZero(code) }
