package nx

import "github.com/go-nx/nx/stablehlo"

// Bitcast reinterprets the bits of the elements as a type of the same width.
func Bitcast(t Tensor, d DType) Tensor {
	s := t.must("Bitcast")
	if !d.IsValid() {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "use one of the constants, such as nx.F32", "there is no element type %d", d)
	}
	if d == s.DType {
		return t.same("Bitcast")
	}
	if d == Bool || s.DType == Bool || d.IsComplex() || s.DType.IsComplex() {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "convert the values with nx.Cast", "the bits of %s elements are not those of %s", s.DType, d)
	}
	if s.DType.Bits() != d.Bits() {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "choose a type of the same width", "elements of %s have %d bits, those of %s have %d", s.DType, s.DType.Bits(), d, d.Bits())
	}
	spec := s.with(d).strong()
	return apply1(call{op: "Bitcast", key: d.String(), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpBitcastConvert, in, stablehlo.Results{spec.tensorType()})}
		}})
}
