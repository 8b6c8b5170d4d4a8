package simplify

import "github.com/go-nx/nx/stablehlo"

func controlRules() []Rule {
	return []Rule{
		{"if_constant", stablehlo.OpIf, ifConstant},
		{"case_constant", stablehlo.OpCase, caseConstant},
		{"while_never", stablehlo.OpWhile, whileNever},
		{"while_invariant", stablehlo.OpWhile, whileInvariant},
	}
}

func ifConstant(e Emitter, op *stablehlo.Op) []*stablehlo.Value {
	s, ok := SplatOf(op.Operands[0])
	switch {
	case !ok:
		return nil
	case isZero(s):
		return e.inPlace(op, 1)
	}
	return e.inPlace(op, 0)
}

// caseConstant takes the last branch for an index out of range.
func caseConstant(e Emitter, op *stablehlo.Op) []*stablehlo.Value {
	s, ok := SplatOf(op.Operands[0])
	if !ok {
		return nil
	}
	i := s.d.LoadInt(s.data, 0)
	if i < 0 || i >= int64(len(op.Regions)) {
		i = int64(len(op.Regions)) - 1
	}
	return e.inPlace(op, int(i))
}

// inPlace moves the ops of a region without arguments out of it and returns its results.
func (e Emitter) inPlace(op *stablehlo.Op, region int) []*stablehlo.Value {
	b := op.Regions[region].Block()
	ops, last := b.Ops, len(b.Ops)-1
	if len(b.Args) > 0 || !fit(ops[last].Operands, op.Results) {
		return nil
	}
	b.SetOps(nil)
	for _, x := range ops[:last] {
		e.Append(x)
	}
	return append([]*stablehlo.Value{}, ops[last].Operands...) // not nil, though it may be empty
}

// whileNever is a loop whose condition is initially false.
func whileNever(e Emitter, op *stablehlo.Op) []*stablehlo.Value {
	test := op.Regions[0].Block()
	if e.uses.effects.Has(op) || !Holds(test.Terminator().Operands[0], isZero) {
		return nil
	}
	return op.Operands
}

// whileInvariant removes invariant values from the state.
func whileInvariant(e Emitter, op *stablehlo.Op) []*stablehlo.Value {
	if !fit(op.Operands, op.Results) {
		return nil
	}
	loop := HoistInvariants(op, e.values)
	if loop == op {
		return nil
	}
	e.Append(loop)
	out := make([]*stablehlo.Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = e.values[r]
	}
	return out
}
