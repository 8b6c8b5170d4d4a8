package core

import (
	"reflect"

	"github.com/go-nx/nx/stablehlo"
)

// Lowered is nx.Lowered.
type Lowered struct{ module *stablehlo.Module }

// Lower implements nx.Lower.
func Lower[F any](f F, args []any, opts ...JitOption) (l *Lowered, err error) {
	const op = "Lower"
	defer Catch(&err)
	t := reflect.TypeFor[F]()
	requireFunction(op, t, reflect.ValueOf(f))
	j := newJit(t, reflect.ValueOf(f), opts)
	in := j.templates(op, args)
	tr := newTrace(op)
	tr.runsAgain = true
	fn := j.callable.traceIn(tr, in, Tensor.spec)
	if fn.isOpen() {
		fail(ErrTrace, op, "lower outside of the traced function", "the function uses a traced tensor")
	}
	l = &Lowered{fn.closed(op)}
	j.markDonated(l.module, in)
	return l, nil
}

// Text implements nx.Lowered.Text.
func (l *Lowered) Text() string { return l.must("Text").String() }

// Module implements nx.Lowered.Module.
func (l *Lowered) Module() *stablehlo.Module { return l.must("Module").Clone() }

func (l *Lowered) must(op string) *stablehlo.Module {
	if l == nil || l.module == nil {
		fail(ErrArgument, op, "nx.Lower makes programs", "the Lowered is the zero one")
	}
	return l.module
}

// closed returns the module with constants for what it captures.
func (f *form) closed(op string) *stablehlo.Module {
	m := f.module.Clone()
	fn, _ := m.Func("main")
	body := fn.Body()
	n := len(body.Args) - len(f.captured)
	constants := map[*stablehlo.Value]*stablehlo.Value{}
	var ops []*stablehlo.Op
	for i, x := range f.captured {
		e := &stablehlo.ElementsAttr{Type: x.p.spec.tensorType()}
		lend(op, x, func(data []byte) { e.Data = append(make([]byte, 0, len(data)), data...) })
		c := stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{e.Type}, stablehlo.Named("value", e))
		ops = append(ops, c)
		constants[body.Args[n+i]] = c.Result()
	}
	rest := body.Ops
	body.SetOps(nil)
	for _, c := range ops {
		body.Append(c)
	}
	for _, o := range rest {
		o.Replace(constants)
		body.Append(o)
	}
	body.DropArgs(func(v *stablehlo.Value) bool { return constants[v] != nil })
	t := fn.Type()
	fn.SetAttr("function_type", stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: t.Ins[:n], Outs: t.Outs}})
	return m
}

// InspectExpr implements debug.InspectExpr.
func InspectExpr(p any) string {
	const op = "InspectExpr"
	list := presentTensors(leaves(op, p))
	t := traceFor(list)
	if t == nil {
		var text string
		for _, x := range list {
			text += x.p.spec.String() + "\n"
		}
		return text
	}
	values := t.values(op, list)
	t.fn.mu.Lock()
	defer t.fn.mu.Unlock()
	m := stablehlo.NewModule("")
	m.Body().Append(t.fn.f.Clone(map[*stablehlo.Value]*stablehlo.Value{}))
	f, _ := m.Func("main")
	old := map[*stablehlo.Value]*stablehlo.Value{}
	for i, a := range t.fn.f.Args() {
		old[a] = f.Args()[i]
	}
	for i, o := range t.block.Ops {
		for k, r := range o.Results {
			old[r] = f.Body().Ops[i].Results[k]
		}
	}
	results := make([]*stablehlo.Value, len(values))
	ft := &stablehlo.FuncType{Ins: t.fn.f.Type().Ins}
	for i, v := range values {
		results[i] = old[v]
		ft.Outs = append(ft.Outs, v.Type())
	}
	f.Body().Append(stablehlo.NewOp(stablehlo.OpFuncReturn, results, nil))
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: ft})
	return f.String()
}
