package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// Rule is a rewrite of an op with a code to an equal value: bitwise equal for every operand
// element, including infinities, negative zero and subnormal numbers; for NaN only NaN-ness is
// preserved. Rules in the list reassociating change the order of a sum. Testdata/rules has the
// program before and after each of them.
type Rule struct {
	Name  string
	Code  stablehlo.OpCode
	Apply Rewrite
}

// Rewrite returns the replacements of the results of op, and writes the required ops; nil if the
// rule does not apply. The operands of op are simplified already, its regions are not.
type Rewrite func(e Emitter, op *stablehlo.Op) []*stablehlo.Value

// listRules returns all rules; those of an op are tried in order.
func listRules() []Rule {
	return slices.Concat(arithmeticRules(), logicRules(), shapeRules(), dotRules(), controlRules(), partsRules(),
		windowRules())
}

// reassociating lists the rules that change the order of a sum; docs/rationale/rewrites.md has their error
// bounds.
var reassociating = []string{"reduce_dot"}

// RuleTable has the rules of ops, by code.
type RuleTable [][]Rule

// of returns the rules of an op, in the order in which they are tried.
func (t RuleTable) of(code stablehlo.OpCode) []Rule {
	if int(code) < len(t) {
		return t[code]
	}
	return nil
}

// rules has all rules.
var rules lazy.Value[RuleTable]

func newRules() RuleTable { return NewRuleTable(listRules()) }

// NewRuleTable groups the rules of a list by op.
func NewRuleTable(rules []Rule) RuleTable {
	var counts []int
	for _, r := range rules {
		for int(r.Code) >= len(counts) {
			counts = append(counts, 0)
		}
		counts[r.Code]++
	}
	t, all := make(RuleTable, len(counts)), make([]Rule, len(rules))
	for code, n := range counts {
		t[code], all = all[:0:n], all[n:]
	}
	for _, r := range rules {
		t[r.Code] = append(t[r.Code], r)
	}
	return t
}

// valueRule is a rewrite of an op with one result.
type valueRule func(e Emitter, op *stablehlo.Op) *stablehlo.Value

// SingleResult makes a rewrite of a rule for ops with one result.
//
//go:noinline
func SingleResult(f valueRule) Rewrite {
	return func(e Emitter, op *stablehlo.Op) []*stablehlo.Value {
		if v := f(e, op); v != nil {
			return []*stablehlo.Value{v}
		}
		return nil
	}
}

// neutral drops a second operand that is a neutral constant.
//
//go:noinline
func neutral(is func(Splat) bool) Rewrite {
	return SingleResult(func(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
		if Holds(op.Operands[1], is) {
			return op.Operands[0]
		}
		return nil
	})
}

// eitherNeutral is neutral for a commutative op.
//
//go:noinline
func eitherNeutral(is func(Splat) bool) Rewrite {
	return SingleResult(func(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
		for i, v := range op.Operands {
			if Holds(v, is) {
				return op.Operands[1-i]
			}
		}
		return nil
	})
}

// absorbing returns a constant operand that determines the result.
//
//go:noinline
func absorbing(is func(Splat) bool) Rewrite {
	return SingleResult(func(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
		for _, v := range op.Operands {
			if s, ok := SplatOf(v); ok && IsDiscrete(s.d) && is(s) {
				return v
			}
		}
		return nil
	})
}

// idempotent is an op of a value with itself that is the value.
func idempotent(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if op.Operands[0] == op.Operands[1] {
		return op.Operands[0]
	}
	return nil
}

// cancelling is an op of a discrete value with itself that is zero.
func cancelling(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if t := op.Result().Tensor(); op.Operands[0] == op.Operands[1] && IsDiscrete(t.DType()) {
		return e.Full(t, 0)
	}
	return nil
}

// inverse is an op that inverts itself, or another op.
func inverse(of stablehlo.OpCode) Rewrite {
	return SingleResult(func(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
		if d := DefinedBy(op.Operands[0], of); d != nil {
			return d.Operands[0]
		}
		return nil
	})
}

// DefinedBy returns the op that defines v if it has that code, else nil.
func DefinedBy(v *stablehlo.Value, code stablehlo.OpCode) *stablehlo.Op {
	if op := v.Op(); op != nil && op.Code == code {
		return op
	}
	return nil
}
