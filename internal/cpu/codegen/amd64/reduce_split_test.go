package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// TestManyReductions computes more reductions than registers allow, of short rows, of rows in several pieces, and of
// columns; some kernels store results in place of operands.
func TestManyReductions(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for i, n := range []int64{100, 77, 5000, 140_000, 4099, 70_000} {
			r := rand.New(rand.NewPCG(uint64(n), 5))
			typ := []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.F32, dtype.S64, dtype.F32}[i]
			strides := []int64{n, 1}
			if n%2 == 1 {
				strides = []int64{1, 3}
			}
			k := &kernel.Kernel{Name: "reductions", Dims: []int64{3, n}, NumReduced: 1,
				Params: []kernel.Param{{Type: typ, Elems: 3 * n}}}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: strides}})
			if i%2 == 0 {
				v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{v}})
			}
			for range 4 {
				if i%2 == 1 {
					addArgReduction(r, k, v)
				}
				for range 5 - i%2*3 {
					addReduction(r, k, v)
				}
			}
			if i%2 == 0 {
				k.Stores = []kernel.Store{{Value: v, Type: typ,
					At: kernel.Access{Param: len(k.Params), Strides: strides}}}
				k.Params = append(k.Params, k.Params[0])
			}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			g := amd64.Generator{Generator: fallbackTier, Width: w}
			if _, _, err := amd64.Emulated(g, k, p, g.NewScratch(), nil); err == nil && p.Form == plan.Inner {
				t.Fatalf("%s: the registers suffice for %d reductions", w, len(k.Reduces))
			}
			code, s := compiled(t, w, k, p)
			params := random.Params(r, k)
			want := clone(params)
			if err := eval.Run(k, p, want, fused); err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 {
				q := len(params) - 1
				if !k.Replaces(0, q) {
					t.Fatalf("the result may not alias the operand\n%s", k)
				}
				params[q], want[0] = params[0], want[q]
			}
			runAll(code, p, params, s)
			check(t, fmt.Sprintf("%s, %d of %s", w, n, typ), k, params, want, func() string { return "" })
		}
	}
}
