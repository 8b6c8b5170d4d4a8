// Package defn is the language of numerical definitions: Go functions on [Tensor], a numeric type, with Go's own
// operators, if and for. They are ordinary Go, which the compiler, gopls and vet understand; the command defn turns
// them into functions of package nx:
//
//	package defs
//
//	import . "github.com/go-nx/nx/defn"
//
//	//go:generate go tool defn -out ../model
//
//	func Softmax(t Tensor) Tensor {
//		e := Exp(t - Max(t, Axis(-1), KeepAxes))
//		return e / Sum(e, Axis(-1), KeepAxes)
//	}
//
//	func Newton(x Tensor) Tensor {
//		for Abs(x*x-2) > 1e-6 {
//			x = x - (x*x-2)/(2*x)
//		}
//		return x
//	}
//
// The functions that are written take and return nx.Tensor, of any element type and shape: they are compiled,
// differentiated and batched like all others. A comparison gives a predicate, which an if or a for turns into
// [nx.Cond] or [nx.While].
//
// The functions of this package have the names, axes and options of those of package nx; packages linalg, random and
// fft below it are those of nx. They compute single numbers when a definition is called as it is, so that definitions
// of elementwise functions are tested without translation. A function that needs axes panics there, with the command
// to run.
//
// docs/defn.md has the language, and what Go accepts and a definition must not do.
package defn

//go:generate go run ../internal/cmd/intrinsics -root ..
