package gemm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	algorithms "github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestRoundedGemm multiplies packed blocks with the steps that round products before they add them: each element has
// the bits of plain Go.
func TestRoundedGemm(t *testing.T) {
	repeatGemm(t, func(t *testing.T, p *gemmTest, r *rand.Rand) {
		roundedBy(t, p, p.gemm.Unfused32, r)
		roundedBy(t, p, p.gemm.Unfused64, r)
	})
}

// repeatGemm repeats a random test for each width.
func repeatGemm(t *testing.T, test func(t *testing.T, p *gemmTest, r *rand.Rand)) {
	for name, p := range gemmTests(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			rounds := 300
			if p.emulated || testing.Short() {
				rounds = 40
			}
			for range rounds {
				test(t, p, r)
			}
		})
	}
}

func roundedBy[T float32 | float64](t *testing.T, p *gemmTest, step rt.BlockStep[T], r *rand.Rand) {
	t.Helper()
	m, n, k, edge := 1+r.IntN(40), 1+r.IntN(60), 1+r.IntN(20), guard.Edges[r.IntN(2)]
	tileRows, tileCols, _ := step.Tile()
	up := func(n, by int) int { return (n + by - 1) / by * by }
	p.given = p.given[:0]
	a, b := watched[T](p, up(m, tileRows)*k, edge), watched[T](p, up(n, tileCols)*k, edge)
	c := watched[T](p, m*n, edge)
	x, y := make([]T, m*k), make([]T, k*n)
	for _, s := range [][]T{x, y, c} {
		for i := range s {
			s[i] = codetest.Number[T](r)
		}
	}
	first := r.IntN(2) == 0
	want := wantGemm(c, n, m, n, k, first, func(i, j, l int, sum T) T { return sum + T(x[i*k+l]*y[l*n+j]) })
	left, right := watched[T](p, m*k, edge), watched[T](p, k*n, edge)
	copy(left, x)
	copy(right, y)
	fault := guard.Run(func() {
		step.PackRows(a, left, k, 1, m, k)
		step.PackCols(b, right, 1, n, n, k)
		step.Multiply(c, n, m, n, k, a, b, first)
	})
	what := fmt.Sprintf("%d × %d × %d, %s", m, n, k, edge)
	p.check(t, what, fault)
	codetest.SameNumbers(t, what, c, want)
}

// TestComplexGemm multiplies complex matrices at each width: the parts have the bits of plain Go.
func TestComplexGemm(t *testing.T) {
	eachTier(t, 60, func(env *rt.Env, r *rand.Rand) {
		complexBy[float32, complex64](t, env, r)
		complexBy[float64, complex128](t, env, r)
	})
}

func complexBy[T float32 | float64, Z complex64 | complex128](t *testing.T, env *rt.Env, r *rand.Rand) {
	t.Helper()
	m, n, k := 1+r.IntN(60), 1+r.IntN(60), 1+r.IntN(300)
	random := func(rows, cols int) algorithms.Matrix[Z] {
		parts := matrixOf[T](r, 1, rows, 2*cols, "brc")
		z := algorithms.Matrix[Z]{Data: make([]Z, rows*cols), Batch: parts.Batch,
			Rows: algorithms.Dims{{Size: rows, Stride: cols}}, Cols: algorithms.Dims{{Size: cols, Stride: 1}}}
		copy(rt.View[T](rt.Bytes(z.Data)), parts.Data)
		return z
	}
	a, b, c := random(m, k), random(k, n), random(m, n)
	want := c
	want.Data = make([]Z, len(c.Data))
	if err := algorithms.MatMulComplex(env, c, a, b); err != nil {
		t.Fatal(err)
	}
	if err := algorithms.MatMulComplex(nil, want, a, b); err != nil {
		t.Fatal(err)
	}
	codetest.SameNumbers(t, fmt.Sprintf("%d × %d × %d", m, n, k), rt.View[T](rt.Bytes(c.Data)),
		rt.View[T](rt.Bytes(want.Data)))
}
