package nx

import (
	"context"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// call is an op on operands: what [apply] needs to run it at once or to add it
// to the graph under construction.
type call struct {
	op   string // the public function, for messages and the cache
	key  string // everything beside the operands' types that emit depends on
	ins  []Tensor
	outs []*Spec
	emit func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value
}

// apply is the one way in: every op on tensors goes through it. Beside traced
// operands it becomes part of their graph; on data it is compiled once for its
// types and run.
func apply(c call) []Tensor {
	weak := len(c.ins) > 0
	for _, x := range c.ins {
		if x.p == nil {
			failOn(ErrAbsent, c.op, c.ins, "a field that was never set, or the gradient of one?", "an operand is absent")
		}
		weak = weak && x.p.weak
	}
	t := innermost(c.ins)
	if t == nil {
		return runEager(c, weak)
	}
	in := make([]*stablehlo.Value, len(c.ins))
	for i, x := range c.ins {
		in[i] = t.value(c.op, x)
	}
	values := c.emit(&emitter{block: t.block}, in)
	out := make([]Tensor, len(values))
	for i, v := range values {
		out[i] = t.result(c.outs[i], v, weak)
	}
	return out
}

// apply1 is apply for an op with one result.
func apply1(c call) Tensor { return apply(c)[0] }

// signature identifies a compiled op.
type signature struct {
	op, key string
	client  string
	n       int
	ins     [4]*Spec
	more    string // the specs beyond the fourth
}

// compiledOp is an op compiled for a signature.
type compiledOp struct {
	once sync.Once
	exe  backend.Executable
	err  error
}

// ops caches the compiled ops of eager calls.
var ops struct {
	sync.RWMutex
	m map[signature]*compiledOp
}

// compiledFor returns the compiled op of a signature.
func compiledFor(sig *signature) *compiledOp {
	ops.RLock()
	op := ops.m[*sig]
	ops.RUnlock()
	if op != nil {
		return op
	}
	ops.Lock()
	defer ops.Unlock()
	if op = ops.m[*sig]; op == nil {
		if ops.m == nil || len(ops.m) >= maxOps {
			ops.m = map[signature]*compiledOp{}
		}
		op = &compiledOp{}
		ops.m[*sig] = op
	}
	return op
}

// maxOps bounds the cache; a program that makes more signatures starts anew.
const maxOps = 4096

func runEager(c call, weak bool) []Tensor {
	ctx := background
	sig := signature{op: c.op, key: c.key, n: len(c.ins)}
	client := defaultClient()
	args := make([]backend.Argument, len(c.ins))
	for i, x := range c.ins {
		if i < len(sig.ins) {
			sig.ins[i] = x.p.spec
		} else {
			sig.more += x.p.spec.String() + ";"
		}
		args[i].Buffer = materialise(c.op, x)
	}
	op := compiledFor(&sig)
	op.once.Do(func() { op.exe, op.err = compileCall(ctx, client, c) })
	if op.err != nil {
		failWith(c, op.err)
	}
	bufs, err := op.exe.Execute(ctx, args)
	if err != nil {
		failWith(c, err)
	}
	out := make([]Tensor, len(bufs))
	for i, b := range bufs {
		out[i] = wrap(&tensor{spec: c.outs[i], weak: weak, buf: &payload{buf: b}})
	}
	return out
}

// compileCall compiles an op as a module of its own.
func compileCall(ctx context.Context, client backend.Client, c call) (backend.Executable, error) {
	t := newTrace(c.op)
	in := make([]*stablehlo.Value, len(c.ins))
	for i, x := range c.ins {
		in[i] = t.arg(x.p.spec).p.val
	}
	t.finish(c.emit(&emitter{block: t.block}, in))
	return client.Compile(ctx, t.fn.module)
}

func failWith(c call, err error) {
	e := newError(ErrRun, c.op, c.ins, "", "%v", err)
	e.Err = err
	panic(e)
}

// materialise returns the buffer of a tensor that is not traced.
func materialise(op string, x Tensor) backend.Buffer {
	p := x.p
	if p.buf != nil {
		return p.buf.take(op)
	}
	if p.tr != nil {
		fail(ErrTrace, op, "data exists when the compiled function runs: return the tensor, or use an op instead of reading it",
			"the data of a traced tensor is not known yet (%s at %s)", p.tr.what, place(p.tr.file, p.tr.line))
	}
	r := p.rec
	r.once.Do(func() {
		if r.isNumber {
			var b [16]byte
			r.num.encode(p.spec.DType, b[:])
			r.made = upload(op, p.spec, b[:p.spec.DType.Size()])
			return
		}
		r.made = runEager(call{op: op, key: "recipe " + r.key, outs: []*Spec{p.spec},
			emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value { return []*stablehlo.Value{r.emit(e)} }}, false)[0]
	})
	return r.made.p.buf.take(op)
}

// fromRecipe returns a tensor that is computed when it is needed.
func fromRecipe(spec *Spec, key string, emit func(e *emitter) *stablehlo.Value) Tensor {
	return wrap(&tensor{spec: spec, rec: &recipe{emit: emit, key: spec.String() + " " + key}})
}

// upload returns a tensor with these elements on the default device.
func upload(op string, spec *Spec, data []byte) Tensor {
	client := defaultClient()
	b, err := client.Put(background, backend.Type{DType: spec.DType, Dims: dims64(spec.Shape)}, data, client.Devices()[0])
	if err != nil {
		panic(&diag.Error{Code: ErrDevice, Op: op, Detail: err.Error(), Err: err})
	}
	return newBuffer(spec, b)
}

// read returns a copy of the elements of a tensor.
func read(op string, x Tensor) []byte {
	x.must(op)
	b := materialise(op, x)
	out := make([]byte, x.p.spec.sizeBytes())
	if err := b.Read(background, out); err != nil {
		e := newError(ErrRun, op, []Tensor{x}, "", "%v", err)
		e.Err = err
		panic(e)
	}
	return out
}
