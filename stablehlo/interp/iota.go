package interp

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func evalIota(op *stablehlo.Op, _ []*Tensor) (*Tensor, error) {
	return count(op, op.Result().Tensor().Dims)
}

func evalDynamicIota(op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, err := sizes(x[0])
	if err != nil {
		return nil, err
	}
	return count(op, dims)
}

// count numbers the positions along a dimension: one line of numbers, repeated.
func count(op *stablehlo.Op, dims []int64) (*Tensor, error) {
	t, at := op.Result().Tensor(), op.Int("iota_dimension", 0)
	if at < 0 || at >= int64(len(dims)) {
		return nil, faultf(BadShape, "shape %v has no dimension %d", dims, at)
	}
	if slices.Contains(dims, 0) {
		return makeTensor(t, dims...)
	}
	counts, err := makeTensor(stablehlo.Tensor(dtype.S64), dims[at])
	if err != nil {
		return nil, err
	}
	for i := range dims[at] {
		dtype.S64.StoreInt(counts.Data, int(i), i)
	}
	line, err := convert(counts, t.Elem)
	if err != nil {
		return nil, err
	}
	return broadcast(op, line, dims, []int64{at})
}

// convert returns x with its elements converted to a type: by the rules of
// the convert op, and quantised where that type is.
func convert(x *Tensor, elem stablehlo.Type) (*Tensor, error) {
	if stablehlo.SameType(x.Type.Elem, elem) {
		return x, nil
	}
	if x.Type.Quant() != nil {
		d, err := dequantize(x)
		if err != nil {
			return nil, err
		}
		return convert(d, elem)
	}
	to := elem
	q, quantised := elem.(*stablehlo.QuantType)
	if quantised {
		to = stablehlo.Scalar(q.Expressed)
	}
	r, err := makeTensor(x.Type.WithElem(to), x.dims()...)
	if err != nil {
		return nil, err
	}
	if err := dtype.Convert(r.Data, r.Type.DType(), x.Data, x.Type.DType()); err != nil {
		return nil, err
	}
	if quantised {
		return quantize(r, q)
	}
	return r, nil
}
