package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// widths returns those that this processor has.
func widths(t testing.TB) []amd64.Width {
	var out []amd64.Width
	for _, w := range []amd64.Width{amd64.V256, amd64.V512} {
		if err := rt.CanRunCode(); err != nil {
			t.Logf("%s: %v", w, err)
		} else if missing := w.Needs() &^ rt.HostFeatures(); missing != 0 {
			t.Logf("%s: the processor lacks %s", w, missing)
		} else {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		t.Skip("no width can run here")
	}
	return out
}

func compiled(t testing.TB, w amd64.Width, k *kernel.Kernel, p *plan.Plan) (codegen.Code, codegen.Scratch) {
	g, err := amd64.Generator{Generator: rest, Width: w}.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	code, err := codegen.Compile(g, k, p)
	if err == nil {
		err = g.Seal()
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := code.Describe(); d.Tier != w.String() {
		t.Fatalf("made by %s: %s\n%s", d.Tier, d.Why, k)
	}
	return code, g.NewScratch()
}

// mapping is a kernel that applies an operation to n elements; stride is that of its second
// operand.
func mapping(op kernel.Op, t dtype.Type, n, stride int64) *kernel.Kernel {
	k := &kernel.Kernel{Name: "mapping", Dims: []int64{n}}
	load := func(stride int64) kernel.Value {
		at := &kernel.Access{Param: len(k.Params), Strides: []int64{stride}}
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: max(n-1, 0)*stride + min(n, 1)})
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: at})
	}
	in := kernel.Instr{Op: op, Type: kernel.Register(t), Args: [3]kernel.Value{load(1), load(stride)}}
	if op.NumArgs() == 1 {
		in.Args[0], in.Args[1] = in.Args[1], 0
	}
	v := k.Body.Add(in)
	if kernel.NeedsRound(t) {
		v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
	}
	k.Stores = []kernel.Store{{Value: v, Type: t, At: kernel.Access{Param: 2, Strides: []int64{1}}}}
	k.Params = append(k.Params, kernel.Param{Type: t, Elems: n})
	return k
}

// TestTails runs kernels of all lengths up to 130 between pages that may not be touched, once
// with the result in the place of an operand: nothing beyond the elements is read or written.
func TestTails(t *testing.T) {
	regions := make([]*guard.Region, 3)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<12)
	}
	for _, w := range widths(t) {
		for _, typ := range []dtype.Type{dtype.F32, dtype.F64, dtype.S8, dtype.U16, dtype.BF16,
			dtype.F16, dtype.Bool, dtype.S64} {
			for n := range int64(131) {
				if testing.Short() && n%7 > 1 {
					continue
				}
				for _, stride := range []int64{1, 3, 0} {
					op := kernel.Add
					if typ == dtype.F32 && n%2 == 1 {
						op = kernel.Exp
					}
					k := mapping(op, typ, n, stride)
					if stride == 0 {
						k.Params[1].Elems = 1
					}
					if err := k.Verify(); err != nil {
						t.Fatal(err)
					}
					tail(t, w, k, regions)
				}
			}
		}
	}
}

func tail(t *testing.T, w amd64.Width, k *kernel.Kernel, regions []*guard.Region) {
	t.Helper()
	p := plan.Of(k)
	code, s := compiled(t, w, k, p)
	r := rand.New(rand.NewPCG(uint64(k.Dims[0]), 3))
	params := random.Params(r, k)
	want := clone(params)
	if err := eval.Run(k, p, want, fused); err != nil {
		t.Fatal(err)
	}
	for _, edge := range guard.Edges {
		for _, inPlace := range []bool{false, true} {
			mem := make([][]byte, len(params))
			at := make([]unsafe.Pointer, len(params))
			for i, b := range params {
				mem[i] = guard.Copy(regions[i], b, edge)
				at[i] = unsafe.Pointer(unsafe.SliceData(mem[i]))
			}
			if inPlace && k.Replaces(0, 2) {
				mem[2], at[2] = mem[0], at[0]
			}
			err := guard.Run(func() {
				for i := range p.NumChunks() {
					code.RunChunk(i, at, nil, nil, s)
				}
			})
			if err != nil {
				t.Fatalf("%s, %v: %v\n%s", w, edge, err, k)
			}
			for i := range regions {
				if err := regions[i].Check(); err != nil {
					t.Fatalf("%s, %v: p%d: %v\n%s", w, edge, i, err, k)
				}
			}
			check(t, fmt.Sprintf("%s in place %v", w, inPlace), k, [][]byte{mem[2]}, want[2:], func() string { return "" })
		}
	}
}

