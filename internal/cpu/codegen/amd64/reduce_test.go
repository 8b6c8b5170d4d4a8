package amd64_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// reducing is a kernel over dims that reduces an operand, or a function of it, over the last reduced dimensions;
// strides are those of the dense operand. With stored, the reduced values are stored as well.
func reducing(kind, function kernel.Op, t dtype.Type, dims, strides []int64, reduced int, stored bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "reduce", Dims: dims, NumReduced: reduced}
	results := int64(1)
	at := make([]int64, len(dims)-reduced)
	for d := len(at) - 1; d >= 0; d-- {
		at[d] = results
		results *= dims[d]
	}
	k.Params = []kernel.Param{{Type: t, Elems: k.NumElems()}, {Type: t, Elems: 1}, {Type: t, Elems: results}}
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &kernel.Access{Strides: strides}})
	if function != kernel.Invalid {
		v = k.Body.Add(kernel.Instr{Op: function, Type: kernel.Register(t), Args: [3]kernel.Value{v}})
	}
	r := kernel.Reduction{Values: []kernel.Value{v}, Types: []dtype.Type{t}, Kind: kind,
		Inits: []kernel.Access{{Param: 1}}, At: []kernel.Access{{Param: 2, Strides: at}}}
	var result kernel.Value
	r.Combine, result = kernel.ReduceBy(kind, t)
	r.Results = []kernel.Value{result}
	k.Reduces = []kernel.Reduction{r}
	if stored {
		if kernel.NeedsRound(t) {
			v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
		}
		k.Stores = []kernel.Store{{Value: v, Type: t, At: kernel.Access{Param: 3, Strides: strides}}}
		k.Params = append(k.Params, k.Params[0])
	}
	return k
}

// TestReduceTails reduces rows and columns of all lengths up to 130 between guard pages.
func TestReduceTails(t *testing.T) {
	regions := make([]*guard.Region, 4)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<14)
	}
	types := []dtype.Type{dtype.F32, dtype.F64, dtype.S8, dtype.U16, dtype.BF16, dtype.F16, dtype.S64}
	for _, w := range codetest.Widths(t) {
		for n := range int64(131) {
			if testing.Short() && n%7 > 1 {
				continue
			}
			typ := types[n%int64(len(types))]
			kind := []kernel.Op{kernel.Add, kernel.Max, kernel.Min, kernel.Mul}[n%4]
			function := []kernel.Op{kernel.Invalid, kernel.Neg}[n%2]
			for _, k := range []*kernel.Kernel{
				reducing(kind, function, typ, []int64{3, n}, []int64{n, 1}, 1, n%5 == 0),   // last axis
				reducing(kind, function, typ, []int64{n, 5}, []int64{1, n}, 1, n%5 == 1),   // first axis
				reducing(kind, function, typ, []int64{n, 130}, []int64{1, n}, 1, n%5 == 2), // more rows than a group
			} {
				if n == 0 || k.NumElems()*8 > 1<<14 {
					continue
				}
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				guarded(t, w, k, plan.Of(k), regions)
			}
		}
	}
}

func guarded(t *testing.T, w target.Width, k *kernel.Kernel, p *plan.Plan, regions []*guard.Region) {
	t.Helper()
	code, s := compiled(t, w, k, p)
	params := random.Params(rand.New(rand.NewPCG(uint64(k.Dims[0]), 3)), k)
	want := clone(params)
	if err := eval.Run(k, p, want, fused); err != nil {
		t.Fatal(err)
	}
	for _, edge := range guard.Edges {
		mem := make([][]byte, len(params))
		for i, b := range params {
			mem[i] = guard.Copy(regions[i], b, edge)
		}
		if err := guard.Run(func() { runAll(code, p, mem, s) }); err != nil {
			t.Fatalf("%s, %v: %v\n%s", w, edge, err, k)
		}
		for i := range mem {
			if err := regions[i].Check(); err != nil {
				t.Fatalf("%s, %v: p%d: %v\n%s", w, edge, i, err, k)
			}
		}
		check(t, w.String(), k, mem, want, func() string { return "" })
	}
}

// TestRowTails computes rows of all lengths from 128 to 258, with one element of an operand per row, between guard
// pages.
func TestRowTails(t *testing.T) {
	regions := make([]*guard.Region, 3)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<14)
	}
	types := []dtype.Type{dtype.F32, dtype.F64, dtype.S8, dtype.U16, dtype.BF16, dtype.S64}
	for _, w := range codetest.Widths(t) {
		for n := int64(128); n <= 258; n++ {
			if testing.Short() && n%7 > 1 {
				continue
			}
			typ := types[n%int64(len(types))]
			k := mapping(kernel.Add, typ, 5*n, 0)
			k.Dims, k.Params[1].Elems = []int64{5, n}, 5
			for _, in := range k.Body.Instrs[:2] {
				in.At.Strides = append([]int64{n}, in.At.Strides...)
			}
			k.Body.Instrs[1].At.Strides[0] = 1
			k.Stores[0].At.Strides = []int64{n, 1}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			guarded(t, w, k, plan.Of(k), regions)
		}
	}
}

