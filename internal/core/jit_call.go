package core

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// arguments are the arguments of a call, read for its signature.
type callArguments struct {
	walker  // its key is the signature
	tensors []Tensor
	ends    []int // of each argument, the number of tensors up to its end
	traced  bool
}

var callArgumentsPool = sync.Pool{New: func() any {
	a := &callArguments{walker: *newWalker("Jit")}
	a.Statics, a.Leaf = true, a.tensor
	return a
}}

// tensor reads one tensor.
func (a *callArguments) tensor(t *Tensor) {
	a.tensors = append(a.tensors, *t)
	var spec *Spec
	if t.p != nil {
		spec = t.p.spec
		a.traced = a.traced || t.p.tr != nil
	}
	a.Address(unsafe.Pointer(spec))
}

// done makes a ready for the next call.
func (a *callArguments) done() {
	clear(a.tensors)
	a.Reset()
	a.tensors, a.ends, a.traced = a.tensors[:0], a.ends[:0], false
	callArgumentsPool.Put(a)
}

// read reads the arguments of a call.
func (j *jit) read(args []reflect.Value) *callArguments {
	a := callArgumentsPool.Get().(*callArguments)
	for i, v := range args {
		a.Walk(j.args[i], addressable(v).Addr().UnsafePointer())
		a.ends = append(a.ends, len(a.tensors))
	}
	return a
}

// callTensors calls a function of tensors to one tensor.
func (j *jit) callTensors(args ...Tensor) Tensor {
	if out, ok := j.callDirect(args); ok {
		return out
	}
	if innermost(args) != nil || staged() != nil {
		return j.innerTensors(args)
	}
	var room [3 * unsafe.Sizeof(uintptr(0))]byte
	key := room[:0]
	for _, t := range args {
		var spec *Spec
		if t.p != nil {
			spec = t.p.spec
		}
		key = append(key, unsafe.Slice((*byte)(unsafe.Pointer(&spec)), unsafe.Sizeof(spec))...)
	}
	c := j.last.Load()
	if c == nil || c.key != string(key) {
		in := j.valuesOf(args)
		a := j.read(in)
		c = j.form(background, a, in)
		a.done()
	}
	again := c.use()
	if c.exe == nil {
		return j.innerTensors(args)
	}
	if again && len(c.captured) > 0 {
		j.checkCaptures(c, j.valuesOf(args))
	}
	if j.donate == nil && len(c.outs) == 1 {
		return j.run1(c, args)
	}
	var ends [3]int
	for i := range args {
		ends[i] = i + 1
	}
	return tensorOf(j.returns("Jit", c.form, j.run(background, c, args, ends[:len(args)]))[0])
}

// innerTensors is callTensors inside a trace.
func (j *jit) innerTensors(args []Tensor) Tensor {
	return tensorOf(j.inside(j.valuesOf(args))[0])
}

// valuesOf returns tensors as values of the function's types.
func (j *jit) valuesOf(args []Tensor) []reflect.Value {
	in := make([]reflect.Value, len(args))
	for i, t := range args {
		in[i] = reflect.ValueOf(t).Convert(j.t.In(i))
	}
	return in
}

// tensorOf returns the tensor that a value is, of this package or of package nx.
func tensorOf(v reflect.Value) Tensor { return v.Convert(tensorType).Interface().(Tensor) }

// call is the body of a compiled function of any type.
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
		defer j.recoverError(&out)
	}
	a := j.read(args)
	defer a.done()
	if s := currentStage(); a.traced || s.all || s.mask.p != nil {
		return j.insideOf(a, args)
	}
	c := j.last.Load()
	if c == nil || c.key != string(a.Key) {
		c = j.form(ctx, a, args)
	}
	again := c.use()
	if c.exe == nil {
		return j.insideOf(a, args)
	}
	if again && len(c.captured) > 0 {
		j.checkCaptures(c, args)
	}
	return j.returns("Jit", c.form, j.run(ctx, c, a.tensors, a.ends))
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

// run1 runs a form with one result, none of whose arguments is donated.
func (j *jit) run1(c *compiled, tensors []Tensor) Tensor {
	list := arguments.Get().(*[4]backend.Buffer)
	h := j.home()
	args := j.appendArguments(list[:0], h, c, tensors)
	bufs, err := executeTold(background, "Jit", h, c.exe, args)
	clear(args)
	arguments.Put(list)
	if err != nil {
		checkLive("Jit", tensors)
		j.fail(err)
	}
	return j.result(c, 0, bufs[0], tensors)
}

// result returns a result of a call with these arguments.
func (j *jit) result(c *compiled, i int, b backend.Buffer, tensors []Tensor) Tensor {
	h := j.home().of(b)
	return newBuffer(h, c.outs[i], b).
		mark(j.on == nil && h == local() && isConstant(tensors) && isConstant(c.captured))
}

