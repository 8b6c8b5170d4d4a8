// Package random makes small random programs that verify, for tests that run
// them on several executors.
package random

import (
	"fmt"
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
func (v value) count() int64      { return count(v.dims()) }
func (v value) rank() int         { return len(v.dims()) }

// maker makes the ops of a block.
type maker struct {
	r     *rand.Rand
	noise *rand.Rand // what rounding errors are enlarged with, nil when they are not
	b     *stablehlo.Builder
	pool  []value
	depth int // of regions
	// makers append an op each: all that there are, or those that fuse into
	// kernels, for programs of long chains.
	makers []func(m *maker)
}

// New returns the program of a seed.
func New(seed uint64) (*Program, error) { return build(seed, nil) }

// NewRough returns the program of a seed with all its rounding errors made
// larger, at random by noise. How far its results are from those of [New] tells
// how far rounding errors may carry these: see [maker.roughen].
func NewRough(seed, noise uint64) (*Program, error) {
	return build(seed, rand.New(rand.NewPCG(seed, noise)))
}

func build(seed uint64, noise *rand.Rand) (*Program, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &Program{Module: stablehlo.NewModule("")}
	var types []stablehlo.Type
	for range 1 + r.IntN(4) {
		t := stablehlo.Tensor(pick(r, dtypes), randomDims(r)...)
		types = append(types, t)
		p.Args = append(p.Args, elements(r, t))
	}
	_, err := p.Module.BuildFunc("main", types, func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		m := &maker{r: r, noise: noise, b: b, makers: fusing}
		if r.IntN(3) > 0 {
			m.makers = slices.Concat(fusing, others)
		}
		for _, a := range args {
			m.pool = append(m.pool, value{a, true})
		}
		m.ops(3 + r.IntN(30))
		var out []*stablehlo.Value
		for range 1 + r.IntN(5) {
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

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

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
		w = m.constant(v.Tensor())
	}
	return w
}

// of returns a value of a type, from the pool or made for it; an exact one when
// that is asked for.
func (m *maker) of(t *stablehlo.TensorType, exact bool) value {
	ok := func(v value) bool { return stablehlo.SameType(v.Type(), t) && (v.exact || !exact) }
	// The latest is mostly the most interesting.
	for i := len(m.pool) - 1; i >= 0 && m.r.IntN(3) > 0; i-- {
		if ok(m.pool[i]) {
			return m.pool[i]
		}
	}
	if v, ok := m.find(ok); ok {
		return v
	}
	return m.constant(t)
}

// emit appends an op with one result and puts it into the pool. Exact says
// whether the op rounds the same way everywhere.
func (m *maker) emit(exact bool, c stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) value {
	return m.emitAll(exact, c, in, parts...)[0]
}

// emitAll is emit for an op with any number of results.
func (m *maker) emitAll(exact bool, c stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) []value {
	operands := make([]*stablehlo.Value, len(in))
	depends := exact
	for i, v := range in {
		operands[i] = v.Value
		depends = depends && v.exact
		if !exact && !isElementwise(c) {
			operands[i] = m.roughen(v.Value) // a sum errs by what its terms are, not by what it is
		}
	}
	var out []value
	for _, v := range m.append(c, operands, parts...) {
		if !exact {
			v = m.roughen(v)
		}
		out = append(out, m.add(v, depends || isExactType(v.Type())))
	}
	return out
}

func isElementwise(c stablehlo.OpCode) bool { return c.Info().Traits&stablehlo.Elementwise != 0 }

// append appends an op; one that cannot be built is a mistake of this package.
func (m *maker) append(c stablehlo.OpCode, operands []*stablehlo.Value, parts ...stablehlo.OpPart) []*stablehlo.Value {
	op, err := m.b.Op(c, operands, parts...)
	if err != nil {
		panic(fmt.Sprintf("random: %v", err))
	}
	return op.Results
}

func (m *maker) add(v *stablehlo.Value, exact bool) value {
	x := value{v, exact}
	m.pool = append(m.pool, x)
	return x
}

// isExactType reports whether values of a type are exact however they are made:
// integers come from exact values alone.
func isExactType(t stablehlo.Type) bool {
	d := stablehlo.DType(t)
	return !d.IsFloat() && !d.IsComplex()
}

// ops appends n ops.
func (m *maker) ops(n int) {
	for range n {
		pick(m.r, m.makers)(m)
	}
}

// row is a function that makes an op, or nothing when the values at hand do not
// allow it, and how often it is chosen.
type row struct {
	weight int
	make   func(m *maker)
}

// fusing are the ops that kernels are made of, others all the rest. They hold no
// functions before init: these refer to the lists.
var fusing, others []func(m *maker)

func init() {
	fusing = choices(
		row{8, (*maker).unary}, row{8, (*maker).binary}, row{2, (*maker).compare}, row{2, (*maker).choose}, row{3, (*maker).convert},
		row{1, (*maker).clamp}, row{1, (*maker).bitcast}, row{1, (*maker).reducePrecision}, row{1, (*maker).complexParts}, row{1, (*maker).mapped},
		row{3, (*maker).broadcast}, row{2, (*maker).transpose}, row{3, (*maker).reshape}, row{2, (*maker).slice}, row{1, (*maker).reverse},
		row{1, (*maker).concatenate}, row{1, (*maker).pad}, row{1, (*maker).iota}, row{1, (*maker).barrier},
		row{3, (*maker).reduce}, row{1, (*maker).reducePair}, row{1, (*maker).reduceSeveral}, row{1, (*maker).broadcasting})
	others = choices(
		row{1, (*maker).concatenate}, row{1, (*maker).pad},
		row{2, (*maker).dynamicSlice}, row{2, (*maker).dynamicUpdate}, row{1, (*maker).gather}, row{1, (*maker).gatherWindows}, row{2, (*maker).scatter},
		row{1, (*maker).reduceWindow}, row{1, (*maker).selectAndScatter}, row{2, (*maker).dot}, row{1, (*maker).convolution}, row{1, (*maker).fft},
		row{1, (*maker).triangularSolve}, row{1, (*maker).randomBits}, row{1, (*maker).sort}, row{1, (*maker).sortPair}, row{1, (*maker).topK},
		row{1, (*maker).batchNorm}, row{1, (*maker).indexSelect},
		row{1, (*maker).branch}, row{1, (*maker).cases}, row{1, (*maker).loop}, row{1, (*maker).fill})
}

func choices(rows ...row) []func(m *maker) {
	var out []func(m *maker)
	for _, r := range rows {
		out = append(out, slices.Repeat([]func(m *maker){r.make}, r.weight)...)
	}
	return out
}
