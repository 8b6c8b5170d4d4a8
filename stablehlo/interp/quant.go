package interp

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// dequantize returns the numbers that quantised elements stand for:
// (i - zero_point) * scale, in the expressed type.
func dequantize(f *frame, x *Tensor) (*Tensor, error) {
	q := x.Type.Quant()
	r, err := makeTensor(x.Type.WithElem(stablehlo.Scalar(q.Expressed)), x.dims()...)
	if err != nil {
		return nil, err
	}
	at := channels(q, x.dims())
	return r, f.each(x.numElems(), func(i int) {
		c := at.of(i)
		// The difference of stored integers is taken without wrapping around.
		diff := roundTo(q.Expressed, float64(q.Storage.LoadInt(x.Data, i)-q.ZeroPoints[c]))
		q.Expressed.StoreFloat(r.Data, i, diff*roundTo(q.Expressed, q.Scales[c]))
	})
}

// quantize returns numbers of the expressed type of q in its storage:
// round(clamp(x/scale + zero_point)), each step in the expressed type and ties
// to even.
func quantize(f *frame, x *Tensor, q *stablehlo.QuantType) (*Tensor, error) {
	r, err := makeTensor(x.Type.WithElem(q), x.dims()...)
	if err != nil {
		return nil, err
	}
	e := q.Expressed
	lo, hi := roundTo(e, float64(q.Min)), roundTo(e, float64(q.Max))
	at := channels(q, x.dims())
	return r, f.each(x.numElems(), func(i int) {
		c := at.of(i)
		v := roundTo(e, e.LoadFloat(x.Data, i)/roundTo(e, q.Scales[c]))
		v = roundTo(e, v+roundTo(e, float64(q.ZeroPoints[c])))
		if v != v {
			v = 0 // as convert does
		}
		v = math.RoundToEven(min(max(v, lo), hi))
		q.Storage.StoreInt(r.Data, i, min(max(int64(v), q.Min), q.Max))
	})
}

// roundTo returns v rounded to a floating-point type.
func roundTo(d dtype.Type, v float64) float64 { return d.Float64(d.FromFloat64(v)) }

// channelIndex returns the entry of Scales and ZeroPoints that an element has.
type channelIndex struct{ inner, n int }

// channelsFit reports whether a shape has an element of the quantised dimension
// for each scale.
func channelsFit(q *stablehlo.QuantType, dims []int64) bool {
	return q == nil || !q.IsPerAxis() || q.Axis < len(dims) && dims[q.Axis] == int64(len(q.Scales))
}

func channels(q *stablehlo.QuantType, dims []int64) channelIndex {
	c := channelIndex{1, 1}
	if q.IsPerAxis() {
		c.n = int(dims[q.Axis])
		for _, d := range dims[q.Axis+1:] {
			c.inner *= int(d)
		}
	}
	return c
}

func (c channelIndex) of(i int) int { return i / c.inner % c.n }

// dequantizing makes a row for float tensors one for quantised tensors too:
// it dequantises the operands, runs the op in the expressed types, and
// quantises the results.
//
//go:noinline
func dequantizing(eval evalFunc) evalFunc {
	return func(f *frame, s *step, args []Value) ([]Value, error) {
		if !hasQuantised(s.op) {
			return eval(f, s, args)
		}
		floats := make([]Value, len(args))
		for i, a := range args {
			floats[i] = a
			if x, ok := a.(*Tensor); ok && x.Type.Quant() != nil {
				d, err := dequantize(f, x)
				if err != nil {
					return nil, err
				}
				floats[i] = d
			}
		}
		inner := *s
		inner.op = expressed(s.op)
		results, err := eval(f, &inner, floats)
		if err != nil {
			return nil, err
		}
		for i, r := range s.op.Results {
			x, ok := results[i].(*Tensor)
			if q := r.Tensor().Quant(); ok && q != nil {
				if results[i], err = quantize(f, x, q); err != nil {
					return nil, err
				}
			}
		}
		return results, nil
	}
}

func hasQuantised(op *stablehlo.Op) bool {
	for _, vs := range [][]*stablehlo.Value{op.Operands, op.Results} {
		for _, v := range vs {
			if t := v.Tensor(); t != nil && t.Quant() != nil {
				return true
			}
		}
	}
	return false
}

// expressed returns a copy of an op, outside any block and with no operands,
// whose results have the expressed types.
func expressed(op *stablehlo.Op) *stablehlo.Op {
	results := make([]stablehlo.Type, len(op.Results))
	for i, r := range op.Results {
		results[i] = r.Type()
		if t := r.Tensor(); t != nil && t.Quant() != nil {
			results[i] = t.WithElem(stablehlo.Scalar(t.Quant().Expressed))
		}
	}
	return stablehlo.NewOp(op.Code, nil, results, op.Attrs...)
}
