// Package gemm multiplies matrices in plain Go and with the steps of a tier: batches of any layout, also of narrow,
// complex, quantised and computed operands, and products whose rows or tasks the caller schedules.
//
// A product takes an [rt.Env], matrices and shapes. It repeats no check of the graph's verifier: wrong shapes are a
// caller's error and panic by index. The only error it returns is that of scratch memory, before it writes anything.
//
// Results never depend on the number of workers: work is cut by shape, and every sum has one fixed order, which the
// function's comment states. Products are rounded before they are added (T(a*b) + c), since some architectures would
// fuse them.
package gemm
