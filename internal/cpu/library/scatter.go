package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// scatter combines the windows of updates into the operands one after another, in the order of the indices. Elements
// outside of the operand are dropped.
type scatter struct {
	gatherPlan
	n        int   // operands
	sizes    []int // bytes of an element of each
	box      box   // a window, in elements
	size     []int64
	dst, src []int64   // its strides
	clipped  []clipped // by component of an index
	index    []int64   // strides of the indices over the batch dimensions
	update   []int64   // strides of the updates over them
	combine  combiner  // nil for a body that is not one operation
	elements elementCombiner
	tier     tierCombine // the operation of a tier's step
	body     *codegen.Body
	perChunk int64
}

// clipped describes the clipping of a window along one component of an index.
type clipped struct {
	dim    int64 // size of the operand along it
	window int64
	along  int // dimension of the box along it, -1 for none
}

func makeScatter(call *program.Call, bodies []*codegen.Body) (Func, error) {
	s := newScatter(call)
	s.body = bodies[0]
	if s.tier.like == nil && s.isRowByRow() {
		s.packNarrow(call.Bodies[0], call.Op.Operands[0].Tensor().DType())
	}
	return s.run, nil
}

// newScatter returns the scatter of a call, without its compiled body.
func newScatter(call *program.Call) *scatter {
	op := call.Op
	n := len(op.Operands) / 2
	in, ix, upd := op.Operands[0].Tensor(), op.Operands[n].Tensor(), op.Operands[n+1].Tensor()
	d := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	s := &scatter{n: n}

	// The window along each operand dimension.
	window := make([]int64, in.Rank())
	ost, ust := strides(in.Dims), strides(upd.Dims)
	w := 0
	along := make([]int, len(window))
	for i := range window {
		window[i], along[i] = 1, -1
		if slices.Contains(d.InsertedWindowDims, int64(i)) || slices.Contains(d.InputBatchingDims, int64(i)) {
			continue
		}
		u := d.UpdateWindowDims[w]
		w++
		window[i], along[i] = upd.Dims[u], len(s.size)
		s.size, s.dst, s.src = append(s.size, window[i]), append(s.dst, ost[i]), append(s.src, ust[u])
	}
	for i := range upd.Dims {
		if !slices.Contains(d.UpdateWindowDims, int64(i)) {
			s.update = append(s.update, ust[i])
		}
	}
	s.gatherPlan = newGatherPlan(ix, in.Dims, window, d.IndexVectorDim, d.ScatterDimsToOperandDims, d.InputBatchingDims,
		d.ScatterIndicesBatching)
	for _, i := range d.ScatterDimsToOperandDims {
		s.clipped = append(s.clipped, clipped{in.Dims[i], window[i], along[i]})
	}
	s.index = s.indexStrides(ix, d.IndexVectorDim)
	s.bases.flatten(&s.index, &s.update, &s.batching)
	for i := range n {
		s.sizes = append(s.sizes, op.Operands[i].Tensor().DType().Size())
	}
	s.box = newBox(s.size, s.dst, s.src, s.sizes[0])
	s.perChunk = s.gatherPlan.perChunk(&s.box)
	if n == 1 {
		s.combine, s.elements = newCombiner(call.Bodies[0], in.DType()), newElementCombiner(call.Bodies[0], in.DType())
		s.tier, _ = newTierCombine(call.Bodies[0], in.DType())
	}
	return s
}

func (s *scatter) run(env *rt.Env, ins, outs [][]byte) error {
	for i := range s.n {
		if len(outs[i]) > 0 && unsafe.SliceData(outs[i]) != unsafe.SliceData(ins[i]) {
			copy(outs[i], ins[i])
		}
	}
	if s.box.empty() || s.count == 0 {
		return nil
	}
	if s.isRowByRow() {
		s.runRows(env, ins, outs)
		return nil
	}
	var c *codegen.Application
	if s.combine == nil {
		c = s.body.Begin(ins)
		defer c.End()
	}
	for lo := int64(0); lo < s.count; lo += s.perChunk { // in order, on one worker
		env.CheckCancel()
		hi := min(lo+s.perChunk, s.count)
		if len(s.bases.dims) > 1 {
			s.bases.eachBetween(lo, hi, func(_ int64, at []int64) {
				s.combineWindow(env, c, ins, outs, at[0], at[1], at[2])
			}, s.index, s.update, s.batching)
			continue
		}
		var ix, upd, batch int64 // strides of the batch dimension
		if len(s.bases.dims) == 1 {
			ix, upd, batch = s.index[0], s.update[0], s.batching[0]
		}
		for i := lo; i < hi; i++ {
			s.combineWindow(env, c, ins, outs, i*ix, i*upd, i*batch)
		}
	}
	return nil
}

