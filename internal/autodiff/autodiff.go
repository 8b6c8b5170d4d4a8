package autodiff

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// JVP returns the module whose function entry computes the original results and their tangents. Its
// arguments are the original ones, then a tangent for each chosen one. Its results are the original
// ones, then a tangent for each one that is a tensor of floats or complex numbers.
//
// wrt chooses the arguments; nil chooses all tensors of floats or complex numbers. If the context
// ends, the error is its cause.
func JVP(ctx context.Context, m *stablehlo.Module, entry string, wrt []bool) (out *stablehlo.Module, err error) {
	defer emit.Catch(&err)
	p := prepare(ctx, m, entry, nil)
	args := at(p.body.Args, p.choose("argument", p.body.Args, wrt))
	results := p.ret.Operands
	ops := p.open(args, results)
	t := newTracer(p.body, p.idle, p.callees)
	for _, a := range args {
		t.set(a, p.body.AddArg(a.Type()))
	}
	t.run(ops)
	outs := p.results(t)
	for _, i := range haveTangents(results) {
		r := outs[i]
		outs = append(outs, t.OrZeros(t.tangent[r], r))
	}
	return p.close(outs), nil
}

// VJP returns the module whose function entry computes the original results and the vector-Jacobian
// product. Its arguments are the original ones, then a cotangent for each chosen result. Its
// results are the original ones, then a cotangent for each chosen argument.
//
// wrt chooses the arguments and of the results; nil chooses all tensors of floats or complex
// numbers. The cotangent of other results is zero.
func VJP(ctx context.Context, m *stablehlo.Module, entry string, wrt, of []bool) (out *stablehlo.Module, err error) {
	defer emit.Catch(&err)
	p := prepare(ctx, m, entry, nil)
	args := p.choose("argument", p.body.Args, wrt)
	outs := p.choose("result", p.ret.Operands, of)
	results, grads := p.pull(args, outs, func(_ emitter, r value) value {
		return p.body.AddArg(r.Type())
	})
	return p.close(append(results, grads...)), nil
}

// Gradient returns the module whose function entry computes the derivative of the sum of all
// results that are tensors of real floats, with respect to each such argument, or to those of wrt. args holds the
// positions of those arguments, one per result. Dynamic dimensions have the sizes of types, the
// types of all arguments of a call, or of the declared types if it is nil.
func Gradient(ctx context.Context, m *stablehlo.Module, entry string,
	types []stablehlo.Type, wrt ...int) (out *stablehlo.Module, args []int, err error) {
	defer emit.Catch(&err)
	p := prepare(ctx, m, entry, types)
	isReal := func(vs []value) []int {
		return slices.DeleteFunc(haveTangents(vs), func(i int) bool { return emit.IsComplex(vs[i]) })
	}
	args = isReal(p.body.Args)
	if len(wrt) > 0 {
		args = slices.DeleteFunc(args, func(i int) bool { return !slices.Contains(wrt, i) })
	}
	p.fn.SetAttr("res_attrs", nil) // they belong to the original results
	_, grads := p.pull(args, isReal(p.ret.Operands), func(e emitter, r value) value { return e.Fill(r, 1) })
	return p.close(grads), args, nil
}

// program is a function that is being rewritten.
type program struct {
	module *stablehlo.Module
	fn     stablehlo.Func
	body   *stablehlo.Block
	ret    *stablehlo.Op
	idle   map[value]bool // set by open
	*callees
}

// prepare copies a module and normalises its function entry for the rules, for arguments of the
// given types or, if nil, the declared ones.
func prepare(ctx context.Context, m *stablehlo.Module, entry string, types []stablehlo.Type) *program {
	checkCancel := func() {
		if ctx.Err() != nil {
			emit.FailWith(context.Cause(ctx))
		}
	}
	m = m.Clone()
	f, ok := m.Func(entry)
	switch {
	case !ok:
		emit.Fail("the module has no function @%s", entry)
	case f.IsDeclaration():
		emit.Fail("function @%s must have a body", entry)
	}
	for g := range m.Funcs() {
		simplify.NameComposites(g)
	}
	// Functions that are not inlined have as many residuals as there are ops when all of their
	// calls are expanded.
	keep := func(op *stablehlo.Op, _ bool) bool { return hasRule(op) }
	if err := simplify.CheckInline(m, f, keep, checkCancel); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", entry, err))
	}
	c := newCallees(m, checkCancel)
	if err := simplify.InlineExcept(m, f, c.stays, checkCancel); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", entry, err))
	}
	if err := simplify.Refine(f, types, checkCancel); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", entry, err))
	}
	if err := simplify.Blocks(m, f, c.stays, checkCancel); err != nil {
		emit.FailWith(fmt.Errorf("@%s: %w", entry, err))
	}
	normalise(f.Body())
	return &program{module: m, fn: f, body: f.Body(), ret: f.Body().Terminator(), callees: c}
}

