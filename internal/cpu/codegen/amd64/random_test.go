package amd64_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// knownKernel returns a random kernel of all supported types, with reductions over the last dimensions if reduced is
// not 0.
func knownKernel(r *rand.Rand, dims []int64, reduced int) *kernel.Kernel {
	k := &kernel.Kernel{Name: "known", Dims: dims, NumReduced: reduced}
	points := k.NumElems()
	types := []dtype.Type{dtype.F32, dtype.F32, dtype.F64, dtype.S32, dtype.U32, dtype.S64, dtype.U64, dtype.S8,
		dtype.U8, dtype.S16, dtype.U16, dtype.Bool, dtype.F16, dtype.BF16, dtype.S4, dtype.U4, dtype.C64, dtype.C64,
		dtype.C128, dtype.C128}
	if n := 1 + r.IntN(5); r.IntN(3) > 0 { // few types, so that more operands of an operation match
		r.Shuffle(len(types), func(i, j int) { types[i], types[j] = types[j], types[i] })
		types = types[:n]
	}
	if r.IntN(8) == 0 {
		types = []dtype.Type{dtype.F64, dtype.S64, dtype.U64, dtype.C128}
	}
	strides := func() ([]int64, int64) {
		out := make([]int64, len(dims))
		step := int64(1)
		order := make([]int, len(dims))
		for i := range order {
			order[i] = len(dims) - 1 - i
		}
		broadcast := r.IntN(4) == 0
		if r.IntN(4) == 0 {
			r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if r.IntN(8) == 0 {
			step = 2
		}
		for _, d := range order {
			if broadcast && r.IntN(2) == 0 {
				continue
			}
			out[d] = step
			step *= max(dims[d], 1)
		}
		return out, step
	}
	var values []kernel.Value
	try := func(in kernel.Instr) bool {
		v := k.Body.Add(in)
		if k.Body.Check(v, len(dims)) != nil {
			k.Body.Instrs = k.Body.Instrs[:v]
			return false
		}
		values = append(values, v)
		return true
	}
	load := func() {
		t := types[r.IntN(len(types))]
		at := &kernel.Access{Param: len(k.Params)}
		var elems int64
		at.Strides, elems = strides()
		if r.IntN(8) == 0 {
			at.Param, at.Offset = -1, r.Int64N(100)-50
			try(kernel.Instr{Op: kernel.Index, Type: kernel.Register(t), At: at})
			return
		}
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: elems})
		try(kernel.Instr{Op: kernel.Load, Type: t, At: at})
	}
	for len(values) == 0 { // a boolean index is not valid
		load()
	}
	load()
	ops := slices.Collect(kernel.Ops())
	for range 4 + r.IntN(30) {
		switch n := r.IntN(12); {
		case n == 0 && len(k.Params) < 14:
			load()
		case n == 1:
			t := kernel.Register(types[r.IntN(len(types))])
			bits, high := r.Uint64N(100), uint64(0)
			switch {
			case t == dtype.C64:
				bits = dtype.F32.FromFloat64(r.NormFloat64()) | dtype.F32.FromFloat64(r.NormFloat64())<<32
			case t == dtype.C128:
				bits, high = dtype.F64.FromFloat64(r.NormFloat64()), dtype.F64.FromFloat64(r.NormFloat64())
			case t.IsFloat():
				bits = t.FromFloat64(r.NormFloat64())
			}
			try(kernel.Instr{Op: kernel.Const, Type: t, Bits: [2]uint64{bits & 1, 0}})
			k.Body.Instrs[len(k.Body.Instrs)-1].Bits = [2]uint64{bits, high}
			if t == dtype.Bool {
				k.Body.Instrs[len(k.Body.Instrs)-1].Bits[0] &= 1
			}
		default:
			for range 60 {
				op := ops[r.IntN(len(ops))]
				x := values[r.IntN(len(values))]
				in := kernel.Instr{Op: op, Type: k.Body.Instrs[x].Register()}
				if r.IntN(4) == 0 || op == kernel.Convert || op == kernel.Bitcast || op == kernel.Round {
					in.Type = types[r.IntN(len(types))]
				}
				if op == kernel.Call {
					in.Func = "chlo.asinh"
				}
				in.Args[0] = x
				if op == kernel.Select {
					in.Args[1] = x
				}
				for j := range op.NumArgs() {
					if j > 0 || op == kernel.Select {
						in.Args[j] = values[r.IntN(len(values))]
					}
				}
				from := k.Body.Instrs[in.Args[0]].Register()
				if op == kernel.Convert || op == kernel.Bitcast || op.IsCompare() {
					in.From = from
					if op.IsCompare() {
						in.Type = dtype.Bool
					}
				}
				switch {
				case from.IsComplex() && (op == kernel.Abs || op == kernel.Real || op == kernel.Imag):
					in.From, in.Type = from, from.Real()
				case op == kernel.Complex && from.IsFloat():
					in.From, in.Type = from, from.Complex()
				}
				if showsNaN(&k.Body, &in) {
					continue
				}
				if op != kernel.Const && op != kernel.FMA && !op.InExpansions() && amd64.Has(&k.Body, in) && try(in) {
					break
				}
			}
		}
	}
	if reduced > 0 {
		for range 1 + r.IntN(3) {
			v := values[r.IntN(len(values))]
			if t := k.Body.Instrs[v].Type; r.IntN(4) > 0 || t.IsComplex() || t == dtype.Bool {
				addReduction(r, k, v)
			} else {
				addArgReduction(r, k, v)
			}
		}
		if r.IntN(3) > 0 {
			return k
		}
	}
	for range 1 + r.IntN(2) {
		v := values[r.IntN(len(values))]
		if r.IntN(2) == 0 {
			v = values[len(values)-1]
		}
		t := k.Body.Instrs[v].Type
		if m := types[r.IntN(len(types))]; kernel.Register(m) == kernel.Register(t) {
			t = m
		}
		if kernel.NeedsRound(t) && k.Body.Instrs[v].Type != t {
			v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
		}
		st := kernel.Store{Value: v, Type: t, At: kernel.Access{Param: len(k.Params),
			Strides: make([]int64, len(dims))}}
		step := int64(1)
		for d := len(dims) - 1; d >= 0; d-- {
			st.At.Strides[d] = step
			step *= dims[d]
		}
		k.Stores = append(k.Stores, st)
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: points})
	}
	return k
}

