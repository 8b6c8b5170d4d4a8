package core

import (
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// recipe makes the contents of a tensor without operands: constants, iota.
// Beside a traced operand it becomes ops of that graph; used eagerly it is
// computed once. It is that of all copies of a tensor.
type recipe struct {
	num       number // when isNumber: a scalar
	isNumber  bool
	isOperand bool // the number is an operand as the user wrote it
	emit      func(e *emitter) *stablehlo.Value
	key       string // identifies the recipe, for the cache of compiled ops

	*made // nil of a number
	valid validity
}

// made are the contents of a recipe, once computed, and of the recipes of its reshapes and the like.
type made struct {
	tensor atomic.Pointer[tensor]
	owners atomic.Int32 // besides the first
}

// recipes is a set of constants that tensors stand for.
type recipes struct {
	mu  sync.Mutex
	all map[*recipe]bool
}

// add adds recipes, but for numbers that stood as operands: no tensor stands for those.
func (s *recipes) add(list ...*recipe) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range list {
		if s.all == nil {
			s.all = map[*recipe]bool{}
		}
		if !r.isOperand {
			s.all[r] = true
		}
	}
}

// list returns the recipes in no order.
func (s *recipes) list() []*recipe {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.all))
}

// apart returns a recipe of the same contents for another tensor.
func (r *recipe) apart() *recipe {
	if r.made != nil {
		r.owners.Add(1)
	}
	return &recipe{num: r.num, isNumber: r.isNumber, isOperand: r.isOperand, emit: r.emit, key: r.key, made: r.made}
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
	was := r.tensor.Load()
	if was != nil && was.buf.home == h {
		return was.buf.buf
	}
	t := runEager(h, &call{op: "recipe", blame: op, key: r.key, outs: []*Spec{spec},
		emit: func(e *emitter, _ []*stablehlo.Value) []*stablehlo.Value { return []*stablehlo.Value{r.emit(e)} }})[0].p
	if !r.tensor.CompareAndSwap(was, t) { // another goroutine was faster, or a listener to events on this one
		if now := r.tensor.Load(); now != nil && now.buf.home == h {
			t.buf.buf.Release()
			t = now
		}
	}
	return t.buf.buf
}

// release drops the contents when the last of their owners is released.
func (r *recipe) release() {
	if r.made == nil || r.owners.Add(-1) >= 0 {
		return
	}
	if t := r.tensor.Swap(nil); t != nil {
		t.buf.buf.Release()
	}
}

// fromRecipe returns a tensor that is computed when it is needed.
func fromRecipe(spec *Spec, key string, emit func(e *emitter) *stablehlo.Value) Tensor {
	return wrap(&tensor{spec: spec, rec: &recipe{emit: emit, key: spec.key() + " " + key, made: &made{}}})
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