// haveTangents returns the positions of the values that have tangents.
func haveTangents(vs []value) []int {
	var positions []int
	for i, v := range vs {
		if differentiable(v.Type()) {
			positions = append(positions, i)
		}
	}
	return positions
}

// choose returns the positions of the chosen arguments or results; nil chooses all that have
// tangents.
func (p *program) choose(kind string, vs []value, on []bool) []int {
	have := haveTangents(vs)
	if on == nil {
		return have
	}
	if len(on) != len(vs) {
		emit.Fail("the choice for @%s must have one entry for each of %d %ss, got %d", p.fn.Name(), len(vs), kind, len(on))
	}
	var chosen []int
	for i, v := range vs {
		switch {
		case !on[i]:
		case !slices.Contains(have, i):
			emit.Fail("no derivative for %s %d of @%s: its type must be a tensor of floats or complex numbers, got %s",
				kind, i, p.fn.Name(), v.Type())
		default:
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// open removes the ops of the function except the return, after analysing which of them matter for
// the derivative of results by args.
func (p *program) open(args, results []value) []*stablehlo.Op {
	p.idle = idleValues(p.body, args, results)
	ops := takeOps(p.body)
	return ops[:len(ops)-1]
}

// results returns the original results, after the ops have been traced.
func (p *program) results(t *tracer) []value {
	outs := make([]value, len(p.ret.Operands))
	for i, r := range p.ret.Operands {
		outs[i] = t.now(r)
	}
	return outs
}

// pull computes the results and the cotangents of the arguments at positions args from those of the
// results at positions outs, which seed returns.
func (p *program) pull(args, outs []int, seed func(e emitter, r value) value) (results, grads []value) {
	wrt := at(p.body.Args, args)
	ops := p.open(wrt, at(p.ret.Operands, outs))
	t := newTracer(p.body, p.idle, p.callees)
	active := slices.DeleteFunc(slices.Clone(wrt), func(a value) bool { return p.idle[a] })
	tr, linear, seeds := t.linearise(ops, active)
	results = p.results(t)
	for _, i := range outs {
		c := seed(tr.emitter, results[i])
		if d := t.tangent[results[i]]; d != nil {
			tr.accumulate(d, c)
		}
	}
	tr.run(linear)
	for _, a := range wrt {
		var g value
		if len(active) > 0 && active[0] == a { // they are in order
			g = tr.cotangent[seeds[0]]
			active, seeds = active[1:], seeds[1:]
		}
		grads = append(grads, tr.OrZeros(g, a))
	}
	return results, grads
}

// finish ends the body with new results and removes dead ops.
func (p *program) finish(outs []value) {
	p.ret.Operands = outs
	p.body.Append(p.ret)
	p.demanded.Renames.Apply(p.body)
	simplify.DeadCode(p.body, p.effects, p.checkCancel)
	simplify.ShareEqual(p.body, p.effects, p.checkCancel)
}

// close ends the function with new results and removes dead ops.
func (p *program) close(outs []value) *stablehlo.Module {
	p.finish(outs)
	p.fn.SetAttr("function_type",
		stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: typesOf(p.body.Args), Outs: typesOf(outs)}})
	resize(p.fn, "arg_attrs", len(p.body.Args))
	resize(p.fn, "res_attrs", len(outs))
	simplify.DropFuncs(p.module, p.fn.Name())
	return p.module
}

// resize adjusts the length of a list of attributes of arguments or results to their number.
func resize(f stablehlo.Func, name string, n int) {
	list, ok := f.Attr(name).(stablehlo.ArrayAttr)
	if !ok {
		return
	}
	list = slices.Clone(list)
	for len(list) < n {
		list = append(list, stablehlo.DictAttr{})
	}
	f.SetAttr(name, list)
}
