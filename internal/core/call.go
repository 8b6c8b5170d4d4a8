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

	number DType        // the element type that Go numbers among the operands take
	code   keeper       // holds the code of an operation; nil for another program
	types  operandTypes // with code: the types of the operands, those of Go numbers weak
}
