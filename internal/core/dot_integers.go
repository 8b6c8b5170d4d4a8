package core

import "github.com/go-nx/nx/stablehlo"

// DotIntegers sums the products of integers over pairs of axes, as [DotGeneral] does, in s32: operands of 8 bits stay
// such, so that a backend may use instructions for them.
func DotIntegers(a, b Tensor, dims DotDims) Tensor {
	d := dotAttrs{listOf(dims.BatchA), listOf(dims.BatchB), listOf(dims.ContractA), listOf(dims.ContractB)}
	return dotIntegersOp.call(d, operand{t: a.p}, operand{t: b.p})
}

var dotIntegersOp = &operation[dotAttrs]{name: "DotIntegers",
	describe: func(d *description[dotAttrs]) {
		s := *productSpec(d.op, d.tensors(), d.attrs.dims())
		s.DType = S32
		d.returns(newSpec(d.op, s, d.tensors()...))
	},
	emit: func(d *description[dotAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.dot(in[0], in[1], d.attrs.dims(), d.outs[0])}
	}}
