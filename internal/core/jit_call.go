package core

import (
	"context"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/backend"
)

// callTensors calls a function of tensors to one tensor.
func (j *jit) callTensors(args ...Tensor) Tensor {
	if out, ok := j.callDirect(args); ok {
		return out
	}
	if innermost(args) != nil || stagedTrace() != nil {
		return j.callTensorsInTrace(args)
	}
	var buf [3 * unsafe.Sizeof(uintptr(0))]byte
	key := buf[:0]
	for _, t := range args {
		var spec *Spec
		if t.p != nil {
			spec = t.p.spec
		}
		key = append(key, unsafe.Slice((*byte)(unsafe.Pointer(&spec)), unsafe.Sizeof(spec))...)
	}
	c := j.forms.lastFor(bytesKey(key))
	if c == nil {
		in := j.valuesOf(args)
		a := j.read(in)
		c = j.form(background, a, in)
		a.done()
	}
	again := c.use()
	if c.exe == nil {
		return j.callTensorsInTrace(args)
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
	return tensorOf(j.returns("Jit", c.form, j.run(background, c, nil, args, ends[:len(args)]))[0])
}

// callTensorsInTrace is callTensors inside a trace.
func (j *jit) callTensorsInTrace(args []Tensor) Tensor {
	return tensorOf(j.callInTrace(j.valuesOf(args))[0])
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
		return j.applyInTrace(a, args)
	}
	c := j.forms.lastFor(a.key())
	if c == nil {
		c = j.form(ctx, a, args)
	}
	again := c.use()
	if c.exe == nil {
		return j.applyInTrace(a, args)
	}
	if again && len(c.captured) > 0 {
		j.checkCaptures(c, args)
	}
	return j.returns("Jit", c.form, j.run(ctx, c, args, a.tensors, a.ends))
}

// run1 runs a form with one result, none of whose arguments is donated.
func (j *jit) run1(c *compiled, tensors []Tensor) Tensor {
	list := arguments.Get().(*[4]backend.Buffer)
	h := j.home()
	args := j.appendArguments(list[:0], h, c, tensors)
	bufs, err := executeObserved(background, "Jit", h.device, c.exe, args)
	if j.checksNaN && err == nil {
		if found := j.checkNaN(background, c, nil, tensors, args, bufs); found != nil {
			found.fail("Jit")
		}
	}
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

// appendArguments appends the buffers of tensors and of captured tensors.
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
// arguments up to i. The arguments in are nil of a function of tensors.
func (j *jit) run(ctx context.Context, c *compiled, in []reflect.Value, tensors []Tensor, ends []int) []Tensor {
	h := j.home()
	args := j.appendArguments(make([]backend.Buffer, 0, len(tensors)+len(c.captured)), h, c, tensors)
	kept := args
	var given *donated
	if j.donate != nil {
		if j.checksNaN {
			kept = slices.Clone(args)
		}
		given = j.donateBuffers(c, args, tensors, ends)
	}
	bufs, err := executeObserved(ctx, "Jit", h.device, c.exe, args)
	if err != nil {
		if j.donate == nil {
			checkLive("Jit", tensors)
		}
		j.fail(err)
	}
	if j.checksNaN {
		if found := j.checkNaN(ctx, c, in, tensors, kept, bufs); found != nil {
			given.takeBack()
			found.fail("Jit")
		}
		given.release(kept)
	}
	out := make([]Tensor, len(bufs))
	for i, b := range bufs {
		out[i] = j.result(c, i, b, tensors)
	}
	return out
}
