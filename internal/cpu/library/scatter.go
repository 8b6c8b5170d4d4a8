package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

func init() { makers[stablehlo.OpScatter] = makeScatter }

// makeScatter compiles scatter: the windows of updates are combined into the
// operand one after another, in the order of the indices. What of a window does
// not lie inside the operand is left out.
func makeScatter(op *stablehlo.Op) (Func, error) {
	n := len(op.Operands) / 2
	in, ix, upd := op.Operands[0].Tensor(), op.Operands[n].Tensor(), op.Operands[n+1].Tensor()
	s := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)

	// The window along each operand dimension.
	window := make([]int64, in.Rank())
	ost, ust := strides(in.Dims), strides(upd.Dims)
	var wsize, wdst, wsrc, batchSrc []int64
	w := 0
	along := make([]int, len(window)) // the dimension of the box along each operand dimension, -1 for none
	for d := range window {
		window[d], along[d] = 1, -1
		if slices.Contains(s.InsertedWindowDims, int64(d)) || slices.Contains(s.InputBatchingDims, int64(d)) {
			continue
		}
		u := s.UpdateWindowDims[w]
		w++
		window[d], along[d] = upd.Dims[u], len(wsize)
		wsize, wdst, wsrc = append(wsize, window[d]), append(wdst, ost[d]), append(wsrc, ust[u])
	}
	for d := range upd.Dims {
		if !slices.Contains(s.UpdateWindowDims, int64(d)) {
			batchSrc = append(batchSrc, ust[d])
		}
	}
	p := newGatherPlan(ix, in.Dims, window, s.IndexVectorDim, s.ScatterDimsToOperandDims, s.InputBatchingDims, s.ScatterIndicesBatching)
	ist := p.indexStrides(ix, s.IndexVectorDim)
	body := op.Regions[0].Block()
	r, err := compileRegion(op)
	if err != nil {
		return nil, err
	}
	sizes := make([]int, n)
	boxes := make([]box, n)
	for i := range n {
		sizes[i] = op.Operands[i].Tensor().DType().Size()
		boxes[i] = newBox(wsize, wdst, wsrc, sizes[i])
	}
	b := boxes[0]
	// clip returns what lies inside the operand of a window that starts somewhere
	// else, and where that part starts; ok is false when nothing does.
	clip := func(start []int64) (part box, off struct{ dst, src int64 }, ok bool) {
		size := slices.Clone(wsize)
		for k, d := range s.ScatterDimsToOperandDims {
			i := start[k]
			if i <= -window[d] || i >= in.Dims[d] {
				return part, off, false
			}
			skip := max(-i, 0)
			if skip > 0 || window[d] > in.Dims[d]-i {
				size[along[d]] = min(window[d], in.Dims[d]-i) - skip
			}
			off.dst += (i + skip) * ost[d]
			if skip > 0 {
				off.src += skip * wsrc[along[d]]
			}
		}
		return newBox(size, wdst, wsrc, b.elem), off, true
	}
	overwrite := n == 1 && len(body.Ops) == 1 && body.Ops[0].Operands[0] == body.Args[1] // return update
	perChunk := p.perChunk(&b)
	return func(env *rt.Env, ins, outs [][]byte) error {
		for i := range n {
			if len(outs[i]) > 0 && unsafe.SliceData(outs[i]) != unsafe.SliceData(ins[i]) {
				copy(outs[i], ins[i])
			}
		}
		if b.empty() {
			return nil
		}
		c := r.begin(ins)
		defer c.end()
		combine := func(b *box, dst, src int64) {
			b.runs(dst, src, func(d, s int64) {
				for i := range n {
					c.arg(i, addr(outs[i], d, sizes[i]))
					c.arg(n+i, addr(ins[n+1+i], s, sizes[i]))
					c.result(i, addr(outs[i], d, sizes[i]))
				}
				env.Check()
				c.apply(int(b.run))
			})
		}
		start := make([]int64, len(p.operand))
		put := func(_ int64, at []int64) {
			dst, inside := at[2], true
			for d := range p.operand {
				start[d] = index(p.t, ins[n], int(at[0]+int64(d)*p.stride))
				inside = inside && start[d] >= 0 && start[d] <= p.limit[d]
				dst += start[d] * p.operand[d]
			}
			switch {
			case !inside:
				if b, off, ok := clip(start); ok {
					combine(&b, at[2]+off.dst, at[1]+off.src)
				}
			case overwrite:
				b.copy(addr(outs[0], dst, b.elem), addr(ins[2], at[1], b.elem))
			default:
				combine(&b, dst, at[1])
			}
		}
		for lo := int64(0); lo < p.count && !env.Cancelled(); lo += perChunk { // in order, on one worker
			p.bases.between(lo, min(lo+perChunk, p.count), put, ist, batchSrc, p.batching)
		}
		return nil
	}, nil
}

// runs calls visit for each contiguous run of the box with the element offsets
// in both arrays.
func (b *box) runs(dst, src int64, visit func(dst, src int64)) { b.visit(0, dst, src, visit) }

func (b *box) visit(d int, dst, src int64, visit func(dst, src int64)) {
	if d == len(b.size) {
		visit(dst, src)
		return
	}
	for range b.size[d] {
		b.visit(d+1, dst, src, visit)
		dst += b.dst[d]
		src += b.src[d]
	}
}
