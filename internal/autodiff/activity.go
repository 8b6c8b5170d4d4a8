package autodiff

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// activity finds the values that need tangents: those that depend on a chosen
// argument and on which a differentiated result depends. Beside the work saved
// this keeps infinite derivatives of values that do not matter, as of √x at 0
// in the test of a loop, from meeting zeros.
type activity struct {
	varied map[value]bool // depends on a source
	useful map[value]bool // a sink depends on it
	bits   map[value]bool // an integer made of the bits of a varied float
}

// idleValues returns the values in b without need of a tangent.
func idleValues(b *stablehlo.Block, sources, sinks []value) map[value]bool {
	a := activity{varied: map[value]bool{}, useful: map[value]bool{}, bits: map[value]bool{}}
	for _, v := range sources {
		mark(a.varied, v)
	}
	for _, v := range sinks {
		mark(a.useful, v)
	}
	a.forward(b)
	a.backward(b)
	idle := map[value]bool{}
	a.collect(b, idle)
	return idle
}

// collect adds the values of b that are not both varied and useful.
func (a activity) collect(b *stablehlo.Block, idle map[value]bool) {
	check := func(vs []value) {
		for _, v := range vs {
			if !a.varied[v] || !a.useful[v] {
				idle[v] = true
			}
		}
	}
	check(b.Args)
	for _, op := range b.Ops {
		check(op.Results)
		if op.Code == stablehlo.OpBitcastConvert && a.bits[op.Operands[0]] && a.useful[op.Result()] {
			panic(failure{&Error{op, fmt.Errorf("no derivative of %s: the float is made of the bits of one that depends on the arguments of the derivative", op.Name())}})
		}
		if isControl(op) {
			for _, r := range op.Regions {
				a.collect(r.Block(), idle)
			}
		}
	}
}

// StopAttr is the attribute of an op whose results have no derivative, whatever
// the op: how nx.StopGradient is written in a module.
const StopAttr = "nx.stop_gradient"

// isControl reports whether regions of op run in the program's own steps.
func isControl(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpWhile, stablehlo.OpCase, stablehlo.OpIf:
		return true
	}
	return false
}

// mark adds v to a set of values with tangents; changed reports whether it is new.
func mark(set map[value]bool, v value) (changed bool) {
	if set[v] || !differentiable(v.Type()) {
		return false
	}
	set[v] = true
	return true
}

// markSame marks each of to whose counterpart in from is marked.
func markSame(set map[value]bool, from, to []value) (changed bool) {
	for i, v := range from {
		if set[v] && mark(set, to[i]) {
			changed = true
		}
	}
	return changed
}

// forward marks what varies in a block, given what varies outside.
func (a activity) forward(b *stablehlo.Block) {
	for _, op := range b.Ops {
		a.trackBits(op)
		switch {
		case isZero[op.Code] || op.Attr(StopAttr) != nil:
		case op.Code == stablehlo.OpWhile:
			body := op.Regions[1].Block()
			markSame(a.varied, op.Operands, body.Args)
			for again := true; again; again = markSame(a.varied, body.Terminator().Operands, body.Args) {
				a.forward(body)
			}
			markSame(a.varied, body.Args, op.Results)
		case isControl(op):
			for _, r := range op.Regions {
				a.forward(r.Block())
				markSame(a.varied, r.Block().Terminator().Operands, op.Results)
			}
		case usesAny(op, a.varied):
			for _, v := range op.Results {
				mark(a.varied, v)
			}
		}
	}
}

// trackBits follows the bits of varied floats through integers. To make a float
// of those again would lose the derivative without a word; a bool of them is
// piecewise constant in any case.
func (a activity) trackBits(op *stablehlo.Op) {
	from := func(v value) bool { return a.bits[v] || op.Code == stablehlo.OpBitcastConvert && a.varied[v] }
	if !slices.ContainsFunc(op.Operands, from) {
		return
	}
	for _, r := range op.Results {
		if stablehlo.DType(r.Type()).IsInteger() {
			a.bits[r] = true
		}
	}
}

// usesAny reports whether an operand of op or of an op inside it is in the set.
func usesAny(op *stablehlo.Op, set map[value]bool) bool {
	for x := range op.Walk() {
		if slices.ContainsFunc(x.Operands, func(v value) bool { return set[v] }) {
			return true
		}
	}
	return false
}

// backward marks what is useful in a block, given its useful results.
func (a activity) backward(b *stablehlo.Block) {
	for _, op := range slices.Backward(b.Ops) {
		switch {
		case isZero[op.Code] || op.Attr(StopAttr) != nil:
		case op.Code == stablehlo.OpWhile:
			body := op.Regions[1].Block()
			for again := true; again; again = markSame(a.useful, body.Args, op.Results) {
				markSame(a.useful, op.Results, body.Terminator().Operands)
				a.backward(body)
			}
			markSame(a.useful, op.Results, body.Args)
			markSame(a.useful, op.Results, op.Operands)
		case isControl(op):
			for _, r := range op.Regions {
				markSame(a.useful, op.Results, r.Block().Terminator().Operands)
				a.backward(r.Block())
			}
		case slices.ContainsFunc(op.Results, func(v value) bool { return a.useful[v] }):
			for x := range op.Walk() {
				for _, v := range x.Operands {
					mark(a.useful, v)
				}
			}
		}
	}
}
