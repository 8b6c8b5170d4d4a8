package core

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/stablehlo"
)

// recipe makes the contents of a tensor without operands: constants, iota. Beside a traced operand
// it becomes ops of that graph; used eagerly it is computed once. All copies of a tensor share it.
type recipe struct {
	num       number // when isNumber: a scalar
	isNumber  bool
	isOperand bool // the number is an operand as the user wrote it
	emit      func(e *emitter) *stablehlo.Value
	key       string // identifies the recipe, for the cache of compiled ops

	*contents // nil of a number
	valid     validity
}

// contents are the contents of a recipe, once computed, and of the recipes of its reshapes and the like.
type contents struct {
	tensor atomic.Pointer[tensor]
	owners atomic.Int32 // besides the first
}

// recipes is a set of constants that tensors stand for.
type recipes struct {
	mu  sync.Mutex
	all map[*recipe]bool
}

// add adds recipes, except numbers as operands, for which there is no tensor.
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

// separate returns a recipe of the same contents for another tensor.
func (r *recipe) separate() *recipe {
	if r.contents != nil {
		r.owners.Add(1)
	}
	return &recipe{num: r.num, isNumber: r.isNumber, isOperand: r.isOperand, emit: r.emit, key: r.key,
		contents: r.contents}
}

// value appends the contents to a graph.
func (r *recipe) value(op string, e *emitter, d DType) *stablehlo.Value {
	r.valid.check(op)
	if r.isNumber {
		return e.scalar(d, r.num)
	}
	return r.emit(e)
}

// release drops the contents when the last of their owners is released.
func (r *recipe) release() {
	if r.contents == nil || r.owners.Add(-1) >= 0 {
		return
	}
	if t := r.tensor.Swap(nil); t != nil {
		t.buf.buf.Release()
	}
}

// fromRecipe returns a tensor that is computed when it is needed.
func fromRecipe(spec *Spec, key string, emit func(e *emitter) *stablehlo.Value) Tensor {
	return wrap(&tensor{spec: spec, rec: &recipe{emit: emit, key: spec.key() + " " + key, contents: &contents{}}})
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

// computed marks data that was computed only from constants. Like a constant it moves to the
// device of the other operands.
var computed = &recipe{}

// mark marks a tensor as computed only from constants, if it was.
func (t Tensor) mark(constants bool) Tensor {
	if constants {
		t.p.rec = computed
	}
	return t
}

// isConstant reports whether tensors are constants or were computed only from constants.
func isConstant(ts []Tensor) bool {
	for _, t := range ts {
		if t.p != nil && t.p.rec == nil {
			return false
		}
	}
	return true
}

// constant returns a tensor of equal elements of a type.
func constant(spec *Spec, n number) Tensor {
	return fromRecipe(spec, n.Text(), func(e *emitter) *stablehlo.Value { return e.splat(spec.DType, spec.whole(), n) })
}
