// Package vmap batches modules: it rewrites a function into one that computes for every element of
// a batch what the original computes for one.
//
// A value of the new program that depends on a batched argument is a batch: its first dimension is
// the batch. All others are unchanged and computed once. Each primitive has one row in the table
// [rowOf] that defines its batched form for any batched operands; elementwise ops have common rows.
// Ops without a better row run element by element in a loop, so that the table is complete.
package vmap

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Shared replaces an axis for an argument that all elements of the batch share, and for a result
// that does not depend on the batch.
const Shared = -1

type value = *stablehlo.Value

// Batch returns the module whose function entry takes batches of size elements: in holds for each
// argument, and out for each result, the axis of the batch, or Shared. A result that does not
// depend on the batch is repeated if out has an axis for it.
func Batch(m *stablehlo.Module, entry string, size int64, in, out []int) (batched *stablehlo.Module, err error) {
	defer emit.Catch(&err)
	m = m.Clone()
	f, ok := m.Func(entry)
	switch {
	case !ok:
		emit.Fail("the module has no function @%s", entry)
	case f.IsDeclaration():
		emit.Fail("function @%s must have a body", entry)
	case len(in) != len(f.Args()):
		emit.Fail("the axes for @%s must be for %d arguments, got %d", entry, len(f.Args()), len(in))
	case size < 0:
		emit.Fail("the size of a batch must not be negative, got %d", size)
	}
	prepare(m, f)
	ret := f.Body().Terminator()
	if len(out) != len(ret.Operands) {
		emit.Fail("the axes for @%s must be for %d results, got %d", entry, len(ret.Operands), len(out))
	}

	t := newBatcher(m, m.Effects(), f, size)
	t.rewrite(f, in, func(t *batcher, i int, r value) value { return t.result(i, r, out[i]) })
	simplify.DropFuncs(m, entry)
	return m, nil
}

func newBatcher(m *stablehlo.Module, effects *stablehlo.Effects, f stablehlo.Func, size int64) *batcher {
	return &batcher{Emitter: emit.To(f.Body()), module: m, effects: effects, size: size, marked: map[value]bool{},
		now: map[value]value{}}
}

// rewrite batches a function; result returns the batched form of each result.
func (t *batcher) rewrite(f stablehlo.Func, in []int, result func(t *batcher, i int, r value) value) {
	t.mark(f.Body(), in)
	ops := f.Body().Ops
	f.Body().SetOps(nil)
	old := slices.Clone(f.Args())
	for i, a := range old {
		t.argument(i, a, in[i])
	}
	if t.masked {
		t.active = t.B.Block().AddArg(stablehlo.Tensor(boolean, t.size))
	}
	f.Body().DropArgs(func(a value) bool { return slices.Contains(old, a) })
	ret := ops[len(ops)-1]
	t.run(ops[:len(ops)-1])
	for i, r := range ret.Operands {
		ret.Operands[i] = result(t, i, r)
	}
	f.Body().Append(ret)
	f.SetAttr("function_type",
		stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: typesOf(f.Args()), Outs: typesOf(ret.Operands)}})
	simplify.DeadCode(f.Body(), t.effects)
}

// prepare normalises a function for the rows: calls and compositions are expanded, and loops only
// carry state that they change.
func prepare(m *stablehlo.Module, f stablehlo.Func) {
	for g := range m.Funcs() {
		simplify.NameComposites(g)
	}
	if err := simplify.InlineExcept(m, f, stays); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", f.Name(), err))
	}
	if err := simplify.Refine(f, nil); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", f.Name(), err))
	}
	if err := simplify.Blocks(m, f, stays); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", f.Name(), err))
	}
	simplify.Flatten(f)
	renamed := simplify.Renames{}
	normalise(f.Body(), renamed)
	renamed.Apply(f.Body())
}

// normalise expands the ops of a block that are compositions of others, and removes invariant
// values from the state of loops.
func normalise(b *stablehlo.Block, renamed simplify.Renames) {
	old := b.Ops
	b.SetOps(nil)
	for _, op := range old {
		renamed.Operands(op)
		normaliseOp(b, op, renamed)
	}
}

