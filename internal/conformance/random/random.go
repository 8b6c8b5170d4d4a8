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
}

// maxElems bounds the elements of a value.
const maxElems = 100_000

// value is a value of the program being made.
type value struct {
	*stablehlo.Value
	exact bool // the same bits everywhere
}

func (v value) dims() []int64     { return v.Tensor().Dims }
func (v value) dtype() dtype.Type { return v.Tensor().DType() }
func (v value) count() int64      { return count(v.dims()) }
func (v value) rank() int         { return len(v.dims()) }

// maker makes the ops of a block.
type maker struct {
	r       *rand.Rand
	b       *stablehlo.Builder
	module  *stablehlo.Module // that the function is of; nil in regions
	pool    []value
	certain certainties // of the values so far; nil if it is not needed
	depth   int         // of regions
	smooth  bool        // of a program that has derivatives
	// makers append an op each: all, or those that fuse into
	// kernels, for programs of long chains.
	makers  []func(m *maker)
	results []value
}

// kinds are the kinds of programs, which follow each other.
var kinds = []func(m *maker, index uint64){
	func(m *maker, _ uint64) { m.free() },
	func(m *maker, index uint64) { m.directed(2 * index) },
	func(m *maker, _ uint64) { m.updating() },
	func(m *maker, index uint64) { m.directed(2*index + 1) },
	func(m *maker, index uint64) {
		if index%2 == 0 {
			m.scalars()
		} else {
			m.updating()
		}
	},
}

// New returns the program of a seed, of one kind after another.
func New(seed uint64) (*Program, error) {
	n := uint64(len(kinds))
	return build(seed, func(m *maker) { kinds[seed%n](m, seed/n) })
}

func build(seed uint64, body func(m *maker)) (*Program, error) {
	module := stablehlo.NewModule("")
	f := module.AddFunc("main", &stablehlo.FuncType{})
	m := &maker{r: rand.New(rand.NewPCG(seed, 1)), b: stablehlo.NewBuilder(f.Body()), module: module,
		certain: certainties{}}
	body(m)
	var ins, outs []stablehlo.Type
	var results []*stablehlo.Value
	for _, a := range f.Args() {
		ins = append(ins, a.Type())
	}
	for _, v := range m.results {
		results, outs = append(results, v.Value), append(outs, v.Type())
	}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: ins, Outs: outs}})
	if err := m.b.Return(results...); err != nil {
		return nil, err
	}
	return &Program{module, Arguments(module, seed)}, module.Verify()
}

// Arguments returns random arguments for @main: the same ones for the same types.
func Arguments(m *stablehlo.Module, seed uint64) [][]byte {
	var args [][]byte
	f, _ := m.Func("main")
	for i, t := range f.Type().Ins {
		args = append(args, elements(rand.New(rand.NewPCG(seed, uint64(2+i))), t.(*stablehlo.TensorType)))
	}
	return args
}

// argument appends an argument of the function; in a region it is a constant.
func (m *maker) argument(t *stablehlo.TensorType) value {
	if m.depth > 0 {
		return m.constant(t)
	}
	return m.add(m.b.Block().AddArg(t))
}

// free makes a program of any ops on anything.
func (m *maker) free() {
	m.makers = fusing
	if m.r.IntN(3) > 0 {
		m.makers = slices.Concat(fusing, nonFusing)
	}
	for range 1 + m.r.IntN(4) {
		m.argument(stablehlo.Tensor(pick(m.r, dtypes), randomDims(m.r)...))
	}
	m.ops(3 + m.r.IntN(30))
	m.end()
}

// scalars makes a program of scalars, mostly in loops.
func (m *maker) scalars() {
	m.makers = scalar
	for range 1 + m.r.IntN(5) {
		m.argument(stablehlo.Tensor(pick(m.r, dtypes)))
	}
	m.ops(3 + m.r.IntN(20))
	m.end()
}

// end takes some values as the results.
func (m *maker) end() {
	for range 1 + m.r.IntN(5) {
		m.results = append(m.results, m.recent())
	}
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

// like returns a value of the type of v; if there is no other, v itself or a constant.
func (m *maker) like(v value) value {
	w, _ := m.find(func(w value) bool { return stablehlo.SameType(w.Type(), v.Type()) })
	if w.Value == v.Value && m.r.IntN(2) == 0 {
		w = m.constant(v.Tensor())
	}
	return w
}

// of returns a value of a type, from the pool or new; an exact one on request.
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
	if m.smooth && isInexact(t.DType()) {
		return m.argument(t)
	}
	return m.constant(t)
}

