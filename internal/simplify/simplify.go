// Package simplify rewrites modules into equal, simpler ones. Its passes are functions that change
// a function in place:
//
//	Inline        replaces calls and composites by the bodies of their callees
//	Refine        infers sizes from arguments and constants
//	Flatten       removes tokens, tuples and futures
//	Lower         decomposes composite ops
//	Stored        replaces quantised types by their storage types
//	Fold          folds constants
//	Simplify      applies a list of named rules, and merges equal ops
//	Hoist         moves loop-invariant code before the loop
//	Recompute     recomputes attention scores at their uses
//	Rematerialise recomputes values that a derivative uses late
//	DeadCode      removes unused ops
package simplify

import (
	"fmt"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Simplify applies the rules of the table rules to the ops of f and its regions, and merges equal
// ops of a block. It visits every op once, operands first, so that the operands that a rule sees
// are already simplified. The ops that a rule writes are visited like those of the program.
// Simplify leaves dead ops to DeadCode.
func Simplify(f stablehlo.Func, checkCancel ...CheckCancel) error {
	return newSimplifier(f, rules.Get(newRules), checkCancel).run("simplify", f)
}

// Apply applies rules to the ops of f and its regions, like Simplify, but leaves equal ops: after Recompute some are
// copies of others.
func Apply(pass string, f stablehlo.Func, rules RuleTable, checkCancel ...CheckCancel) error {
	s := newSimplifier(f, rules, checkCancel)
	s.keepsEqual = true
	return s.run(pass, f)
}

func newSimplifier(f stablehlo.Func, rules RuleTable, checkCancel []CheckCancel) *simplifier {
	return &simplifier{Emitter: Emitter{emit.Detached(), Renames{}, usesIn(f.Body(), f.Effects())}, rules: rules,
		checkCancel: checkCancelOf(checkCancel)}
}

type simplifier struct {
	Emitter                     // of the ops that a rule writes
	fired       map[string]int  // how often each rule was applied, if not nil
	ops         []*stablehlo.Op // of the block being written
	same        equalOps
	rules       RuleTable
	trying      string // the name of the rule
	checkCancel CheckCancel
	// keepsEqual disables the merging of equal ops.
	keepsEqual bool
}

// run rewrites a function. An error of the builder in a rule is an internal error.
func (s *simplifier) run(pass string, f stablehlo.Func) error {
	if err := caught(func() { s.block(f.Body()) }); err != nil {
		return internalError(fmt.Sprintf("%s: rule %s", pass, s.trying), f.Name(), err)
	}
	return nil
}

func (s *simplifier) block(b *stablehlo.Block) {
	ops, same := s.ops, s.same
	s.ops = make([]*stablehlo.Op, 0, len(b.Ops))
	s.same = equalOps{make(map[uint64]*stablehlo.Op, len(b.Ops)), s.uses.effects}
	for _, op := range b.Ops {
		s.op(op, 0)
	}
	b.SetOps(s.ops)
	s.ops, s.same = ops, same
}

// op writes an op, or its rewritten form, unless there is an equal one.
func (s *simplifier) op(op *stablehlo.Op, depth int) {
	s.checkCancel()
	s.values.Operands(op)
	if depth < maxRewrites && s.rewrite(op, depth) {
		return
	}
	for _, r := range op.Regions {
		s.block(r.Block())
	}
	if other := s.same.find(op); other != nil && !s.keepsEqual {
		s.uses.drop(op)
		for i, r := range op.Results {
			s.uses.replace(r, other.Results[i])
			s.values[r] = other.Results[i]
		}
		return
	}
	s.ops = append(s.ops, op)
}

// rewrite applies the first rule that matches op.
func (s *simplifier) rewrite(op *stablehlo.Op, depth int) bool {
	rows := s.rules.of(op.Code)
	if len(rows) == 0 || !IsPlain(op) {
		return false
	}
	s.B.PlaceAt(op)
	for _, row := range rows {
		results := s.try(row, op)
		ops := s.Take()
		if results == nil || !fit(results, op.Results) {
			continue
		}
		if s.fired != nil {
			s.fired[row.Name]++
		}
		for _, x := range ops {
			s.uses.add(x)
		}
		for i, r := range op.Results {
			s.uses.replace(r, results[i])
		}
		s.uses.drop(op)
		for _, x := range ops {
			s.op(x, depth+1)
		}
		for i, r := range op.Results {
			v := s.values.Of(results[i])
			s.values[r] = v
			if v.Name() == "" {
				v.SetName(r.Name())
			}
		}
		return true
	}
	return false
}

// try returns the values that a rule makes of an op.
func (s *simplifier) try(row Rule, op *stablehlo.Op) []*stablehlo.Value {
	defer emit.Blame(op)
	s.trying = row.Name
	return row.Apply(s.Emitter, op)
}

// fit reports whether values have the types of results.
func fit(values, results []*stablehlo.Value) bool {
	for i, v := range values {
		if !stablehlo.SameType(v.Type(), results[i].Type()) {
			return false
		}
	}
	return len(values) == len(results)
}

// IsPlain reports whether all operands and results of op are tensors of numbers or bools with
// static shapes, as rules require.
func IsPlain(op *stablehlo.Op) bool {
	for _, list := range [][]*stablehlo.Value{op.Operands, op.Results} {
		for _, v := range list {
			t := v.Tensor()
			if t == nil || !t.IsStatic() {
				return false
			}
			if _, ok := t.Elem.(stablehlo.Scalar); !ok {
				return false
			}
		}
	}
	return true
}
