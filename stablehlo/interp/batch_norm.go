package interp

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

// normalization is a tensor seen as [outer, feature, inner]. All arithmetic
// is in float64; results are rounded once.
type normalization struct {
	f                      *frame
	err                    error // the context has ended: the results are not to be used
	x                      []float64
	outer, features, inner int
	epsilon                float64
	perFeature             float64 // elements
}

func newNormalization(f *frame, op *stablehlo.Op, x *Tensor, perFeature ...*Tensor) (*normalization, error) {
	d := int(op.Int("feature_index", 0))
	dims := x.dims()
	if err := checkMemoryFor[float64](x, x, x); err != nil {
		return nil, err
	}
	v, err := load[float64](f, x)
	if err != nil {
		return nil, err
	}
	n := &normalization{f: f, x: v, outer: numElems(dims[:d]), features: int(dims[d]), inner: numElems(dims[d+1:])}
	for _, p := range perFeature {
		if p.numElems() != n.features {
			return nil, faultf(BadShape, "%d values for %d features", p.numElems(), n.features)
		}
	}
	n.perFeature = float64(n.outer * n.inner)
	// The attribute is f32, a constant of the operand's type in the formulas.
	if a, ok := op.Attr("epsilon").(stablehlo.FloatAttr); ok {
		n.epsilon = roundTo(x.Type.DType(), a.Value)
	}
	return n, nil
}

// each calls f with the number and the feature of each element, until the context ends.
func (n *normalization) each(f func(i, feature int)) {
	i := 0
	for range n.outer {
		for c := range n.features {
			if n.err == nil {
				n.err = n.f.tickN(n.inner)
			}
			if n.err != nil {
				return
			}
			for range n.inner {
				f(i, c)
				i++
			}
		}
	}
}

// sum adds up a function of the elements of each feature.
func (n *normalization) sum(v func(i, feature int) float64) []float64 {
	out := make([]float64, n.features)
	n.each(func(i, c int) { out[c] += v(i, c) })
	return out
}

func (n *normalization) mean(v func(i, feature int) float64) []float64 {
	out := n.sum(v)
	for c := range out {
		out[c] /= n.perFeature
	}
	return out
}

// normalized returns (x - mean) / sqrt(variance + ε) * scale + offset.
func (n *normalization) normalized(scale, offset, mean, variance []float64) []float64 {
	out := make([]float64, len(n.x))
	n.each(func(i, c int) {
		out[i] = (n.x[i]-mean[c])/math.Sqrt(variance[c]+n.epsilon)*scale[c] + offset[c]
	})
	return out
}

// loadAll returns the elements of some tensors.
func loadAll(f *frame, x []*Tensor) (out [][]float64, err error) {
	for _, t := range x {
		v, err := load[float64](f, t)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// stored rounds results to their types.
func (n *normalization) stored(op *stablehlo.Op, dims [][]int64, v ...[]float64) ([]Value, error) {
	if n.err != nil {
		return nil, n.err
	}
	out := make([]Value, len(v))
	for i, v := range v {
		r, err := makeTensor(op.Results[i].Tensor(), dims[i]...)
		if err != nil {
			return nil, err
		}
		if err := store(n.f, r, v); err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}

func evalBatchNormInference(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	n, err := newNormalization(f, s.op, x[0], x[1:]...)
	if err != nil {
		return nil, err
	}
	p, err := loadAll(f, x[1:])
	if err != nil {
		return nil, err
	}
	y := n.normalized(p[0], p[1], p[2], p[3])
	return n.stored(s.op, [][]int64{x[0].dims()}, y)
}

func evalBatchNormTraining(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	n, err := newNormalization(f, s.op, x[0], x[1:]...)
	if err != nil {
		return nil, err
	}
	p, err := loadAll(f, x[1:])
	if err != nil {
		return nil, err
	}
	mean := n.mean(func(i, _ int) float64 { return n.x[i] })
	variance := n.mean(func(i, c int) float64 { d := n.x[i] - mean[c]; return d * d })
	y := n.normalized(p[0], p[1], mean, variance)
	return n.stored(s.op, [][]int64{x[0].dims(), x[1].dims(), x[1].dims()}, y, mean, variance)
}

func evalBatchNormGrad(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	n, err := newNormalization(f, s.op, x[0], x[1:4]...)
	if err != nil {
		return nil, err
	}
	if !equalDims(x[0].dims(), x[4].dims()) {
		return nil, faultf(BadShape, "a gradient of shape %v for an operand of shape %v", x[4].dims(), x[0].dims())
	}
	p, err := loadAll(f, x[1:])
	if err != nil {
		return nil, err
	}
	scale, mean, variance, grad := p[0], p[1], p[2], p[3]
	centered := func(i, c int) float64 { return n.x[i] - mean[c] }
	stddev := func(c int) float64 { return math.Sqrt(variance[c] + n.epsilon) }
	sum := n.sum(func(i, _ int) float64 { return grad[i] })
	product := n.sum(func(i, c int) float64 { return grad[i] * centered(i, c) })
	gradScale := n.sum(func(i, c int) float64 { return grad[i] * (centered(i, c) / stddev(c)) })
	gradX := make([]float64, len(n.x))
	n.each(func(i, c int) {
		v := grad[i]*n.perFeature - sum[c] - product[c]*centered(i, c)/(variance[c]+n.epsilon)
		gradX[i] = scale[c] / stddev(c) / n.perFeature * v
	})
	return n.stored(s.op, [][]int64{x[0].dims(), x[1].dims(), x[1].dims()}, gradX, gradScale, sum)
}
