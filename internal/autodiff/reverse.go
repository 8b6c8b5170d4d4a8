package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// transposer visits linear ops in reverse and appends ops that compute cotangents of operands from
// cotangents of results.
type transposer struct {
	emitter
	checkCancel simplify.CheckCancel
	depends     map[value]bool // the values that are linear in the seeds
	cotangent   map[value]value
	pullbacks   map[*stablehlo.Op]pullback
	supports    map[value]support // of cotangents that came through selects
	paths       map[selectPath]*selectPath
	masks       map[*selectPath]value
}

// transposeRow adds to the cotangents of the linear operands of op, given that of its result.
type transposeRow func(t *transposer, op *stablehlo.Op, ct value)

// pullback is the transpose of a stand-in for linearised control flow, given the cotangents of its
// results, nil if zero.
type pullback func(t *transposer, op *stablehlo.Op, cts []value)

// standIn appends an op that stands for linearised control flow: linear in its operands, with
// results of the given types, transposed by f.
func (t *tracer) standIn(in []value, out []stablehlo.Type, f pullback) []value {
	op := stablehlo.NewUnregistered("autodiff.linear", in, out)
	op.Loc = t.B.Loc
	t.pullbacks[op] = f
	t.append(op)
	return op.Results
}

// linearise runs a program with a seed as tangent of each of the values vs and removes the ops that
// depend on the seeds from the block, after its first keep ops: the remaining ops compute the
// program and the factors of the linear ops. Seeds are the arguments of a detached block.
func (t *tracer) linearise(ops []*stablehlo.Op, vs []value) (*transposer, []*stablehlo.Op, []value) {
	seeds := newScratch(typesOf(vs)...).Args
	for i, v := range vs {
		t.tangent[v] = seeds[i]
	}
	t.pullbacks = map[*stablehlo.Op]pullback{}
	block := t.B.Block()
	keep := len(block.Ops)
	t.run(ops)

	tr := &transposer{
		emitter: t.emitter, checkCancel: t.checkCancel,
		depends: map[value]bool{}, cotangent: map[value]value{}, pullbacks: t.pullbacks,
		supports: map[value]support{}, paths: map[selectPath]*selectPath{}, masks: map[*selectPath]value{},
	}
	for _, s := range seeds {
		tr.depends[s] = true
	}
	rest := slices.Clone(block.Ops[:keep])
	var linear []*stablehlo.Op
	// of stand-ins whose operands depend on no seed: they are zero, as for tensors without elements
	zeros := map[value]value{}
	for _, op := range block.Ops[keep:] {
		if len(zeros) > 0 {
			op.Replace(zeros)
		}
		if t.pullbacks[op] != nil && !slices.ContainsFunc(op.Operands, func(v value) bool { return tr.depends[v] }) {
			for _, r := range op.Results {
				c := zeroConstant(r.Type())
				rest = append(rest, c)
				zeros[r] = c.Result()
			}
			continue
		}
		if !slices.ContainsFunc(op.Operands, func(v value) bool { return tr.depends[v] }) {
			rest = append(rest, op)
			continue
		}
		linear = append(linear, op)
		for _, r := range op.Results {
			tr.depends[r] = true
		}
	}
	block.SetOps(rest)
	return tr, linear, seeds
}

// zeroConstant returns a detached constant of zeros.
func zeroConstant(t stablehlo.Type) *stablehlo.Op {
	a, err := stablehlo.Full(t.(*stablehlo.TensorType), 0)
	if err != nil {
		emit.Fail("%v", err)
	}
	return stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{t}, stablehlo.Named("value", a))
}

// run transposes linear ops, the last first.
func (t *transposer) run(linear []*stablehlo.Op) {
	for _, op := range slices.Backward(linear) {
		t.checkCancel()
		cts := make([]value, len(op.Results))
		any := false
		for i, r := range op.Results {
			cts[i] = t.cotangent[r]
			any = any || cts[i] != nil
			delete(t.cotangent, r)
		}
		if !any {
			continue
		}
		t.B.Loc = emit.Derivative(op.Loc, true)
		if f := t.pullbacks[op]; f != nil {
			f(t, op, cts)
			continue
		}
		row := transposes.Get(listTransposes)[op.Code]
		if row == nil {
			emit.Fail("no derivative of %s in reverse mode: it has no transpose row", op.Name())
		}
		row(t, op, cts[0])
	}
}

// accumulate adds c to the cotangent of v if v is linear; nil is zero.
func (t *transposer) accumulate(v, c value) {
	if t.depends[v] && c != nil {
		if !tracksSupport(v.Op()) {
			c = t.clean(c)
		}
		t.cotangent[v] = t.sumTracked(t.cotangent[v], c)
	}
}

// update replaces the cotangent of v, initially zero, by the result of f: for contributions to few
// elements, where a sum over all of them would be expensive.
func (t *transposer) update(v value, f func(old value) value) {
	if t.depends[v] {
		t.cotangent[v] = f(t.clean(t.OrZeros(t.cotangent[v], v)))
	}
}
