package core

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/container"
	"github.com/go-nx/nx/stablehlo"
)

// callable is a Go function of containers: how to walk its arguments and results.
type callable struct {
	t       reflect.Type
	f       reflect.Value
	args    []*container.Plan // without a leading context
	results []*container.Plan // without a trailing error
	convention
}

// convention says whether a Go function has a leading context and a trailing error, besides containers.
type convention struct{ hasContext, hasError bool }

func conventionOf(t reflect.Type) convention {
	return convention{t.NumIn() > 0 && t.In(0) == contextType, t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType}
}

// firstArg returns the position of the first container among the arguments.
func (c convention) firstArg() int {
	if c.hasContext {
		return 1
	}
	return 0
}

// numResults returns the number of containers among the results of a function of type t.
func (c convention) numResults(t reflect.Type) int {
	if c.hasError {
		return t.NumOut() - 1
	}
	return t.NumOut()
}

func newCallable(t reflect.Type, f reflect.Value) callable {
	c := callable{t: t, f: f, convention: conventionOf(t)}
	for i := c.firstArg(); i < t.NumIn(); i++ {
		c.args = append(c.args, planOf(t.In(i)))
	}
	for i := range c.numResults(t) {
		c.results = append(c.results, planOf(t.Out(i)))
	}
	return c
}

// form is a function traced for a signature.
type form struct {
	module    *stablehlo.Module // with the function as @main
	captured  []Tensor          // arguments after the declared ones
	constants *recipes          // from outside
	outs      []*Spec
	absent    []bool          // of each tensor in the results
	results   []reflect.Value // the structure of the results, their tensors absent
	calls     bool            // it calls Go functions on data: in the program if inBody, else while it was traced
	inBody    bool

	once   sync.Once
	callee *stablehlo.Module // the function under a name of its own, with those it calls
	name   string
}

// trace runs the function on traced values of the types of args.
func (c *callable) trace(op string, args []reflect.Value) *form {
	return c.traceIn(newTrace(op), args, Tensor.spec)
}

// traceIn runs the function, as a trace that begins, on traced values of the types that
// typeOf gives for the tensors of args, which it gets in order.
func (c *callable) traceIn(t *trace, args []reflect.Value, typeOf func(t Tensor) *Spec) *form {
	op := t.what
	outer := t.constants
	t.constants = &recipes{}
	t.names = func() []string { return c.names(op, args) }
	defer t.done.Store(true)
	defer stage(t, false)()
	results := c.f.Call(c.tracedArguments(op, t, args, typeOf))
	if c.hasError {
		last := results[len(results)-1]
		results = results[:len(results)-1]
		if err, _ := last.Interface().(error); err != nil {
			e := newError(ErrTrace, op, nil, "", "the function returned an error while it was traced: %v", err)
			e.Err = err
			panic(e)
		}
	}
	refuseLeaks(op, results)
	f := &form{module: t.fn.module}
	var tensors []Tensor
	for i, r := range results {
		v := addressable(r)
		replaceAt(op, c.results[i], v.Addr().UnsafePointer(), func(x Tensor) Tensor {
			f.absent = append(f.absent, x.p == nil)
			if x.p != nil {
				tensors = append(tensors, x)
				f.outs = append(f.outs, x.p.spec)
			}
			return Tensor{}
		})
		f.results = append(f.results, v)
	}
	t.finish(t.values(op, tensors))
	f.captured, f.constants = t.fn.captured, t.constants
	f.calls, f.inBody = t.calls.Load(), currentStage().inBody
	outer.add(f.constants.list()...) // for callers that do not use applyForm
	return f
}

// tracedArguments returns the arguments with traced tensors. No container of
// tensors is shared with the caller.
func (c *callable) tracedArguments(op string, t *trace, args []reflect.Value,
	typeOf func(t Tensor) *Spec) []reflect.Value {
	var in []reflect.Value
	if c.hasContext {
		in = append(in, reflect.ValueOf(&background).Elem())
	}
	for i, a := range args {
		v := addressable(a)
		replaceAt(op, c.args[i], v.Addr().UnsafePointer(), func(old Tensor) Tensor {
			if old.p == nil {
				return old
			}
			return t.arg(typeOf(old))
		})
		in = append(in, v)
	}
	return in
}

