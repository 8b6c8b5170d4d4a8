package core

import (
	"github.com/go-nx/nx/stablehlo"
)

// castAttrs are the type of the result, and whether it still gives way.
type castAttrs struct {
	to   DType
	weak bool
}

var castOp = &operation[castAttrs]{name: "Cast",
	describe: func(d *description[castAttrs]) {
		s := d.ins[0].with(d.attrs.to)
		if !d.attrs.weak {
			s = s.strong()
		}
		d.returns(s)
	},
	emit: func(d *description[castAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		x, to := in[0], d.attrs.to
		switch {
		case !x.Tensor().DType().IsComplex() || to.IsComplex():
		case to == Bool:
			return []*stablehlo.Value{e.compare(notEqual, x, e.splat(x.Tensor().DType(), d.ins[0].Shape, zero))}
		default:
			x = e.Value(stablehlo.OpReal, []*stablehlo.Value{x})
		}
		return []*stablehlo.Value{e.convert(x, to)}
	}}

// Cast implements nx.Cast.
func Cast(t Tensor, d DType) Tensor {
	t.must("Cast")
	requireType("Cast", d, t)
	return cast(t, d).unshared("Cast", t)
}

// cast is [Cast] for an operand of a following op; the result may be t itself.
func cast(t Tensor, d DType) Tensor {
	if s := t.p.spec; s.DType == d && !s.weak {
		return t.checked("Cast")
	}
	return castOp.call1(castAttrs{to: d}, t)
}

// requireType refuses an invalid element type.
func requireType(op string, d DType, ins ...Tensor) {
	if !d.IsValid() {
		failOn(ErrDType, op, ins, "use one of the constants, such as nx.F32", "there is no element type %d", d)
	}
}

// converted is [Cast] for a composition: the result gives way if t does.
func converted(t Tensor, d DType) Tensor {
	if t.p.spec.DType == d {
		return t.checked("Cast")
	}
	return castOp.call1(castAttrs{to: d, weak: true}, t)
}
