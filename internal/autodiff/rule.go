package autodiff

import (
	"github.com/go-nx/nx/stablehlo"
)

// Rule says how an op is differentiated: what docs/derivatives.md tells of it.
type Rule struct {
	Kind Kind
	// Linear holds the operands that a LinearOp is linear in; empty for all.
	Linear []int
	// Tangent and Transpose are the functions of the rows of an op in forward mode, and
	// in reverse mode where an op of a tangent is linear; nil where there is none.
	Tangent, Transpose any
	// Reason says why an op has no derivative.
	Reason string
}

// Kind is the kind of a rule.
type Kind int

// The kinds of rules.
const (
	NoRule    Kind = iota // the op has no derivative, for the reason given
	Formula               // an elementwise function: the tangent is a formula
	LinearOp              // the tangent is the op itself of the tangents
	CustomRow             // a function appends the ops of the tangent
	Expansion             // the op is differentiated as those it stands for
	Zero                  // the derivative is zero, or there is nothing to differentiate by
)

// RuleOf returns the rule of an op.
func RuleOf(code stablehlo.OpCode) Rule {
	r := Rule{Reason: noDerivative[code]}
	if f := transposes[code]; f != nil {
		r.Transpose = f
	}
	linear, isLinear := linearOps[code]
	switch {
	case unaryJVPs[code] != nil:
		r.Kind, r.Tangent = Formula, unaryJVPs[code]
	case binaryJVPs[code][0] != nil:
		r.Kind, r.Tangent = Formula, binaryJVPs[code][0]
	case isLinear:
		r.Kind, r.Linear = LinearOp, linear
	case expansions[code] != nil:
		r.Kind, r.Tangent = Expansion, expansions[code]
	case isZero[code]:
		r.Kind = Zero
	case otherJVPs[code] != nil:
		r.Kind, r.Tangent = CustomRow, otherJVPs[code]
	}
	return r
}

// Blocks returns the rows of the composites with derivatives of their own, by name.
func Blocks() map[string]any {
	blocks := map[string]any{}
	for name, row := range compositeJVPs {
		blocks[name] = row
	}
	return blocks
}
