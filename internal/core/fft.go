package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

func (a axesOption) fftOption(o *fftOptions) { a.axisOption(&o.axisOptions) }

// lengthsOption is the option made by [Lengths].
type lengthsOption struct{ n []int }

// Lengths implements fft.Length.
func Lengths(n ...int) FFTOption { return lengthsOption{n} }

func (l lengthsOption) fftOption(o *fftOptions) { o.lengths = l.n }
func (lengthsOption) label() string             { return "fft.Length" }

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
				stablehlo.Named("fft_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "fft_type",
					Value: d.attrs.kind}))}
	}}

// transform applies a transform along axes, def when none is given. The length of an axis is that
// of the option, or of the operand; half reports that the operand, or the result, has only the
// first half of a spectrum of real numbers along the last of them.
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
		failOn(ErrDType, op, []Tensor{t}, "use fft.FFT", "transforms real numbers")
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
			failOn(ErrArgument, op, []Tensor{t}, "give a length (fft.Length)", "the length %d is not positive", length)
		}
		need := length
		if kind == "IRFFT" {
			need = length/2 + 1
		}
		t = resized(t, axis, need)
		last := len(t.p.spec.Shape) - 1
		t = swapAxes(fftOp.call1(fftAttrs{kind, length}, swapAxes(t, axis, last)), axis, last)
	}
	return t
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

// FFT implements fft.FFT.
func FFT(t Tensor, opts ...FFTOption) Tensor { return transform("FFT", "FFT", t, opts, -1) }

// IFFT implements fft.IFFT.
func IFFT(t Tensor, opts ...FFTOption) Tensor { return transform("IFFT", "IFFT", t, opts, -1) }

// RFFT implements fft.RFFT.
func RFFT(t Tensor, opts ...FFTOption) Tensor { return transform("RFFT", "RFFT", t, opts, -1) }

// IRFFT implements fft.IRFFT.
func IRFFT(t Tensor, opts ...FFTOption) Tensor { return transform("IRFFT", "IRFFT", t, opts, -1) }

// FFT2 implements fft.FFT2.
func FFT2(t Tensor, opts ...FFTOption) Tensor { return transform("FFT2", "FFT", t, opts, -2, -1) }

// IFFT2 implements fft.IFFT2.
func IFFT2(t Tensor, opts ...FFTOption) Tensor { return transform("IFFT2", "IFFT", t, opts, -2, -1) }

// FFTN implements fft.FFTN.
func FFTN(t Tensor, opts ...FFTOption) Tensor {
	return transform("FFTN", "FFT", t, opts, everyAxis("FFTN", t, opts)...)
}

// IFFTN implements fft.IFFTN.
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

// FFTShift implements fft.Shift.
func FFTShift(t Tensor, opts ...AxisOption) Tensor { return shiftHalf("fft.Shift", t, opts, 0) }

// IFFTShift implements fft.IShift.
func IFFTShift(t Tensor, opts ...AxisOption) Tensor { return shiftHalf("fft.IShift", t, opts, 1) }

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
	return out.unshared(op, t)
}

// FFTFreq implements fft.Freq.
func FFTFreq(n int, d float64, t DType) Tensor { return frequencies("fft.Freq", n, n, d, t) }

// RFFTFreq implements fft.RFreq.
func RFFTFreq(n int, d float64, t DType) Tensor { return frequencies("fft.RFreq", n, n/2+1, d, t) }

func frequencies(op string, n, bins int, d float64, t DType) Tensor {
	if n < 1 || d == 0 {
		fail(ErrArgument, op, "", "n must be positive and d not 0, got %d and %v", n, d)
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
