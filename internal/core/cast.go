package core

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// castAttrs are the type of the result, whether it still gives way, and whether numbers beyond it become
// its largest.
type castAttrs struct {
	to             DType
	weak, saturate bool
}

// saturateOption is the type of [Saturate].
type saturateOption bool

// Saturate is nx.Saturate.
const Saturate saturateOption = true

func (s saturateOption) castOption(a *castAttrs) { a.saturate = bool(s) }

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
		if d.attrs.saturate && to.IsFloat() {
			x = e.saturate(x, to)
		}
		return []*stablehlo.Value{e.convert(x, to)}
	}}

// saturate limits real numbers to the finite ones of a type of floats, and leaves NaN.
func (e *emitter) saturate(x *stablehlo.Value, to DType) *stablehlo.Value {
	switch d := x.Tensor().DType(); {
	case d == Bool:
		return x
	case d.IsInteger():
		if float64(d.MaxInt()) <= to.MaxFinite() {
			return x
		}
		x = e.convert(x, F64) // only narrow types have a smaller range: what is rounded is beyond it
	case d != F64:
		x = e.convert(x, wide(d)) // which has the limits of all narrower types
		if d = wide(d); d.MaxFinite() < to.MaxFinite() {
			return x
		}
	}
	d, shape := x.Tensor().DType(), shapeOf(x)
	limit := func(v float64) *stablehlo.Value {
		return e.splat(d, shape, number{Kind: dtype.KindFloat, Re: v})
	}
	x = e.Value(stablehlo.OpMinimum, []*stablehlo.Value{x, limit(to.MaxFinite())})
	if to.MinFinite() < 0 { // else there is nothing for a negative number to become
		x = e.Value(stablehlo.OpMaximum, []*stablehlo.Value{x, limit(to.MinFinite())})
	}
	return x
}

// Cast implements nx.Cast.
func Cast(t Tensor, d DType, opts ...CastOption) Tensor {
	t.must("Cast")
	requireType("Cast", d, t)
	a := castAttrs{to: d}
	for _, o := range opts {
		if o != nil {
			o.castOption(&a)
		}
	}
	if a.saturate {
		if d.IsComplex() {
			failOn(ErrArgument, "Cast", []Tensor{t}, "cast the parts (nx.Real, nx.Imag)",
				"nx.Saturate is not for complex numbers, got %s", d)
		}
		return castOp.call1(a, t)
	}
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
