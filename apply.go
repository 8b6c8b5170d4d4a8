package nx

import (
	"github.com/go-nx/nx/stablehlo"
)

// call is an op on operands: what [apply] needs to run it at once or to add it
// to the graph under construction.
type call struct {
	op   string // the public function, for messages and the cache
	key  string // everything beside the operands' types that emit depends on
	ins  []Tensor
	outs []*Spec
	emit func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value
	uses []*stablehlo.Module // with the functions, beside @main, that what emit appends may call

	// An op that asks for its compiled form before it builds the call, with
	// [again], says what it asked for, and which element type Go numbers take.
	sig    signature
	number DType
}

// apply is the one way in: every op on tensors goes through it. Beside traced
// operands it becomes part of their graph; on data it is compiled once for its
// types and run.
func apply(c call) []Tensor {
	for _, x := range c.ins {
		if x.p == nil {
			failOn(ErrAbsent, c.op, c.ins, "a field that was never set, or the gradient of one?", "an operand is absent")
		}
	}
	t := traceFor(c.ins)
	if t == nil {
		return runEager(homeFor(c.op, c.ins), &c)
	}
	return t.append(&c)
}

// apply1 is apply for an op with one result.
func apply1(c call) Tensor { return apply(c)[0] }
