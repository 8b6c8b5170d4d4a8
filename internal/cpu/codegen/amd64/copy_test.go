package amd64_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestCopies copies elements that are repeated along each of their axes, only or, with tiles, followed by an operation,
// between guard pages.
func TestCopies(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<19), guard.NewRegion(t, 1<<19)}
	types := []dtype.Type{dtype.U8, dtype.BF16, dtype.F32, dtype.S64, dtype.C64, dtype.C128}
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range codetest.Widths(t) {
		for i := range int64(120) {
			dims := []int64{1 + r.Int64N(4), 1 + r.Int64N(4), 1 + r.Int64N(20), 1 + i%20}
			if i%3 == 0 {
				dims[3] = 1 + r.Int64N(70)
			}
			strides := make([]int64, 4)
			elems := int64(1)
			for d := 3; d >= 0; d-- {
				if repeats := (i>>d)&1 == 1; !repeats {
					strides[d] = elems
					elems *= dims[d]
				}
			}
			typ := types[i%int64(len(types))]
			k := &kernel.Kernel{Name: "copy", Dims: dims, Params: []kernel.Param{{Type: typ, Elems: elems},
				{Type: typ, Elems: dims[0] * dims[1] * dims[2] * dims[3]}}}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: strides}})
			if i%4 == 0 && !kernel.NeedsRound(typ) {
				v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{v}})
			}
			k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: 1,
				Strides: []int64{dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1}}}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			guarded(t, w, k, plan.Of(k), regions)
		}
	}
}

// TestStridedCopies copies rows to strided rows, in one piece and in several, some with strided elements, between guard
// pages.
func TestStridedCopies(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<22), guard.NewRegion(t, 1<<22)}
	types := []dtype.Type{dtype.U8, dtype.BF16, dtype.F32, dtype.S64, dtype.C64, dtype.Bool}
	r := rand.New(rand.NewPCG(7, 8))
	for _, w := range codetest.Widths(t) {
		for i := range int64(66) {
			dims := []int64{1 + r.Int64N(3), 1 + r.Int64N(5), 1 + r.Int64N(14), 1 + 7*i%80}
			if i%8 == 0 {
				dims = []int64{1, 2, dims[2], 128 + r.Int64N(200)}
			}
			typ := types[i%int64(len(types))]
			k := &kernel.Kernel{Name: "strided", Dims: dims}
			at := [2]kernel.Access{{}, {Param: 1}}
			for j := range at {
				elems := 1 + r.Int64N(2)*r.Int64N(3)
				strides := make([]int64, 4)
				for d := 3; d >= 0; d-- {
					strides[d] = elems
					elems *= dims[d] + r.Int64N(2)*r.Int64N(4)
				}
				at[j].Strides = strides
				k.Params = append(k.Params, kernel.Param{Type: typ, Elems: elems})
			}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &at[0]})
			k.Stores = []kernel.Store{{Value: v, Type: typ, At: at[1]}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			if unit := p.Tile; i%2 == 0 && p.Transpose == nil {
				if last := len(p.Vec.Dims) - 1; last > 0 && p.Vec.Dims[last] < 128 { // their pieces are full rows
					unit = 16 * p.Vec.Dims[last]
				}
				p.Chunk, p.Tail = min(p.Chunk, unit), 0
			}
			if err := p.Check(k); err != nil {
				t.Fatal(err)
			}
			guarded(t, w, k, p, regions)
		}
	}
}

// TestPaddedRows copies padded arrays of all types and remainders, between guard pages.
func TestPaddedRows(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<10), guard.NewRegion(t, 1<<18), guard.NewRegion(t, 1<<18)}
	types := []dtype.Type{dtype.U8, dtype.BF16, dtype.F32, dtype.S64, dtype.C64, dtype.S8}
	r := rand.New(rand.NewPCG(9, 10))
	for _, w := range codetest.Widths(t) {
		for i := range int64(240) {
			in, out := []int64{1 + r.Int64N(4), 1 + r.Int64N(20), 1 + i%80}, make([]int64, 3)
			typ := types[i%int64(len(types))]
			load := &kernel.Access{Strides: []int64{in[1] * in[2], in[2], 1}, Fill: 0, Param: 1}
			for d := range out {
				low := (r.Int64N(4) - 1) * r.Int64N(2)
				out[d] = max(in[d]+low+r.Int64N(2)*r.Int64N(12)-1, 1)
				g := kernel.Guard{Offset: -low, Strides: make([]int64, 3), Size: in[d]}
				g.Strides[d] = 1
				load.Offset -= low * load.Strides[d]
				load.Guards = append(load.Guards, g)
			}
			k := &kernel.Kernel{Name: "pad", Dims: out, Params: []kernel.Param{{Type: typ, Elems: 1},
				{Type: typ, Elems: in[0] * in[1] * in[2]}, {Type: typ, Elems: out[0] * out[1] * out[2]}}}
			k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: make([]int64, 3)}})
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: load})
			if i%5 == 0 && !kernel.NeedsRound(typ) {
				v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{v}})
			}
			k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: 2,
				Strides: []int64{out[1] * out[2], out[2], 1}}}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			guarded(t, w, k, plan.Of(k), regions)
		}
	}
}

