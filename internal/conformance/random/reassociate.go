package random

import "github.com/go-nx/nx/stablehlo"

// reassociate appends, instead of a reduction, the reductions of slices of its inputs, then the reduction of
// their results. Executors may reduce in any order, and where intermediate results overflow or vanish the
// order decides whether the result is finite. It returns nil if the input cannot be sliced.
func (g *perturber) reassociate(m *maker, b *stablehlo.Block, op *stablehlo.Op) []*stablehlo.Value {
	inputs := op.Operands[:len(op.Operands)/2]
	sizes := inputs[0].Tensor().Dims
	cut := -1
	for _, d := range op.Ints("dimensions") {
		if sizes[d] > 1 {
			cut = int(d)
		}
	}
	if cut < 0 {
		return nil
	}
	stacks := make([][]*stablehlo.Value, len(inputs)) // the results of all slices
	for from := int64(0); from < sizes[cut]; {
		to := min(from+1+g.r.Int64N((sizes[cut]+1)/2), sizes[cut])
		sliced := map[*stablehlo.Value]*stablehlo.Value{}
		for _, v := range inputs {
			sliced[v] = sliceOf(m, v, cut, from, to)
		}
		reduced := op.Clone(sliced)
		b.Append(reduced)
		for i, v := range reduced.Results {
			row := stablehlo.Tensor(v.Tensor().DType(), append([]int64{1}, v.Tensor().Dims...)...)
			stacks[i] = append(stacks[i], m.append(stablehlo.OpReshape, []*stablehlo.Value{v},
				stablehlo.Results{row})[0])
		}
		from = to
	}
	joined := op.Clone(map[*stablehlo.Value]*stablehlo.Value{})
	for i, rows := range stacks {
		along := stablehlo.Named("dimension", stablehlo.I64(0))
		joined.Operands[i] = m.append(stablehlo.OpConcatenate, rows, along)[0]
	}
	joined.SetAttr("dimensions", stablehlo.I64s(0))
	b.Append(joined)
	return joined.Results
}

// sliceOf returns a range of elements along a dimension.
func sliceOf(m *maker, v *stablehlo.Value, dim int, from, to int64) *stablehlo.Value {
	dims := v.Tensor().Dims
	start, limit, strides := make([]int64, len(dims)), make([]int64, len(dims)), make([]int64, len(dims))
	for i, n := range dims {
		limit[i], strides[i] = n, 1
	}
	start[dim], limit[dim] = from, to
	return m.append(stablehlo.OpSlice, []*stablehlo.Value{v}, ints("start_indices", start...),
		ints("limit_indices", limit...), ints("strides", strides...))[0]
}
