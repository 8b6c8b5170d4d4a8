package core

import (
	"sync"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/weak"
	"github.com/go-nx/nx/stablehlo"
)

// arguments holds lists of arguments for reuse.
var arguments = sync.Pool{New: func() any { return new([4]backend.Buffer) }}

// runEager runs a call on data at h.
func (c *call) runEager(h *home) []Tensor {
	if c.code.code == nil {
		c.code = codeWith{&programs, program{c.op, c.key}}
		for i, x := range c.ins {
			c.types.set(i, x.p.spec)
		}
	}
	c.types.home = h
	op := c.code.find(&c.types)
	if op == nil {
		op = c.compile(h)
		c.code.keep(&c.types, op)
	}
	return c.run(h, op)
}

// run runs the compiled form of an op on data at h.
func (c *call) run(h *home, op *compiledOp) []Tensor {
	args := make([]backend.Buffer, len(c.ins))
	numbers := len(c.ins) > 0
	for i, x := range c.ins {
		args[i] = h.at(c.op, x)
		numbers = numbers && x.p.rec != nil && x.p.rec.isNumber
	}
	bufs, err := executeObserved(background, c.op, h.device, op.exe, args)
	if err != nil {
		c.fail(err)
	}
	if checksAll {
		checkEager(c.op, op, args, bufs)
	}
	out := make([]Tensor, len(bufs))
	for i, b := range bufs {
		out[i] = fromBuffer(h, op.outs[i], b, numbers, isConstant(c.ins))
	}
	return out
}

// compile compiles an op as a module of its own.
func (c *call) compile(h *home) *compiledOp {
	h.compiled.Add(1)
	start := time.Now()
	t := newTrace(c.op)
	in := make([]*stablehlo.Value, len(c.ins))
	for i, x := range c.ins {
		in[i] = t.arg(x.p.spec).p.val
	}
	for _, m := range c.uses {
		t.fn.use(m)
	}
	t.finish(c.emit(emitOn(t.block, nil), in))
	exe, err := compileObserved(background, h.client, c.op, t.fn.module, start)
	if err != nil {
		c.fail(err)
	}
	op := &compiledOp{exe: exe, direct: directOf(exe), ins: len(c.ins), outs: c.outs, number: c.number}
	if checksAll {
		op.direct, op.module = nil, t.fn.module
	}
	closeLater(op, exe)
	return op
}

func (c *call) fail(err error) {
	if c.blame == "" {
		failRun(c.op, c.ins, err)
	}
	made := *c.outs[0] // the contents of an operand of that function
	failRun(c.blame, []Tensor{wrap(&tensor{spec: &made, rec: &recipe{}})}, err)
}

// lend calls f with the elements of a tensor, which f must neither change nor keep: without a copy
// if they are in host memory.
func lend(op string, x Tensor, f func(data []byte)) {
	b := materialise(op, local(), x)
	var err error
	if l, ok := b.(backend.Lender); ok {
		err = l.View(func(data []byte) error { f(data); return nil })
	} else if err = b.Await(background); err == nil { // before there is memory for them
		data := make([]byte, x.p.spec.sizeBytes())
		err = transferObserved(op, int64(len(data)), b.Device(), nil, func() error { return b.Read(background, data) })
		if err == nil {
			f(data)
		}
	}
	if err != nil {
		failRun(op, []Tensor{x}, err)
	}
}

// at returns the buffer of an operand of what runs at h.
func (h *home) at(op string, t Tensor) backend.Buffer {
	if t.p.buf != nil && t.p.rec != nil && t.p.buf.home != h {
		return h.copied(op, t)
	}
	return materialise(op, h, t)
}

// copied returns a copy of a tensor at h, through host memory.
func (h *home) copied(op string, t Tensor) (b backend.Buffer) {
	lend(op, t, func(data []byte) { b = h.upload(op, t.p.spec, data) })
	return b
}

// buffer returns the contents at h, computed on first use.
func (r *recipe) buffer(op string, h *home, spec *Spec) backend.Buffer {
	r.valid.check(op)
	if r.isNumber {
		return h.scalar(op, spec.DType, r.num)
	}
	was := r.tensor.Load()
	if was != nil && was.buf.home == h {
		return was.buf.buf
	}
	c := &call{op: "recipe", blame: op, key: r.key, outs: []*Spec{spec},
		emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value { return []*stablehlo.Value{r.emit(e)} }}
	t := c.runEager(h)[0].p
	if !r.tensor.CompareAndSwap(was, t) { // another goroutine was faster, or a listener to events on this one
		if now := r.tensor.Load(); now != nil && now.buf.home == h {
			t.buf.buf.Release()
			t = now
		}
	}
	return t.buf.buf
}

// materialise returns the buffer of a tensor that is not traced; a recipe's is
// made at h.
func materialise(op string, h *home, x Tensor) backend.Buffer {
	p := x.p
	switch {
	case p.buf != nil:
		return p.buf.take(op)
	case p.rec != nil:
		return p.rec.buffer(op, h, p.spec)
	}
	p.tr.alive(op)
	fail(ErrTrace, op,
		"data exists when the compiled function runs: return the tensor, or use an op instead of reading it",
		"the data of a traced tensor is not known yet (%s at %s)", p.tr.what, place(p.tr.file, p.tr.line))
	return nil
}

// fromBuffer returns the result of an op. A result computed only from
// numbers is a number again, so that it becomes a constant of a graph.
func fromBuffer(h *home, spec *Spec, b backend.Buffer, numbers, constants bool) Tensor {
	var data [16]byte
	if !numbers || len(spec.Shape) > 0 || spec.Vectors != nil || b.Read(background, data[:spec.DType.Size()]) != nil {
		return newBuffer(h, spec, b).mark(constants)
	}
	return wrap(&tensor{spec: spec, rec: &recipe{num: weak.Decode(spec.DType, data[:]), isNumber: true}})
}