// emit appends an op with one result and puts it into the pool.
func (m *maker) emit(c stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) value {
	return m.emitAll(c, in, parts...)[0]
}

// emitAll is emit for an op with any number of results.
func (m *maker) emitAll(c stablehlo.OpCode, in []value, parts ...stablehlo.OpPart) []value {
	operands := make([]*stablehlo.Value, len(in))
	for i, v := range in {
		operands[i] = v.Value
	}
	var out []value
	for _, v := range m.append(c, operands, parts...) {
		out = append(out, m.add(v))
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
	if m.certain != nil {
		m.certain.visit(op)
	}
	return op.Results
}

func (m *maker) add(v *stablehlo.Value) value {
	x := m.known(v)
	m.pool = append(m.pool, x)
	return x
}

func (m *maker) known(v *stablehlo.Value) value { return value{v, m.certain[v] == Same} }

// ops appends n ops.
func (m *maker) ops(n int) {
	for range n {
		pick(m.r, m.makers)(m)
	}
}

// weighted is a choice and how often it is made.
type weighted[F any] struct {
	weight int
	make   F
}

// choices lists every choice as often as it is made.
func choices[F any](rows ...weighted[F]) []F {
	var out []F
	for _, r := range rows {
		out = append(out, slices.Repeat([]F{r.make}, r.weight)...)
	}
	return out
}

// row is a function that makes an op, or does nothing when the available values do not allow it.
type row = weighted[func(m *maker)]

// fusing are the ops that kernels are made of, others all the rest,
// and scalar those that make numbers of numbers. They hold no
// functions before init: these refer to the lists.
var fusing, nonFusing, scalar []func(m *maker)

func init() {
	fusing = choices(
		row{8, (*maker).unary}, row{8, (*maker).binary}, row{2, (*maker).compare}, row{2, (*maker).choose},
		row{3, (*maker).convert},
		row{1, (*maker).clamp}, row{1, (*maker).bitcast}, row{1, (*maker).reducePrecision},
		row{1, (*maker).complexParts},
		row{1, (*maker).mapped},
		row{3, (*maker).broadcast}, row{2, (*maker).transpose}, row{3, (*maker).reshape}, row{2, (*maker).slice},
		row{1, (*maker).reverse},
		row{1, (*maker).concatenate}, row{1, (*maker).pad}, row{1, (*maker).iota}, row{1, (*maker).barrier},
		row{3, (*maker).reduce}, row{1, (*maker).reducePair}, row{1, (*maker).reduceSeveral},
		row{1, (*maker).broadcasting})
	nonFusing = choices(
		row{1, (*maker).concatenate}, row{1, (*maker).pad},
		row{2, (*maker).dynamicSlice}, row{2, (*maker).dynamicUpdate}, row{1, (*maker).gather},
		row{1, (*maker).gatherWindows}, row{2, (*maker).scatter},
		row{1, (*maker).reduceWindow}, row{1, (*maker).selectAndScatter}, row{2, (*maker).dot},
		row{1, (*maker).convolution},
		row{1, (*maker).fft},
		row{1, (*maker).triangularSolve}, row{1, (*maker).randomBits}, row{1, (*maker).sort}, row{1, (*maker).sortPair},
		row{1, (*maker).topK},
		row{1, (*maker).batchNorm}, row{1, (*maker).indexSelect},
		row{1, (*maker).branch}, row{1, (*maker).cases}, row{1, (*maker).loop}, row{1, (*maker).fill})
	scalar = choices(
		row{6, (*maker).unary}, row{8, (*maker).binary}, row{3, (*maker).compare}, row{3, (*maker).choose},
		row{3, (*maker).convert},
		row{1, (*maker).clamp}, row{1, (*maker).bitcast}, row{1, (*maker).reducePrecision},
		row{1, (*maker).complexParts},
		row{2, (*maker).branch}, row{2, (*maker).cases}, row{5, (*maker).loop})
}
