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
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// realFunctions are the functions that a call of one float may name.
var realFunctions = slices.DeleteFunc(functions.Names(kernel.Call), func(name string) bool {
	return functions.F64(&kernel.Instr{Op: kernel.Call, Func: name}) == nil
})

// Random kernels compute the same bits here and in the evaluator. NX_KERNELS is the
// number of kernels to try.
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

// compareKernel compares the kernel of a seed and returns how many points it has.
func compareKernel(t *testing.T, seed uint64) int64 {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	most := int64(3000)
	if seed%20 == 0 { // blocks
		most = 140_000
	}
	k := random.Kernel(r, random.Options{MaxPoints: most, Functions: realFunctions})
	again, err := kernel.Parse(k.String())
	if err != nil || again.String() != k.String() {
		t.Fatalf("%v: read back\n%s\nfrom\n%s", err, again, k)
	}
	p := plan.Of(k)
	if err := p.Check(k); err != nil {
		t.Fatalf("%v\n%s\n%s", err, p, k)
	}
	params := random.Params(r, k)
	want := clone(params)
	if err := eval.Run(k, p, want, eval.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	code, err := portable.Compile(k, p)
	if err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	run(code, params)
	for i := range params {
		typ := k.Params[i].Type
		for j := range int(k.Params[i].Elems) {
			if !sameElement(typ, params[i], want[i], j) {
				size := typ.Size()
				t.Errorf("p%d, element %d: %s, want %s\n%s\n%s", i, j, eval.Format(typ, params[i][j*size:][:size]),
					eval.Format(typ, want[i][j*size:][:size]), k, p)
				return 0
			}
		}
	}
	return k.NumElems()
}

func clone(mem [][]byte) [][]byte {
	out := make([][]byte, len(mem))
	for i, b := range mem {
		out[i] = slices.Clone(b)
	}
	return out
}

// run runs the chunks from last to first.
func run(code *portable.Code, mem [][]byte) {
	params := make([]unsafe.Pointer, len(mem))
	for i, b := range mem {
		params[i] = unsafe.Pointer(unsafe.SliceData(b))
	}
	partial := make([]byte, code.PartialBytes()+1)
	var s portable.Scratch
	for i := code.NumChunks() - 1; i >= 0; i-- {
		code.RunChunk(i, params, unsafe.Pointer(&partial[0]), &s)
	}
	code.Finish(params, unsafe.Pointer(&partial[0]), &s)
}

// sameElement compares bits; NaNs are alike.
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