// addReduction reduces a value by an operation of its type, if there is one.
func addReduction(r *rand.Rand, k *kernel.Kernel, v kernel.Value) {
	t := k.Body.Instrs[v].Type
	kind := []kernel.Op{kernel.Add, kernel.Add, kernel.Max, kernel.Min, kernel.Mul}[r.IntN(5)]
	if !t.IsFloat() && !t.IsComplex() && r.IntN(2) == 0 {
		kind = []kernel.Op{kernel.And, kernel.Or, kernel.Xor}[r.IntN(3)]
	}
	if t == dtype.Bool && (kind == kernel.Add || kind == kernel.Mul) {
		kind = kernel.Or
	}
	unreduced := k.Dims[:len(k.Dims)-k.NumReduced]
	results := int64(1)
	strides := make([]int64, len(unreduced))
	gap := int64(1 + r.IntN(5)/4)
	for d := len(unreduced) - 1; d >= 0; d-- {
		strides[d] = results * gap
		results *= unreduced[d]
	}
	red := kernel.Reduction{Values: []kernel.Value{v}, Types: []dtype.Type{t}, Kind: kind,
		Inits: []kernel.Access{{Param: len(k.Params)}},
		At:    []kernel.Access{{Param: len(k.Params) + 1, Strides: strides}}}
	var result kernel.Value
	red.Combine, result = kernel.ReduceBy(kind, t)
	red.Results = []kernel.Value{result}
	k.Params = append(k.Params, kernel.Param{Type: t, Elems: 1}, kernel.Param{Type: t, Elems: results * gap})
	k.Reduces = append(k.Reduces, red)
}

