package core

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/stablehlo"
)

// While implements nx.While.
func While[S any](init S, more func(S) Tensor, step func(S) S) S {
	const op = "While"
	notNil(op, more == nil || step == nil)
	l := newLoop(op, "state", init)
	b := l.trace(nil, nil, func(args []Tensor) ([]leaf, []Tensor) {
		return leafList(op, l.name, step(fill(op, init, args))), nil
	})
	defer b.abandon()
	each := false
	test := traceBody(op, l.specs, pathsOf(l.before), func(args []Tensor) []Tensor {
		p := more(fill(op, init, args))
		s := p.must(op)
		if len(s.Shape) != 0 {
			failOn(ErrShape, op, []Tensor{p}, "reduce it (nx.All, nx.Any)",
				"the loop condition must be a scalar, got %s", s)
		}
		each = s.Vectors != nil
		return []Tensor{isTrue(p)}
	})
	defer test.abandon()
	if each {
		return whileEach(init, more, step)
	}
	test.finish(nil)
	b.finish(l.specs)
	return fill(op, init, controlFlow(op, "", l.init, []*body{test, b}, l.specs,
		func(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value {
			return e.while(in,
				func(e *emitter, args []*stablehlo.Value) *stablehlo.Value {
					return test.graft(e.B.Block(), args, captured[0])[0]
				},
				func(e *emitter, args []*stablehlo.Value) []*stablehlo.Value {
					return b.graft(e.B.Block(), args, captured[1])
				})
		}))
}

// whileEach is While where each element of vectorised axes goes on as long as more holds for it: all take
// steps until none goes on, and those that are done keep their states.
func whileEach[S any](init S, more func(S) Tensor, step func(S) S) S {
	const op = "While"
	goesOn := func(s S) Tensor { return isTrue(more(s)) }
	// The state has one tensor more: which elements go on.
	list := presentTensors(leaves(op, init))
	n := len(list)
	last := While(append(list[:n:n], goesOn(init)),
		func(list []Tensor) Tensor { return Any(Devectorize(list[n])) },
		func(list []Tensor) (next []Tensor) {
			mask(list[n], func() {
				s := stepEach(list[n], fill(op, init, list[:n]), step)
				next = append(presentTensors(leaves(op, s)), LogicalAnd(list[n], goesOn(s)))
			})
			return next
		})
	return fill(op, init, last[:n])
}

// stepEach returns the next state of the elements that go on.
func stepEach[S any](goesOn Tensor, s S, step func(S) S) S {
	return Map2(func(next, last Tensor) Tensor { return Where(goesOn, next, last) }, step(s), s)
}

// Count is a number of steps: an int, or a scalar tensor of integers, which is
// known when the program runs.
type Count interface {
	int |
		~struct { // Tensor, and nx.Tensor, which is defined by it
			_ [0]func()
			p *tensor
		}
}

// Fori implements nx.Fori.
func Fori[N Count, S any](n N, init S, step func(i Tensor, s S) S) S {
	const op = "Fori"
	notNil(op, step == nil)
	var limit Tensor
	steps := 0
	d := S32
	if number, ok := any(n).(int); ok {
		steps, d = number, indexType(number)
	} else {
		n := *(*Tensor)(unsafe.Pointer(&n)) // the only other type that Count allows
		s := n.must(op)
		if s.Vectors != nil && len(s.Shape) == 0 && s.DType.IsInteger() {
			return Fori(Max(Devectorize(n)), init, func(i Tensor, s S) S {
				goesOn := Less(i, n)
				mask(goesOn, func() { s = stepEach(goesOn, s, func(s S) S { return step(i, s) }) })
				return s
			})
		}
		if limit, d = n, s.DType; !d.IsInteger() || len(s.Shape) != 0 {
			failOn(ErrDType, op, []Tensor{n}, "", "the number of steps must be an integer scalar, got %s", s)
		}
	}
	l := newLoop(op, "state", init)
	b := l.trace([]*Spec{scalarSpecs[d]}, []string{"the number of the step"}, func(args []Tensor) ([]leaf, []Tensor) {
		k := len(args) - 1
		return leafList(op, l.name, step(args[k], fill(op, init, args[:k]))), nil
	})
	defer b.abandon()
	b.finish(l.specs)
	ins := l.init
	if limit.p != nil {
		ins = append(ins[:len(ins):len(ins)], limit)
	}
	return fill(op, init, controlFlow(op, number{Kind: one.Kind, Int: int64(steps)}.Text(), ins, []*body{b}, l.specs,
		func(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value {
			state := in[:len(l.init)]
			var end *stablehlo.Value
			if limit.p != nil {
				end = in[len(l.init)]
			}
			return e.count(d, steps, end, 1, state,
				func(e *emitter, i *stablehlo.Value, state []*stablehlo.Value) []*stablehlo.Value {
					return b.graft(e.B.Block(), append(state[:len(state):len(state)], i), captured[0])
				})
		}))
}

// indexType is the element type of numbers up to n.
func indexType(n int) DType {
	if n > math.MaxInt32 {
		return S64
	}
	return S32
}

// while appends a loop.
func (e *emitter) while(state []*stablehlo.Value, more func(e *emitter, args []*stablehlo.Value) *stablehlo.Value,
	step func(e *emitter, args []*stablehlo.Value) []*stablehlo.Value) []*stablehlo.Value {
	types := make([]stablehlo.Type, len(state))
	for i, v := range state {
		types[i] = v.Type()
	}
	loop := stablehlo.NewOp(stablehlo.OpWhile, state, types)
	loop.Loc = e.B.Loc
	region(loop, types, func(to *stablehlo.Block) []*stablehlo.Value {
		return []*stablehlo.Value{more(emitOn(to, e.B.Loc), to.Args)}
	})
	region(loop, types, func(to *stablehlo.Block) []*stablehlo.Value { return step(emitOn(to, e.B.Loc), to.Args) })
	return e.B.Block().Append(loop).Results
}

// count appends a loop over an index of type d from 0 to end, or to n when that
// is nil, in steps of by.
func (e *emitter) count(d DType, n int, end *stablehlo.Value, by int, state []*stablehlo.Value,
	step func(e *emitter, i *stablehlo.Value, state []*stablehlo.Value) []*stablehlo.Value) []*stablehlo.Value {
	state = append([]*stablehlo.Value{e.scalar(d, zero)}, state...)
	return e.while(state,
		func(e *emitter, args []*stablehlo.Value) *stablehlo.Value {
			limit := end
			if limit == nil {
				limit = e.index(d, n)
			}
			return e.compare(less, args[0], limit)
		},
		func(e *emitter, args []*stablehlo.Value) []*stablehlo.Value {
			next := step(e, args[0], args[1:])
			return append([]*stablehlo.Value{e.Value(stablehlo.OpAdd, []*stablehlo.Value{args[0], e.index(d, by)})},
				next...)
		})[1:]
}

// index appends a constant index.
func (e *emitter) index(d DType, i int) *stablehlo.Value {
	return e.scalar(d, number{Kind: one.Kind, Int: int64(i)})
}

// loop is the state of a loop: the tensors of a container, whose types settle
// when a step has been traced.
type loop struct {
	op, name string
	before   []leaf
	init     []Tensor
	specs    []*Spec
}

func newLoop[S any](op, name string, init S) *loop {
	l := &loop{op: op, name: name, before: leafList(op, name, init)}
	l.init = tensorsOf(l.before)
	l.specs = specsOf(l.init)
	return l
}

// trace traces a step on the state and further arguments, which have names; it returns the next
// state and further results. A state that starts as numbers takes the types of
// the tensors that the step makes of them, which is traced again then.
func (l *loop) trace(more []*Spec, names []string, step func(args []Tensor) ([]leaf, []Tensor)) *body {
	names = append(pathsOf(l.before), names...)
	for {
		var after []leaf
		specs := append(l.specs[:len(l.specs):len(l.specs)], more...)
		b := traceBody(l.op, specs, names, func(args []Tensor) []Tensor {
			next, rest := step(args)
			l.align(next)
			after = next
			return append(tensorsOf(next), rest...)
		})
		if l.settle(after) {
			return b
		}
		b.abandon()
	}
}

// align gives tensors of the next state the vectorised axes of the state, in its order; they are
// repeated along missing ones.
func (l *loop) align(next []leaf) {
	requireSameStructure(l.op, l.before, next, beforeStep, afterStep)
	k := 0
	for i, at := range next {
		if at.tensor.p == nil {
			continue
		}
		if want := l.specs[k].Vectors; covers(want, at.tensor.p.spec.Vectors) {
			next[i].tensor = at.tensor.alignedTo(l.op, want)
		}
		k++
	}
}

// covers reports whether all vectorised axes of a list are in another.
func covers(all, some []VectorAxis) bool {
	return !slices.ContainsFunc(some, func(v VectorAxis) bool { return !slices.Contains(all, v) })
}

// settle compares the state after a step with the state before; it reports false if
// numbers in it have become tensors of another type, or tensors have gained vectorised axes.
func (l *loop) settle(after []leaf) bool {
	settled := true
	for i, at := range tensorsIn(after) {
		s, got := l.specs[i], at.tensor.p.spec
		if !covers(s.Vectors, got.Vectors) {
			union := unionOfVectors(l.op, []operand{{t: l.init[i].p}, {t: at.tensor.p}})
			l.init[i] = l.init[i].alignedTo(l.op, union)
			l.specs[i], settled = l.init[i].p.spec, false
			continue
		}
		if s.weak && s.compatible(got) && (!got.weak || got.DType != s.DType) {
			if d := promoted(s, got); d == got.DType {
				l.specs[i], settled = got, false
				l.init[i] = cast(l.init[i], d)
				continue
			}
		}
		requireSameType(l.op, s, at, beforeStep, afterStep)
	}
	return settled
}
