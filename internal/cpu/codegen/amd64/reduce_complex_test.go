package amd64_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestComplexReductions reduces rows and columns of complex numbers by every operation, between guard pages: all kinds
// of numbers, zeros of both signs, and numbers near 1, whose products stay finite.
func TestComplexReductions(t *testing.T) {
	regions := make([]*guard.Region, 3)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<17)
	}
	zero, minus := 0.0, math.Copysign(0, -1)
	numbers := [][]complex128{nil,
		{complex(zero, minus), complex(minus, zero), complex(zero, zero), complex(minus, minus)},
		{complex(0.8, 0.6), complex(-1.1, 0.1), complex(0.3, -0.9), 1, -1, complex(0, 1)}}
	for _, w := range codetest.Widths(t) {
		for n := int64(1); n < 300; n++ {
			if n > 40 && n%29 > 1 || testing.Short() && n%3 != 1 {
				continue
			}
			kind := []kernel.Op{kernel.Add, kernel.Max, kernel.Min, kernel.Mul}[n/3%4]
			typ := []dtype.Type{dtype.C64, dtype.C128}[n/12%2]
			for _, k := range []*kernel.Kernel{
				reducing(kind, kernel.Invalid, typ, []int64{3, n}, []int64{n, 1}, 1, false),
				reducing(kind, kernel.Neg, typ, []int64{n, 5}, []int64{1, n}, 1, false),
				reducing(kind, kernel.Conj, typ, []int64{min(n, 13), 130}, []int64{1, min(n, 13)}, 1, false),
				// Most lanes are unused.
				reducing(kernel.Mul, kernel.Conj, typ, []int64{13, n}, []int64{1, 13}, 1, false),
			} {
				p := plan.Of(k)
				code, s := compiled(t, w, k, p)
				for _, list := range numbers {
					params := random.Params(rand.New(rand.NewPCG(uint64(n), 3)), k)
					for i := range min(len(list), 1) * int(k.NumElems()) {
						typ.StoreComplex(params[0], i, list[i*i%len(list)])
					}
					want := clone(params)
					if err := eval.Run(k, p, want, fused); err != nil {
						t.Fatal(err)
					}
					for i := range params {
						params[i] = guard.Copy(regions[i], params[i], guard.Edges[n%2])
					}
					if err := guard.Run(func() { runAll(code, p, params, s) }); err != nil {
						t.Fatalf("%s: %v\n%s", w, err, k)
					}
					check(t, fmt.Sprintf("%s, %v", w, list), k, params, want, func() string { return "" })
				}
			}
		}
	}
}

// TestMinMaxOfNaN checks that unused lanes do not replace NaN.
func TestMinMaxOfNaN(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for _, n := range []int64{1, 5, 17, 300, 1025, 4097, 5000, 70_000} {
			for i, kind := range []kernel.Op{kernel.Max, kernel.Min, kernel.Max, kernel.Min} {
				typ := []dtype.Type{dtype.C64, dtype.C128}[i/2]
				k := reducing(kind, kernel.Invalid, typ, []int64{2, n}, []int64{n, 1}, 1, false)
				p := plan.Of(k)
				code, s := compiled(t, w, k, p)
				params := clone(random.Params(rand.New(rand.NewPCG(1, 2)), k))
				for i := range int(2 * n) {
					typ.StoreComplex(params[0], i, complex(math.NaN(), 1))
				}
				runAll(code, p, params, s)
				for i := range 2 {
					if z := typ.LoadComplex(params[2], i); !math.IsNaN(real(z)) {
						t.Errorf("%s: %s of %d NaN is %v", w, kind, n, z)
					}
				}
			}
		}
	}
}