// TestCopiedMatrices copies matrices whose short rows are columns of the operand, directly and into tiles, of all
// remainders of the squares that are transposed in registers.
func TestCopiedMatrices(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<18), guard.NewRegion(t, 1<<18)}
	types := []dtype.Type{dtype.U8, dtype.BF16, dtype.F32, dtype.S64}
	r := rand.New(rand.NewPCG(3, 4))
	for _, w := range codetest.Widths(t) {
		for i := range int64(200) {
			dims := []int64{1 + r.Int64N(4), 14 + i%40, 1 + r.Int64N(60)}
			stride := dims[1] + r.Int64N(2)*r.Int64N(9) // stride of columns
			elems := dims[0] * dims[2] * stride
			typ := types[i%int64(len(types))]
			k := &kernel.Kernel{Name: "matrices", Dims: dims, Params: []kernel.Param{{Type: typ, Elems: elems},
				{Type: typ, Elems: dims[0] * dims[1] * dims[2]}}}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ,
				At: &kernel.Access{Strides: []int64{dims[2] * stride, 1, stride}}})
			if i%3 == 0 && !kernel.NeedsRound(typ) {
				v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{v}})
			}
			k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: 1,
				Strides: []int64{dims[1] * dims[2], dims[2], 1}}}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			guarded(t, w, k, plan.Of(k), regions)
		}
	}
}

// TestTileReuse adds operands that are broadcast along any dimensions: tiles are reused while their elements are the
// same.
func TestTileReuse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, w := range codetest.Widths(t) {
		for i := range 40 {
			dims := []int64{1 + r.Int64N(4), 1 + r.Int64N(40), 1 + r.Int64N(20), 1 + r.Int64N(20)}
			if i%4 == 0 {
				dims = []int64{3, 100, 8, 8}
			}
			points := dims[0] * dims[1] * dims[2] * dims[3]
			typ := []dtype.Type{dtype.F32, dtype.F64, dtype.S16}[i%3]
			k := &kernel.Kernel{Name: "reused", Dims: dims}
			var sum kernel.Value
			for l := range 3 {
				mask, at, elems := r.IntN(16), make([]int64, 4), int64(1)
				for d := 3; d >= 0; d-- {
					if mask>>d&1 == 1 {
						at[d] = elems
						elems *= dims[d]
					}
				}
				k.Params = append(k.Params, kernel.Param{Type: typ, Elems: elems})
				v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Param: l, Strides: at}})
				if sum = v; l > 0 {
					sum = k.Body.Add(kernel.Instr{Op: kernel.Max, Type: typ, Args: [3]kernel.Value{v - 1, v}})
				}
			}
			k.Params = append(k.Params, kernel.Param{Type: typ, Elems: points})
			k.Stores = []kernel.Store{{Value: sum, Type: typ, At: kernel.Access{Param: 3,
				Strides: []int64{dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1}}}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			p.Chunk = max(p.Chunk/8, p.Tile) / p.Tile * p.Tile // several pieces, which may start within a period
			if err := p.Check(k); err != nil {
				t.Fatal(err)
			}
			code, s := compiled(t, w, k, p)
			params := random.Params(r, k)
			want := slices.Clone(params)
			for j := range want {
				want[j] = slices.Clone(params[j])
			}
			if err := eval.Run(k, p, want, eval.Options{}); err != nil {
				t.Fatal(err)
			}
			runAll(code, p, params, s)
			check(t, w.String(), k, params, want, func() string { return "" })
		}
	}
}