// TestLongReductions reduces several blocks, any number of groups of tiles, and rows longer than a call.
func TestLongReductions(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for _, typ := range []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.C64, dtype.C128} {
			function := kernel.Abs
			if typ.IsComplex() {
				function = kernel.Conj
			}
			for _, c := range []struct {
				dims, strides []int64
				reduced       int
			}{
				{[]int64{200_001}, []int64{1}, 1}, {[]int64{3, 40_000}, []int64{40_000, 1}, 1},
				{[]int64{7, 20_500}, []int64{20_500, 1}, 1}, {[]int64{5, 1030}, []int64{1030, 1}, 1},
				{[]int64{2, 130, 300}, []int64{300, 600, 1}, 2}, // first and last axis
				{[]int64{300, 1030}, []int64{1, 300}, 1}, {[]int64{3, 90_000}, []int64{1, 3}, 1},
				{[]int64{4, 70, 9, 300}, []int64{70 * 9 * 300, 1, 9 * 70, 70}, 2},
			} {
				k := reducing(kernel.Add, function, typ, c.dims, c.strides, c.reduced, false)
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				p := plan.Of(k)
				code, s := compiled(t, w, k, p)
				params := random.Params(rand.New(rand.NewPCG(7, 3)), k)
				want := clone(params)
				if err := eval.Run(k, p, want, fused); err != nil {
					t.Fatal(err)
				}
				runAll(code, p, params, s)
				check(t, fmt.Sprintf("%s, %v of %s", w, c.dims, typ), k, params, want, func() string { return "" })
			}
		}
	}
}

// TestProductsOfColumns multiplies rows: products of narrow floats are rounded at each step, and overflow on the way.
func TestProductsOfColumns(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for _, typ := range []dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.F64, dtype.S8, dtype.S64} {
			k := reducing(kernel.Mul, kernel.Invalid, typ, []int64{100, 130}, []int64{1, 100}, 1, false)
			p := plan.Of(k)
			code, s := compiled(t, w, k, p)
			params := random.Params(rand.New(rand.NewPCG(5, 3)), k)
			if typ.IsFloat() { // numbers near 1; some products leave the range and return
				for i := range int(k.Params[0].Elems) {
					typ.StoreFloat(params[0], i, []float64{1.5, 0.75, 3, 0.3, -1.25, 0.001, 900}[i*i%7])
				}
			}
			want := clone(params)
			if err := eval.Run(k, p, want, eval.Options{}); err != nil {
				t.Fatal(err)
			}
			runAll(code, p, params, s)
			check(t, fmt.Sprintf("%s, %s", w, typ), k, params, want, func() string { return "" })
		}
	}
}

// TestBailOutInReductions reduces a function that bails out for some elements: the fallback computes the piece.
func TestBailOutInReductions(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for _, dims := range [][]int64{{4, 1500}, {1500, 4}, {130_000}} {
			strides := []int64{dims[len(dims)-1], 1}[2-len(dims):]
			k := reducing(kernel.Add, kernel.Exp, dtype.F64, dims, strides, 1, true)
			p := plan.Of(k)
			code, s := compiled(t, w, k, p)
			for _, every := range []int{1, 999, 1 << 20} {
				params := random.Params(rand.New(rand.NewPCG(1, 3)), k)
				x := unsafe.Slice((*float64)(unsafe.Pointer(&params[0][0])), k.NumElems())
				for i := range x {
					if x[i] = float64(i%100) / 100; i%every == 0 && i > 0 {
						x[i] = math.Inf(-1)
					}
				}
				want := clone(params)
				if err := eval.Run(k, p, want, fused); err != nil {
					t.Fatal(err)
				}
				runAll(code, p, params, s)
				check(t, fmt.Sprintf("%s, %v every %d", w, dims, every), k, params, want, func() string { return "" })
			}
		}
	}
}

