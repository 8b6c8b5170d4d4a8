package nx

import (
	"math"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// recipe makes the contents of a tensor without operands: constants, iota.
// Beside a traced operand it becomes ops of that graph; used eagerly it is
// computed once. It is shared by the copies of a tensor under other names.
type recipe struct {
	num       number // when isNumber: a scalar
	isNumber  bool
	isOperand bool // the number is an operand as the user wrote it
	emit      func(e *emitter) *stablehlo.Value
	key       string // identifies the recipe, for the cache of compiled ops

	made  atomic.Pointer[tensor]
	valid validity
}

// value appends the contents to a graph.
func (r *recipe) value(op string, e *emitter, d DType) *stablehlo.Value {
	r.valid.check(op)
	if r.isNumber {
		return e.scalar(d, r.num)
	}
	return r.emit(e)
}

// buffer returns the contents at h, computed on first use.
func (r *recipe) buffer(op string, h *home, spec *Spec) backend.Buffer {
	r.valid.check(op)
	if r.isNumber {
		return h.scalar(op, spec.DType, r.num)
	}
	was := r.made.Load()
	if was != nil && was.buf.home == h {
		return was.buf.buf
	}
	t := runEager(h, &call{op: "recipe", blame: op, key: r.key, outs: []*Spec{spec},
		emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value { return []*stablehlo.Value{r.emit(e)} }})[0].p
	if !r.made.CompareAndSwap(was, t) { // another goroutine was faster, or a listener to events on this one
		if now := r.made.Load(); now != nil && now.buf.home == h {
			t.buf.buf.Release()
			t = now
		}
	}
	return t.buf.buf
}

// release drops the contents.
func (r *recipe) release() {
	if t := r.made.Swap(nil); t != nil {
		t.buf.buf.Release()
	}
}

// fromRecipe returns a tensor that is computed when it is needed.
func fromRecipe(spec *Spec, key string, emit func(e *emitter) *stablehlo.Value) Tensor {
	return wrap(&tensor{spec: spec, rec: &recipe{emit: emit, key: spec.key() + " " + key}})
}

// scalarTensor returns a recipe for a number.
func scalarTensor(d DType, n number) Tensor {
	return wrap(&tensor{spec: scalarSpecs[d], rec: &recipe{num: n, isNumber: true}})
}

// scalarSpecs are the types of scalars.
var scalarSpecs = func() (specs [256]*Spec) {
	for d := DType(1); d.IsValid(); d++ {
		specs[d] = intern(Spec{DType: d})
	}
	return specs
}()

// weakScalars are the types of scalars that give way.
var weakScalars = func() (specs [256]*Spec) {
	for d := DType(1); d.IsValid(); d++ {
		specs[d] = intern(Spec{DType: d, weak: true})
	}
	return specs
}()

// scalar is a number on a device.
type scalar struct {
	d   DType
	n   number
	buf backend.Buffer
}

// scalar returns a number as an element of type d.
func (h *home) scalar(op string, d DType, n number) backend.Buffer {
	hash := uint64(n.Int) ^ math.Float64bits(n.Re) ^ math.Float64bits(n.Im)<<1 ^ uint64(d)<<56
	slot := &h.scalars[hash*0x9E3779B97F4A7C15>>56]
	if s := slot.Load(); s != nil && s.d == d && s.n.Same(n) {
		return s.buf
	}
	data := make([]byte, d.Size())
	n.Encode(d, data)
	s := &scalar{d: d, n: n}
	if c, ok := h.client.(backend.Wrapper); ok { // not counted as the program's
		s.buf, _ = c.Wrap(scalarSpecs[d].bufferType(), data)
	}
	if s.buf == nil {
		s.buf = h.upload(op, scalarSpecs[d], data)
	}
	slot.Store(s)
	return s.buf
}
