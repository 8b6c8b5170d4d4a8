package onnx

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// signalRows are Fourier transforms and what goes with them, and random numbers.
func signalRows() []row {
	return append(randomRows(),
		single("DFT", func(n *node) core.Tensor {
			axis := n.attrInt("axis", 1)
			if n.version >= 20 {
				if axis = -2; n.has(2) {
					axis = n.int(2)
				}
			}
			length := 0
			if n.has(1) {
				if length = n.int(1); length < 1 || length > maxSignal {
					n.fail("the length %d of a transform", length)
				}
			}
			return n.fourier(n.in(0), axis, length, n.attrBool("inverse"), n.attrBool("onesided"))
		}),
		single("STFT", shortTimeFourier),
		single("HannWindow", func(n *node) core.Tensor { return n.cosines(0.5, -0.5, 0) }),
		single("HammingWindow", func(n *node) core.Tensor { return n.cosines(25.0/46, 25.0/46-1, 0) }),
		single("BlackmanWindow", func(n *node) core.Tensor { return n.cosines(0.42, -0.5, 0.08) }),
		single("MelWeightMatrix", melWeights),
	)
}

// maxSignal bounds lengths that are numbers of a model.
const maxSignal = 1 << 24

// fourier transforms an axis of a tensor whose last axis has a real number, or its real and imaginary part. A length
// cuts the axis, or adds zeros; 0 is that of the axis. One side is the half of the spectrum of real numbers: of the
// result, or of the operand of the inverse, whose result is then real.
func (n *node) fourier(x core.Tensor, axis, length int, inverse, half bool) core.Tensor {
	d, rank := x.DType(), x.Rank()
	if rank < 2 || dims(x)[rank-1] < 1 || dims(x)[rank-1] > 2 {
		n.fail("the operand of the shape %v; its last axis has one or two numbers", dims(x))
	}
	if axis = n.axis(axis, rank); axis == rank-1 {
		n.fail("the last axis has the parts of numbers")
	}
	real := dims(x)[rank-1] == 1
	x = wideFloat(x)
	c := x.At(core.Ellipsis, 0)
	if !real {
		c = core.Complex(c, x.At(core.Ellipsis, 1))
	}
	if length == 0 {
		if length = dims(x)[axis]; inverse && half {
			length = 2 * (length - 1)
		}
	}
	opts := []core.FFTOption{axisOf(axis), core.Lengths(length)}
	switch {
	case inverse && half:
		return sameType(core.ExpandAxis(core.IRFFT(c, opts...), core.Axis(-1)), d)
	case inverse:
		c = core.IFFT(c, opts...)
	case half && real:
		c = core.RFFT(c, opts...)
	default:
		if c = core.FFT(c, opts...); half {
			index := []any{}
			for range axis {
				index = append(index, core.From(0))
			}
			c = c.At(append(index, core.To(length/2+1), core.Ellipsis)...)
		}
	}
	return sameType(core.Stack([]core.Tensor{core.Real(c), core.Imag(c)}, core.Axis(-1)), d)
}

// axisOf is an axis as an option of transforms.
func axisOf(axis int) core.FFTOption { return core.Axis(axis).(core.FFTOption) }

// shortTimeFourier is STFT: the transforms of frames of a signal [batch, length, parts], times a window.
func shortTimeFourier(n *node) core.Tensor {
	x := n.in(0)
	if x.Rank() == 2 {
		x = core.ExpandAxis(x, core.Axis(-1))
	}
	if x.Rank() != 3 {
		n.fail("the signal has the rank %d; it has axes of the batch, of the length, and of parts", x.Rank())
	}
	step, size := n.int(1), dims(x)[1]
	window, windowed := n.opt(2)
	if windowed {
		size = window.Size()
	}
	length := size
	if n.has(3) {
		if length = n.int(3); !windowed {
			size = length
		}
	}
	if step < 1 || size < 1 || length < 1 || size > length || length > dims(x)[1] {
		n.fail("frames of %d elements and windows of %d, %d apart, of %d elements", length, size, step, dims(x)[1])
	}
	frames := 1 + (dims(x)[1]-length)/step
	shape := []int{dims(x)[0], frames, size, dims(x)[2]}
	index := core.Add(core.Mul(core.Iota(core.Shape{frames, 1}, core.S32, core.Axis(0)), step),
		core.Iota(core.Shape{1, size}, core.S32, core.Axis(1)))
	y := wideFloat(core.Take(n.expanded(x, shape), index, core.Axis(1)))
	if windowed {
		y = core.Mul(y, core.Reshape(sameType(window, y.DType()), size, 1))
	}
	return sameType(n.fourier(y, 2, length, false, n.attrInt("onesided", 1) != 0), n.in(0).DType())
}

// cosines is a window a + b·cos(2πi/N) + c·cos(4πi/N): N is its size, or one less if it is not periodic.
func (n *node) cosines(a, b, c float64) core.Tensor {
	size := n.int(0)
	if size < 0 || size > maxSignal {
		n.fail("a window of %d elements", size)
	}
	period := float64(size)
	if n.attrInt("periodic", 1) == 0 {
		period-- // which makes the element of a window of one NaN, as its formula does
	}
	list := make([]float64, size)
	for i := range list {
		angle := 2 * math.Pi * float64(i) / period
		list[i] = a + b*math.Cos(angle) + c*math.Cos(2*angle)
	}
	return core.Cast(core.FromSlice(list, core.Shape{size}), n.attrType("output_datatype", dtype.F32))
}

// melWeights is MelWeightMatrix: triangles over the bins of a spectrum, whose corners are equally far on mel's scale.
func melWeights(n *node) core.Tensor {
	bins, length, rate := n.int(0), n.int(1), n.int(2)
	spectrum := length/2 + 1
	if bins < 1 || length < 1 || rate < 1 || bins > maxSignal || length > maxSignal || bins*spectrum > maxSignal {
		n.fail("%d bins of mel for a transform of %d elements at a rate of %d", bins, length, rate)
	}
	mel := func(i int) float64 { // the scale, in the precision of its operand
		hertz := float32(math.Log1p(float64(float32(n.floats(i)[0]) / 700)))
		return float64(2595*hertz) / math.Ln10
	}
	low := mel(3)
	step := (mel(4) - low) / float64(bins+2)
	corners := make([]int, bins+2)
	for i := range corners {
		hertz := 700 * math.Expm1((float64(i)*step+low)/2595*math.Ln10)
		at := math.Floor(float64(length+1) * hertz / float64(rate))
		if !(at >= 0 && at < float64(spectrum)) {
			n.fail("the edges %g and %g are not frequencies below the half of %d", n.floats(3)[0], n.floats(4)[0], rate)
		}
		corners[i] = int(at)
	}
	list := make([]float64, spectrum*bins)
	for i := range bins {
		left, centre, right := corners[i], corners[i+1], corners[i+2]
		for j := left; j <= centre; j++ {
			list[j*bins+i] = 1
			if left != centre {
				list[j*bins+i] = float64(j-left) / float64(centre-left)
			}
		}
		for j := centre; j < right; j++ {
			list[j*bins+i] = float64(right-j) / float64(right-centre)
		}
	}
	return core.Cast(core.FromSlice(list, core.Shape{spectrum, bins}), n.attrType("output_datatype", dtype.F32))
}