// TestArgReductions computes argmax and argmin of rows of all lengths up to 130, and long ones, with few distinct
// numbers: most tie, also zeros of both signs, and some rows have only the minimum or the maximum.
func TestArgReductions(t *testing.T) {
	ends := []func(t dtype.Type) uint64{}
	minBits := func(t dtype.Type) uint64 { return uint64(t.MinInt()) & (math.MaxUint64 >> (64 - t.Bits())) }
	maxBits := func(t dtype.Type) uint64 { return ^minBits(t) & (math.MaxUint64 >> (64 - t.Bits())) }
	for i := range 8 {
		ends = append(ends, []func(t dtype.Type) uint64{minBits, maxBits,
			func(t dtype.Type) uint64 { return minBits(t) + 1 }, func(t dtype.Type) uint64 { return maxBits(t) - 1 },
		}[i%4])
	}
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0}
	for _, w := range codetest.Widths(t) {
		lengths := []int64{4096, 5000, 40_000, 150_000}
		for n := int64(4); n <= 130; n++ { // shorter ones are reduced as columns
			lengths = append(lengths, n)
		}
		for i := range 2 * len(lengths) {
			n, strides := lengths[i/2], []int64{lengths[i/2], 1}
			if i%2 == 1 { // first axis; the rows are in several groups
				n = min(n, 5000)
				strides = []int64{1, 3}
			}
			r := rand.New(rand.NewPCG(uint64(n), 3))
			typ := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.S32, dtype.U8, dtype.S64, dtype.S16, dtype.U64,
				dtype.U32, dtype.S8, dtype.Bool}[n%11]
			k := &kernel.Kernel{Name: "arg_reduce", Dims: []int64{3, n}, NumReduced: 1,
				Params: []kernel.Param{{Type: typ, Elems: 3 * n}}}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: strides}})
			addArgReduction(r, k, v)
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			code, s := compiled(t, w, k, p)
			params := random.Params(r, k)
			distinct := 1 + r.IntN(len(numbers)) // small ranges do not include NaN, infinities or ones
			for i := range int(3 * n) {
				switch {
				case typ.IsFloat():
					typ.StoreFloat(params[0], i, numbers[r.IntN(distinct)])
				case typ == dtype.Bool:
					params[0][i] = byte(r.IntN(2)) & byte(n)
				default:
					typ.StoreBits(params[0], i, ends[r.IntN(distinct)](typ))
				}
			}
			want := clone(params)
			if err := eval.Run(k, p, want, eval.Options{}); err != nil {
				t.Fatal(err)
			}
			runAll(code, p, params, s)
			check(t, fmt.Sprintf("%s, %d of %s", w, n, typ), k, params, want, func() string { return "" })
		}
	}
}

// TestReduceBodies reduces columns, and rows, by several operations: pairs of numbers, the composition of functions x →
// a·x + b, and the element with the greatest key, of three types.
func TestReduceBodies(t *testing.T) {
	types := []dtype.Type{dtype.F32, dtype.F64, dtype.S16, dtype.BF16, dtype.S64}
	for _, w := range codetest.Widths(t) {
		for n := range int64(40) {
			rows, cols := 1+n*n%150, 150+n // in several groups
			typ := types[n%int64(len(types))]
			k := &kernel.Kernel{Name: "compose", Dims: []int64{cols, rows}, NumReduced: 1}
			load := func(t dtype.Type) kernel.Value {
				k.Params = append(k.Params, kernel.Param{Type: t, Elems: cols * rows})
				at := &kernel.Access{Param: len(k.Params) - 1, Strides: []int64{1, cols}}
				if n%4 == 1 { // or rows
					at.Strides = []int64{rows, 1}
				}
				return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: at})
			}
			other := typ
			if n%3 == 0 {
				other = dtype.Bool
			}
			red := kernel.Reduction{Values: []kernel.Value{load(typ), load(other)}, Types: []dtype.Type{typ, other}}
			b := &red.Combine
			var args [4]kernel.Value
			for i := range args {
				args[i] = b.Add(kernel.Instr{Op: kernel.Arg, Type: kernel.Register(red.Types[i%2]), Arg: i})
			}
			op := func(op kernel.Op, t dtype.Type, x, y kernel.Value) kernel.Value {
				v := b.Add(kernel.Instr{Op: op, Type: kernel.Register(t), Args: [3]kernel.Value{x, y}})
				if kernel.NeedsRound(t) {
					v = b.Add(kernel.Instr{Op: kernel.Round, Type: t, Args: [3]kernel.Value{v}})
				}
				return v
			}
			if other == dtype.Bool {
				red.Results = []kernel.Value{op(kernel.Add, typ, args[0], args[2]),
					op(kernel.Xor, other, args[1], args[3])}
			} else {
				red.Results = []kernel.Value{op(kernel.Mul, typ, args[0], args[2]),
					op(kernel.Add, typ, op(kernel.Mul, typ, args[2], args[1]), args[3])}
			}
			for _, t := range red.Types {
				red.Inits = append(red.Inits, kernel.Access{Param: len(k.Params)})
				red.At = append(red.At, kernel.Access{Param: len(k.Params) + 1, Strides: []int64{1}})
				k.Params = append(k.Params, kernel.Param{Type: t, Elems: 1}, kernel.Param{Type: t, Elems: cols})
			}
			k.Reduces = append(k.Reduces, red)
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			code, s := compiled(t, w, k, p)
			params := random.Params(rand.New(rand.NewPCG(uint64(n), 3)), k)
			want := clone(params)
			if err := eval.Run(k, p, want, eval.Options{}); err != nil {
				t.Fatal(err)
			}
			runAll(code, p, params, s)
			check(t, w.String(), k, params, want, func() string { return "" })
		}
	}
}
