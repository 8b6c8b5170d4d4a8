package random

import "github.com/go-nx/nx/stablehlo"

// overflow returns v, the result of a contraction or of a product reduction, with NaN where the sum of the
// magnitudes of its terms, or the product of its factors above 1, is infinite: then it depends on the order,
// which the executor chooses, whether intermediate results overflow that would have cancelled, or met a small
// factor or 0.
func (g *perturber) overflow(m *maker, b *stablehlo.Block, op *stablehlo.Op, v *stablehlo.Value) *stablehlo.Value {
	d := v.Tensor().DType()
	if !isInexact(d) || perturbation(d) == 0 {
		return v
	}
	var sum *stablehlo.Value
	switch op.Code {
	case stablehlo.OpFft:
		sum = m.lineSums(op)
	case stablehlo.OpDotGeneral, stablehlo.OpDot, stablehlo.OpConvolution:
		sizes := map[*stablehlo.Value]*stablehlo.Value{}
		for _, x := range op.Operands {
			if !isInexact(x.Tensor().DType()) {
				return v
			}
			sizes[x] = m.as(x.Tensor().DType(), m.op(stablehlo.OpAbs, x))
		}
		sums := op.Clone(sizes)
		b.Append(sums)
		sum = sums.Result()
	case stablehlo.OpReduce, stablehlo.OpReduceWindow:
		if len(op.Results) > 1 || op.Regions[0].Block().Ops[0].Code != stablehlo.OpMultiply {
			return v
		}
		sizes := map[*stablehlo.Value]*stablehlo.Value{}
		for _, x := range op.Operands {
			sizes[x] = m.as(x.Tensor().DType(), m.magnitude(x))
		}
		product := op.Clone(sizes)
		b.Append(product)
		sum = product.Result()
	case stablehlo.OpBatchNormInference:
		x, scale, mean, variance := op.Operands[0], op.Operands[1], op.Operands[3], op.Operands[4]
		feature := op.Int("feature_index", 0)
		spread := func(v *stablehlo.Value) *stablehlo.Value {
			return m.append(stablehlo.OpBroadcastInDim, []*stablehlo.Value{v}, ints("broadcast_dimensions", feature),
				stablehlo.Results{x.Tensor()})[0]
		}
		sum = m.magnitude(m.op(stablehlo.OpSubtract, x, spread(mean)))
		for _, factor := range []*stablehlo.Value{scale, m.op(stablehlo.OpRsqrt, variance)} {
			sum = m.op(stablehlo.OpMultiply, sum, spread(m.magnitude(factor)))
		}
	default:
		return v
	}
	if sum.Tensor().DType().IsComplex() {
		sum = m.op(stablehlo.OpReal, sum)
	}
	nan := m.op(stablehlo.OpSubtract, sum, sum) // 0 for others
	if d.IsComplex() {
		nan = m.op(stablehlo.OpComplex, nan, nan)
	}
	return m.op(stablehlo.OpAdd, v, m.as(d, nan))
}

// magnitude returns the magnitude of a factor, or 1 where that is greater.
func (m *maker) magnitude(x *stablehlo.Value) *stablehlo.Value {
	size := m.op(stablehlo.OpAbs, x)
	return m.op(stablehlo.OpMaximum, size, m.full(size.Tensor(), 1))
}

// lineSums returns for each element of the result of a transform the sum of the magnitudes that
// are transformed to it.
func (m *maker) lineSums(op *stablehlo.Op) *stablehlo.Value {
	size := m.op(stablehlo.OpAbs, op.Operands[0])
	batchRank := size.Tensor().Rank() - len(op.Ints("fft_length"))
	var reduced, rest []int64
	for i := range int64(size.Tensor().Rank()) {
		if i < int64(batchRank) {
			rest = append(rest, i)
		} else {
			reduced = append(reduced, i)
		}
	}
	d := size.Tensor().DType()
	sum := m.append(stablehlo.OpReduce, []*stablehlo.Value{size, m.full(stablehlo.Tensor(d), 0)},
		ints("dimensions", reduced...),
		scalarBody(stablehlo.OpAdd, d))[0]
	return m.append(stablehlo.OpBroadcastInDim, []*stablehlo.Value{sum}, ints("broadcast_dimensions", rest...),
		stablehlo.Results{stablehlo.Tensor(d, op.Result().Tensor().Dims...)})[0]
}
