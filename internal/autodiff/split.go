package autodiff

import (
	"context"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Linear is the derivative of a program in two parts: one that computes the results and residuals,
// and one that is linear in its other operands and may be applied any number of times.
type Linear struct {
	// Forward takes the arguments and returns the results, then residuals.
	Forward *stablehlo.Module
	// Map takes the values of Residuals, then tangents or cotangents.
	Map *stablehlo.Module
	// Residuals are the first arguments of Map: each is an argument of Forward, or a result of it.
	Residuals []Residual
}

// Residual is an argument or a result of a function.
type Residual struct {
	IsResult bool
	Index    int
}

// Pullback returns the program and the linear map from a cotangent for each chosen result to one
// for each chosen argument. wrt and of are those of [VJP].
func Pullback(ctx context.Context, m *stablehlo.Module, entry string, wrt, of []bool) (l *Linear, err error) {
	defer emit.Catch(&err)
	return prepare(ctx, m, entry, nil).splitReverse(wrt, of), nil
}

// splitReverse divides the program of reverse mode.
func (p *program) splitReverse(wrt, of []bool) *Linear {
	n := len(p.body.Args)
	args := p.choose("argument", p.body.Args, wrt)
	outs := p.choose("result", p.ret.Operands, of)
	results, grads := p.pull(args, outs, func(_ emitter, r value) value { return p.body.AddArg(r.Type()) })
	count := len(results)
	m := p.close(append(results, grads...))
	return split(m, p.fn.Name(), n, count)
}

// Linearised returns the program and the linear map from a tangent for each chosen argument to one
// for each differentiable result: the transpose of the pull-back, for which both parts are known,
// or if a loop of unknown length would save states for that, the part of forward mode that depends
// on tangents.
func Linearised(ctx context.Context, m *stablehlo.Module, entry string, wrt []bool) (l *Linear, err error) {
	defer emit.Catch(&err)
	p := prepare(ctx, m, entry, nil)
	if p.runsOpenLoops() {
		return p.splitForward(wrt), nil
	}
	l = p.splitReverse(wrt, nil)
	p = prepare(ctx, l.Map, entry, nil)
	n := len(p.body.Args)
	cts := make([]int, 0, n)
	for i := len(l.Residuals); i < n; i++ {
		cts = append(cts, i)
	}
	all := make([]int, len(p.ret.Operands))
	for i := range all {
		all[i] = i
	}
	_, tangents := p.pull(cts, all, func(_ emitter, r value) value { return p.body.AddArg(r.Type()) })
	zero := emitTo(newScratch())
	m2 := map[value]value{} // the linear map does not depend on the point of linearisation
	for _, i := range cts {
		m2[p.body.Args[i]] = zero.Zeros(p.body.Args[i].Type())
	}
	ops := takeOps(p.body)
	for _, op := range append(takeOps(zero.B.Block()), ops...) {
		op.Replace(m2)
		p.body.Append(op)
	}
	for i, v := range tangents {
		if w, ok := m2[v]; ok {
			tangents[i] = w
		}
	}
	p.body.DropArgs(func(v value) bool { return m2[v] != nil })
	l.Map = p.close(tangents)
	return l, nil
}

// runsOpenLoops reports whether a loop of the program is of unknown length, and may be run a second
// time.
func (p *program) runsOpenLoops() bool {
	isOpen := false
	for f := range p.module.Funcs() {
		for op := range f.Op.Walk() {
			switch op.Code {
			case stablehlo.OpWhile:
				_, exact := tripCount(op)
				isOpen = isOpen || !exact
			case stablehlo.OpRng:
				return false
			}
			if op != f.Op && len(op.Regions) == 0 && op.Code.Info().Traits&stablehlo.Terminator == 0 &&
				p.effects.HasOwn(op) {
				return false
			}
		}
	}
	return isOpen
}

// splitForward divides the program of forward mode. Its first part is the original program, with
// the residuals of the second: a loop that carries tangents repeats its steps.
func (p *program) splitForward(wrt []bool) *Linear {
	n := len(p.body.Args)
	args, results := at(p.body.Args, p.choose("argument", p.body.Args, wrt)), p.ret.Operands
	ops := p.open(args, results)
	values := map[value]value{}
	for _, op := range ops {
		p.body.Append(op.Clone(values))
	}
	outs := make([]value, len(results))
	for i, r := range results {
		if outs[i] = r; values[r] != nil {
			outs[i] = values[r]
		}
	}
	t := newTracer(p.body, p.idle, p.callees)
	for _, a := range args {
		t.set(a, p.body.AddArg(a.Type()))
	}
	t.run(ops)
	traced := p.results(t)
	for _, i := range haveTangents(results) {
		outs = append(outs, t.OrZeros(t.tangent[traced[i]], traced[i]))
	}
	return split(p.close(outs), p.fn.Name(), n, len(results))
}

// split divides a function into the ops that depend on its arguments from late on and the rest. The
// first early results belong to the rest.
func split(m *stablehlo.Module, entry string, late, early int) *Linear {
	f, _ := m.Func(entry)
	body := f.Body()
	c := partitionBlock(body, late, early)
	return &Linear{
		Residuals: c.residuals,
		Forward:   functionOf(m, entry, body.Args[:late], c.first, c.extra),
		Map:       functionOf(m, entry, c.args, c.second, c.grads),
	}
}

// partition is a function in two parts: ops and results of the first, arguments, ops and results of
// the second, whose first arguments are the residuals.
type partition struct {
	first, second []*stablehlo.Op
	extra         []value // the results of the first part: those of the function, then residuals
	args, grads   []value
	residuals     []Residual
}

// partitionBlock partitions a body as [split] does.
func partitionBlock(body *stablehlo.Block, late, early int) (c partition) {
	isLate := map[value]bool{}
	for _, a := range body.Args[late:] {
		isLate[a] = true
	}
	for _, op := range body.Ops[:len(body.Ops)-1] {
		if !usesAny(op, isLate) {
			c.first = append(c.first, op)
			continue
		}
		c.second = append(c.second, op)
		for _, r := range op.Results {
			isLate[r] = true
		}
	}
	ret := body.Terminator()
	c.extra, c.grads = slices.Clone(ret.Operands[:early]), ret.Operands[early:]

	seen := map[value]bool{}
	var copied []*stablehlo.Op
	need := func(v value) { cutAt(v, isLate, seen, &c.args, &copied) }
	inside := map[value]bool{}
	for _, op := range c.second {
		for x := range op.Walk() {
			for _, r := range x.Results {
				inside[r] = true
			}
			for _, r := range x.Regions {
				for _, a := range r.Block().Args {
					inside[a] = true
				}
			}
		}
	}
	for _, op := range c.second {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				if !inside[v] {
					need(v)
				}
			}
		}
	}
	for _, v := range c.grads {
		need(v)
	}
	index := map[value]int{} // of results of the first part
	for i, v := range slices.Backward(c.extra) {
		index[v] = i
	}
	for _, v := range c.args {
		if v.Op() == nil && v.Block() == body {
			c.residuals = append(c.residuals, Residual{false, v.Index()})
			continue
		}
		i, ok := index[v]
		if !ok {
			i = len(c.extra)
			index[v], c.extra = i, append(c.extra, v)
		}
		c.residuals = append(c.residuals, Residual{true, i})
	}
	c.args = append(c.args, body.Args[late:]...)
	c.second = append(copied, c.second...)
	return c
}

