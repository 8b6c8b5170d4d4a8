package amd64_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// shortRows is a kernel of short rows in matrices, with operands that are broadcast along each dimension, with strided
// rows, and iotas. It subtracts a product from all of them: results include zeros of both signs.
func shortRows(t testing.TB, typ dtype.Type, matrices, rows, n, stride int64) *kernel.Kernel {
	t.Helper()
	k := &kernel.Kernel{Name: "rows", Dims: []int64{matrices, rows, n}}
	load := func(strides ...int64) kernel.Value {
		elems := int64(1)
		for d, by := range strides {
			elems += by * (k.Dims[d] - 1)
		}
		at := &kernel.Access{Param: len(k.Params), Strides: strides}
		k.Params = append(k.Params, kernel.Param{Type: typ, Elems: elems})
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: at})
	}
	op := func(op kernel.Op, x, y kernel.Value) kernel.Value {
		v := k.Body.Add(kernel.Instr{Op: op, Type: kernel.Register(typ), Args: [3]kernel.Value{x, y}})
		if kernel.NeedsRound(typ) {
			v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: typ, Args: [3]kernel.Value{v}})
		}
		return v
	}
	dense, perRow := load(rows*n, n, 1), load(rows, 1, 0)
	all, inEach, fixed := load(0, 0, 1), load(0, 1, 0), load(0, 0, 0)
	perMatrix, gaps := load(1, 0, 0), load(rows*(n+stride), n+stride, 1)
	v := op(kernel.Sub, op(kernel.Mul, dense, perRow), op(kernel.Mul, all, inEach))
	v = op(kernel.Sub, op(kernel.Mul, op(kernel.Sub, perMatrix, fixed), gaps), v)
	if !typ.IsComplex() && !kernel.NeedsRound(typ) {
		index := k.Body.Add(kernel.Instr{Op: kernel.Index, Type: kernel.Register(typ),
			At: &kernel.Access{Param: -1, Offset: -2, Strides: []int64{5, 3, 1}}})
		v = op(kernel.Max, v, index)
	}
	k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: len(k.Params),
		Strides: []int64{rows * n, n, 1}}}}
	k.Params = append(k.Params, kernel.Param{Type: typ, Elems: matrices * rows * n})
	if err := k.Verify(); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestShortRows computes rows of all lengths up to 130 between guard pages, in pieces that start within a matrix.
func TestShortRows(t *testing.T) {
	var regions []*guard.Region
	for range 8 {
		regions = append(regions, guard.NewRegion(t, 1<<16))
	}
	types := []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.S64, dtype.U8, dtype.S16, dtype.BF16, dtype.F16,
		dtype.C64}
	for _, w := range codetest.Widths(t) {
		for n := range int64(131) {
			for i, typ := range types {
				if n == 0 || i > 1 && (n+int64(i))%4 > 0 && n > 17 {
					continue
				}
				k := shortRows(t, typ, 1+n%3, 1+(n+int64(i))%5, n, n%4)
				p := plan.Of(k)
				last := len(p.Vec.Dims) - 1
				p.Chunk, p.Tail = 3*p.Vec.Dims[last], 0
				if rowTiles := p.WithRowTiles(); rowTiles != nil {
					p = rowTiles
				} else if n < 128 && last > 0 {
					t.Fatalf("rows of %d are not short rows", n)
				}
				guarded(t, w, k, p, regions)
			}
		}
	}
}

// TestShortRowsAreCode checks that short rows are computed by code, and that both widths have the same bits.
func TestShortRowsAreCode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, w := range codetest.Widths(t) {
		for range 20 {
			n := 1 + r.Int64N(32)
			k := shortRows(t, dtype.F32, 3, 4, n, 0)
			p := plan.Of(k).WithRowTiles()
			if p == nil {
				t.Fatalf("rows of %d are not short rows", n)
			}
			f, err := compiler.Assemble(w, k, p, true)
			if err != nil {
				t.Fatal(err)
			}
			if !amd64.HasShortRows(f) {
				t.Errorf("%s: rows of %d are copied", w, n)
			}
		}
	}
}

// TestShortReductions reduces rows of results of all lengths up to 130, of few terms each, between guard pages:
// differences of points that all rows share, of rows, of one element per row, and of iotas; some are arg-reductions.
func TestShortReductions(t *testing.T) {
	var regions []*guard.Region
	for range 9 {
		regions = append(regions, guard.NewRegion(t, 1<<17))
	}
	types := []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.S64, dtype.U8, dtype.BF16, dtype.F16}
	reduced, r := 0, rand.New(rand.NewPCG(4, 4))
	for _, w := range codetest.Widths(t) {
		for n := int64(1); n <= 130; n++ {
			typ := types[n%int64(len(types))]
			kind := []kernel.Op{kernel.Add, kernel.Add, kernel.Max, kernel.Min}[n%4]
			rows, terms := 1+n%7+16*(n%2), 1+n*5%11
			k := &kernel.Kernel{Name: "reductions", Dims: []int64{2, rows, n, terms}, NumReduced: 1}
			load := func(strides ...int64) kernel.Value {
				elems := int64(1)
				for d, by := range strides {
					elems += by * max(k.Dims[d]-1, 0)
				}
				at := &kernel.Access{Param: len(k.Params), Strides: strides}
				k.Params = append(k.Params, kernel.Param{Type: typ, Elems: elems})
				return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: at})
			}
			op := func(op kernel.Op, x, y kernel.Value) kernel.Value {
				v := k.Body.Add(kernel.Instr{Op: op, Type: kernel.Register(typ), Args: [3]kernel.Value{x, y}})
				if kernel.NeedsRound(typ) {
					v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: typ, Args: [3]kernel.Value{v}})
				}
				return v
			}
			v := op(kernel.Sub, load(rows*terms, terms, 0, 1), load(0, 0, terms+n%2, 1))
			if n%3 == 0 {
				v = op(kernel.Mul, v, load(rows*n, n, 1, 0))
			}
			if n%2 == 0 && !kernel.NeedsRound(typ) {
				v = op(kernel.Max, v, k.Body.Add(kernel.Instr{Op: kernel.Index, Type: kernel.Register(typ),
					At: &kernel.Access{Param: -1, Offset: -9, Strides: []int64{5, 1, n % 4, 2}}}))
			}
			results := 2 * rows * n
			red := kernel.Reduction{Values: []kernel.Value{v}, Types: []dtype.Type{typ}, Kind: kind,
				Inits: []kernel.Access{{Param: len(k.Params)}},
				At:    []kernel.Access{{Param: len(k.Params) + 1, Strides: []int64{rows * n, n, 1}}}}
			var result kernel.Value
			red.Combine, result = kernel.ReduceBy(kind, typ)
			red.Results = []kernel.Value{result}
			k.Params = append(k.Params, kernel.Param{Type: typ, Elems: 1}, kernel.Param{Type: typ, Elems: results})
			k.Reduces = []kernel.Reduction{red}
			if n%3 > 0 {
				addArgReduction(r, k, v)
			}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			if rowTiles := p.WithRowTiles(); rowTiles != nil {
				p = rowTiles
				if f, err := compiler.Assemble(w, k, p, true); err == nil && amd64.HasShortRows(f) {
					reduced++
				}
			}
			guarded(t, w, k, p, regions)
		}
	}
	if reduced < 90 {
		t.Errorf("%d kernels reduce short rows", reduced)
	}
}
