package kernels

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Reduce sets each element of dst, which is dense with the sizes of out, to init
// combined with the elements of src under it. Out and over are the dimensions of src
// that stay and that are reduced.
//
// The elements of a reduction, counted in row-major order of over, are cut into blocks
// of 2048; each is folded in 8 lanes as [Monoid.Fold] says; then neighbouring blocks
// are combined in pairs, the results in pairs again, a last odd one moving up as it
// is. So the order, and with it every bit of the result, depends on the number of
// elements alone, not on strides or axes.
func Reduce[T any](env *rt.Env, dst []T, src View[T], out, over Dims, m Monoid[T], init T) error {
	outs, n := out.Size(), over.Size()
	if outs == 0 {
		return nil
	}
	if n == 0 {
		fill1(dst[:outs], init)
		return nil
	}
	r := &reduction[T]{src: src, out: out.collapse(), over: over.collapse(), m: m, outs: outs, n: n, blocks: blocks(n, FoldBlock)}
	r.partial = dst[:outs]
	if r.blocks > 1 {
		buf, err := env.Scratch(r.blocks * outs * sizeOf[T]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		r.partial = rt.View[T](buf)
	}
	r.plan()
	if r.perWorker > 0 {
		buf, err := env.Scratch(r.perWorker * env.Workers())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		r.scratch = buf
	}
	inner := env
	if outs*n < 1<<15 {
		inner = nil
	}
	inner.Run(blocks(r.blocks*r.tiles, r.perChunk), r)
	r.pairs(env)
	copy(dst, r.partial[:outs])
	inits := make([]T, min(outs, columnTile))
	fill1(inits, init)
	for i := 0; i < outs; i += len(inits) {
		m.Into(dst[i:min(outs, i+len(inits))], inits)
	}
	return nil
}

func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// columnTile is how many neighbouring results are folded together when the data under
// them lie side by side: their lanes fit the first-level cache, and the piece of a row
// is worth the jump to the next.
const columnTile = 256

// reduction is one Reduce. partial holds the folded blocks: element (block, out).
type reduction[T any] struct {
	src       View[T]
	out, over Dims
	m         Monoid[T]
	outs, n   int
	partial   []T

	blocks   int
	tiles    int // units of results
	perChunk int
	stride   int // of over, when it has one
	affine   bool
	columns  Dim  // the innermost of out
	sideways bool // fold columns side by side
	level    int  // of the tree, when pairing

	scratch   []byte
	perWorker int // bytes
}

// plan decides between folding along memory and folding columns side by side.
func (r *reduction[T]) plan() {
	r.stride, r.affine = r.over.affine()
	r.tiles, r.columns = r.outs, Dim{1, 1}
	if k := len(r.out); k > 0 {
		r.columns = r.out[k-1]
	}
	if abs(r.columns.Stride) == 1 && r.columns.Size > 1 && !(r.affine && r.stride == 1) {
		r.sideways = true
		r.tiles = r.outs / r.columns.Size * blocks(r.columns.Size, columnTile)
	}
	switch table := min(r.n, FoldBlock) * sizeOf[int](); {
	case r.sideways:
		r.perWorker = roundUp(table, rt.Align) + roundUp(8*columnTile*sizeOf[T](), rt.Align)
	case !(r.affine && r.stride == 1):
		r.perWorker = roundUp(table, rt.Align) + roundUp(min(r.n, FoldBlock)*sizeOf[T](), rt.Align)
	}
	work := min(r.n, FoldBlock) * blocks(r.outs, r.tiles)
	r.perChunk = max(1, 1<<15/work)
}

// tables returns a worker's scratch memory: offsets and elements.
func (r *reduction[T]) tables(worker int) ([]int, []T) {
	b := r.scratch[worker*r.perWorker:][:r.perWorker]
	table := min(r.n, FoldBlock) * sizeOf[int]()
	return rt.View[int](b[:table]), rt.View[T](b[roundUp(table, rt.Align):])
}

func (r *reduction[T]) Do(worker, chunk int) {
	if r.level > 0 {
		r.pair(chunk)
		return
	}
	for u := chunk * r.perChunk; u < min((chunk+1)*r.perChunk, r.blocks*r.tiles); u++ {
		block, tile := u%r.blocks, u/r.blocks
		n := min(FoldBlock, r.n-block*FoldBlock)
		if r.sideways {
			r.foldColumns(worker, tile, block, n)
		} else {
			r.partial[block*r.outs+tile] = r.foldOne(worker, r.src.Offset+r.out.at(tile), block*FoldBlock, n)
		}
	}
}

// foldOne folds n elements from the first-th on, of the result at base.
func (r *reduction[T]) foldOne(worker, base, first, n int) T {
	if r.affine && r.stride == 1 {
		at := base + first
		return r.m.Fold(r.src.Data[at : at+n])
	}
	offsets, buf := r.tables(worker)
	if inner := r.over[len(r.over)-1]; inner.Stride == 1 {
		for i := 0; i < n; { // whole runs
			j := (first + i) % inner.Size
			run := min(n-i, inner.Size-j)
			at := base + r.over.at(first+i)
			copy(buf[i:i+run], r.src.Data[at:])
			i += run
		}
		return r.m.Fold(buf[:n])
	}
	r.over.offsets(offsets[:n], first)
	for i, o := range offsets[:n] {
		buf[i] = r.src.Data[base+o]
	}
	return r.m.Fold(buf[:n])
}

// foldColumns folds n rows of a tile of neighbouring columns: each column as Fold
// would, row i into lane i mod 8.
func (r *reduction[T]) foldColumns(worker, tile, block, n int) {
	perRow := blocks(r.columns.Size, columnTile)
	col := tile % perRow * columnTile
	width := min(columnTile, r.columns.Size-col)
	first := tile/perRow*r.columns.Size + col
	base := r.src.Offset + r.out.at(first)
	reversed := r.columns.Stride < 0
	if reversed {
		base -= width - 1
	}

	offsets, lanes := r.tables(worker)
	fill1(lanes[:8*width], r.m.Identity())
	r.over.offsets(offsets[:n], block*FoldBlock)
	for i, o := range offsets[:n] {
		lane := lanes[i&7*width:][:width]
		r.m.Into(lane, r.src.Data[base+o:][:width])
	}
	for half := 4; half > 0; half /= 2 {
		r.m.Into(lanes[:half*width], lanes[half*width:2*half*width])
	}
	dst := r.partial[block*r.outs+first:][:width]
	copy(dst, lanes[:width])
	if reversed {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			dst[i], dst[j] = dst[j], dst[i]
		}
	}
}

// pairs combines the blocks in a tree: at each level, blocks that are 2^level apart.
func (r *reduction[T]) pairs(env *rt.Env) {
	for r.level = 1; r.blocks > 1<<(r.level-1); r.level++ {
		pairs := (r.blocks - 1 + 1<<(r.level-1)) >> r.level
		inner := env
		if pairs*r.outs < 1<<15 {
			inner = nil
		}
		inner.Run(pairs, r)
	}
}

func (r *reduction[T]) pair(i int) {
	a := i << r.level * r.outs
	b := a + 1<<(r.level-1)*r.outs
	r.m.Into(r.partial[a:a+r.outs], r.partial[b:b+r.outs])
}
