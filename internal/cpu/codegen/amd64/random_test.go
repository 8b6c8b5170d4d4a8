package amd64_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/emulator"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// elementwise returns a random kernel of the operations that the generator knows.
func elementwise(r *rand.Rand, dims []int64) *kernel.Kernel {
	k := &kernel.Kernel{Name: "elementwise", Dims: dims}
	points := k.NumElems()
	float, integers := dtype.F32, []dtype.Type{dtype.S32, dtype.U32}
	if r.IntN(2) == 0 {
		float, integers = dtype.F64, []dtype.Type{dtype.S64, dtype.U64}
	}
	types := append([]dtype.Type{float, float, dtype.Bool}, integers...)
	strides := make([]int64, len(dims))
	step := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		strides[d] = step
		step *= dims[d]
	}
	var values []kernel.Value
	try := func(in kernel.Instr) {
		v := k.Body.Add(in)
		if k.Body.Check(v, len(dims)) != nil {
			k.Body.Instrs = k.Body.Instrs[:v]
			return
		}
		values = append(values, v)
	}
	load := func() {
		t := types[r.IntN(len(types))]
		if t == dtype.Bool {
			t = float
		}
		at := &kernel.Access{Param: len(k.Params), Strides: strides}
		elems := points
		if r.IntN(4) == 0 {
			at.Strides, elems = make([]int64, len(dims)), 1
		}
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: elems})
		try(kernel.Instr{Op: kernel.Load, Type: t, At: at})
	}
	load()
	load()
	list := []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Max, kernel.Min, kernel.Neg, kernel.Abs,
		kernel.Sqrt, kernel.Floor,
		kernel.Ceil, kernel.RoundEven, kernel.And, kernel.Or, kernel.Xor, kernel.Not, kernel.Shl, kernel.ShrL, kernel.ShrA,
		kernel.FMA, kernel.EQ,
		kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE, kernel.IsFinite, kernel.Select, kernel.Select, kernel.Select,
		kernel.Exp, kernel.Expm1, kernel.Tanh, kernel.Logistic, kernel.Convert, kernel.Bitcast}
	for range 4 + r.IntN(30) {
		switch n := r.IntN(12); {
		case n == 0 && len(k.Params) < 6:
			load()
		case n == 1:
			try(kernel.Instr{Op: kernel.Const, Type: float, Bits: [2]uint64{float.FromFloat64(r.NormFloat64())}})
		default:
			for range 30 {
				op, t := list[r.IntN(len(list))], types[r.IntN(len(types))]
				in := kernel.Instr{Op: op, Type: t}
				for j := range op.NumArgs() {
					in.Args[j] = values[r.IntN(len(values))]
				}
				if op == kernel.Convert || op == kernel.Bitcast || op.IsCompare() {
					in.From = k.Body.Instrs[in.Args[0]].Type
				}
				if op == kernel.Convert && (t != dtype.F32 || in.From != dtype.S32) || op == kernel.Bitcast &&
					(t == dtype.Bool || !in.From.IsInteger()) ||
					op == kernel.Div && !t.IsFloat() || t == dtype.Bool &&
					(op == kernel.Add || op == kernel.Sub || op == kernel.Mul || op == kernel.Max || op == kernel.Min ||
						op == kernel.Select) {
					continue
				}
				if op.IsCompare() && k.Body.Instrs[in.Args[0]].Type == dtype.Bool {
					continue
				}
				before := len(values)
				if try(in); len(values) > before {
					break
				}
			}
		}
	}
	for range 1 + r.IntN(2) {
		for {
			v := values[r.IntN(len(values))]
			if t := k.Body.Instrs[v].Type; t != dtype.Bool {
				k.Stores = append(k.Stores,
					kernel.Store{Value: v, Type: t, At: kernel.Access{Param: len(k.Params), Strides: strides}})
				k.Params = append(k.Params, kernel.Param{Type: t, Elems: points})
				break
			}
		}
	}
	return k
}

