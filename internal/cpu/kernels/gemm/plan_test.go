package gemm

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// wideStep is a step with the tile of AVX-512.
type wideStep struct{ rt.BlockStep[float32] }

func (wideStep) Tile() (rows, cols, depth int) { return 8, 48, 1 }

// TestBlocksOfFullTiles: blocks have full tiles except at the edges of the product, and products of few columns are cut
// by rows, so that all workers have work.
func TestBlocksOfFullTiles(t *testing.T) {
	for _, c := range []struct{ m, n, rows, cols int }{
		{256, 256, 32, 256}, {512, 512, 128, 288}, {1024, 1024, 128, 288}, {2048, 2048, 128, 288}, {32, 128, 16, 96},
		{8, 1000, 8, 96}, {64, 32, 32, 32}, {1, 2048, 1, 288},
	} {
		g := newProduct[float32]()
		dense := func(m, n int) Matrix[float32] {
			return Matrix[float32]{Data: make([]float32, m*n), Rows: Dims{{m, n}}, Cols: Dims{{n, 1}}}
		}
		g.setOperands(dense(c.m, c.n), dense(c.m, 8), dense(8, c.n))
		g.step = wideStep{}
		g.plan(nil)
		if g.rows != c.rows || g.cols != c.cols {
			t.Errorf("%d × %d: blocks of %d × %d, want %d × %d", c.m, c.n, g.rows, g.cols, c.rows, c.cols)
		}
		if c.n > g.cols && g.cols%48 != 0 {
			t.Errorf("%d × %d: blocks of %d columns, not of full tiles", c.m, c.n, g.cols)
		}
		g.release()
	}
}