// TestElems computes the first elements of a kernel alone, as bodies of sorts and scatters do,
// of which some are rare.
func TestElems(t *testing.T) {
	for _, w := range widths(t) {
		for _, op := range []kernel.Op{kernel.Mul, kernel.Pow} {
			k := mapping(op, dtype.F32, 5, 1)
			code, s := compiled(t, w, k, plan.Of(k))
			const n = 100_000
			long := mapping(op, dtype.F32, n, 1)
			params := random.Params(rand.New(rand.NewPCG(1, 1)), long)
			want := clone(params)
			at := make([]unsafe.Pointer, len(params))
			for i, b := range params {
				at[i] = unsafe.Pointer(unsafe.SliceData(b))
			}
			code.RunElems(n, at, s)
			if err := eval.Run(long, plan.Of(long), want, fused); err != nil {
				t.Fatal(err)
			}
			check(t, w.String(), long, params, want, func() string { return "" })
		}
	}
}

// TestBailOut has kernels stop before elements that an expansion is not for, at every place of a
// vector, and go on behind them.
func TestBailOut(t *testing.T) {
	for _, w := range widths(t) {
		k := mapping(kernel.Sin, dtype.F32, 1000, 1)
		p := plan.Of(k)
		code, s := compiled(t, w, k, p)
		for _, every := range []int{1, 2, 7, 16, 31, 999} {
			params := [][]byte{make([]byte, 4000), make([]byte, 4000), make([]byte, 4000)}
			x := unsafe.Slice((*float32)(unsafe.Pointer(&params[1][0])), 1000)
			for i := range x {
				if x[i] = float32(i) / 10; i%every == 0 {
					x[i] *= 0x1p30
				}
			}
			want := clone(params)
			if err := eval.Run(k, p, want, fused); err != nil {
				t.Fatal(err)
			}
			runAll(code, p, params, s)
			check(t, fmt.Sprintf("%s, every %d", w, every), k, params, want, func() string { return "" })
		}
	}
}

// TestBailOutInTiles is TestRare with results that are not neighbours, which the caller copies from tiles: those before an
// element that is rare belong to the code, that element to the other tier.
func TestBailOutInTiles(t *testing.T) {
	for _, strides := range [][]int64{{48, 2}, {40, 1}, {1, 30}, {96, 4}} {
		k := &kernel.Kernel{Name: "sines", Dims: []int64{30, 20},
			Params: []kernel.Param{{Type: dtype.F32, Elems: 600}, {Type: dtype.F32, Elems: 4000}}}
		v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{20, 1}}})
		v = k.Body.Add(kernel.Instr{Op: kernel.Sin, Type: dtype.F32, Args: [3]kernel.Value{v}})
		k.Stores = []kernel.Store{{At: kernel.Access{Param: 1, Offset: 5, Strides: strides}, Value: v, Type: dtype.F32}}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		p := plan.Of(k)
		for _, w := range widths(t) {
			code, s := compiled(t, w, k, p)
			if why := code.Describe().Why; why != "" {
				t.Errorf("%s: left to plain Go: %s", w, why)
			}
			for _, every := range []int{1, 2, 7, 16, 31, 599, 10_000} {
				params := [][]byte{make([]byte, 2400), make([]byte, 16_000)}
				x := unsafe.Slice((*float32)(unsafe.Pointer(&params[0][0])), 600)
				for i := range x {
					if x[i] = float32(i+1) / 10; i%every == every-1 {
						x[i] *= 0x1p30
					}
				}
				want := clone(params)
				if err := eval.Run(k, p, want, fused); err != nil {
					t.Fatal(err)
				}
				runAll(code, p, params, s)
				check(t, fmt.Sprintf("%s, %v, every %d", w, strides, every), k, params, want, func() string { return "" })
			}
		}
	}
}

// BenchmarkAssemble makes code of a kernel with an expansion.
func BenchmarkAssemble(b *testing.B) {
	for _, op := range []kernel.Op{kernel.Add, kernel.Tanh} {
		k := mapping(op, dtype.F32, 1000, 1)
		p := plan.Of(k)
		for _, w := range []amd64.Width{amd64.V256, amd64.V512} {
			b.Run(fmt.Sprintf("%s/%s", op, w), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := amd64.Assemble(w, k, p, false); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
