// Package fft has the discrete Fourier transforms of package nx, with the names of numpy.fft in Go's capitals: [FFT],
// [RFFT], [FFT2], [FFTN] and their inverses, [Shift] and [Freq].
//
// Transforms run along the last axis, or along those of [nx.Axis]; [Length] cuts or pads them with zeros before. The
// forward transforms are not scaled, the inverse ones divide by the length, as in NumPy.
package fft
