package core

import (
	"github.com/go-nx/nx/stablehlo"
)

// call is an operation or a traced function with its operands: [apply] runs it at once or adds it
// to the graph under construction.
type call struct {
	op    string // the public function, for messages and the cache
	blame string // the public function for messages, when it is not op
	key   string // the text of the program
	ins   []Tensor
	outs  []*Spec
	emit  func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value
	uses  []*stablehlo.Module // with the functions, beside @main, that what emit appends may call

	number DType        // the element type that Go numbers among the operands take
	code   codeWith     // holds the code of an operation; empty for another program
	types  operandTypes // with code: the types of the operands, those of Go numbers weak
}
