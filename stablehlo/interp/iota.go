package interp

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func evalIota(f *frame, op *stablehlo.Op, _ []*Tensor) (*Tensor, error) {
	return count(f, op, op.Result().Tensor().Dims)
}

func evalDynamicIota(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, err := sizes(x[0])
	if err != nil {
		return nil, err
	}
	return count(f, op, dims)
}

// count numbers the positions along a dimension: one line of numbers, repeated.
func count(f *frame, op *stablehlo.Op, dims []int64) (*Tensor, error) {
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
	if err := f.each(int(dims[at]), func(i int) { dtype.S64.StoreInt(counts.Data, i, int64(i)) }); err != nil {
		return nil, err
	}
	line, err := convert(f, counts, t.Elem)
	if err != nil {
		return nil, err
	}
	return broadcast(f, op, line, dims, []int64{at})
}

// convert returns x with its elements converted to a type: by the rules of
// the convert op, and quantised where that type is.
func convert(f *frame, x *Tensor, elem stablehlo.Type) (*Tensor, error) {
	if stablehlo.SameType(x.Type.Elem, elem) {
		return x, nil
	}
	if x.Type.Quant() != nil {
		d, err := dequantize(f, x)
		if err != nil {
			return nil, err
		}
		return convert(f, d, elem)
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
	from, n := x.Type.DType(), x.numElems()
	for i := 0; i < n; i += atOnce {
		k := min(n, i+atOnce)
		if err := f.tickN(k - i); err != nil {
			return nil, err
		}
		if err := dtype.Convert(r.Data[i*r.size():k*r.size()], r.Type.DType(), x.Data[i*x.size():k*x.size()],
			from); err != nil {
			return nil, err
		}
	}
	if quantised {
		return quantize(f, r, q)
	}
	return r, nil
}