// names returns the paths of the tensors of arguments, in the order of tensors: "Layers[1].W of argument 0". The only
// argument is not named.
func (c *callable) names(op string, args []reflect.Value) (names []string) {
	for i, a := range args {
		w := newWalker(op)
		w.Leaf = func(t *Tensor) {
			if t.p == nil {
				return
			}
			name := ""
			switch {
			case !w.AtRoot() && len(args) > 1:
				name = fmt.Sprintf("%s of argument %d", w.Path(), i)
			case !w.AtRoot():
				name = inArgument(w.Path())
			case len(args) > 1:
				name = fmt.Sprintf("argument %d", i)
			}
			names = append(names, name)
		}
		w.Walk(c.args[i], addressable(a).Addr().UnsafePointer())
	}
	return names
}

// inArgument returns the path of a tensor in the only argument: Layers[1].W, argument[1].
func inArgument(path string) string {
	if strings.HasPrefix(path, "[") {
		return "argument" + path
	}
	return path
}

// tensors returns the tensors of arguments, the absent ones left out.
func (c *callable) tensors(op string, args []reflect.Value) []Tensor {
	var out []Tensor
	for i, a := range args {
		w := newWalker(op)
		w.Leaf = func(t *Tensor) {
			if t.p != nil {
				out = append(out, *t)
			}
		}
		w.Walk(c.args[i], addressable(a).Addr().UnsafePointer())
	}
	return out
}

// returns returns the results of the function, with these tensors in it.
func (c *callable) returns(op string, f *form, tensors []Tensor) []reflect.Value {
	out := make([]reflect.Value, 0, c.t.NumOut())
	absent := f.absent
	for i, r := range f.results {
		v := addressable(r)
		replaceAt(op, c.results[i], v.Addr().UnsafePointer(), func(Tensor) Tensor {
			none := absent[0]
			if absent = absent[1:]; none {
				return Tensor{}
			}
			t := tensors[0]
			tensors = tensors[1:]
			return t
		})
		out = append(out, v)
	}
	if c.hasError {
		out = append(out, reflect.Zero(errorType))
	}
	return out
}

// isOpen reports whether the function uses traced values from outside, so that it
// differs between traces.
func (f *form) isOpen() bool { return innermost(f.captured) != nil }

// asCallee names the function by its contents, so that equal
// functions are one in a module.
func (f *form) asCallee(base string) {
	f.once.Do(func() { f.name, f.callee = asCallee(f.module, base) })
}

func asCallee(m *stablehlo.Module, base string) (name string, callee *stablehlo.Module) {
	main, _ := m.Func("main")
	sum := sha256.Sum256([]byte(main.String()))
	name = base + "_" + hex.EncodeToString(sum[:8])
	callee = m.Clone()
	fn, _ := callee.Func("main")
	fn.SetAttr("sym_name", stablehlo.StringAttr(name))
	fn.SetAttr("sym_visibility", stablehlo.StringAttr("private"))
	return name, callee
}

