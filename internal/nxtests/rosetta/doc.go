// Package rosetta has the tests of docs/rosetta.md: each row has pairs of an expression of Python and one of Go, on the
// same operands, or a reason why it has none. `.ci/long rosetta` runs them against NumPy, SciPy and JAX.
package rosetta
