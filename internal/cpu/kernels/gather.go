package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// GatherRows copies rows of n elements: row i of dst is row index[i] of src, with
// indices clamped to the rows that src has, as StableHLO's gather wants them.
func GatherRows[T any, I int32 | int64 | uint32](env *rt.Env, dst, src []T, n int, index []I) {
	rows := 0
	if n > 0 {
		rows = len(src) / n
	}
	if rows == 0 || len(index) == 0 {
		return
	}
	g := &rowGather[T, I]{dst: dst, src: src, index: index, n: n, rows: rows, perChunk: max(1, copyChunk/n)}
	if len(index)*n < copySmall {
		env = nil
	}
	env.Run(blocks(len(index), g.perChunk), g)
}

type rowGather[T any, I int32 | int64 | uint32] struct {
	dst, src          []T
	index             []I
	n, rows, perChunk int
}

func (g *rowGather[T, I]) Do(_, chunk int) {
	n := g.n
	first := chunk * g.perChunk
	last := min(first+g.perChunk, len(g.index))
	if n == 1 {
		for i, r := range g.index[first:last] {
			g.dst[first+i] = g.src[max(0, min(int64(r), int64(g.rows-1)))]
		}
		return
	}
	for i := first; i < last; i++ {
		r := int(max(0, min(int64(g.index[i]), int64(g.rows-1))))
		copy(g.dst[i*n:(i+1)*n], g.src[r*n:(r+1)*n])
	}
}
