package nx

import (
	"context"
	"reflect"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// JitOption is an option of [Jit].
type JitOption interface{ jitOption(*jitOptions) }

type jitOptions struct{ donate []int }

// DonateOption is the option made by [Donate].
type DonateOption struct{ args []int }

// Donate lets the compiled function reuse the memory of arguments, counted
// without a leading context. The caller must not use them afterwards.
func Donate(args ...int) DonateOption { return DonateOption{args} }

func (o DonateOption) jitOption(j *jitOptions) { j.donate = o.args }

// Jit returns f compiled: the first call with arguments of new types traces f
// and compiles the graph, later ones run the code. F is a function on
// containers of tensors; a leading context.Context is the call's, a trailing
// error result receives failures, which are panics otherwise.
//
// What f does beside computing tensors happens while it is traced, once for
// each signature: static leaves of the arguments (numbers, strings) are part
// of it.
func Jit[F any](f F, opts ...JitOption) F {
	t := reflect.TypeFor[F]()
	if t.Kind() != reflect.Func {
		fail(ErrArgument, "Jit", "", "takes a function, not %s", t)
	}
	j := newJit(t, reflect.ValueOf(f), opts)
	switch g := any(f).(type) { // without reflection
	case func(Tensor) Tensor:
		return any(func(a Tensor) Tensor {
			if a.p != nil && a.p.tr != nil {
				return g(a)
			}
			return j.callTensors(a)
		}).(F)
	case func(Tensor, Tensor) Tensor:
		return any(func(a, b Tensor) Tensor {
			if a.p != nil && a.p.tr != nil || b.p != nil && b.p.tr != nil {
				return g(a, b)
			}
			return j.callTensors(a, b)
		}).(F)
	}
	return reflect.MakeFunc(t, j.call).Interface().(F)
}

// jit is a function with its compiled forms.
type jit struct {
	t          reflect.Type
	f          reflect.Value
	opts       jitOptions
	hasContext bool
	hasError   bool
	sealed     bool // no new signatures

	mu    sync.Mutex
	forms map[jitKey]*compiled
}

// jitKey is the signature of a call.
type jitKey struct {
	n     int
	specs [6]*Spec
	rest  string
}

// compiled is a form of a function compiled for a signature.
type compiled struct {
	once     sync.Once
	exe      backend.Executable
	captured []Tensor // arguments after the declared ones
	outs     []*Spec
	absent   []bool
	results  []reflect.Value // the structure of the results
	direct   bool            // captures values of another trace: not compiled
	failed   any             // what tracing panicked with
	module   *stablehlo.Module
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

func newJit(t reflect.Type, f reflect.Value, opts []JitOption) *jit {
	j := &jit{t: t, f: f, forms: map[jitKey]*compiled{}}
	for _, o := range opts {
		o.jitOption(&j.opts)
	}
	j.hasContext = t.NumIn() > 0 && t.In(0) == contextType
	j.hasError = t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType
	if t.IsVariadic() {
		fail(ErrArgument, "Jit", "take a slice instead", "variadic functions are not supported: %s", t)
	}
	return j
}

// callTensors calls a function of tensors to one tensor.
func (j *jit) callTensors(args ...Tensor) Tensor {
	var key jitKey
	key.n = len(args)
	for i, a := range args {
		key.specs[i] = a.must("Jit")
	}
	c := j.form(key, func() []reflect.Value {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = reflect.ValueOf(a)
		}
		return in
	})
	return j.run(background, c, args)[0]
}

// call is the body of the compiled function.
func (j *jit) call(in []reflect.Value) (out []reflect.Value) {
	ctx := background
	args := in
	if j.hasContext {
		if c, ok := in[0].Interface().(context.Context); ok && c != nil {
			ctx = c
		}
		args = in[1:]
	}
	if j.hasError {
		defer func() {
			var err error
			if r := recover(); r != nil {
				e, ok := r.(*Error)
				if !ok {
					panic(r)
				}
				err = e
				out = make([]reflect.Value, j.t.NumOut())
				for i := range out {
					out[i] = reflect.Zero(j.t.Out(i))
				}
				out[len(out)-1] = reflect.ValueOf(&err).Elem()
			}
		}()
	}
	sig := j.signature(args)
	if sig.traced {
		return j.f.Call(in)
	}
	tensors := sig.tensors
	c := j.form(sig.key, func() []reflect.Value { return args })
	if c.direct {
		return j.f.Call(in)
	}
	results := j.run(ctx, c, tensors)
	for _, r := range c.results {
		v := addressable(r)
		replaceIn(v, func(Tensor) Tensor {
			t := results[0]
			results = results[1:]
			return t
		})
		out = append(out, v)
	}
	if j.hasError {
		out = append(out, reflect.Zero(errorType))
	}
	j.donate(args)
	return out
}

// signature is what a call is compiled for, with its tensors.
type callSignature struct {
	key     jitKey
	tensors []Tensor
	traced  bool
}

func (j *jit) signature(args []reflect.Value) (s callSignature) {
	for _, a := range args {
		v := addressable(a)
		(&walker{op: "Jit", leaf: func(_ string, t Tensor) {
			s.tensors = append(s.tensors, t)
			s.traced = s.traced || t.p != nil && t.p.tr != nil
		}}).walk(v)
		s.key.rest += staticsOf("Jit", v) + "|"
	}
	s.key.n = len(s.tensors)
	for i, t := range s.tensors {
		var spec *Spec
		if t.p != nil {
			spec = t.p.spec
		}
		switch {
		case i < len(s.key.specs):
			s.key.specs[i] = spec
		case spec != nil:
			s.key.rest += spec.String() + ";"
		default:
			s.key.rest += "absent;"
		}
	}
	return s
}

// donate marks the donated arguments.
func (j *jit) donate(args []reflect.Value) {
	for _, i := range j.opts.donate {
		if i < 0 || i >= len(args) {
			fail(ErrArgument, "Donate", "", "there is no argument %d", i)
		}
		gone := &taken{"donated", diag.Stack()}
		(&walker{op: "Donate", leaf: func(_ string, t Tensor) {
			if t.p != nil && t.p.buf != nil {
				t.p.buf.giveUp(gone)
			}
		}}).walk(addressable(args[i]))
	}
}

// addressable returns a copy of v that can be changed.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// maxForms bounds the compiled forms of one function.
const maxForms = 256

// form returns the compiled form for a signature, traced on first use.
func (j *jit) form(key jitKey, args func() []reflect.Value) *compiled {
	j.mu.Lock()
	c := j.forms[key]
	if c == nil && j.sealed {
		j.mu.Unlock()
		fail(ErrArgument, "Call", "compile for these types too, or use nx.Jit", "the function was compiled for other types of arguments")
	}
	if c == nil {
		if len(j.forms) >= maxForms {
			for k := range j.forms { // an arbitrary one makes room
				delete(j.forms, k)
				break
			}
		}
		c = &compiled{}
		j.forms[key] = c
	}
	j.mu.Unlock()
	c.once.Do(func() {
		defer func() { c.failed = recover() }()
		j.trace(c, args())
	})
	if c.failed != nil {
		j.mu.Lock()
		delete(j.forms, key)
		j.mu.Unlock()
		panic(c.failed)
	}
	return c
}

// trace runs the function on traced values and compiles the graph.
func (j *jit) trace(c *compiled, args []reflect.Value) {
	t := newTrace("Jit")
	defer func() { t.done = true }()
	var in []reflect.Value
	if j.hasContext {
		in = append(in, reflect.ValueOf(&background).Elem())
	}
	for _, a := range args {
		v := addressable(a)
		replaceIn(v, func(old Tensor) Tensor {
			if old.p == nil {
				return old
			}
			return t.arg(old.p.spec)
		})
		in = append(in, v)
	}
	c.results = j.f.Call(in)
	if j.hasError {
		last := c.results[len(c.results)-1]
		c.results = c.results[:len(c.results)-1]
		if err, _ := last.Interface().(error); err != nil {
			panic(newError(ErrTrace, "Jit", nil, "", "the function returned an error while it was traced: %v", err))
		}
	}
	var values []*stablehlo.Value
	for _, r := range c.results {
		(&walker{op: "Jit", leaf: func(_ string, x Tensor) {
			c.absent = append(c.absent, x.p == nil)
			if x.p != nil {
				values = append(values, t.value("Jit", x))
				c.outs = append(c.outs, x.p.spec)
			}
		}}).walk(addressable(r))
	}
	c.captured = t.fn.captured
	for _, x := range c.captured {
		if x.p.tr != nil {
			c.direct = true
			return
		}
	}
	t.finish(values)
	c.module = t.fn.module
	exe, err := defaultClient().Compile(background, t.fn.module)
	if err != nil {
		e := newError(ErrRun, "Jit", nil, "", "compiling failed: %v", err)
		e.Err = err
		panic(e)
	}
	c.exe = exe
}

// run executes a compiled form.
func (j *jit) run(ctx context.Context, c *compiled, tensors []Tensor) []Tensor {
	args := make([]backend.Argument, 0, len(tensors)+len(c.captured))
	for _, list := range [2][]Tensor{tensors, c.captured} {
		for _, t := range list {
			if t.p != nil {
				args = append(args, backend.Argument{Buffer: materialise("Jit", t)})
			}
		}
	}
	bufs, err := c.exe.Execute(ctx, args)
	if err != nil {
		e := newError(ErrRun, "Jit", nil, "", "%v", err)
		e.Err = err
		panic(e)
	}
	out := make([]Tensor, len(c.absent))
	n := 0
	for i, absent := range c.absent {
		if !absent {
			out[i] = newBuffer(c.outs[n], bufs[n])
			n++
		}
	}
	return out
}
