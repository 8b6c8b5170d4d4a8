package library

import (
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/fft"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeFFT compiles transforms of the last dimensions. Between dimensions the
// elements are in complex128, so that results are rounded once.
func makeFFT(op *stablehlo.Op) (Func, error) {
	in, out := op.Operands[0].Tensor(), op.Result().Tensor()
	lengths := ints(op.Ints("fft_length"))
	kind := op.Str("fft_type")
	t := &fftPlan{inverse: kind == "IFFT" || kind == "IRFFT"}
	spectrum := out.Dims // the shape of the complex elements
	if kind == "IRFFT" {
		spectrum = in.Dims
	}
	dims := ints(spectrum)
	first := len(dims) - len(lengths)
	outer := lengths
	if kind == "RFFT" || kind == "IRFFT" { // the last dimension is separate
		outer = lengths[:len(lengths)-1]
		t.realLength = lengths[len(lengths)-1]
	}
	total := 1
	for _, n := range dims {
		total *= n
	}
	for i := len(outer) - 1; i >= 0 && total > 0; i-- {
		a := axis{length: outer[i], outer: 1, inner: 1}
		for d, n := range dims {
			if d < first+i {
				a.outer *= n
			} else if d > first+i {
				a.inner *= n
			}
		}
		t.axes = append(t.axes, a)
	}
	if t.realLength > 0 {
		t.lines = total / max(dims[len(dims)-1], 1)
	}
	t.total = total
	single := in.DType() == dtype.C64 || in.DType() == dtype.F32
	return func(env *rt.Env, ins, outs [][]byte) error {
		if t.total == 0 || len(outs[0]) == 0 {
			clear(outs[0])
			return nil
		}
		t.plan(env)
		switch {
		case t.real == nil && single:
			return transformComplex[complex64](env, t, outs[0], ins[0])
		case t.real == nil:
			return transformComplex[complex128](env, t, outs[0], ins[0])
		case t.inverse && single:
			return transformToReal[complex64, float32](env, t, outs[0], ins[0])
		case t.inverse:
			return transformToReal[complex128, float64](env, t, outs[0], ins[0])
		case single:
			return transformReal[float32, complex64](env, t, outs[0], ins[0])
		}
		return transformReal[float64, complex128](env, t, outs[0], ins[0])
	}, nil
}

// fftPlan is a transform of several dimensions.
type fftPlan struct {
	inverse bool
	lines   int    // of the last dimension, if it is real
	axes    []axis // complex transforms, in order
	total   int    // complex elements

	realLength int           // of the last dimension, 0 if it is complex
	real       *fft.RealPlan // its plan

	planning sync.Mutex
	planned  bool
}

// plan makes the plans in the first run, and keeps them. Roots of unity and the transforms of long prime lengths take
// seconds: a run can be cancelled meanwhile.
func (t *fftPlan) plan(env *rt.Env) {
	t.planning.Lock()
	defer t.planning.Unlock()
	if t.planned {
		return
	}
	if t.realLength > 0 {
		t.real = fft.NewRealPlan(env, t.realLength)
	}
	for i := range t.axes {
		t.axes[i].fft = fft.NewPlan(env, t.axes[i].length)
	}
	t.planned = true
}

type axis struct {
	length       int
	fft          *fft.Plan
	outer, inner int
}

type complexNumber interface{ complex64 | complex128 }

// complexScratch returns memory for the elements in complex128.
func (t *fftPlan) complexScratch(env *rt.Env) ([]complex128, func(), error) {
	b, err := env.Scratch(16 * t.total)
	if err != nil {
		return nil, nil, err
	}
	return rt.View[complex128](b), func() { env.Free(b) }, nil
}

// transformAxes transforms axes one after another through wide; the last result goes to dst.
func transformAxes[A, B complexNumber](env *rt.Env, t *fftPlan, axes []axis, dst []B, src []A,
	wide []complex128) error {
	if len(axes) == 1 {
		return fft.TransformLines(env, axes[0].fft, dst, src, axes[0].outer, axes[0].inner, t.inverse)
	}
	if err := fft.TransformLines(env, axes[0].fft, wide, src, axes[0].outer, axes[0].inner, t.inverse); err != nil {
		return err
	}
	return transformAxes(env, t, axes[1:], dst, wide, wide)
}

func transformComplex[Z complexNumber](env *rt.Env, t *fftPlan, dst, src []byte) error {
	if len(t.axes) == 0 {
		copy(dst, src)
		return nil
	}
	wide, free, err := t.complexScratch(env)
	if err != nil {
		return err
	}
	defer free()
	return transformAxes(env, t, t.axes, rt.View[Z](dst), rt.View[Z](src), wide)
}

// transformReal transforms the last dimension, then the others.
func transformReal[R float32 | float64, Z complexNumber](env *rt.Env, t *fftPlan, dst, src []byte) error {
	if len(t.axes) == 0 {
		return fft.ForwardReal(env, t.real, rt.View[Z](dst), rt.View[R](src), t.lines)
	}
	wide, free, err := t.complexScratch(env)
	if err != nil {
		return err
	}
	defer free()
	if err := fft.ForwardReal(env, t.real, wide, rt.View[R](src), t.lines); err != nil {
		return err
	}
	return transformAxes(env, t, t.axes, rt.View[Z](dst), wide, wide)
}

// transformToReal transforms the other dimensions, then the last.
func transformToReal[Z complexNumber, R float32 | float64](env *rt.Env, t *fftPlan, dst, src []byte) error {
	if len(t.axes) == 0 {
		return fft.InverseReal(env, t.real, rt.View[R](dst), rt.View[Z](src), t.lines)
	}
	wide, free, err := t.complexScratch(env)
	if err != nil {
		return err
	}
	defer free()
	if err := transformAxes(env, t, t.axes, wide, rt.View[Z](src), wide); err != nil {
		return err
	}
	return fft.InverseReal(env, t.real, rt.View[R](dst), wide, t.lines)
}
