package nx

import (
	"math"
	"sync"
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

	mu   sync.Mutex
	made atomic.Pointer[tensor]
	gone mark
}

// value appends the contents to a graph.
func (r *recipe) value(op string, e *emitter, d DType) *stablehlo.Value {
	r.gone.check(op)
	if r.isNumber {
		return e.scalar(d, r.num)
	}
	return r.emit(e)
}

// buffer returns the contents, computed on first use.
func (r *recipe) buffer(op string, spec *Spec) backend.Buffer {
	r.gone.check(op)
	if r.isNumber {
		return scalarBuffer(op, spec.DType, r.num)
	}
	if t := r.made.Load(); t != nil {
		return t.buf.buf
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.made.Load()
	if t == nil {
		t = runEager(&call{op: op, sig: signature{op: "recipe", key: r.key}, outs: []*Spec{spec},
			emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value { return []*stablehlo.Value{r.emit(e)} }})[0].p
		r.made.Store(t)
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

// scalar is a number on the default device.
type scalar struct {
	d   DType
	n   number
	buf backend.Buffer
}

// scalars holds the numbers used last: programs use few, again and again.
var scalars [256]atomic.Pointer[scalar]

// scalarBuffer returns a number as an element of type d.
func scalarBuffer(op string, d DType, n number) backend.Buffer {
	h := uint64(n.i) ^ math.Float64bits(n.f) ^ math.Float64bits(n.im)<<1 ^ uint64(d)<<56
	slot := &scalars[h*0x9E3779B97F4A7C15>>56]
	if s := slot.Load(); s != nil && s.d == d && s.n.same(n) {
		return s.buf
	}
	var b [16]byte
	n.encode(d, b[:])
	s := &scalar{d, n, upload(op, scalarSpecs[d], b[:d.Size()])}
	slot.Store(s)
	return s.buf
}
