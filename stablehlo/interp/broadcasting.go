package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// evalBroadcasting returns the operands of a chlo.broadcast_* op one shape, by
// broadcast_dimensions or else aligned at the last dimension, and runs the
// plain op.
func evalBroadcasting(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	op, rank := s.op, 0
	for _, y := range x {
		rank = max(rank, y.Type.Rank())
	}
	dimMaps, dims := make([][]int64, len(x)), make([]int64, rank)
	for d := range dims {
		dims[d] = 1
	}
	for i, y := range x {
		dimMaps[i] = broadcastDims(op, y, rank)
		for d, n := range y.dims() {
			to := dimMaps[i][d]
			if to < 0 || to >= int64(rank) || n != 1 && dims[to] != 1 && dims[to] != n {
				return nil, faultf(BadShape, "operands of shapes %v and %v cannot be broadcast together",
					x[0].dims(), y.dims())
			}
			if n != 1 {
				dims[to] = n
			}
		}
	}
	same := make([]*Tensor, len(x))
	for i, y := range x {
		r, err := broadcastTo(f, y.Type, y, dims, dimMaps[i])
		if err != nil {
			return nil, err
		}
		same[i] = r
	}
	t := op.Result().Tensor()
	if err := fits(t, dims); err != nil {
		return nil, err
	}
	code, _ := op.Code.Plain()
	plain := stablehlo.NewOp(code, op.Operands, []stablehlo.Type{t}, op.Attrs...)
	r, err := f.elementwise(plain, same, t.WithDims(dims...))
	return []Value{r}, err
}

// broadcastDims returns the dimensions of the result that those of an operand become.
func broadcastDims(op *stablehlo.Op, x *Tensor, rank int) []int64 {
	if at := op.Ints("broadcast_dimensions"); at != nil && len(at) == x.Type.Rank() && len(at) < rank {
		return slices.Clone(at)
	}
	at := make([]int64, x.Type.Rank())
	for d := range at {
		at[d] = int64(rank - len(at) + d)
	}
	return at
}
