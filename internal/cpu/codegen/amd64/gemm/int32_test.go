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

// TestIntegerGemm multiplies packed blocks of int32 between guard pages.
func TestIntegerGemm(t *testing.T) { repeatGemm(t, multiplyInts) }

func multiplyInts(t *testing.T, p *gemmTest, r *rand.Rand) {
	t.Helper()
	step := p.gemm.Int32
	m, n, k, edge := 1+r.IntN(40), 1+r.IntN(60), 1+r.IntN(20), guard.Edges[r.IntN(2)]
	tileRows, tileCols, _ := step.Tile()
	up := func(n, by int) int { return (n + by - 1) / by * by }
	la, lb := layouts(m, k)[r.IntN(4)], layouts(k, n)[r.IntN(4)]
	p.given = p.given[:0]
	a, b := watched[float32](p, la.room, edge), watched[float32](p, lb.room, edge)
	pa, pb := watched[float32](p, up(m, tileRows)*k, edge), watched[float32](p, up(n, tileCols)*k, edge)
	c := watched[float32](p, m*n, edge)
	ints := func(x []float32) []int32 { return rt.View[int32](rt.Bytes(x)) }
	for _, s := range [][]float32{a, b, c} {
		for i := range s {
			ints(s)[i] = int32(r.Uint32())
		}
	}
	first := r.IntN(2) == 0
	want := append([]int32(nil), ints(c)...)
	for i := range m {
		for j := range n {
			if first {
				want[i*n+j] = 0
			}
			for l := range k {
				want[i*n+j] += ints(a)[i*la.rows+l*la.cols] * ints(b)[l*lb.rows+j*lb.cols]
			}
		}
	}
	fault := guard.Run(func() {
		step.PackRows(pa, a, la.rows, la.cols, m, k)
		step.PackCols(pb, b, lb.cols, lb.rows, n, k)
		step.Multiply(c, n, m, n, k, pa, pb, first)
	})
	what := fmt.Sprintf("%d × %d × %d, a %v, b %v, %s", m, n, k, la, lb, edge)
	p.check(t, what, fault)
	codetest.SameElements(t, what, ints(c), want)
}

// TestIntegerMatMul multiplies matrices of int32 at each width, and with plain Go.
func TestIntegerMatMul(t *testing.T) {
	eachTier(t, 100, func(env *rt.Env, r *rand.Rand) {
		batch, m, n, k := 1+r.IntN(4), 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(600)
		orders := []string{"brc", "rbc", "bcr", "crb"}
		bits := func(of algorithms.Matrix[float32]) {
			x := rt.View[uint32](rt.Bytes(of.Data))
			for i := range x {
				x[i] = r.Uint32()
			}
		}
		ints := func(of algorithms.Matrix[float32]) algorithms.Matrix[int32] {
			return algorithms.Matrix[int32]{Data: rt.View[int32](rt.Bytes(of.Data)), Offset: of.Offset, Batch: of.Batch,
				Rows: of.Rows, Cols: of.Cols}
		}
		a, b := matrixOf[float32](r, batch, m, k, orders[r.IntN(4)]),
			matrixOf[float32](r, batch, k, n, orders[r.IntN(4)])
		c := matrixOf[float32](r, batch, m, n, orders[r.IntN(4)])
		bits(a)
		bits(b)
		want := ints(c)
		want.Data = append([]int32(nil), want.Data...)
		if err := algorithms.MatMulInt32(env, env.Gemm.Int32, c, a, b); err != nil {
			t.Fatal(err)
		}
		if err := algorithms.MatMul(nil, want, ints(a), ints(b)); err != nil {
			t.Fatal(err)
		}
		codetest.SameElements(t, fmt.Sprintf("%d × %d × %d × %d", batch, m, n, k), ints(c).Data, want.Data)
	})
}
