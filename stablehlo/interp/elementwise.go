package interp

import (
	"github.com/go-nx/nx/stablehlo"
)

// elementwiseFunc computes an elementwise op. The result type has the static
// shape of this run; the operands fit it (or are scalars where the op allows it).
type elementwiseFunc func(op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error)

// elementwise holds the elementwise ops.
var elementwise = map[stablehlo.OpCode]elementwiseFunc{}

// evalElementwise runs an elementwise op.
func evalElementwise(op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	f := elementwise[op.Code]
	if f == nil {
		return nil, faultf(Unsupported, "the interpreter has no row for this op")
	}
	return f(op, operands, result)
}

// binaryFunc computes one element of a binary elementwise op: dst, x and y are
// the bytes of one element each; dst may be x or y.
type binaryFunc func(dst, x, y []byte)

// binaries gives the binaryFunc of an op as its operand types and attributes
// ask for (add, compare…), so that reductions, sorts and scatters whose region
// is that op alone need no frame an element; nil where there is none. It
// computes exactly what evalElementwise does.
var binaries = map[stablehlo.OpCode]func(op *stablehlo.Op) binaryFunc{}
