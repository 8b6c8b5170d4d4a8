// Package random makes small random programs that verify, for tests that run
// them on several executors.
package random

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Program is a function @main with arguments for it.
type Program struct {
	Module *stablehlo.Module
	Args   [][]byte
	// Exact tells of each result whether it does not depend on rounding errors
	// that executors may make differently: it must be the same bits everywhere.
	Exact []bool
}

// maxElems bounds the elements of a value.
const maxElems = 100_000

// value is a value of the program being made.
type value struct {
	*stablehlo.Value
	exact bool
}

func (v value) dims() []int64     { return v.Tensor().Dims }
func (v value) dtype() dtype.Type { return v.Tensor().DType() }

// maker makes the ops of a block.
type maker struct {
	r     *rand.Rand
	b     *stablehlo.Builder
	pool  []value
	depth int // of regions
}

// New returns the program of a seed.
func New(seed uint64) (*Program, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &Program{Module: stablehlo.NewModule("")}
	var types []stablehlo.Type
	for range 1 + r.IntN(3) {
		t := stablehlo.Tensor(pick(r, dtypes), randomDims(r)...)
		types = append(types, t)
		p.Args = append(p.Args, elements(r, t))
	}
	_, err := p.Module.BuildFunc("main", types, func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		m := &maker{r: r, b: b}
		for _, a := range args {
			m.pool = append(m.pool, value{a, true})
		}
		m.ops(3 + r.IntN(22))
		var out []*stablehlo.Value
		for range 1 + r.IntN(4) {
			v := m.recent()
			out, p.Exact = append(out, v.Value), append(p.Exact, v.exact)
		}
		return out, nil
	})
	if err == nil {
		err = p.Module.Verify()
	}
	return p, err
}

// dtypes are the element types, the common ones more often.
var dtypes = []dtype.Type{dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.BF16, dtype.F16, dtype.S32, dtype.S32, dtype.S8, dtype.U8,
	dtype.U32, dtype.S64, dtype.Bool, dtype.C64}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// randomDims returns a shape; now and then one that several workers share.
func randomDims(r *rand.Rand) []int64 {
	if r.IntN(12) == 0 {
		return slices.Clone(pick(r, [][]int64{{70_001}, {300, 301}, {9000, 9}, {9, 9000}, {2, 1500, 7}}))
	}
	dims := make([]int64, r.IntN(4))
	for i := range dims {
		dims[i] = pick(r, []int64{1, 2, 3, 4, 5, 8, 17, 33})
	}
	if len(dims) > 0 && r.IntN(25) == 0 {
		dims[r.IntN(len(dims))] = 0
	}
	return dims
}

func count(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// elements returns random elements: small numbers, and some that need care.
func elements(r *rand.Rand, t *stablehlo.TensorType) []byte {
	n, _ := t.NumElems()
	d := t.DType()
	b := make([]byte, n*int64(d.Size()))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1}
	number := func() float64 {
		if r.IntN(40) == 0 {
			return pick(r, special)
		}
		return math.Round(r.NormFloat64()*16) / 16
	}
	for i := range int(n) {
		switch {
		case d.IsComplex():
			d.StoreComplex(b, i, complex(number(), number()))
		case d.IsFloat():
			d.StoreFloat(b, i, number())
		case d == dtype.Bool:
			d.StoreInt(b, i, int64(r.IntN(2)))
		default:
			d.StoreInt(b, i, int64(r.IntN(256)-128)>>r.IntN(7))
		}
	}
	return b
}

// recent returns a value, later ones more often.
func (m *maker) recent() value {
	if n := len(m.pool); n > 4 && m.r.IntN(3) > 0 {
		return m.pool[n-1-m.r.IntN(4)]
	}
	return pick(m.r, m.pool)
}

// find returns a value that ok holds for.
func (m *maker) find(ok func(v value) bool) (value, bool) {
	var list []value
	for _, v := range m.pool {
		if ok(v) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return value{}, false
	}
	return pick(m.r, list), true
}

// like returns a value of the type of v, v itself or a constant when there is no other.
func (m *maker) like(v value) value {
	w, _ := m.find(func(w value) bool { return stablehlo.SameType(w.Type(), v.Type()) })
	if w.Value == v.Value && m.r.IntN(2) == 0 {
		w = value{m.constant(v.Tensor()), true}
	}
	return w
}

func (m *maker) constant(t *stablehlo.TensorType) *stablehlo.Value {
	a := &stablehlo.ElementsAttr{Type: t}
	if n, _ := t.NumElems(); n > 8 || m.r.IntN(2) == 0 {
		a.Splat = true
		a.Data = elements(m.r, t.WithDims())
	} else {
		a.Data = elements(m.r, t)
	}
	return m.b.Constant(a)
}

// emit appends an op with one result and puts it into the pool; an op that
// cannot be built is a mistake of this package.
func (m *maker) emit(exact bool, c stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) value {
	operands := make([]*stablehlo.Value, len(in))
	for i, v := range in {
		operands[i] = v.Value
		exact = exact && v.exact
	}
	v, err := m.b.Value(c, operands, parts...)
	if err != nil {
		panic(fmt.Sprintf("random: %v", err))
	}
	return m.add(v, exact)
}

func (m *maker) add(v *stablehlo.Value, exact bool) value {
	x := value{v, exact}
	m.pool = append(m.pool, x)
	return x
}

// ops appends n ops.
func (m *maker) ops(n int) {
	for range n {
		pick(m.r, makers)(m)
	}
}

// makers append an op each, or nothing when the values at hand do not allow it.
var makers []func(m *maker)

func init() {
	makers = []func(m *maker){
		(*maker).unary, (*maker).unary, (*maker).unary, (*maker).binary, (*maker).binary, (*maker).binary, (*maker).binary,
		(*maker).compare, (*maker).choose, (*maker).convert, (*maker).clamp,
		(*maker).broadcast, (*maker).broadcast, (*maker).transpose, (*maker).reshape, (*maker).reshape, (*maker).slice, (*maker).reverse,
		(*maker).concatenate, (*maker).pad, (*maker).iota, (*maker).barrier,
		(*maker).reduce, (*maker).reduce, (*maker).reducePair, (*maker).reduceWindow, (*maker).dot,
		(*maker).dynamicSlice, (*maker).dynamicUpdate, (*maker).gather, (*maker).scatter, (*maker).sort,
		(*maker).branch, (*maker).loop,
	}
}
