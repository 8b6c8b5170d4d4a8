// Package properties holds tests of what is true of package nx and of linalg for all
// operands: factors multiply to what was factored, a sort is a permutation, transforms keep
// the energy. The operands are random, and those of a failure the smallest that fail
// (pgregory.net/rapid). They are a module of their own:
//
//	cd internal/properties && go test . [-rapid.checks 1000]
package properties
