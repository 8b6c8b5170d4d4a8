package portable_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// realFunctions lists the functions of one float that a call may name.
var realFunctions = slices.DeleteFunc(functions.Names(kernel.Call), func(name string) bool {
	return functions.F64(&kernel.Instr{Op: kernel.Call, Func: name}) == nil
})

// Random kernels compute the same bits here and in the evaluator. NX_KERNELS is the number of kernels to try.
func TestRandomKernels(t *testing.T) {
	count := 300
	if n, err := strconv.Atoi(os.Getenv("NX_KERNELS")); err == nil {
		count = n
	}
	points := int64(0)
	for seed := range uint64(count) {
		points += compareKernel(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d kernels, %d points", count, points)
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareKernel(t, seed) })
}

// compareKernel compares the kernel of a seed and returns its number of points.
func compareKernel(t *testing.T, seed uint64) int64 {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	maxPoints := int64(3000)
	if seed%20 == 0 { // blocks
		maxPoints = 140_000
	}
	k := random.Kernel(r, random.Options{MaxPoints: maxPoints, Functions: realFunctions})
	compare(t, r, k)
	return k.NumElems()
}

// compare compares a kernel on random elements.
func compare(t *testing.T, r *rand.Rand, k *kernel.Kernel) {
	t.Helper()
	parsed, err := kernel.Parse(k.String())
	if err != nil || parsed.String() != k.String() {
		t.Fatalf("%v: read back\n%s\nfrom\n%s", err, parsed, k)
	}
	p := plan.Of(k)
	if err := p.Check(k); err != nil {
		t.Fatalf("%v\n%s\n%s", err, p, k)
	}
	params := random.Params(r, k)
	compareOn(t, k, p, params, nil)
	compareOn(t, k, p, params, random.Aliases(r, k))
}

// compareOn compares a kernel on the given parameters. Parameter q uses the memory of parameter of[q], unless of is
// nil.
func compareOn(t *testing.T, k *kernel.Kernel, p *plan.Plan, params [][]byte, of []int) {
	t.Helper()
	replaced := map[int]bool{} // by an output
	for q, p := range of {
		if p != q {
			replaced[p] = true
			copy(params[q], params[p])
		}
	}
	want := clone(params)
	if err := eval.Run(k, p, want, eval.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	code, err := portable.Generator{}.Compile(k, p)
	if err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	params = slices.Clone(params)
	for q, p := range of {
		params[q] = params[p]
	}
	run(p, code, params)
	for i := range params {
		if replaced[i] {
			continue
		}
		typ := k.Params[i].Type
		for j := range int(k.Params[i].Elems) {
			if !sameElement(typ, params[i], want[i], j) {
				size := typ.Size()
				t.Errorf("p%d, element %d: %s, want %s, in the memory of %v\n%s\n%s", i, j,
					eval.Format(typ, params[i][j*size:][:size]), eval.Format(typ, want[i][j*size:][:size]), of, k, p)
				return
			}
		}
	}
}

// Values that vary along a short innermost dimension only are computed once for all tiles, as are values that are the
// same for all results where a tile holds the whole reduction.
func TestTileInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, inner := range []int64{3, 64, 127, 300} {
		for _, rows := range []int64{3, 40, 500} {
			for reduced := range 3 {
				k := &kernel.Kernel{Name: "rows", Dims: []int64{rows, inner}, NumReduced: reduced}
				results := []int64{rows * inner, rows, 1}[reduced]
				for _, n := range []int64{rows * inner, inner, rows, 1, results} {
					k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: n})
				}
				load := func(p int, strides ...int64) kernel.Value {
					return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
						At: &kernel.Access{Param: p, Strides: strides}})
				}
				op := func(op kernel.Op, args ...kernel.Value) kernel.Value {
					in := kernel.Instr{Op: op, Type: dtype.F32}
					copy(in.Args[:], args)
					return k.Body.Add(in)
				}
				scale := op(kernel.Sqrt, op(kernel.Abs, load(1, 0, 1)))
				at := k.Body.Add(kernel.Instr{Op: kernel.Index, Type: dtype.F32,
					At: &kernel.Access{Strides: []int64{0, 1}}})
				x := op(kernel.Sub, op(kernel.Mul, load(0, inner, 1), op(kernel.Add, scale, at)),
					op(kernel.Mul, load(2, 1, 0), scale))
				if reduced == 0 {
					k.Stores = []kernel.Store{{Value: x, Type: dtype.F32,
						At: kernel.Access{Param: 4, Strides: []int64{inner, 1}}}}
				} else {
					combine, v := kernel.ReduceBy(kernel.Add, dtype.F32)
					k.Reduces = []kernel.Reduction{{Values: []kernel.Value{x}, Types: []dtype.Type{dtype.F32},
						Inits:   []kernel.Access{{Param: 3}},
						Combine: combine, Results: []kernel.Value{v}, Kind: kernel.Add,
						At: []kernel.Access{{Param: 4, Strides: []int64{1}[:2-reduced]}}}}
				}
				compare(t, r, k)
				if t.Failed() {
					return
				}
			}
		}
	}
}

