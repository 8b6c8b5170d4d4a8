// Package interp runs StableHLO modules. It is the reference meaning of each op, written for clarity and
// correctness rather than speed.
//
//	m, err := stablehlo.Parse("add.mlir", text)
//	it, err := interp.New(m)
//	results, err := it.Call(ctx, "main", args...)
//
// A program that the verifier rejects never runs. An error that shows only at run time (a dynamic shape that
// does not fit, a failed check, an unknown custom call, a deadlock of processes) is a [*Fault] that names the
// op.
//
// A value is freed after its last use. No value may take more than 4 GiB, and no value is allocated that would
// take the process beyond the memory limit of the Go runtime (GOMEMLIMIT), if that is set: such programs fail,
// the process continues. Every long op ends soon after the context of its call.
//
// Where the specification leaves a choice:
//
//   - Floating-point sums are accumulated in index order. Denormal numbers are
//     kept. Transcendental functions are rounded once from the exact value,
//     but for a few in a billion.
//   - Integers wrap around. Division by zero gives -1 (all bits set), the
//     remainder by zero its dividend; a shift by the width or more shifts
//     everything out.
//   - compare TOTALORDER orders floats by their bits, -0 below 0 and NaNs outermost.
//   - rng_bit_generator gives XLA's bits and states; DEFAULT is PHILOX. rng
//     draws from Philox-4x32-10 with key 0, so programs are repeatable.
package interp
