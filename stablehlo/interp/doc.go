// Package interp runs StableHLO modules: the reference meaning of each op,
// written to be read and to be right rather than fast.
//
//	m, err := stablehlo.Parse("add.mlir", text)
//	it, err := interp.New(m)
//	results, err := it.Call(ctx, "main", args...)
//
// A program that the verifier refuses never runs. What can only be found while
// running (a dynamic shape that does not fit, a check that fails, an unknown
// custom call, a deadlock of processes) is a [*Fault] that names the op.
//
// Floating-point sums are accumulated in index order; see [Interpreter] for
// the orders that the specification leaves open. Denormal numbers are kept.
package interp
