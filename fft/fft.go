package fft

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
)

// Option is an option of Fourier transforms.
type Option = core.FFTOption

// Length cuts or pads with zeros each transformed axis to a length, in the order of the
// axes.
func Length(n ...int) Option {
	return core.Lengths(n...)
}

// FFT returns the discrete Fourier transform along an axis, the last by default:
// Σ t[j]·exp(-2πi·jk/n). Options: [nx.Axis], [Length] to cut or pad with zeros before.
//
// Shapes: [..., n] → [..., length]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the transform of the cotangent. Accuracy: ≤ 4e-7·log₂ n of the largest, f32.
// O(n log n) for any n. Errors: [nx.ErrAxis], [nx.ErrArgument] for a length below 1. Source:
// Cooley, Tukey 1965; Bluestein 1970.
func FFT(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.FFT(core.Tensor(t), opts...))
}

// IFFT returns the inverse of [FFT] along an axis, the last by default, which divides by
// n. Options: [nx.Axis], [Length].
//
// Shapes: [..., n] → [..., length]. DTypes: c128 for f64 and c128, c64 for all others. Gradient:
// the inverse transform of the cotangent. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors:
// [nx.ErrAxis], [nx.ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFT(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.IFFT(core.Tensor(t), opts...))
}

// RFFT returns the first half of the transform of real numbers along an axis, the last by
// default; the other half is its conjugate. Options: [nx.Axis], [Length].
//
// Shapes: [..., n] → [..., length/2+1]. DTypes: real; c128 for f64, c64 for all others. Gradient:
// forward and reverse. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors: [nx.ErrDType] for complex
// numbers, [nx.ErrAxis], [nx.ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein
// 1970.
func RFFT(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.RFFT(core.Tensor(t), opts...))
}

// IRFFT returns the inverse of [RFFT] along an axis, the last by default: real numbers.
// Options: [nx.Axis], [Length] of the result, 2(m-1) by default.
//
// Shapes: [..., m] → [..., length]. DTypes: f64 for f64 and c128, f32 for all others. Gradient:
// forward and reverse. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors: [nx.ErrAxis],
// [nx.ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein 1970.
func IRFFT(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.IRFFT(core.Tensor(t), opts...))
}

// FFT2 returns the Fourier transform along two axes, the last two by default. Options:
// [nx.Axis], [Length].
//
// Shapes: [..., m, n] → [..., lengths…]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the transform of the cotangent. Accuracy: that of [FFT] twice. Errors: those of [FFT].
// Source: Cooley, Tukey 1965; Bluestein 1970.
func FFT2(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.FFT2(core.Tensor(t), opts...))
}

// IFFT2 returns the inverse of [FFT2] along two axes, the last two by default. Options:
// [nx.Axis], [Length].
//
// Shapes: [..., m, n] → [..., lengths…]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the inverse transform of the cotangent. Accuracy: that of [IFFT] twice. Errors: those
// of [IFFT]. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFT2(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.IFFT2(core.Tensor(t), opts...))
}

// FFTN returns the Fourier transform along all axes, or those given. Options: [nx.Axis],
// [Length].
//
// Shapes: [n…] → [lengths…]. DTypes: c128 for f64 and c128, c64 for all others. Gradient: the
// transform of the cotangent. Accuracy: that of [FFT] for each axis. Errors: those of [FFT].
// Source: Cooley, Tukey 1965; Bluestein 1970.
func FFTN(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.FFTN(core.Tensor(t), opts...))
}

// IFFTN returns the inverse of [FFTN] along all axes, or those given. Options: [nx.Axis],
// [Length].
//
// Shapes: [n…] → [lengths…]. DTypes: c128 for f64 and c128, c64 for all others. Gradient: the
// inverse transform of the cotangent. Accuracy: that of [IFFT] for each axis. Errors: those of
// [IFFT]. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFTN(t nx.Tensor, opts ...Option) nx.Tensor {
	return nx.Tensor(core.IFFTN(core.Tensor(t), opts...))
}

// Shift moves the zero frequency to the middle of axes, all when none is given.
//
// Shapes: that of t. DTypes: that of t. Gradient: moved back. Accuracy: exact. Errors: [nx.ErrAxis].
func Shift(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor {
	return nx.Tensor(core.FFTShift(core.Tensor(t), opts...))
}

// IShift undoes [Shift].
//
// Shapes: that of t. DTypes: that of t. Gradient: moved back. Accuracy: exact. Errors: [nx.ErrAxis].
func IShift(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor {
	return nx.Tensor(core.IFFTShift(core.Tensor(t), opts...))
}

// Freq returns the frequencies of the n bins of [FFT], in cycles per unit of the
// spacing d of samples.
//
// Shapes: [n]. DTypes: float. Gradient: none. Accuracy: rounded once. Errors: [nx.ErrArgument] for an
// n below 1, [nx.ErrDType].
func Freq(n int, d float64, t nx.DType) nx.Tensor {
	return nx.Tensor(core.FFTFreq(n, d, t))
}

// RFreq returns the frequencies of the n/2+1 bins of [RFFT] of n samples, in cycles per
// unit of the spacing d of samples.
//
// Shapes: [n/2+1]. DTypes: float. Gradient: none. Accuracy: rounded once. Errors: [nx.ErrArgument] for
// an n below 1, [nx.ErrDType].
func RFreq(n int, d float64, t nx.DType) nx.Tensor {
	return nx.Tensor(core.RFFTFreq(n, d, t))
}
