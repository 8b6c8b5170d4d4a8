package autodiff

import (
	"github.com/go-nx/nx/stablehlo"
)

// Rule describes the differentiation of an op, for docs/derivatives.md.
type Rule struct {
	Kind Kind
	// Linear holds the operands in which a LinearOp is linear; empty for all.
	Linear []int
	// Tangent and Transpose are the row functions of an op in forward mode, and in reverse mode if
	// an op of a tangent is linear; nil if there is none.
	Tangent, Transpose any
	// Reason is the reason why an op has no derivative.
	Reason string
}

// Kind is the kind of a rule.
type Kind int

// The kinds of rules.
const (
	NoRule    Kind = iota // the op has no derivative, for the given reason
	Formula               // an elementwise function: the tangent is a formula
	LinearOp              // the tangent is the op itself of the tangents
	CustomRow             // a function appends the ops of the tangent
	Expansion             // the op is differentiated as its expansion
	Zero                  // the derivative is zero, or there is no differentiable operand
)

// RuleOf returns the rule of an op.
func RuleOf(code stablehlo.OpCode) Rule {
	r := Rule{Reason: noDerivative.Get(listReasons)[code]}
	if f := transposes.Get(listTransposes)[code]; f != nil {
		r.Transpose = f
	}
	linear, isLinear := linearOps.Get(listLinearOps)[code]
	switch {
	case unaryJVPs.Get(listUnaryJVPs)[code] != nil:
		r.Kind, r.Tangent = Formula, unaryJVPs.Get(listUnaryJVPs)[code]
	case binaryJVPs.Get(listBinaryJVPs)[code][0] != nil:
		r.Kind, r.Tangent = Formula, binaryJVPs.Get(listBinaryJVPs)[code][0]
	case isLinear:
		r.Kind, r.Linear = LinearOp, linear
	case expansions.Get(listExpansions)[code] != nil:
		r.Kind, r.Tangent = Expansion, expansions.Get(listExpansions)[code]
	case isZero(code):
		r.Kind = Zero
	case jvpOf(code) != nil:
		r.Kind, r.Tangent = CustomRow, jvpOf(code)
	}
	return r
}

// Blocks returns the rows of the composites with their own derivatives, by name.
func Blocks() map[string]any {
	blocks := map[string]any{}
	for name, row := range compositeJVPs.Get(listCompositeJVPs) {
		blocks[name] = row
	}
	return blocks
}
