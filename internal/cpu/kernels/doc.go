// Package kernels holds matrix products, convolutions and factorisations in plain Go: library kernels of the CPU
// backend, which are too large or too irregular for generated loops.
//
// A kernel takes an [rt.Env], typed slices and shapes. It repeats no check of the graph's verifier: wrong shapes are a
// caller's error and panic by index. The only error it returns is that of scratch memory, before it writes anything.
//
// Results never depend on the number of workers: work is cut by shape, and every sum has one fixed order, which the
// kernel's comment states. Products are rounded before they are added (T(a*b) + c), since some architectures would fuse
// them.
package kernels
