// Package kernels holds the library kernels of the CPU backend in plain Go: what is
// too large or too irregular for generated loops (matrix products, convolutions,
// sorts, transforms, factorisations), and the elementary functions over slices that
// the portable executor uses.
//
// A kernel takes an [rt.Env], typed slices and shapes. It checks nothing the graph's
// verifier has checked: wrong shapes are a caller's error and panic by index. The
// error it may return is the refusal of scratch memory, before anything is written.
//
// Results never depend on the number of workers: work is cut by shape, and every
// sum has one fixed order, which the kernel's comment states. Products are rounded
// before they are added (T(a*b) + c), since some architectures would fuse them.
package kernels
