package nx

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// FFTOption is an option of Fourier transforms.
type FFTOption interface{ fftOption(*fftOptions) }

type fftOptions struct {
	axisOptions
	lengths []int
}

func (a AxesOption) fftOption(o *fftOptions)   { a.axisOption(&o.axisOptions) }
func (l LengthOption) fftOption(o *fftOptions) { o.lengths = []int{l.n} }

// LengthsOption is the option made by [Lengths].
type LengthsOption struct{ n []int }

// Lengths cuts or pads with zeros each transformed axis to a length, in the order of the
// axes.
func Lengths(n ...int) LengthsOption { return LengthsOption{n} }

func (l LengthsOption) fftOption(o *fftOptions) { o.lengths = l.n }

// fftAttrs are the attributes of a Fourier transform along the last axis.
type fftAttrs struct {
	kind   string
	length int
}

var fftOp = &operation[fftAttrs]{name: "FFT",
	describe: func(d *description[fftAttrs]) {
		s, a := d.ins[0], d.attrs
		out := Spec{DType: complexOf(s.DType), Shape: slices.Clone(s.Shape), Names: s.Names, weak: s.weak}
		last := len(out.Shape) - 1
		switch a.kind {
		case "RFFT":
			out.Shape[last] = a.length/2 + 1
		case "IRFFT":
			out.DType, out.Shape[last] = s.DType.Real(), a.length
		}
		d.returns(intern(out))
	},
	emit: func(d *description[fftAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{
			e.Value(stablehlo.OpFft, in, stablehlo.Named("fft_length", stablehlo.I64s(int64(d.attrs.length))),
				stablehlo.Named("fft_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "fft_type", Value: d.attrs.kind}))}
	}}

// transform applies a transform along axes, def when none is given. The length of an axis
// is that of the option, or what the operand has; half says that the operand, or the
// result, has only the first half of a spectrum of real numbers along the last of them.
func transform(op, kind string, t Tensor, opts []FFTOption, def ...int) Tensor {
	s := t.must(op)
	var o fftOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.fftOption(&o)
		}
	}
	axes := axisIndices(op, t, o.axes)
	if !o.set {
		for _, i := range def {
			axes = append(axes, axisIndex(op, t, axisRef{i: i}))
		}
	}
	if len(axes) != len(def) {
		failOn(ErrAxis, op, []Tensor{t}, "", "transforms %s, %d are given", plural(len(def), "axis", "axes"), len(axes))
	}
	if o.lengths != nil && len(o.lengths) != len(axes) {
		failOn(ErrArgument, op, []Tensor{t}, "", "there are %s for %s", plural(len(o.lengths), "length", "lengths"),
			plural(len(axes), "axis", "axes"))
	}
	switch {
	case kind == "RFFT" && s.DType.IsComplex():
		failOn(ErrDType, op, []Tensor{t}, "use nx.FFT", "transforms real numbers")
	case kind == "RFFT":
		t = converted(t, wide(floating(s.DType, s.weak)))
	default:
		t = converted(t, complexOf(wide(floating(s.DType, s.weak))))
	}
	for k := len(axes) - 1; k >= 0; k-- {
		axis := axes[k]
		n := t.p.spec.Shape[axis]
		length := n
		if kind == "IRFFT" {
			length = 2 * (n - 1)
		}
		if o.lengths != nil {
			length = o.lengths[k]
		}
		if length < 1 {
			failOn(ErrArgument, op, []Tensor{t}, "give a length (nx.Length)", "the length %d is not positive", length)
		}
		need := length
		if kind == "IRFFT" {
			need = length/2 + 1
		}
		t = resized(t, axis, need)
		last := len(t.p.spec.Shape) - 1
		t = swapAxes(fftOp.one(fftAttrs{kind, length}, swapAxes(t, axis, last)), axis, last)
	}
	return t
}

// complexOf returns the complex type of numbers with a float type.
func complexOf(d DType) DType {
	if d.IsComplex() {
		return d
	}
	return d.Complex()
}

// resized cuts an axis, or pads it with zeros, to a size.
func resized(t Tensor, axis, size int) Tensor {
	n := t.p.spec.Shape[axis]
	if n == size {
		return t
	}
	lohi := make([][2]int, len(t.p.spec.Shape))
	lohi[axis][1] = size - n
	return Pad(t, 0, lohi...)
}

// swapAxes exchanges two axes.
func swapAxes(t Tensor, i, j int) Tensor {
	if i == j {
		return t
	}
	perm := make([]int, len(t.p.spec.Shape))
	for k := range perm {
		perm[k] = k
	}
	perm[i], perm[j] = j, i
	return Transpose(t, Axis(perm...))
}

// FFT returns the discrete Fourier transform along an axis, the last by default:
// Σ t[j]·exp(-2πi·jk/n). Options: [Axis], [Length] to cut or pad with zeros before.
//
// Shapes: [..., n] → [..., length]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the transform of the cotangent. Accuracy: ≤ 4e-7·log₂ n of the largest, f32.
// O(n log n) for any n. Errors: [ErrAxis], [ErrArgument] for a length below 1. Source:
// Cooley, Tukey 1965; Bluestein 1970.
func FFT(t Tensor, opts ...FFTOption) Tensor { return transform("FFT", "FFT", t, opts, -1) }

// IFFT returns the inverse of [FFT] along an axis, the last by default, which divides by
// n. Options: [Axis], [Length].
//
// Shapes: [..., n] → [..., length]. DTypes: c128 for f64 and c128, c64 for all others. Gradient:
// the inverse transform of the cotangent. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors:
// [ErrAxis], [ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFT(t Tensor, opts ...FFTOption) Tensor { return transform("IFFT", "IFFT", t, opts, -1) }

// RFFT returns the first half of the transform of real numbers along an axis, the last by
// default; the other half is its conjugate. Options: [Axis], [Length].
//
// Shapes: [..., n] → [..., length/2+1]. DTypes: real; c128 for f64, c64 for all others. Gradient:
// forward and reverse. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors: [ErrDType] for complex
// numbers, [ErrAxis], [ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein
// 1970.
func RFFT(t Tensor, opts ...FFTOption) Tensor { return transform("RFFT", "RFFT", t, opts, -1) }

// IRFFT returns the inverse of [RFFT] along an axis, the last by default: real numbers.
// Options: [Axis], [Length] of the result, 2(m-1) by default.
//
// Shapes: [..., m] → [..., length]. DTypes: f64 for f64 and c128, f32 for all others. Gradient:
// forward and reverse. Accuracy: ≤ 4e-7·log₂ n of the largest, f32. Errors: [ErrAxis],
// [ErrArgument] for a length below 1. Source: Cooley, Tukey 1965; Bluestein 1970.
func IRFFT(t Tensor, opts ...FFTOption) Tensor { return transform("IRFFT", "IRFFT", t, opts, -1) }

// FFT2 returns the Fourier transform along two axes, the last two by default. Options:
// [Axis], [Lengths].
//
// Shapes: [..., m, n] → [..., lengths…]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the transform of the cotangent. Accuracy: that of [FFT] twice. Errors: those of [FFT].
// Source: Cooley, Tukey 1965; Bluestein 1970.
func FFT2(t Tensor, opts ...FFTOption) Tensor { return transform("FFT2", "FFT", t, opts, -2, -1) }

// IFFT2 returns the inverse of [FFT2] along two axes, the last two by default. Options:
// [Axis], [Lengths].
//
// Shapes: [..., m, n] → [..., lengths…]. DTypes: c128 for f64 and c128, c64 for all others.
// Gradient: the inverse transform of the cotangent. Accuracy: that of [IFFT] twice. Errors: those
// of [IFFT]. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFT2(t Tensor, opts ...FFTOption) Tensor { return transform("IFFT2", "IFFT", t, opts, -2, -1) }

// FFTN returns the Fourier transform along all axes, or those given. Options: [Axis],
// [Lengths].
//
// Shapes: [n…] → [lengths…]. DTypes: c128 for f64 and c128, c64 for all others. Gradient: the
// transform of the cotangent. Accuracy: that of [FFT] for each axis. Errors: those of [FFT].
// Source: Cooley, Tukey 1965; Bluestein 1970.
func FFTN(t Tensor, opts ...FFTOption) Tensor {
	return transform("FFTN", "FFT", t, opts, everyAxis("FFTN", t, opts)...)
}

// IFFTN returns the inverse of [FFTN] along all axes, or those given. Options: [Axis],
// [Lengths].
//
// Shapes: [n…] → [lengths…]. DTypes: c128 for f64 and c128, c64 for all others. Gradient: the
// inverse transform of the cotangent. Accuracy: that of [IFFT] for each axis. Errors: those of
// [IFFT]. Source: Cooley, Tukey 1965; Bluestein 1970.
func IFFTN(t Tensor, opts ...FFTOption) Tensor {
	return transform("IFFTN", "IFFT", t, opts, everyAxis("IFFTN", t, opts)...)
}

// everyAxis returns as many axes as are to be transformed: those given, or all.
func everyAxis(op string, t Tensor, opts []FFTOption) []int {
	s := t.must(op)
	var o fftOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.fftOption(&o)
		}
	}
	n := len(s.Shape)
	if o.set {
		n = len(o.axes)
	}
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// FFTShift moves the zero frequency to the middle of axes, all when none is given.
//
// Shapes: that of t. DTypes: that of t. Gradient: moved back. Accuracy: exact. Errors: [ErrAxis].
func FFTShift(t Tensor, opts ...AxisOption) Tensor { return shiftHalf("FFTShift", t, opts, 0) }

// IFFTShift undoes [FFTShift].
//
// Shapes: that of t. DTypes: that of t. Gradient: moved back. Accuracy: exact. Errors: [ErrAxis].
func IFFTShift(t Tensor, opts ...AxisOption) Tensor { return shiftHalf("IFFTShift", t, opts, 1) }

func shiftHalf(op string, t Tensor, opts []AxisOption, up int) Tensor {
	s := t.must(op)
	axes, given := readAxes(op, t, opts)
	if !given {
		for i := range s.Shape {
			axes = append(axes, i)
		}
	}
	out := t
	for _, i := range axes {
		out = rolled(out, i, (s.Shape[i]+up)/2)
	}
	return out.apart(op, t)
}

// FFTFreq returns the frequencies of the n bins of [FFT], in cycles per unit of the
// spacing d of samples.
//
// Shapes: [n]. DTypes: float. Gradient: none. Accuracy: rounded once. Errors: [ErrArgument] for an
// n below 1, [ErrDType].
func FFTFreq(n int, d float64, t DType) Tensor { return frequencies("FFTFreq", n, n, d, t) }

// RFFTFreq returns the frequencies of the n/2+1 bins of [RFFT] of n samples, in cycles per
// unit of the spacing d of samples.
//
// Shapes: [n/2+1]. DTypes: float. Gradient: none. Accuracy: rounded once. Errors: [ErrArgument] for
// an n below 1, [ErrDType].
func RFFTFreq(n int, d float64, t DType) Tensor { return frequencies("RFFTFreq", n, n/2+1, d, t) }

func frequencies(op string, n, bins int, d float64, t DType) Tensor {
	if n < 1 || d == 0 {
		fail(ErrArgument, op, "", "there are no frequencies of %d samples with a spacing of %v", n, d)
	}
	if !t.IsFloat() {
		fail(ErrDType, op, "", "is defined for floats, not for %s", t)
	}
	k := Iota(Shape{bins}, F64)
	if bins == n {
		k = Where(GreaterEqual(k, float64((n+1)/2)), Sub(k, float64(n)), k)
	}
	return cast(Div(k, float64(n)*d), t)
}
