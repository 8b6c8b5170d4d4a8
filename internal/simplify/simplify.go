// Package simplify rewrites modules into equal, plainer ones. Its passes are
// functions that change a function in place:
//
//	Inline        calls and composites are the bodies that they name
//	Refine        sizes that follow from arguments and constants are known
//	Flatten       tokens, tuples and futures are gone
//	Lower         ops that are compositions of others are those
//	Stored        quantised types are those of the stored integers
//	Fold          ops on constants are constants
//	Simplify      a list of named rules is applied; equal ops are one
//	Hoist         what does not change in a loop is computed before it
//	Recompute     scores of attention are computed where they are needed
//	Rematerialise what a derivative needs late is computed again from what is kept
//	Outer         products that sum nothing are multiplications
//	DeadCode      what nobody uses is gone
package simplify

import (
	"fmt"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Simplify applies the rules of the table rules to the ops of f and of the
// regions inside it, and lets equal ops of a block be one. It visits every op
// once, operands first, so that a rule sees operands that are simple already;
// what a rule writes is visited like the ops of the program. It leaves ops
// behind that nobody uses: DeadCode removes them.
func Simplify(f stablehlo.Func, pause ...CheckCancel) error {
	return newSimplifier(f, rulesOf, pause).run("simplify", f)
}

func newSimplifier(f stablehlo.Func, rules map[stablehlo.OpCode][]rule, pause []CheckCancel) *simplifier {
	return &simplifier{emitter: emitter{emit.Detached(), Renames{}, usesIn(f.Body(), f.Effects())}, rules: rules,
		checkCancel: checkCancelOf(pause)}
}

type simplifier struct {
	emitter                     // of what a rule writes
	fired       map[string]int  // how often each rule was applied, when not nil
	ops         []*stablehlo.Op // of the block being written
	same        equalOps
	rules       map[stablehlo.OpCode][]rule
	trying      string // the name of the rule
	checkCancel CheckCancel
	// keepsEqual says that equal ops stay: Recompute has made copies.
	keepsEqual bool
}

// run rewrites a function. An op of a rule that the builder refuses is an internal error.
func (s *simplifier) run(pass string, f stablehlo.Func) error {
	if err := caught(func() { s.block(f.Body()) }); err != nil {
		return internalError(fmt.Sprintf("%s: rule %s", pass, s.trying), f.Name(), err)
	}
	return nil
}

// maxRewrites bounds how often what a rule has written is rewritten, so that
// the work of an op is bounded whatever the rules are.
const maxRewrites = 16

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

// op writes an op, what a rule makes of it, or nothing where there is an equal
// one already.
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

// rewrite applies the first rule that has something to say about op.
func (s *simplifier) rewrite(op *stablehlo.Op, depth int) bool {
	rows := s.rules[op.Code]
	if len(rows) == 0 || !isPlain(op) {
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
			s.fired[row.name]++
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

// try returns what a rule makes of an op.
func (s *simplifier) try(row rule, op *stablehlo.Op) []*stablehlo.Value {
	defer emit.Blame(op)
	s.trying = row.name
	return row.apply(s.emitter, op)
}

// fit reports whether values can stand for results: they have their types.
func fit(values, results []*stablehlo.Value) bool {
	for i, v := range values {
		if !stablehlo.SameType(v.Type(), results[i].Type()) {
			return false
		}
	}
	return len(values) == len(results)
}

// isPlain reports whether all operands and results of op are tensors of numbers
// or bools whose sizes are known: all that rules need to look at.
func isPlain(op *stablehlo.Op) bool {
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
