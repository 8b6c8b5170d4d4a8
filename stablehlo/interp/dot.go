package interp

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// label is a dimension of a contraction: its size and the steps along it in
// each operand (0 where the operand does not have it).
type label struct {
	n    int64
	x, y int
}

// contraction is a contraction: result[batch, left, right] = Σ x[batch, left, sum] * y[batch, right, sum].
//
// The terms are rounded and accumulated in the order of the contracted indices, in the type of the result or,
// for floats narrower than f32, in f32 with one rounding at the end, whatever the precision_config. A dot
// algorithm rounds the operands first and selects the accumulation type. Integers are added modulo their
// width.
type contraction struct {
	batch, left, right, sum []label
	algorithm               *stablehlo.DotAlgorithm
}

func evalDotGeneral(f *frame, s *step, args []Value) ([]Value, error) {
	a, ok := s.op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		return nil, faultf(Unsupported, "dot_general without dimension numbers")
	}
	x, y := args[0].(*Tensor), args[1].(*Tensor)
	c, err := newContraction(x.dims(), y.dims(), a)
	if err != nil {
		return nil, err
	}
	c.algorithm, _ = s.op.Attr("algorithm").(*stablehlo.DotAlgorithm)
	return c.eval(f, s.op.Result().Tensor(), x, y)
}

// evalDot contracts the last dimension of the left with the first of the right.
func evalDot(f *frame, s *step, args []Value) ([]Value, error) {
	x, y := args[0].(*Tensor), args[1].(*Tensor)
	c, err := newContraction(x.dims(), y.dims(), &stablehlo.DotDims{
		LHSContracting: []int64{int64(x.Type.Rank() - 1)}, RHSContracting: []int64{0}})
	if err != nil {
		return nil, err
	}
	return c.eval(f, s.op.Result().Tensor(), x, y)
}

func newContraction(x, y []int64, a *stablehlo.DotDims) (*contraction, error) {
	c := &contraction{}
	sx, sy := rowMajor(x), rowMajor(y)
	join := func(dx, dy []int64) ([]label, error) {
		var out []label
		for i, d := range dx {
			e := dy[i]
			if x[d] != y[e] {
				return nil, faultf(BadShape, "dimension %d of shape %v and dimension %d of shape %v differ", d, x, e, y)
			}
			out = append(out, label{x[d], sx[d], sy[e]})
		}
		return out, nil
	}
	var err error
	if c.batch, err = join(a.LHSBatching, a.RHSBatching); err != nil {
		return nil, err
	}
	if c.sum, err = join(a.LHSContracting, a.RHSContracting); err != nil {
		return nil, err
	}
	for d, n := range x {
		if !slices.Contains(a.LHSBatching, int64(d)) && !slices.Contains(a.LHSContracting, int64(d)) {
			c.left = append(c.left, label{n, sx[d], 0})
		}
	}
	for d, n := range y {
		if !slices.Contains(a.RHSBatching, int64(d)) && !slices.Contains(a.RHSContracting, int64(d)) {
			c.right = append(c.right, label{n, 0, sy[d]})
		}
	}
	return c, nil
}

// dims returns the shape of the result.
func (c *contraction) dims() []int64 {
	return labelDims(slices.Concat(c.batch, c.left, c.right))
}

func labelDims(ls []label) []int64 {
	dims := make([]int64, len(ls))
	for i, l := range ls {
		dims[i] = l.n
	}
	return dims
}

func (c *contraction) eval(f *frame, t *stablehlo.TensorType, x, y *Tensor) ([]Value, error) {
	r, err := makeTensor(t, c.dims()...)
	if err != nil {
		return nil, err
	}
	if err := c.into(f, r, x, y); err != nil {
		return nil, err
	}
	return []Value{r}, nil
}

// into computes the contraction into r, whose shape is c.dims().
func (c *contraction) into(f *frame, r, x, y *Tensor) error {
	x, err := pack(f, x, slices.Concat(c.batch, c.left, c.sum), func(l label) int { return l.x })
	if err != nil {
		return err
	}
	if y, err = pack(f, y, slices.Concat(c.batch, c.right, c.sum), func(l label) int { return l.y }); err != nil {
		return err
	}
	kind := kindOf(r.Type.DType())
	if a := c.algorithm; a != nil && a.Accumulation != nil && r.Type.DType().IsFloat() {
		kind = kindOf(stablehlo.DType(a.Accumulation)) // float32 for tf32 too
		if kind != asFloat64 {
			kind = asFloat32
		}
	}
	switch kind {
	case asFloat32:
		return dotPacked[float32](f, c, r, x, y)
	case asFloat64:
		return dotPacked[float64](f, c, r, x, y)
	case asComplex64:
		return dotPacked[complex64](f, c, r, x, y)
	case asComplex128:
		return dotPacked[complex128](f, c, r, x, y)
	}
	return dotPacked[int64](f, c, r, x, y)
}