// hasUnclippedWindows reports whether every window is completely inside the operand or outside.
func (s *scatter) hasUnclippedWindows() bool {
	return !slices.ContainsFunc(s.clipped, func(c clipped) bool { return c.along >= 0 })
}

// combineWindow combines a window: at is the offset of its index, from that of its first update, and to that of the
// operand without the index.
func (s *scatter) combineWindow(env *rt.Env, c *codegen.Application, ins, outs [][]byte, at, from, to int64) {
	start, inside := to, true
	for k := range s.operand {
		i := index(s.t, ins[s.n], int(at+int64(k)*s.stride))
		inside = inside && i >= 0 && i <= s.limit[k]
		start += i * s.operand[k]
	}
	if inside {
		s.combineBox(env, c, &s.box, ins, outs, start, from)
		return
	}
	part := windowParts.get()
	defer windowParts.put(part)
	if dst, src, ok := s.clip(part, ins, at); ok {
		s.combineBox(env, c, &part.box, ins, outs, to+dst, from+src)
	}
}

// windowPart is the part of a window inside the operand.
type windowPart struct {
	size []int64
	box  box
}

var windowParts freeList[windowPart]

// clip sets part to the part inside the operand of the window with its index at at, and returns its offsets; ok is
// false if it is empty.
func (s *scatter) clip(part *windowPart, ins [][]byte, at int64) (dst, src int64, ok bool) {
	for k, c := range s.clipped {
		if i := index(s.t, ins[s.n], int(at+int64(k)*s.stride)); i <= -c.window || i >= c.dim {
			return 0, 0, false
		}
	}
	part.size = append(part.size[:0], s.size...)
	size := part.size
	for k, c := range s.clipped {
		i := index(s.t, ins[s.n], int(at+int64(k)*s.stride))
		skip := max(-i, 0)
		if skip > 0 || c.window > c.dim-i {
			size[c.along] = min(c.window, c.dim-i) - skip
		}
		dst += (i + skip) * s.operand[k]
		if skip > 0 {
			src += skip * s.src[c.along]
		}
	}
	part.box.set(size, s.dst, s.src, s.box.elem)
	return dst, src, true
}

// combineBox combines the elements of a box.
func (s *scatter) combineBox(env *rt.Env, c *codegen.Application, b *box, ins, outs [][]byte, dst, src int64) {
	if c == nil {
		b.combine(s.combine, addr(outs[0], dst, b.elem), addr(ins[2], src, b.elem))
		return
	}
	b.runs(dst, src, func(dst, src int64) {
		for i, size := range s.sizes {
			to := addr(outs[i], dst, size)
			c.Arg(i, to)
			c.Arg(s.n+i, addr(ins[s.n+1+i], src, size))
			c.Result(i, to)
		}
		env.CheckCancel()
		c.Apply(int(b.run))
	})
}

// combine combines the box at src with that at dst, run by run.
func (b *box) combine(f combiner, dst, src unsafe.Pointer) {
	if len(b.size) == 0 {
		f(dst, src, int(b.run))
		return
	}
	b.combineLevel(0, f, dst, src)
}

func (b *box) combineLevel(d int, f combiner, dst, src unsafe.Pointer) {
	if d == len(b.size) {
		f(dst, src, int(b.run))
		return
	}
	for i := range int(b.size[d]) {
		b.combineLevel(d+1, f, unsafe.Add(dst, i*int(b.dst[d])*b.elem), unsafe.Add(src, i*int(b.src[d])*b.elem))
	}
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
