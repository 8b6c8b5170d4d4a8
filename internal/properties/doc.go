// Package properties holds tests of properties of packages nx and linalg for all operands: factors multiply to
// the matrix, a sort is a permutation, transforms preserve the energy. The operands are random, and a failure
// is shrunk (pgregory.net/rapid). They are a separate module:
//
//	cd internal/properties && go test . [-rapid.checks 1000]
package properties
