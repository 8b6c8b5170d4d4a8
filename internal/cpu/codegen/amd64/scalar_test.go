package amd64_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

var scalarKernels = flag.Int("scalar-kernels", 1000, "random kernels of a few points to compare")

// TestScalarKernels runs random kernels of a few points in a loop of one iteration, in the emulator and on the
// processor, with some parameters in the file, and compares them with the evaluator.
func TestScalarKernels(t *testing.T) {
	compiled, unsupported := map[target.Width]int{}, map[string]int{}
	kernels := 0
	for seed := range uint64(*scalarKernels) {
		r := rand.New(rand.NewPCG(seed, 11))
		dims := [][]int64{{}, {1}, {1 + r.Int64N(16)}, {1 + r.Int64N(4), 1 + r.Int64N(4)}}[r.IntN(4)]
		k := knownKernel(r, dims, 0)
		if r.IntN(8) == 0 {
			k = random.Kernel(r, random.Options{MaxPoints: 16, Functions: []string{"chlo.asinh"}})
		}
		if slices.ContainsFunc(k.Body.Instrs, func(in kernel.Instr) bool { return showsNaN(&k.Body, &in) }) {
			continue
		}
		if can, _ := fallbackTier.IsScalar(k); !can {
			continue
		}
		kernels++
		k.Name = fmt.Sprintf("seed %d", seed)
		for _, w := range []target.Width{target.V256, target.V512} {
			if err := compareScalar(t, r, k, w); err == nil {
				compiled[w]++
			} else {
				unsupported[err.Error()]++
			}
		}
	}
	t.Logf("compiled for AVX2: %d, for AVX-512: %d, of %d", compiled[target.V256], compiled[target.V512], kernels)
	for why, n := range unsupported {
		t.Logf("%5d %s", n, why)
	}
	if compiled[target.V256] < kernels/3 || compiled[target.V512] < kernels/3 {
		t.Errorf("the generator does not support most kernels")
	}
}

// compareScalar compares a kernel; the error is the unsupported operation.
func compareScalar(t *testing.T, r *rand.Rand, k *kernel.Kernel, w target.Width) error {
	t.Helper()
	params, aliases := random.Params(r, k), random.Aliases(r, k)
	for q, p := range aliases {
		copy(params[q], params[p])
	}
	want := clone(params)
	if err := eval.Run(k, plan.Of(k), want, fused); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	inFile := make([]bool, len(params))
	for i := range params {
		inFile[i] = r.IntN(2) == 0 && len(params[i]) <= 256
	}
	compare := func(how string, got [][]byte, listing func() string) {
		t.Helper()
		for q, p := range aliases {
			if p != q { // compared as the output
				want[p] = got[p]
			}
		}
		check(t, how+" "+w.String(), k, got, want, listing)
	}
	loop := func(g codegen.Generator) codegen.ScalarCompiler {
		c, err := oneTrip(g, k, aliases, inFile)
		if err != nil {
			t.Fatalf("%v\n%s", err, k)
		}
		return c
	}
	g := amd64.Generator{Generator: fallbackTier, Width: w}
	emulated, counters := cloneIn(params, aliases), make([]byte, 16)
	var text []byte
	var failed error
	code, err := amd64.EmulatedScalar(loop(g), func(code, mem []byte) error {
		text = code
		failed = emulateScalar(code, mem, append(slices.Clone(emulated), counters))
		return failed
	})
	if errors.Is(err, target.ErrUnsupported) {
		return err
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", w, err, k)
	}
	listing := func() string { return asm.Listing(text, len(text)) }
	runScalar(code, append(slices.Clone(emulated), counters[:8], counters[8:]))
	if failed != nil {
		t.Fatalf("%s: %v\n%s\n%s", w, failed, k, listing())
	}
	compare("emulated", emulated, listing)
	if w.CanRun() != nil {
		return nil
	}
	of, err := g.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if code, err = loop(of).Done(); err == nil {
		err = of.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	ran := cloneIn(params, aliases)
	runScalar(code, append(slices.Clone(ran), make([]byte, 8), make([]byte, 8)))
	compare("run", ran, listing)
	return nil
}

// oneTrip returns a loop that runs a kernel once. After the parameters are a counter and its limit.
func oneTrip(g codegen.Generator, k *kernel.Kernel, aliases []int, inFile []bool) (codegen.ScalarCompiler, error) {
	c := g.NewScalarCompiler()
	counter, test := len(aliases), len(aliases)+1
	c.Reserve(counter, 4)
	c.Reserve(test, 1)
	c.Fill(codegen.Move{From: counter, To: counter, Bytes: 4})
	size := func(i int) int64 { return k.Params[i].Elems * int64(k.Params[i].Type.Size()) }
	for i, p := range aliases {
		if i == p && inFile[i] {
			c.Reserve(i, size(i))
			c.Fill(codegen.Move{From: i, To: i, Bytes: size(i)})
		}
	}
	err := c.Loop(test, func() error { return c.Kernel(counterKernel(kernel.LT, 1), []int{counter, test}) },
		func() error {
			if err := c.Kernel(k, aliases); err != nil {
				return err
			}
			return c.Kernel(counterKernel(kernel.Add, 1), []int{counter, counter})
		})
	for i, p := range aliases {
		if i == p && inFile[i] {
			c.Spill(codegen.Move{From: i, To: i, Bytes: size(i)})
		}
	}
	return c, err
}

// counterKernel applies an operation to an S32 and a constant.
func counterKernel(op kernel.Op, by uint64) *kernel.Kernel {
	one := kernel.Param{Type: dtype.S32, Elems: 1}
	k := &kernel.Kernel{Name: op.String(), Params: []kernel.Param{one, one}}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32, At: &kernel.Access{}})
	c := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.S32, Bits: [2]uint64{by}})
	in := kernel.Instr{Op: op, Type: dtype.S32, Args: [3]kernel.Value{x, c}}
	if op.IsCompare() {
		in.Type, in.From, k.Params[1].Type = dtype.Bool, dtype.S32, dtype.Bool
	}
	k.Stores = []kernel.Store{{Value: k.Body.Add(in), Type: in.Type, At: kernel.Access{Param: 1}}}
	return k
}

// runScalar runs code on buffers.
func runScalar(code codegen.ScalarCode, mem [][]byte) {
	bufs := make([]unsafe.Pointer, 0, len(mem))
	for _, b := range mem {
		bufs = append(bufs, unsafe.Pointer(unsafe.SliceData(b)))
	}
	code.NewFile(bufs).Run(nil)
}

// emulateScalar runs code of a loop in the emulator.
func emulateScalar(text, mem []byte, params [][]byte) error {
	return codetest.EmulateCode(text, unsafe.Pointer(&mem[0]), append(slices.Clone(params), mem)...)
}
