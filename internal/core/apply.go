package core

import (
	"github.com/go-nx/nx/stablehlo"
)

// call is a program on operands, an operation or a traced function: what [apply] needs
// to run it at once or to add it to the graph under construction.
type call struct {
	op    string // the public function, for messages and the cache
	blame string // the public function for messages, when it is not op
	key   string // what the program is: its text
	ins   []Tensor
	outs  []*Spec
	emit  func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value
	uses  []*stablehlo.Module // with the functions, beside @main, that what emit appends may call

	number DType // the element type that Go numbers among the operands take
}

// apply applies a traced function, or another program whose types are those of its
// operands with their vectorised axes; what a function of the package does is an
// [operation]. Beside traced operands it becomes part of their graph; on data it is
// compiled once and run.
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