// cutAt records that the second part uses v: a constant is copied, any other value is an argument.
func cutAt(v value, isLate, seen map[value]bool, cut *[]value, copied *[]*stablehlo.Op) {
	if isLate[v] || seen[v] {
		return
	}
	seen[v] = true
	def := v.Op()
	if def == nil || !isCheap(def) {
		*cut = append(*cut, v)
		return
	}
	for _, x := range def.Operands {
		cutAt(x, isLate, seen, cut, copied)
	}
	*copied = append(*copied, def)
}

// isCheap reports whether an op is recomputed rather than saved: ops whose elements depend on
// constants only.
func isCheap(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpConstant, stablehlo.OpIota:
		return true
	case stablehlo.OpBroadcastInDim, stablehlo.OpReshape, stablehlo.OpCompare:
		return !slices.ContainsFunc(op.Operands, func(v value) bool { return v.Op() == nil || !isCheap(v.Op()) })
	}
	return false
}

// functionOf returns a module whose function entry consists of copies of some ops, with the other
// functions of m.
func functionOf(m *stablehlo.Module, entry string, args []value, ops []*stablehlo.Op,
	results []value) *stablehlo.Module {
	out := stablehlo.NewModule("")
	f := writeFunc(m.Effects(), entry, args, ops, results)
	out.Body().Append(f.Op)
	for _, op := range m.Body().Ops {
		if op.Code != stablehlo.OpFunc || op.Str("sym_name") != entry {
			out.Body().Append(op.Clone(map[value]value{}))
		}
	}
	simplify.DropFuncs(out, entry)
	return out
}

// writeFunc returns a detached function of copies of some ops.
func writeFunc(effects *stablehlo.Effects, name string, args []value, ops []*stablehlo.Op,
	results []value) stablehlo.Func {
	f := stablehlo.NewModule("").AddFunc(name, &stablehlo.FuncType{Ins: typesOf(args), Outs: typesOf(results)})
	takeOps(f.Op.Block()) // the module was only needed to build it
	values := map[value]value{}
	for i, a := range args {
		values[a] = f.Args()[i]
	}
	for _, op := range ops {
		f.Body().Append(op.Clone(values))
	}
	outs := make([]value, len(results))
	for i, v := range results {
		outs[i] = values[v]
	}
	f.Body().Append(stablehlo.NewOp(stablehlo.OpFuncReturn, outs, nil))
	simplify.DeadCode(f.Body(), effects)
	return f
}

// usesAny reports whether an operand of op or of a nested op is in the set.
func usesAny(op *stablehlo.Op, set map[value]bool) bool {
	for x := range op.Walk() {
		if slices.ContainsFunc(x.Operands, func(v value) bool { return set[v] }) {
			return true
		}
	}
	return false
}
