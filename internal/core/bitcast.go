package core

import "github.com/go-nx/nx/stablehlo"

var bitcastOp = &operation[DType]{name: "Bitcast",
	describe: func(d *description[DType]) { d.returns(d.ins[0].with(d.attrs).strong()) },
	emit: func(d *description[DType], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Value(stablehlo.OpBitcastConvert, in, stablehlo.Results{d.outs[0].tensorType()})}
	}}

// Bitcast implements nx.Bitcast.
func Bitcast(t Tensor, d DType) Tensor {
	s := t.must("Bitcast")
	requireType("Bitcast", d, t)
	if d == s.DType {
		return t.asResult("Bitcast")
	}
	if d == Bool || s.DType == Bool || d.IsComplex() || s.DType.IsComplex() {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "convert the values with nx.Cast",
			"the bits of %s elements are not those of %s", s.DType, d)
	}
	if s.DType.Bits() != d.Bits() {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "choose a type of the same width",
			"elements of %s have %d bits, those of %s have %d", s.DType, s.DType.Bits(), d, d.Bits())
	}
	return bitcastOp.call1(d, t)
}