// addArgReduction adds an argmax or argmin of real values.
func addArgReduction(r *rand.Rand, k *kernel.Kernel, v kernel.Value) {
	t, it := k.Body.Instrs[v].Type, []dtype.Type{dtype.S32, dtype.S64, dtype.U32, dtype.U64}[r.IntN(4)]
	strides, step := make([]int64, len(k.Dims)), int64(1+r.IntN(2))
	for d := len(k.Dims) - 1; d >= len(k.Dims)-k.NumReduced; d-- {
		strides[d] = step
		step *= max(k.Dims[d], 1)
	}
	index := k.Body.Add(kernel.Instr{Op: kernel.Index, Type: it,
		At: &kernel.Access{Param: -1, Offset: int64(r.IntN(3)), Strides: strides}})
	red := kernel.Reduction{Values: []kernel.Value{v, index}, Types: []dtype.Type{t, it}}
	b := &red.Combine
	var args [4]kernel.Value
	for i := range args {
		args[i] = b.Add(kernel.Instr{Op: kernel.Arg, Type: kernel.Register(red.Types[i%2]), Arg: i})
	}
	op := func(op kernel.Op, x, y kernel.Value) kernel.Value {
		in := kernel.Instr{Op: op, Type: dtype.Bool, Args: [3]kernel.Value{x, y}}
		if from := b.Instrs[x].Type; op.IsCompare() && from != dtype.Bool {
			in.From = from
		}
		return b.Add(in)
	}
	first := []kernel.Op{kernel.GT, kernel.LT}[r.IntN(2)]
	isBetter := op(kernel.Or, op(first, args[0], args[2]), op(kernel.NE, args[0], args[0]))
	ties := op(kernel.And, op(kernel.EQ, args[0], args[2]), op(kernel.LE, args[1], args[3]))
	replaces := op(kernel.Or, isBetter, ties)
	if r.IntN(2) == 0 { // also the element of the first of equal ones
		isBetter = replaces
	}
	for j, c := range []kernel.Value{isBetter, replaces} {
		red.Results = append(red.Results, b.Add(kernel.Instr{Op: kernel.Select, Type: kernel.Register(red.Types[j]),
			Args: [3]kernel.Value{c, args[j], args[2+j]}}))
	}
	if p, ok := kernel.ArgMinMaxOf(&red); ok {
		red.ArgMinMax = p
	}
	unreduced := k.Dims[:len(k.Dims)-k.NumReduced]
	results, at := int64(1), make([]int64, len(unreduced))
	for d := len(unreduced) - 1; d >= 0; d-- {
		at[d] = results
		results *= unreduced[d]
	}
	for _, t := range red.Types {
		n := len(k.Params)
		red.Inits = append(red.Inits, kernel.Access{Param: n})
		red.At = append(red.At, kernel.Access{Param: n + 1, Strides: at})
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: 1}, kernel.Param{Type: t, Elems: results})
	}
	k.Reduces = append(k.Reduces, red)
}

// showsNaN reports whether an instruction depends on the bits of a computed number: a NaN may have any sign and
// payload.
func showsNaN(body *kernel.Body, in *kernel.Instr) bool {
	switch in.Op {
	case kernel.Bitcast, kernel.TotalLT, kernel.TotalLE, kernel.TotalEQ:
	default:
		return false
	}
	return slices.ContainsFunc(in.Args[:in.Op.NumArgs()], func(v kernel.Value) bool {
		x := &body.Instrs[v]
		return (x.Register().IsFloat() || x.Register().IsComplex()) && (x.Op != kernel.Load || x.Type.Size() == 1)
	})
}

// looksBeyondElements reports whether a bitwise instruction on narrow floats has an unrounded operand: programs have
// none, and its result would depend on the last bits of a function.
func looksBeyondElements(body *kernel.Body, in *kernel.Instr) bool {
	return functions.HasElementExpansion(in.Op) && kernel.NeedsRound(in.Type) &&
		slices.ContainsFunc(in.Operands(), func(v kernel.Value) bool { return body.Instrs[v].Type != in.Type })
}

var kernels = flag.Int("kernels", 500, "random kernels to compare")
var firstKernel = flag.Uint64("first-kernel", 0, "the seed of the first random kernel")

