package library

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// elementLoop returns the loop of a gather of single elements to contiguous results, with indices at a constant stride;
// nil for any other gather.
func (p *gatherPlan) elementLoop(b *box, index, dst []int64) func(g *gather, lo, hi int64) {
	step, ok := lineStep(p.bases.dims, index)
	one, dense := lineStep(p.bases.dims, dst)
	if !ok || !dense || one != 1 || b.run != 1 || len(b.size) > 0 || len(p.operand) == 0 ||
		p.t != dtype.S32 && p.t != dtype.S64 {
		return nil
	}
	switch b.elem {
	case 1:
		return gatherElements[uint8](p, step)
	case 2:
		return gatherElements[uint16](p, step)
	case 4:
		return gatherElements[uint32](p, step)
	case 8:
		return gatherElements[uint64](p, step)
	}
	return nil
}

// lineStep returns the stride of a box in row-major order; ok is false if it is not constant.
func lineStep(dims, strides []int64) (step int64, ok bool) {
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		switch {
		case dims[d] == 1:
			continue
		case n == 1:
			step = strides[d]
		case strides[d] != step*n:
			return 0, false
		}
		n *= dims[d]
	}
	if n == 1 {
		step = 1
	}
	return step, true
}

func gatherElements[T uint8 | uint16 | uint32 | uint64](p *gatherPlan, step int64) func(g *gather, lo, hi int64) {
	if p.t == dtype.S32 {
		return func(g *gather, lo, hi int64) {
			gatherElementRange(g, rt.View[T](g.out), rt.View[int32](g.at), lo, hi, step)
		}
	}
	return func(g *gather, lo, hi int64) {
		gatherElementRange(g, rt.View[T](g.out), rt.View[int64](g.at), lo, hi, step)
	}
}

// gatherElementRange copies the elements lo to hi-1 of the result.
func gatherElementRange[T any, I int32 | int64](g *gather, dst []T, indices []I, lo, hi, step int64) {
	src := rt.View[T](g.src)
	batched := slices.ContainsFunc(g.batching, func(s int64) bool { return s != 0 })
	if len(g.operand) == 1 && !batched {
		limit, stride := g.limit[0], g.operand[0]
		at := indices[lo*step:]
		for k := range dst[lo:hi] {
			dst[lo+int64(k)] = src[min(max(int64(at[int64(k)*step]), 0), limit)*stride]
		}
		return
	}
	block := offsetBlocks.get()
	defer offsetBlocks.put(block)
	for ; lo < hi; lo += offsetsBlock {
		at := block[:min(hi-lo, offsetsBlock)]
		clear(at)
		if batched {
			g.bases.eachBetween(lo, lo+int64(len(at)), func(n int64, off []int64) { at[n-lo] = int(off[0]) },
				g.batching)
		}
		for c, stride := range g.operand {
			addClampedOffsets(at, indices[lo*step+int64(c)*g.stride:], int(step), int(stride), int(g.limit[c]))
		}
		to := dst[lo:][:len(at)]
		for i, from := range at {
			to[i] = src[from]
		}
	}
}

// addClampedOffsets adds the offset of one component of each index, clamped.
func addClampedOffsets[I int32 | int64](at []int, indices []I, step, stride, limit int) {
	for i := range at {
		at[i] += min(max(int(indices[i*step]), 0), limit) * stride
	}
}