// appendArguments appends the buffers of tensors and of what is captured.
func (j *jit) appendArguments(args []backend.Buffer, h *home, c *compiled, tensors []Tensor) []backend.Buffer {
	for _, t := range tensors {
		if t.p == nil {
			continue
		}
		args = append(args, j.argument(h, t))
	}
	for _, t := range c.captured {
		if g := t.p.buf.valid.ended.Load(); g != nil {
			fail(ErrReleased, "Jit", "pass the tensor as an argument, or keep it as long as the function",
				"a tensor that the compiled function uses from outside, %s, was %s at %s", t.p.spec, g.how, g.by())
		}
		args = append(args, j.argument(h, t))
	}
	return args
}

// argument returns the buffer of an argument.
func (j *jit) argument(h *home, t Tensor) backend.Buffer {
	if t.p.rec == nil && t.p.buf != nil && t.p.buf.home != h {
		j.requireHere(t)
	}
	return h.at("Jit", t)
}

// run executes a compiled form; ends[i] is the number of tensors in the
// arguments up to i.
func (j *jit) run(ctx context.Context, c *compiled, tensors []Tensor, ends []int) []Tensor {
	h := j.home()
	args := j.appendArguments(make([]backend.Buffer, 0, len(tensors)+len(c.captured)), h, c, tensors)
	if j.donate != nil {
		j.giveAway(c, args, tensors, ends)
	}
	bufs, err := executeTold(ctx, "Jit", h, c.exe, args)
	if err != nil {
		if j.donate == nil {
			checkLive("Jit", tensors)
		}
		j.fail(err)
	}
	out := make([]Tensor, len(bufs))
	for i, b := range bufs {
		out[i] = j.result(c, i, b, tensors)
	}
	return out
}

func (j *jit) fail(err error) { failRun("Jit", nil, err) }

// giveAway marks the tensors of donated arguments as donated. When one of them
// is used twice by the call, none is.
func (j *jit) giveAway(c *compiled, args []backend.Buffer, tensors []Tensor, ends []int) {
	by := &Invalidation{how: "donated", pcs: diag.Stack()}
	var given []*validity
	refuse := func(t Tensor, format string, args ...any) {
		for _, v := range given {
			v.ended.CompareAndSwap(by, nil)
		}
		failOn(ErrReleased, "Jit", []Tensor{t}, "donate a tensor once, and pass a copy elsewhere", format, args...)
	}
	donated := make([]bool, len(args))
	var shared []int // donated constants, whose contents others may have
	arg, n := 0, 0
	for i, t := range tensors {
		for i >= ends[arg] {
			arg++
		}
		if t.p == nil {
			continue
		}
		n++
		if !j.donate[arg] {
			continue
		}
		if donated[n-1] = true; t.p.buf == nil {
			shared = append(shared, n-1)
		}
		v := t.p.validity()
		if !v.invalidate(by) {
			refuse(t, "a tensor of the donated argument %d is in another donated place too", arg)
		}
		given = append(given, v)
	}
	const again = "a donated tensor is used a second time by the same call"
	n = 0
	for _, list := range [2][]Tensor{tensors, c.captured} {
		for _, t := range list {
			if t.p == nil {
				continue
			}
			if !donated[n] && t.p.validity().ended.Load() == by {
				refuse(t, again)
			}
			n++
		}
	}
	for _, r := range c.constants.list() {
		if r.valid.ended.Load() == by {
			refuse(tensors[slices.IndexFunc(tensors, func(t Tensor) bool { return t.p != nil && t.p.rec == r })], again)
		}
	}
	for _, i := range shared {
		args[i] = j.another(args[i])
	}
}

// another returns a buffer of the same elements, to be given away in the place of one that
// stays.
func (j *jit) another(b backend.Buffer) backend.Buffer {
	if r, ok := b.(backend.Reshaper); ok { // the executable sees that the memory is in use
		if same, err := r.Reshape(b.Type().Dims); err == nil {
			return same
		}
	}
	data := make([]byte, b.Type().SizeBytes())
	err := b.Read(background, data)
	if err == nil {
		b, err = b.Device().Client().Put(background, b.Type(), data, b.Device())
	}
	if err != nil {
		j.fail(err)
	}
	return b
}

// markDonated says in a program which of its arguments are donated: those of the tensors in
// the donated ones of args.
func (j *jit) markDonated(m *stablehlo.Module, args []reflect.Value) {
	if j.donate == nil {
		return
	}
	var donated []bool
	for i, a := range args {
		w := newWalker("Donate")
		w.Leaf = func(t *Tensor) {
			if t.p != nil {
				donated = append(donated, j.donate[i])
			}
		}
		w.Walk(j.args[i], addressable(a).Addr().UnsafePointer())
	}
	main, _ := m.Func("main")
	main.SetDonated(donated)
}
