package checks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// AssertionTarget is the custom_call by which exported programs check the shapes
// of their arguments.
const AssertionTarget = "shape_assertion"

// Assert returns nil when the first operand of an assertion is true. Otherwise
// the error is the message of the op, in which {0}, {1}, … stand for the
// operands behind the first.
func Assert(op *stablehlo.Op, operands []Tensor) error {
	for i, x := range operands {
		if d := x.Type.DType(); len(x.Data) != d.Size() || i == 0 && d != dtype.Bool || i > 0 && !d.IsInteger() {
			return fmt.Errorf("operand %d of an assertion must have the type %s, got %s", i,
				[2]string{"bool", "integer"}[min(i, 1)], x.Type)
		}
	}
	if len(operands) == 0 {
		return errors.New("an assertion needs a bool")
	}
	if operands[0].Data[0] != 0 {
		return nil
	}
	message := op.Str("error_message")
	for i, x := range operands[1:] {
		message = strings.ReplaceAll(message, fmt.Sprintf("{%d}", i), fmt.Sprint(x.Type.DType().LoadInt(x.Data, 0)))
	}
	return errors.New(message)
}
