package core

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// promoted returns the common element type of two operands. One that is weak,
// a Go number or computed from them alone, gives way to the other.
func promoted(a, b *Spec) DType {
	switch {
	case a.weak == b.weak:
		return dtype.Promote(a.DType, b.DType)
	case a.weak:
		return number{Kind: a.DType.Kind()}.PromoteWith(b.DType)
	}
	return number{Kind: b.DType.Kind()}.PromoteWith(a.DType)
}

// checkFits refuses a Go number that elements of type d cannot hold.
func checkFits(op string, d DType, xs ...operand) {
	for _, x := range xs {
		n := x.n
		if x.t != nil {
			if !x.t.isWeakNumber() {
				continue
			}
			n = x.t.rec.num
		}
		if !n.Fits(d) {
			failOn(ErrValue, op, operands(xs...), "cast the other operand to an element type that holds it (nx.Cast)",
				"the number %s does not fit in %s", n.Text(), d)
		}
	}
}

// isWeakNumber reports whether a tensor is computed from Go numbers alone and
// known: it is checked as a number is.
func (p *tensor) isWeakNumber() bool { return p.spec.weak && p.rec != nil && p.rec.isNumber }

// present refuses an absent tensor.
func present(op string, xs ...operand) {
	for i, x := range xs {
		if x.t == nil && x.n.Kind == dtype.KindInvalid {
			if len(xs) == 1 {
				wrap(nil).must(op)
			}
			fail(ErrAbsent, op, "a field that was never set, or the gradient of one?",
				"operand %d is absent (the zero Tensor)", i)
		}
	}
}

// operands returns operands as tensors, for messages.
func operands(xs ...operand) []Tensor {
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		if out[i] = wrap(x.t); x.t == nil && x.n.Kind != dtype.KindInvalid {
			out[i] = x.tensor(x.n.DType())
		}
	}
	return out
}

// tensor returns the operand as a tensor; a number becomes a scalar of type d.
func (x operand) tensor(d DType) Tensor {
	if x.t != nil {
		return wrap(x.t)
	}
	return wrap(&tensor{spec: scalarSpecs[d], rec: &recipe{num: x.n, isNumber: true, isOperand: true}})
}

// computeType returns the element type in which an op computes operands of the
// common type d, or fails.
func (kinds kindSet) computeType(op string, d DType, weak bool, xs ...operand) DType {
	switch kinds {
	case anyNumber, realNumber, integerOnly:
		if d == Bool { // arithmetic on truth values counts
			d = U8
		}
	case floatResult, realFloat:
		d = floating(d, weak)
	}
	switch {
	case d.IsComplex() && (kinds == realNumber || kinds == ordered || kinds == realFloat):
		failOn(ErrDType, op, operands(xs...), "take the parts (nx.Real, nx.Imag) or the magnitude (nx.Abs)",
			"is not defined for complex numbers")
	case kinds == integerOnly && !d.IsInteger(), kinds == bitwise && !d.IsInteger() && d != Bool:
		failOn(ErrDType, op, operands(xs...), "cast to an integer type first (nx.Cast)",
			"is defined for integers, not for %s", d)
	}
	return d
}

// floating is the type of results that are no integers: f32 for integers, f64
// for Go numbers.
func floating(d DType, weak bool) DType {
	switch {
	case d.IsFloat() || d.IsComplex():
		return d
	case weak:
		return F64
	}
	return F32
}

// binaryOp is an element-wise operation of two operands.
//
//go:noinline
func binaryOp(name string, code stablehlo.OpCode, kinds kindSet) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = kinds.computeType(d.op, promoted(d.ins[0], d.ins[1]), d.weak(), d.operands...)
		return d.in
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		code := code
		if code == stablehlo.OpShiftRightArithmetic && x.Tensor().DType().IsUnsigned() {
			code = stablehlo.OpShiftRightLogical
		}
		return e.Value(code, []*stablehlo.Value{x, y})
	})
}

// weak reports whether all operands give way.
func (d *description[A]) weak() bool {
	return !slices.ContainsFunc(d.ins, func(s *Spec) bool { return !s.weak })
}

// direction of a comparison.
type direction string

const (
	equal        direction = "EQ"
	notEqual     direction = "NE"
	less         direction = "LT"
	lessEqual    direction = "LE"
	greater      direction = "GT"
	greaterEqual direction = "GE"
)

// comparison compares two operands.
//
//go:noinline
func comparison(name string, dir direction) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = promoted(d.ins[0], d.ins[1])
		if d.in.IsComplex() && dir != equal && dir != notEqual {
			d.fail(ErrDType, "compare the magnitudes (nx.Abs) or the parts (nx.Real, nx.Imag)", "complex numbers have no order")
		}
		return Bool
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value { return e.compare(dir, x, y) })
}

// compared compares two operands: u64 and a signed type, which no type holds both, by the
// signs first.
func compared(o *operation[none], dir direction, a, b operand) Tensor {
	s, t := a.spec(), b.spec()
	if s == nil || t == nil || !(s.DType == U64 && !s.weak && t.DType.IsSigned() && !t.weak || t.DType == U64 && !t.weak &&
		s.DType.IsSigned() && !s.weak) {
		return o.on(none{}, a, b)
	}
	x, y := wrap(a.t), wrap(b.t)
	same := o.on(none{}, operand{t: cast(x, U64).p}, operand{t: cast(y, U64).p})
	negative, whenNegative := x, dir == less || dir == lessEqual || dir == notEqual
	if s.DType == U64 {
		negative, whenNegative = y, dir == greater || dir == greaterEqual || dir == notEqual
	}
	return Where(lessOp.on(none{}, operand{t: negative.p}, operand{n: zero}), whenNegative, same)
}

// logicalOp is an operation on truth values.
func logicalOp(name string, code stablehlo.OpCode) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = Bool
		return Bool
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.Value(code, []*stablehlo.Value{x, y})
	})
}

// logical applies an operation on truth values to what is non-zero.
func logical(o *operation[none], a, b operand) Tensor {
	present(o.name, a, b)
	return o.on(none{}, truth(a), truth(b))
}

// truth returns whether an operand is non-zero.
func truth(x operand) operand {
	if x.spec().DType == Bool {
		return x
	}
	return operand{t: notEqualOp.on(none{}, x, operand{n: zero}).p}
}

// elementwise is an operation of two operands that are converted to the type d.in and
// spread over their common shape. types sets d.in and returns the type of the result.
//
//go:noinline
func elementwise(name string, types func(d *description[none]) DType,
	emit func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			result := types(d)
			d.returns(commonSpec(name, result, d.weak() && result != Bool, tensors(d.in, d.operands)))
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			shape := d.outs[0].Shape
			x, y := e.fitRight(e.convert(in[0], d.in), shape), e.fitRight(e.convert(in[1], d.in), shape)
			return []*stablehlo.Value{emit(e, x, y)}
		}}
}

// compare appends a comparison.
func (e *emitter) compare(dir direction, a, b *stablehlo.Value) *stablehlo.Value {
	kind := "FLOAT"
	switch d := a.Tensor().DType(); {
	case d.IsSigned():
		kind = "SIGNED"
	case d.IsUnsigned() || d == Bool:
		kind = "UNSIGNED"
	}
	return e.Value(stablehlo.OpCompare, []*stablehlo.Value{a, b},
		stablehlo.Named("comparison_direction",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: string(dir)}),
		stablehlo.Named("compare_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: kind}))
}