// pack returns the elements of x in the order of the labels; x itself where
// they have it.
func pack(f *frame, x *Tensor, ls []label, step func(label) int) (*Tensor, error) {
	dims, steps := labelDims(ls), make([]int, len(ls))
	for i, l := range ls {
		steps[i] = step(l)
	}
	if numElems(dims) == x.numElems() && slices.Equal(steps, rowMajor(dims)) {
		return &Tensor{x.Type.WithDims(dims...), x.Data}, nil
	}
	r, err := makeTensor(x.Type, dims...)
	if err != nil {
		return nil, err
	}
	return r, newMover(dims, x.size(), rowMajor(dims), steps).run(f, r.Data, x.Data, 0, 0, x.size())
}

// dotPacked multiplies packed operands, four columns at a time.
func dotPacked[T number](f *frame, c *contraction, r, xt, yt *Tensor) error {
	if err := checkMemoryFor[T](xt, yt, r); err != nil {
		return err
	}
	x, err := load[T](f, xt)
	if err != nil {
		return err
	}
	y, err := load[T](f, yt)
	if err != nil {
		return err
	}
	if a := c.algorithm; a != nil {
		n := partsOf(a.PrimitiveOperations)
		if err := asComponents(f, x, a.LHSPrecision, max(n, a.LHSComponents)); err != nil {
			return err
		}
		if err := asComponents(f, y, a.RHSPrecision, max(n, a.RHSComponents)); err != nil {
			return err
		}
	}
	nb, nm, nn, nk := numElems(labelDims(c.batch)), numElems(labelDims(c.left)), numElems(labelDims(c.right)),
		numElems(labelDims(c.sum))
	out := make([]T, nb*nm*nn)
	for b := range nb {
		for m := range nm {
			if err := f.tickN(nn * nk / 64); err != nil {
				return err
			}
			row, to := x[(b*nm+m)*nk:][:nk], out[(b*nm+m)*nn:][:nn]
			cols := y[b*nn*nk:][:nn*nk]
			n := 0
			for ; n+4 <= nn; n += 4 {
				to[n], to[n+1], to[n+2], to[n+3] = dot4(row, cols[n*nk:])
			}
			for ; n < nn; n++ {
				to[n] = dot1(row, cols[n*nk:])
			}
		}
	}
	if a := c.algorithm; a != nil {
		if err := asComponents(f, out, a.Accumulation, 1); err != nil {
			return err
		}
	}
	return store(f, r, out)
}

// dot1 returns the dot product of x and the beginning of y, in order. The conversions keep compilers from
// fusing multiplication and addition.
func dot1[T number](x, y []T) (sum T) {
	y = y[:len(x)]
	for i, v := range x {
		sum += T(v * y[i])
	}
	return sum
}

// dot4 is dot1 for four vectors that follow one another.
func dot4[T number](x, y []T) (a, b, c, d T) {
	n := len(x)
	y0, y1, y2, y3 := y[:n], y[n:2*n], y[2*n:3*n], y[3*n:4*n]
	for i, v := range x {
		a += T(v * y0[i])
		b += T(v * y1[i])
		c += T(v * y2[i])
		d += T(v * y3[i])
	}
	return a, b, c, d
}

// partsOf returns the number of components of each operand for a number of primitive operations. Programs
// specify bf16_3x and similar algorithms only by this number: both component counts are 1.
func partsOf(products int64) (n int64) {
	for n = 1; n*n < products && n < 8; n++ {
	}
	return n
}

// asComponents rounds real numbers for a dot algorithm: to the sum of n values of the precision type, each of
// which is the rounded remainder of the previous ones.
func asComponents[T number](f *frame, v []T, precision stablehlo.Type, n int64) error {
	round, err := rounding(precision)
	if err != nil || round == nil {
		return err
	}
	switch v := any(v).(type) {
	case []float32:
		return f.each(len(v), func(i int) { v[i] = float32(components(float64(v[i]), round, n)) })
	case []float64:
		return f.each(len(v), func(i int) { v[i] = components(v[i], round, n) })
	}
	return nil
}

func components(x float64, round func(float64) float64, n int64) float64 {
	sum, rest := 0.0, x
	for range max(n, 1) {
		part := round(rest)
		sum += part
		if rest -= part; rest == 0 || rest != rest {
			break
		}
	}
	return sum
}

// rounding returns the rounding to a type of a dot algorithm, or nil.
func rounding(t stablehlo.Type) (func(float64) float64, error) {
	switch t := t.(type) {
	case nil:
		return nil, nil
	case stablehlo.Scalar:
		if d := dtype.Type(t); d.IsFloat() {
			return func(v float64) float64 { return roundTo(d, v) }, nil
		}
	case stablehlo.OtherType:
		if t.Text == "tf32" {
			return roundTF32, nil
		}
	}
	return nil, faultf(Unsupported, "a dot algorithm of type %s", t)
}

// roundTF32 rounds to the 8 exponent and 10 fraction bits of TensorFloat-32.
func roundTF32(v float64) float64 {
	bits := math.Float32bits(float32(v))
	if bits&0x7f80_0000 == 0x7f80_0000 {
		return v
	}
	const cut = 13
	bits += 1<<(cut-1) - 1 + bits>>cut&1
	return float64(math.Float32frombits(bits &^ (1<<cut - 1)))
}
