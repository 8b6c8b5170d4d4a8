package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// packing counts the packed blocks of columns.
type packing struct {
	goStep[float32]
	columns *atomic.Int32
}

func (p packing) PackCols(dst, src []float32, ls, ks, lines, depth int) {
	p.columns.Add(1)
	p.goStep.PackCols(dst, src, ls, ks, lines, depth)
}

// A prepacked product has the bits of a normal one, for any left operand, and packs its right one once; after its end
// the right operand may change.
func TestPrepackedMatMul(t *testing.T) {
	for _, c := range []struct {
		batch, m, k, n int
		once           bool // the packed operand fits
	}{
		{1, 32, 128, 128, true},
		{1, 40, 300, 600, true},
		{3, 16, 20, 24, true},
		{1, 9, 900, 1000, false},
		{1, 1, 64, 64, true}, // packs nothing
		{2, 5, 0, 7, true},
		{0, 5, 6, 7, true},
	} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%dx%dx%dx%d by %d", c.batch, c.m, c.k, c.n, workers), func(t *testing.T) {
				packs := &atomic.Int32{}
				env := kit.NewEnv(t, workers)
				env.Gemm = rt.GemmSteps{F32: packing{columns: packs}}
				r := rand.New(rand.NewPCG(1, 2))
				matrix := func(rows, cols int) Matrix[float32] {
					return Matrix[float32]{Data: kit.Fill(r, make([]float32, c.batch*rows*cols)),
						Batch: Dims{{c.batch, rows * cols}}, Rows: Dims{{rows, cols}}, Cols: Dims{{cols, 1}}}
				}
				var p PrepackedMatMul[float32]
				for range 2 {
					b := matrix(c.k, c.n)
					first := int32(0)
					for trip := range 4 {
						a, got, want := matrix(c.m, c.k), matrix(c.m, c.n), matrix(c.m, c.n)
						if err := p.Run(env, got, a, b); err != nil {
							t.Fatal(err)
						}
						if trip == 0 {
							first = packs.Load()
						} else if again := packs.Load() - first; workers == 1 && (again == 0) != c.once {
							t.Errorf("trip %d: %d blocks of columns packed again", trip, again)
						}
						before := packs.Load()
						if err := MatMul(env, want, a, b); err != nil {
							t.Fatal(err)
						}
						packs.Store(before)
						if !slices.Equal(got.Data, want.Data) {
							t.Fatalf("trip %d: the bits differ", trip)
						}
					}
					p.End()
					p.End() // ends nothing
					kit.CheckFreed(t, env)
				}
			})
		}
	}
}