// TestRandomKernels runs random kernels of both widths in the emulator, and on the processor if it supports the width,
// and compares each element with the evaluator. In the emulator each kernel has its own memory without any around it;
// on the processor they share that of one worker.
func TestRandomKernels(t *testing.T) {
	compiled, unsupported := map[target.Width]int{}, map[string]int{}
	workers := map[target.Width]codegen.Scratch{}
	for i := range uint64(*kernels) {
		seed := *firstKernel + i
		r := rand.New(rand.NewPCG(seed, 4))
		dims := []int64{int64(seed % 131)}
		switch r.IntN(6) {
		case 0:
			dims = []int64{3, 1 + int64(seed%131)}
		case 1:
			dims = []int64{int64(r.IntN(1500))}
		case 2:
			dims = []int64{1 + r.Int64N(5), 1 + r.Int64N(4), 1 + r.Int64N(40)}
		case 3:
			dims = []int64{1 + r.Int64N(4), 128 + r.Int64N(20)}
		}
		reduced := 0
		if r.IntN(2) == 0 {
			reduced = 1 + r.IntN(len(dims))
			switch r.IntN(8) {
			case 0:
				dims = []int64{4200 + r.Int64N(1500)}
				reduced = 1
			case 1: // middle axes
				dims, reduced = []int64{2, 1 + r.Int64N(20), 1 + r.Int64N(3), 128 + r.Int64N(9)}, 2
			case 2: // first axes
				dims, reduced = []int64{1 + r.Int64N(150), 1 + r.Int64N(40)}, 1
			}
		}
		k := knownKernel(r, dims, reduced)
		if r.IntN(6) == 0 {
			k = random.Kernel(r, random.Options{MaxPoints: 1500, Functions: []string{"chlo.asinh"}})
		}
		if slices.ContainsFunc(k.Body.Instrs, func(in kernel.Instr) bool {
			return showsNaN(&k.Body, &in) || looksBeyondElements(&k.Body, &in)
		}) {
			continue
		}
		if err := k.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k)
		}
		k.Name = fmt.Sprintf("seed %d", seed)
		for _, w := range []target.Width{target.V256, target.V512} {
			if workers[w] == nil {
				workers[w] = amd64.Generator{Generator: fallbackTier, Width: w}.NewScratch()
			}
			err := compare(t, r, k, w, workers[w])
			if err == nil {
				compiled[w]++
			} else {
				unsupported[err.Error()]++
			}
		}
	}
	t.Logf("kernels compiled for AVX2: %d, for AVX-512: %d, of %d", compiled[target.V256], compiled[target.V512],
		*kernels)
	for why, n := range unsupported {
		t.Logf("%5d %s", n, why)
	}
	if compiled[target.V256] < *kernels/2 || compiled[target.V512] < *kernels/2 {
		t.Error("too few kernels are machine code")
	}
}