// The partial results of many columns are reduced by several chunks.
func TestFinishInChunks(t *testing.T) {
	const rows, cols = 5000, 1000
	for _, kind := range []kernel.Op{kernel.Add, kernel.Max, kernel.Invalid} {
		k := &kernel.Kernel{Name: "columns", Dims: []int64{cols, rows}, NumReduced: 1}
		for _, n := range []int64{rows * cols, 1, cols} {
			k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: n})
		}
		x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{1, cols}}})
		combine, v := kernel.ReduceBy(kernel.Add, dtype.F32)
		if kind == kernel.Max {
			combine, v = kernel.ReduceBy(kernel.Max, dtype.F32)
		}
		k.Reduces = []kernel.Reduction{{Values: []kernel.Value{x}, Types: []dtype.Type{dtype.F32},
			Inits: []kernel.Access{{Param: 1}}, Combine: combine, Results: []kernel.Value{v}, Kind: kind,
			At: []kernel.Access{{Param: 2, Strides: []int64{1}}}}}
		code, err := portable.Generator{}.Compile(k, plan.Of(k))
		if err != nil {
			t.Fatal(err)
		}
		if code.Finishes() < 2 {
			t.Errorf("%d pieces", code.Finishes())
		}
		compare(t, rand.New(rand.NewPCG(1, 6)), k)
	}
}

func clone(mem [][]byte) [][]byte {
	out := make([][]byte, len(mem))
	for i, b := range mem {
		out[i] = slices.Clone(b)
	}
	return out
}

// run runs the chunks from last to first.
func run(p *plan.Plan, code codegen.Code, mem [][]byte) {
	params := make([]unsafe.Pointer, len(mem))
	for i, b := range mem {
		params[i] = unsafe.Pointer(unsafe.SliceData(b))
	}
	partial := make([]byte, code.PartialBytes()+1)
	var s portable.Scratch
	for i := p.NumChunks() - 1; i >= 0; i-- {
		code.RunChunk(i, params, nil, unsafe.Pointer(&partial[0]), &s)
	}
	for i := code.Finishes() - 1; i >= 0; i-- {
		code.Finish(i, params, unsafe.Pointer(&partial[0]), &s)
	}
}

// sameElement compares bits; all NaNs are equal.
func sameElement(t dtype.Type, a, b []byte, i int) bool {
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }
	switch {
	case t.IsComplex():
		x, y := t.LoadComplex(a, i), t.LoadComplex(b, i)
		return same(real(x), real(y)) && same(imag(x), imag(y))
	case t.IsFloat():
		return same(t.LoadFloat(a, i), t.LoadFloat(b, i))
	}
	return t.LoadBits(a, i) == t.LoadBits(b, i)
}