// baseName returns a name for a function in a module: that in the Go source.
func baseName(f reflect.Value) string {
	fn := runtime.FuncForPC(f.Pointer())
	if fn == nil {
		return "f"
	}
	name := strings.TrimSuffix(fn.Name(), "[...]")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if _, after, ok := strings.Cut(name, "."); ok {
		name = after
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
}

// funcNamed names a function in errors: "the function train.func1 (train.go:12)".
func funcNamed(f reflect.Value) string {
	name := "the function " + baseName(f)
	if fn := runtime.FuncForPC(f.Pointer()); fn != nil {
		name += " (" + place(fn.FileLine(fn.Entry())) + ")"
	}
	return name
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// functionName returns the name of a function to compile, or fails when it
// cannot be compiled.
func functionName(op string, t reflect.Type, f reflect.Value) string {
	requireFunction(op, t, f)
	name := runtime.FuncForPC(f.Pointer()).Name()
	if method, bound := strings.CutSuffix(name, "-fm"); bound {
		method = method[strings.LastIndexByte(method, '/')+1:]
		fail(ErrArgument, op,
			fmt.Sprintf("compile the method with the receiver as its first argument: nx.%s(%s)", op, method),
			"the method is bound to its receiver, whose tensors would be frozen")
	}
	return name
}

// requireFunction refuses a value that is not a function of containers.
func requireFunction(op string, t reflect.Type, f reflect.Value) {
	switch {
	case t.Kind() != reflect.Func:
		fail(ErrArgument, op, "", "takes a function, not %s", t)
	case f.IsNil():
		fail(ErrArgument, op, "", "the function is nil")
	case t.IsVariadic():
		fail(ErrArgument, op, "take a slice instead", "variadic functions are not supported: %s", t)
	}
}

// recoverError turns a panic with an *Error into the trailing error result.
func (c *callable) recoverError(out *[]reflect.Value) {
	var err error
	diag.Recover(recover(), &err)
	if err == nil {
		return
	}
	*out = make([]reflect.Value, c.t.NumOut())
	for i := range *out {
		(*out)[i] = reflect.Zero(c.t.Out(i))
	}
	(*out)[len(*out)-1] = reflect.ValueOf(&err).Elem()
}

// templates returns arguments that stand for those of a call: a [Spec] for a
// tensor of that type.
func (c *callable) templates(op string, args []any) []reflect.Value {
	first := c.firstArg()
	if len(args) != c.t.NumIn()-first {
		fail(ErrArgument, op, "", "the function takes %s, got %d",
			plural(c.t.NumIn()-first, "argument", "arguments"), len(args))
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		want := c.t.In(i + first)
		if s, ok := a.(Spec); ok && plans.IsLeaf(want) {
			spec := newSpec(op, s)
			a = reflect.ValueOf(constant(spec, zero)).Convert(want).Interface()
		}
		in[i] = reflect.ValueOf(a)
		if !in[i].IsValid() || in[i].Type() != want {
			fail(ErrArgument, op, "", "argument %d is of type %T, the function takes %s", i, a, want)
		}
		for _, t := range leaves(op, a) {
			if t.p != nil && t.p.tr != nil {
				fail(ErrTrace, op, "do it outside of the traced function", "an argument is a traced tensor")
			}
		}
	}
	return in
}

// applyForm applies a traced function as one op: a call of it, or the ops that emit
// makes of the call.
func applyForm(op string, f *form, ins []Tensor,
	emit func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value) []Tensor {
	c := call{op: op, ins: append(ins[:len(ins):len(ins)], f.captured...), outs: f.outs,
		uses: []*stablehlo.Module{f.callee}, emit: emit}
	if t := traceFor(c.ins); t == nil {
		c.key = f.callee.String()
	} else {
		t.constants.add(f.constants.list()...)
	}
	return apply(&c)
}

// refuseLeaks refuses results that belong to a trace which is over, with their paths.
func refuseLeaks(op string, results []reflect.Value) {
	for i, r := range results {
		of := "the result"
		if len(results) > 1 {
			of = fmt.Sprintf("result %d", i)
		}
		eachLeaf(op, r.Interface(), func(path string, x Tensor) { refuseLeak(op, path+" of "+of, x) })
	}
}

// refuseLeak refuses a result that belongs to a trace which is over.
func refuseLeak(op, what string, x Tensor) {
	if x.p != nil && x.p.tr != nil && x.p.tr.done.Load() {
		fail(ErrTrace, op, "a function inside that writes to a container must have it as an argument, and return it",
			"%s belongs to the %s at %s, which is over", what, x.p.tr.what, place(x.p.tr.file, x.p.tr.line))
	}
}