// compareText compares a kernel in text form several times for each width.
func compareText(t *testing.T, r *rand.Rand, text string, times int, widths []target.Width) {
	t.Helper()
	k, err := kernel.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for range times {
		for _, w := range widths {
			if err := compare(t, r, k, w, amd64.Generator{Generator: fallbackTier, Width: w}.NewScratch()); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
}

func compare(t *testing.T, r *rand.Rand, k *kernel.Kernel, w target.Width, worker codegen.Scratch) error {
	t.Helper()
	p := plan.Of(k)
	if r.IntN(4) == 0 {
		p = p.Streaming([]int{len(k.Params) - 1})
	}
	if rowTiles := p.WithRowTiles(); rowTiles != nil && r.IntN(2) == 0 {
		p = rowTiles
	}
	g := amd64.Generator{Generator: fallbackTier, Width: w}
	s := g.NewScratch()
	params := random.Params(r, k)
	aliases := random.Aliases(r, k)
	for q, p := range aliases {
		copy(params[q], params[p])
	}
	emulated := cloneIn(params, aliases)
	var failed error
	code, f, err := amd64.Emulated(g, k, p, s, func(f *compiler.Function, args unsafe.Pointer, m amd64.Memory) {
		if err := emulate(f, args, m, emulated); err != nil && failed == nil {
			failed = err
		}
	})
	if errors.Is(err, target.ErrUnsupported) {
		return err
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	for at := 0; at < f.InstructionBytes; {
		in, n, err := asm.Decode(f.Text[at:f.InstructionBytes])
		if err != nil {
			t.Fatal(err)
		}
		if needs, _ := in.Needs(); needs&^w.Needs() != 0 {
			t.Fatalf("%s needs %s", in, needs)
		}
		at += n
	}
	want := clone(params)
	if err := eval.Run(k, p, want, fused); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	listing := func() string { return asm.Listing(f.Text, f.InstructionBytes) }
	emulates := runtime.GOARCH == "amd64" || rt.CanRunCode() != nil
	if emulates {
		runAll(code, p, emulated, s)
	}
	if failed != nil {
		t.Fatalf("%s: %v\n%s\n%s", w, failed, k, listing())
	}
	compare := func(how string, got [][]byte) {
		t.Helper()
		for q, p := range aliases {
			if p != q { // compared as the output
				want[p] = got[p]
			}
		}
		check(t, how+" "+w.String(), k, got, want, listing)
	}
	if emulates {
		compare("emulated", emulated)
	}
	if w.CanRun() == nil {
		of, err := g.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		code, err := of.Compile(k, p)
		if err == nil {
			err = of.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
		ran := cloneIn(params, aliases)
		runAll(code, p, ran, worker)
		compare("run", ran)
	}
	return nil
}

func runAll(code codegen.Code, p *plan.Plan, params [][]byte, s codegen.Scratch) {
	at := make([]unsafe.Pointer, len(params))
	for i, b := range params {
		at[i] = unsafe.Pointer(unsafe.SliceData(b))
	}
	partial := make([]uint64, code.PartialBytes()/8+1)
	for i := p.NumChunks() - 1; i >= 0; i-- {
		code.RunChunk(i, at, nil, unsafe.Pointer(&partial[0]), s)
	}
	for i := code.Finishes() - 1; i >= 0; i-- {
		code.Finish(i, at, unsafe.Pointer(&partial[0]), s)
	}
}

// emulate runs code in the emulator, with separate memory for each parameter.
func emulate(f *compiler.Function, args unsafe.Pointer, mem amd64.Memory, params [][]byte) error {
	memory := append(params[:len(params):len(params)], mem.Args, mem.Tile, mem.Pad, mem.Reduces)
	return codetest.EmulateCode(f.Text, args, memory...)
}

func check(t *testing.T, how string, k *kernel.Kernel, got, want [][]byte, listing func() string) {
	t.Helper()
	for i := range got {
		typ := k.Params[i].Type
		for j := range int(k.Params[i].Elems) {
			if !same(typ, got[i], want[i], j) {
				size := typ.Size()
				t.Fatalf("%s: p%d, element %d: %s, want %s\n%s\n%s", how, i, j,
					eval.Format(typ, got[i][j*size:][:size]), eval.Format(typ, want[i][j*size:][:size]), k, listing())
			}
		}
	}
}

// clone copies memory to addresses that are multiples of the vector length, like buffers.
func clone(mem [][]byte) [][]byte {
	out := make([][]byte, len(mem))
	for i, b := range mem {
		buf := make([]byte, len(b)+rt.Align)
		skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (rt.Align - 1)
		out[i] = append(buf[skip:skip:skip+len(b)], b...)
	}
	return out
}

// cloneIn is clone with parameters that alias others.
func cloneIn(mem [][]byte, of []int) [][]byte {
	out := clone(mem)
	for q, p := range of {
		out[q] = out[p]
	}
	return out
}

// same compares bits; all NaNs are equal.
func same(t dtype.Type, a, b []byte, i int) bool {
	if t.IsComplex() {
		return same(t.Real(), a, b, 2*i) && same(t.Real(), a, b, 2*i+1)
	}
	if t.IsFloat() {
		x, y := t.LoadFloat(a, i), t.LoadFloat(b, i)
		if t == dtype.F64 && runtime.GOARCH == "arm64" && math.Abs(x-y) <= 1e-13*max(1, math.Abs(x)) {
			return true // package math, with which the evaluator computes, fuses products there
		}
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return t.LoadBits(a, i) == t.LoadBits(b, i)
}

// BenchmarkKernels measures kernels of 4,096 elements, in the second-level cache, and of 2^20.
func BenchmarkKernels(b *testing.B) {
	for _, n := range []int64{1 << 12, 1 << 20} {
		for _, c := range []struct {
			name string
			ops  []kernel.Op
		}{
			{"chain", []kernel.Op{kernel.Mul, kernel.Add, kernel.Sub, kernel.Max, kernel.Mul}},
			{"exp", []kernel.Op{kernel.Exp}}, {"tanh", []kernel.Op{kernel.Tanh}},
		} {
			k := &kernel.Kernel{Name: c.name, Dims: []int64{n},
				Params: []kernel.Param{{Type: dtype.F32, Elems: n}, {Type: dtype.F32, Elems: n},
					{Type: dtype.F32, Elems: n}}}
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
			goCode := portable.Generator{}
			for name, g := range map[string]codegen.Generator{"portable": goCode,
				"avx2":   amd64.Generator{Generator: goCode},
				"avx512": amd64.Generator{Generator: goCode, Width: target.V512}} {
				b.Run(fmt.Sprintf("%s/%d/%s", c.name, n, name), func(b *testing.B) {
					of, err := g.NewSession()
					if err != nil {
						b.Fatal(err)
					}
					code, err := of.Compile(k, p)
					if err != nil {
						b.Fatal(err)
					}
					if err := of.Seal(); err != nil {
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
