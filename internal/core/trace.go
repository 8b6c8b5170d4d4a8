package core

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// trace is a function or a region under construction. A value belongs to the
// trace it was made in; an op on values of several traces belongs to the
// innermost, which captures the others.
type trace struct {
	ctx         context.Context // of the call for which it is made
	home        *home           // where ops on constants run meanwhile; nil if not set
	id          int64           // larger for inner traces: they start later
	fn          *tracedFunc
	block       *stablehlo.Block
	done        atomic.Bool
	calls       atomic.Bool // it calls Go functions on data
	runs        string      // the goroutine that runs the user's function, where that is known
	what        string      // "Jit", "Grad", "While": for messages
	outer       *trace      // in which it began, nil for none
	runsAgain   bool        // what is traced once runs many times: a compiled function, the body of a loop
	queriesCode bool        // calls of compiled functions only say whether there is code: see Cached
	file        string      // where the transformation was called
	line        int
	// place is where ops come from in a program that is imported, nil for the line of the caller.
	place stablehlo.Location
	batch int // how many elements Vmap computes at once; 0 without
	// names returns the paths of the declared arguments in the containers that they come from; nil if unknown.
	names func() []string
	// constants are those from outside that the function uses, with those of the functions inside of it.
	constants *recipes
}

// tracedFunc is a function under construction, with what it captures.
type tracedFunc struct {
	mu       sync.Mutex // the user's function may start goroutines
	module   *stablehlo.Module
	f        stablehlo.Func
	captured []Tensor // values from outside, the arguments after the declared ones
	args     map[any]*stablehlo.Value
	funcs    map[string]bool // the functions of the module beside this one
}

// arg adds an argument to the traced function.
func (t *trace) arg(spec *Spec) Tensor {
	v := t.fn.f.Body().AddArg(spec.tensorType())
	return wrap(&tensor{spec: spec, val: v, tr: t})
}

// result wraps a value made in t.
func (t *trace) result(spec *Spec, v *stablehlo.Value) Tensor {
	return wrap(&tensor{spec: spec, val: v, tr: t})
}

// location returns where an op comes from.
func (t *trace) location() stablehlo.Location {
	if t.place != nil {
		return t.place
	}
	return callerLoc()
}

// callerLoc returns the user's line as a location.
func callerLoc() stablehlo.Location {
	file, line := diag.Caller()
	if file == "" {
		return nil
	}
	return &stablehlo.FileLoc{File: file, Line: line}
}

// values returns the SSA values of results.
func (t *trace) values(op string, xs []Tensor) []*stablehlo.Value {
	t.fn.mu.Lock()
	defer t.fn.mu.Unlock()
	out := make([]*stablehlo.Value, len(xs))
	for i, x := range xs {
		out[i] = t.value(op, x, emitOn(t.block, nil))
	}
	return out
}

// value returns the SSA value of an operand in trace t; e makes constants.
func (t *trace) value(op string, x Tensor, e *emitter) *stablehlo.Value {
	p := x.p
	switch {
	case p.buf != nil:
		p.buf.take(op) // a released tensor is an error now, not when the function runs
		return t.fn.capture(p.buf, x)
	case p.rec != nil:
		t.constants.add(p.rec)
		return p.rec.value(op, e, p.spec.DType)
	}
	if p.tr.alive(op); p.tr.fn == t.fn {
		return p.val
	}
	return t.fn.capture(p.val, x)
}

// alive refuses a value of a trace that is over.
func (t *trace) alive(op string) {
	if t.done.Load() {
		fail(ErrTrace, op, "return it from the traced function instead of keeping it in a variable",
			"the tensor belongs to the %s at %s, which is over", t.what, place(t.file, t.line))
	}
}

// capture returns the argument that stands for a value from outside.
func (f *tracedFunc) capture(key any, x Tensor) *stablehlo.Value {
	if v, ok := f.args[key]; ok {
		return v
	}
	v := f.f.Body().AddArg(x.p.spec.tensorType())
	f.args[key] = v
	f.captured = append(f.captured, x)
	return v
}

// finish ends the function with its results.
func (t *trace) finish(results []*stablehlo.Value) {
	t.fn.mu.Lock()
	defer t.fn.mu.Unlock()
	t.done.Store(true)
	t.block.Append(stablehlo.NewOp(stablehlo.OpFuncReturn, results, nil))
	ft := &stablehlo.FuncType{}
	for _, a := range t.fn.f.Args() {
		ft.Ins = append(ft.Ins, a.Type())
	}
	for _, r := range results {
		ft.Outs = append(ft.Outs, r.Type())
	}
	t.fn.f.SetAttr("function_type", stablehlo.TypeAttr{Type: ft})
}

// use copies the functions of a module except @main, and its meshes, to the module under
// construction, if it does not have them yet.
func (f *tracedFunc) use(m *stablehlo.Module) {
	for _, op := range m.Body().Ops {
		name := op.Str("sym_name")
		if op.Code != stablehlo.OpFunc && op.Code != stablehlo.OpSdyMesh || name == "main" || f.funcs[name] {
			continue
		}
		if f.funcs == nil {
			f.funcs = map[string]bool{}
		}
		f.funcs[name] = true
		f.module.Body().Append(op.Clone(map[*stablehlo.Value]*stablehlo.Value{}))
	}
}