func normaliseOp(b *stablehlo.Block, op *stablehlo.Op, renamed simplify.Renames) {
	if isComposition(op.Code) {
		defer emit.Blame(op)
		ops, results, err := simplify.Lowered(op)
		switch {
		case err != nil:
			emit.FailWith(err)
		case results == nil:
			emit.Fail("%s of these types cannot be batched: shapes must be static", op.Name())
		}
		for _, x := range ops {
			renamed.Operands(x)
			normaliseOp(b, x, renamed)
		}
		for i, r := range op.Results {
			renamed[r] = results[i]
		}
		return
	}
	for _, r := range op.Regions {
		normalise(r.Block(), renamed)
	}
	if op.Code == stablehlo.OpWhile {
		op = simplify.HoistInvariants(op, renamed)
	}
	b.Append(op)
}

// batcher appends a program to a block, op by op, for a batch.
type batcher struct {
	emit.Emitter
	module  *stablehlo.Module
	effects *stablehlo.Effects
	size    int64
	marked  map[value]bool  // the values of the program that are batches in the new one
	now     map[value]value // the replacements of values of the program
	active  value           // a mask of the active elements of the batch, tensor<size x i1>; nil for all
	masked  bool            // the last argument of the function is active
}

// row appends the batched form of an op.
type row func(t *batcher, op *stablehlo.Op)

// on returns a batcher that appends to another block: the region of an op.
func (t *batcher) on(b *stablehlo.Block) *batcher {
	inner := *t
	inner.Emitter = t.Emitter.On(b)
	return &inner
}

// argument adds an argument to the function in place of argument i, a batch along an axis. The old
// one keeps its type, which rows read.
func (t *batcher) argument(i int, a value, axis int) {
	b := t.B.Block()
	x := a.Tensor()
	if axis == Shared {
		t.now[a] = b.AddArg(a.Type())
		t.now[a].SetName(a.Name())
		return
	}
	if x == nil || axis < 0 || axis > x.Rank() {
		emit.Fail("argument %d of type %s does not have the batch size along axis %d", i, a.Type(), axis)
	}
	batch := b.AddArg(x.WithDims(slices.Insert(slices.Clone(x.Dims), axis, t.size)...))
	batch.SetName(a.Name())
	t.now[a] = t.moveAxis(batch, axis, 0)
}

// result returns result i of the function as a batch along an axis.
func (t *batcher) result(i int, r value, axis int) value {
	switch {
	case axis == Shared && t.marked[r]:
		emit.Fail("result %d depends on the batch, and must have an axis for it", i)
	case axis == Shared:
		return t.get(r)
	case r.Tensor() == nil || axis < 0 || axis > r.Tensor().Rank():
		emit.Fail("result %d of type %s does not have a batch axis %d", i, r.Type(), axis)
	}
	return t.moveAxis(t.lift(r), 0, axis)
}

// moveAxis moves one dimension of x to another position.
func (t *batcher) moveAxis(x value, from, to int) value {
	perm := slices.Delete(emit.UpTo(emit.TensorOf(x).Rank()), from, from+1)
	return t.Transpose(x, slices.Insert(perm, to, int64(from))...)
}

// get returns the replacement of a value of the program.
func (t *batcher) get(v value) value {
	if w, ok := t.now[v]; ok {
		return w
	}
	return v
}

// lift returns a value of the program as a batch, broadcast if necessary.
func (t *batcher) lift(v value) value {
	x := t.get(v)
	if t.marked[v] {
		return x
	}
	dims := emit.Sizes(x)
	return t.Broadcast(x, prepend(t.size, dims), shifted(emit.UpTo(len(dims)))...)
}

// lifted returns several values as batches.
func (t *batcher) lifted(vs []value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		out[i] = t.lift(v)
	}
	return out
}

// batchOf returns the type of a batch of values like v.
func (t *batcher) batchOf(v value) stablehlo.Type {
	x := emit.TensorOf(v)
	if q := x.Quant(); q != nil && q.IsPerAxis() {
		emit.Fail("a value of type %s cannot be batched: its scales belong to a dimension", x)
	}
	return x.WithDims(prepend(t.size, x.Dims)...)
}