// TestRandomKernels runs random kernels of both widths in the emulator, and on the processor
// where that has the width, and compares each element with the evaluator.
func TestRandomKernels(t *testing.T) {
	made := map[amd64.Width]int{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 4))
		dims := []int64{int64(seed % 131)}
		switch r.IntN(4) {
		case 0:
			dims = []int64{3, 1 + int64(seed%131)}
		case 1:
			dims = []int64{int64(r.IntN(3000))}
		}
		k := elementwise(r, dims)
		if err := k.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k)
		}
		for _, w := range []amd64.Width{amd64.V256, amd64.V512} {
			if compare(t, r, k, w) {
				made[w]++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("kernels made for AVX2: %d, for AVX-512: %d", made[amd64.V256], made[amd64.V512])
	if made[amd64.V256] < 200 || made[amd64.V512] < 300 {
		t.Error("too few kernels are machine code")
	}
}

func compare(t *testing.T, r *rand.Rand, k *kernel.Kernel, w amd64.Width) (made bool) {
	t.Helper()
	p := plan.Of(k)
	text, instructions, err := amd64.Assemble(w, k, p)
	if errors.Is(err, amd64.ErrLacks) {
		return false
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	for at := 0; at < instructions; {
		in, n, err := asm.Decode(text[at:instructions])
		if err != nil {
			t.Fatal(err)
		}
		if needs, _ := in.Needs(); needs&^w.Needs() != 0 {
			t.Fatalf("%s needs %s", in, needs)
		}
		at += n
	}
	params := random.Params(r, k)
	want := clone(params)
	if err := eval.Run(k, p, want, eval.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	emulated := clone(params)
	if err := emulate(text, k, p, emulated); err != nil {
		t.Fatalf("%v\n%s\n%s", err, k, asm.Listing(text, instructions))
	}
	check(t, "emulated", k, emulated, want, func() string { return asm.Listing(text, instructions) })
	if rt.CanRunCode() == nil && w.Needs()&^rt.HostFeatures() == 0 {
		code, err := amd64.Generator{Generator: portable.Generator{}, Width: w}.Compile(k, p)
		if err != nil {
			t.Fatal(err)
		}
		ran := clone(params)
		at := make([]unsafe.Pointer, len(ran))
		for i, b := range ran {
			at[i] = unsafe.Pointer(unsafe.SliceData(b))
		}
		for i := p.NumChunks() - 1; i >= 0; i-- {
			code.RunChunk(i, at, nil, nil, nil)
		}
		check(t, "run", k, ran, want, func() string { return asm.Listing(text, instructions) })
	}
	return true
}

// emulate runs all pieces in the emulator, where memory ends with each parameter.
func emulate(text []byte, k *kernel.Kernel, p *plan.Plan, params [][]byte) error {
	const codeAt, argsAt, paramsAt = 0x100_0000, 0x200_0000, 0x1_0000_0000
	m := emulator.New()
	m.Map(codeAt, text, false)
	at := make([]uint64, len(params))
	for i, b := range params {
		at[i] = paramsAt + uint64(i)<<28
		m.Map(at[i], b, true)
	}
	var err error
	for i := range p.NumChunks() {
		amd64.Walk(k, p, i, at, func(args []byte) {
			m.Map(argsAt, args, false)
			m.GP[7] = argsAt
			if e := m.Call(codeAt, 1<<24); e != nil && err == nil {
				err = e
			}
			m.Unmap(argsAt)
		})
	}
	return err
}

func check(t *testing.T, how string, k *kernel.Kernel, got, want [][]byte, listing func() string) {
	t.Helper()
	for i := range got {
		typ := k.Params[i].Type
		for j := range int(k.Params[i].Elems) {
			if !same(typ, got[i], want[i], j) {
				size := typ.Size()
				t.Fatalf("%s: p%d, element %d: %s, want %s\n%s\n%s", how, i, j, eval.Format(typ, got[i][j*size:][:size]),
					eval.Format(typ, want[i][j*size:][:size]), k, listing())
			}
		}
	}
}

func clone(mem [][]byte) [][]byte {
	out := make([][]byte, len(mem))
	for i, b := range mem {
		out[i] = slices.Clone(b)
	}
	return out
}

// same compares bits; NaNs are alike.
func same(t dtype.Type, a, b []byte, i int) bool {
	if t.IsFloat() {
		x, y := t.LoadFloat(a, i), t.LoadFloat(b, i)
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return t.LoadBits(a, i) == t.LoadBits(b, i)
}

// BenchmarkKernels takes kernels of 4,096 elements, in the second-level cache, and of 2^20.
func BenchmarkKernels(b *testing.B) {
	for _, n := range []int64{1 << 12, 1 << 20} {
		for _, c := range []struct {
			name string
			ops  []kernel.Op
		}{
			{"chain", []kernel.Op{kernel.Mul, kernel.Add, kernel.Sub, kernel.Max, kernel.Mul}}, {"exp", []kernel.Op{kernel.Exp}},
			{"tanh", []kernel.Op{kernel.Tanh}},
		} {
			k := &kernel.Kernel{Name: c.name, Dims: []int64{n},
				Params: []kernel.Param{{Type: dtype.F32, Elems: n}, {Type: dtype.F32, Elems: n}, {Type: dtype.F32, Elems: n}}}
			at := func(p int) *kernel.Access { return &kernel.Access{Param: p, Strides: []int64{1}} }
			x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: at(0)})
			y := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: at(1)})
			for _, op := range c.ops {
				x = k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{x, y}})
			}
			k.Stores = []kernel.Store{{Value: x, Type: dtype.F32, At: *at(2)}}
			p := plan.Of(k)
			mem := make([][]float32, 3)
			ptrs := make([]unsafe.Pointer, 3)
			for i := range mem {
				mem[i] = make([]float32, n)
				for j := range mem[i] {
					mem[i][j] = float32(j%1000)/250 - 2
				}
				ptrs[i] = unsafe.Pointer(unsafe.SliceData(mem[i]))
			}
			rest := portable.Generator{}
			for name, g := range map[string]codegen.Generator{"portable": rest, "avx2": amd64.Generator{Generator: rest},
				"avx512": amd64.Generator{Generator: rest, Width: amd64.V512}} {
				b.Run(fmt.Sprintf("%s/%d/%s", c.name, n, name), func(b *testing.B) {
					code, err := g.Compile(k, p)
					if err != nil {
						b.Fatal(err)
					}
					s := g.NewScratch()
					for b.Loop() {
						for i := range p.NumChunks() {
							code.RunChunk(i, ptrs, nil, nil, s)
						}
					}
				})
			}
		}
	}
}
