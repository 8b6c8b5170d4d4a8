package amd64_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// transposing is a kernel of rows that reads its operand by columns, possibly in reverse: only that one, or another one
// by rows as well.
func transposing(t dtype.Type, batch, rows, cols int64, single, reverse bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "transposing", Dims: []int64{batch, rows, cols}}
	n := batch * rows * cols
	load := func(offset int64, strides ...int64) kernel.Value {
		at := &kernel.Access{Param: len(k.Params), Offset: offset, Strides: strides}
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: n})
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: at})
	}
	offset, row := int64(0), int64(1)
	if reverse {
		offset, row = rows-1, -1
	}
	v := load(offset, rows*cols, row, rows)
	if !single {
		v = k.Body.Add(kernel.Instr{Op: kernel.Sub, Type: t, Args: [3]kernel.Value{v, load(0, rows*cols, cols, 1)}})
	}
	k.Stores = []kernel.Store{{Value: v, Type: t,
		At: kernel.Access{Param: len(k.Params), Strides: []int64{rows * cols, cols, 1}}}}
	k.Params = append(k.Params, kernel.Param{Type: t, Elems: n})
	return k
}

// TestTransposed runs kernels that run in blocks, of all remainders, between guard pages, on the processor and
// in the emulator.
func TestTransposed(t *testing.T) {
	regions := make([]*guard.Region, 3)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<18)
	}
	r := rand.New(rand.NewPCG(5, 5))
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.U8, dtype.BF16} {
		for _, size := range [][3]int64{{1, 130, 129}, {1, 16, 1040}, {3, 17, 323}, {1, 140, 131}, {2, 100, 130},
			{1, 160, 144}} { // the rows of the last start at a cache line
			for kind := range 4 {
				single, reverse := kind%2 == 0, kind/2 == 1
				if !single && typ == dtype.BF16 {
					continue // its difference is computed in F32, which the rows above cover
				}
				k := transposing(typ, size[0], size[1], size[2], single, reverse)
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				p := plan.Of(k)
				if p.Transpose == nil {
					t.Fatalf("not transposed in blocks:\n%s\n%s", p, k)
				}
				params := random.Params(r, k)
				want := clone(params)
				if err := eval.Run(k, p, want, fused); err != nil {
					t.Fatal(err)
				}
				for _, p := range []*plan.Plan{p, p.Streaming([]int{len(k.Params) - 1})} {
					for _, w := range []target.Width{target.V256, target.V512} {
						emulateAll(t, w, k, p, clone(params), want)
					}
					for _, w := range codetest.Widths(t) {
						guarded(t, w, k, p, regions)
					}
				}
			}
		}
	}
}

// runEverywhere compares code of both widths, emulated and on the processor if it supports them, with the evaluator.
func runEverywhere(t *testing.T, k *kernel.Kernel, params [][]byte) {
	t.Helper()
	p := plan.Of(k)
	want := clone(params)
	if err := eval.Run(k, p, want, fused); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	for _, w := range codetest.AllWidths {
		emulateAll(t, w, k, p, clone(params), want)
	}
	for _, w := range codetest.Widths(t) {
		code, s := compiled(t, w, k, p)
		got := clone(params)
		runAll(code, p, got, s)
		check(t, w.String(), k, got, want, func() string { return "" })
	}
}

// emulateAll runs a kernel in the emulator and compares its results.
func emulateAll(t *testing.T, w target.Width, k *kernel.Kernel, p *plan.Plan, params, want [][]byte) {
	t.Helper()
	g := amd64.Generator{Generator: fallbackTier, Width: w}
	s := g.NewScratch()
	var failed error
	code, _, err := amd64.Emulated(g, k, p, s, func(f *compiler.Function, args unsafe.Pointer, m amd64.Memory) {
		if err := emulate(f, args, m, params); err != nil && failed == nil {
			failed = err
		}
	})
	if err != nil {
		t.Fatalf("%s: %v\n%s", w, err, k)
	}
	runAll(code, p, params, s)
	if failed != nil {
		t.Fatalf("%s: %v\n%s", w, failed, k)
	}
	check(t, "emulated "+w.String(), k, params, want, func() string { return "" })
}