func (t *batcher) batchesOf(vs []value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(vs))
	for i, v := range vs {
		types[i] = t.batchOf(v)
	}
	return types
}

// run appends ops, which must be detached.
func (t *batcher) run(ops []*stablehlo.Op) {
	for _, op := range ops {
		t.B.Loc = op.Loc
		if t.touches(op) {
			at := emit.Batched(op.Loc, t.size, emit.Elsewhere)
			t.B.Loc = at
			t.batch(op)
			for _, r := range op.Results {
				if now := t.get(r).Op(); now != nil && now != op && (now.Loc == at || now.Loc == op.Loc) {
					now.Loc = emit.Batched(op.Loc, t.size, emit.FirstAxis)
				}
			}
			continue
		}
		if len(t.now) > 0 {
			op.Replace(t.now)
		}
		if t.active != nil && t.module.CallsHost(op) {
			t.runIfAny(op)
			continue
		}
		t.B.Block().Append(op)
	}
}

// touches reports whether op, or a nested op, has an operand that is a batch.
func (t *batcher) touches(op *stablehlo.Op) bool {
	for x := range op.Walk() {
		for _, v := range x.Operands {
			if t.marked[v] {
				return true
			}
		}
	}
	return false
}

func (t *batcher) batch(op *stablehlo.Op) {
	defer emit.Blame(op)
	switch r := rowOf(op.Code); {
	case r == nil:
		emit.Fail("%s cannot be batched", op.Name())
	case t.size == 0 && t.marksAll(op.Results): // no elements, and ops that require at least one
		t.set(op, t.empty(op.Results)...)
	case t.captures(op):
		byElement(t, op)
	default:
		r(t, op)
	}
}

// captures reports whether a region of op that computes on elements, such as that of a reduction,
// captures a batch.
func (t *batcher) captures(op *stablehlo.Op) bool {
	if isControl(op.Code) {
		return false
	}
	for _, r := range op.Regions {
		for _, x := range r.Block().Ops {
			if t.touches(x) {
				return true
			}
		}
	}
	return false
}

// marksAll reports whether all values are batches.
func (t *batcher) marksAll(vs []value) bool {
	return !slices.ContainsFunc(vs, func(v value) bool { return !t.marked[v] })
}

// empty returns batches of no elements.
func (t *batcher) empty(vs []value) []value {
	out := make([]value, len(vs))
	for i, typ := range t.batchesOf(vs) {
		out[i] = t.zero(typ.(*stablehlo.TensorType))
	}
	return out
}

// set sets the replacements of the results of an op.
func (t *batcher) set(op *stablehlo.Op, results ...value) {
	for i, r := range op.Results {
		t.now[r] = results[i]
	}
}

// emit appends a copy of op with other operands, whose results are batches, after edit has changed
// its attributes.
func (t *batcher) emit(op *stablehlo.Op, operands []value, edit func(c *stablehlo.Op)) {
	c := stablehlo.NewOp(op.Code, operands, t.batchesOf(op.Results), op.Attrs...)
	c.Loc = op.Loc
	for _, r := range op.Regions {
		inner := c.AddRegion(typesOf(r.Block().Args)...)
		m := map[value]value{}
		for i, a := range r.Block().Args {
			m[a] = inner.Args[i]
		}
		for _, x := range r.Block().Ops {
			y := x.Clone(m)
			y.Replace(t.now)
			inner.Append(y)
		}
	}
	if edit != nil {
		edit(c)
	}
	if err := stablehlo.CheckOp(c); err != nil {
		emit.FailWith(err)
	}
	t.set(op, t.B.Block().Append(c).Results...)
}

func typesOf(vs []value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(vs))
	for i, v := range vs {
		types[i] = v.Type()
	}
	return types
}

func prepend(n int64, dims []int64) []int64 { return append([]int64{n}, dims...) }

// shifted returns dimensions renumbered after a new first one.
func shifted(dims []int64) []int64 {
	out := make([]int64, len(dims))
	for i, d := range dims {
		out[i] = d + 1
	}
	return out
}
