package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var offsetBlocks freeList[[offsetsBlock]int]

// isRowByRow reports whether windows can be combined row by row, one row of all windows before the next: every window
// is completely inside the operand or outside, so that no element is in two rows.
func (s *scatter) isRowByRow() bool {
	d := s.bases.dims
	return s.combine != nil && s.hasUnclippedWindows() && (len(d) <= 1 || d[len(d)-1] >= minOffsetBatch) &&
		(s.t == dtype.S32 || s.t == dtype.S64)
}

// tierCombine is the operation of a scatter for a tier's step.
type tierCombine struct {
	op   rt.CombineOp
	like any
}

// combineOp returns the scatter operation of a body.
func combineOp(of kernel.Op) (op rt.CombineOp, ok bool) {
	switch of {
	case kernel.Add:
		return rt.CombineSum, true
	case kernel.Mul:
		return rt.CombineProd, true
	case kernel.Max:
		return rt.CombineMax, true
	case kernel.Min:
		return rt.CombineMin, true
	}
	return 0, false
}

// newTierCombine returns the operation of a body; ok is false if no tier has it.
func newTierCombine(body *program.Body, t dtype.Type) (row tierCombine, ok bool) {
	if body.Args != 2 {
		return row, false
	}
	if body.IsSecond() {
		switch t.Size() {
		case 4:
			return tierCombine{rt.CombineSet, uint32(0)}, true
		case 8:
			return tierCombine{rt.CombineSet, uint64(0)}, true
		}
		return row, false
	}
	if row.op, ok = combineOp(body.Kind); !ok {
		return row, false
	}
	switch t {
	case dtype.F32:
		row.like = float32(0)
	case dtype.F64:
		row.like = float64(0)
	case dtype.C64:
		row.like = complex64(0)
	case dtype.S32:
		row.like = int32(0)
	case dtype.U32:
		row.like = uint32(0)
	case dtype.S64:
		row.like = int64(0)
	case dtype.U64:
		row.like = uint64(0)
	case dtype.F16:
		row.like = rt.Float16(0)
	case dtype.BF16:
		row.like = rt.BFloat16(0)
	default:
		return row, false
	}
	return row, true
}

// packNarrow packs narrow elements to elements of four bytes, which tiers update at once, if all rows consist of these.
func (s *scatter) packNarrow(body *program.Body, t dtype.Type) {
	n := int64(4 / max(t.Size(), 1))
	row := tierCombine{op: rt.CombineSet, like: uint32(0)}
	if !body.IsSecond() {
		var pack rt.CombinePack
		switch t {
		case dtype.S8:
			pack = rt.CombineS8
		case dtype.U8:
			pack = rt.CombineU8
		case dtype.S16:
			pack = rt.CombineS16
		case dtype.U16:
			pack = rt.CombineU16
		default:
			return
		}
		op, ok := combineOp(body.Kind)
		if !ok {
			return
		}
		row = tierCombine{op, pack}
	}
	if n < 2 || s.box.run%n != 0 {
		return
	}
	steps := [][]int64{s.box.dst, s.box.src, s.operand, s.batching, s.update}
	for _, list := range steps {
		if slices.ContainsFunc(list, func(step int64) bool { return step%n != 0 }) {
			return
		}
	}
	for _, list := range steps {
		for i := range list {
			list[i] /= n
		}
	}
	s.box.run, s.box.elem, s.tier, s.elements = s.box.run/n, 4, row, nil
	narrow := s.combine
	s.combine = func(dst, src unsafe.Pointer, count int) { narrow(dst, src, count*int(n)) }
}

// rowScatter is a row-by-row execution of a scatter. Its chunks are rows, or parts of them: one worker updates an
// element, in the order of the windows.
type rowScatter struct {
	*scatter
	env     *rt.Env
	step    rt.CombineStep // nil: plain Go
	indices []byte
	updates []byte
	out     []byte
	rows    int64 // of a window
	group   int64 // rows of a chunk
	cols    int64 // elements of a row in a chunk
	parts   int64 // parts of a row
}

var rowScatters freeList[rowScatter]

// runRows combines all windows.
func (s *scatter) runRows(env *rt.Env, ins, outs [][]byte) {
	t := rowScatters.get()
	defer rowScatters.put(t)
	*t = rowScatter{scatter: s, env: env, indices: ins[1], updates: ins[2], out: outs[0],
		rows: space{s.box.size}.size(), cols: s.box.run, parts: 1}
	defer func() { *t = rowScatter{} }()
	if env != nil && env.Combines != nil && s.tier.like != nil {
		t.step = env.Combines.Step(s.tier.op, s.tier.like)
	}
	row := s.count * s.box.run
	t.group = min(max(1, windowElems/max(row, 1)), t.rows)
	if workers := int64(env.Workers()); t.group == 1 && row > windowElems && t.rows < workers {
		line := int64(rowBytes / s.box.elem)
		t.cols = min(t.cols, max(line, ((t.cols+workers-1)/workers+line-1)/line*line))
		t.parts = (s.box.run + t.cols - 1) / t.cols
	}
	env.Run(int((t.rows+t.group-1)/t.group*t.parts), t)
	env.CheckCancel()
}

// Do combines the part of all windows that belongs to a chunk.
func (t *rowScatter) Do(_ rt.Worker, number int) {
	chunk := int64(number)
	first, from := chunk/t.parts*t.group, chunk%t.parts*t.cols
	r := columnRange{first, min(first+t.group, t.rows), from, min(t.cols, t.box.run-from)}
	block := offsetBlocks.get()
	defer offsetBlocks.put(block)
	n := len(t.bases.dims) - 1
	if n < 0 {
		t.combineBatch(block, &r, windowBatch{count: int(t.count)}, []int64{0, 0, 0})
		return
	}
	b := windowBatch{int(t.bases.dims[n]), int(t.index[n]), int(t.update[n]), int(t.batching[n])}
	space{t.bases.dims[:n]}.eachBetween(0, t.count/t.bases.dims[n], func(_ int64, at []int64) {
		t.combineBatch(block, &r, b, at)
	}, t.index[:n], t.update[:n], t.batching[:n])
}

// columnRange is the part of each window that belongs to a chunk: columns of a range of rows.
type columnRange struct{ firstRow, lastRow, firstCol, cols int64 }

// windowBatch is the windows along the last batch dimension, with their strides.
type windowBatch struct{ count, index, update, operand int }

// combineBatch combines the part of a batch of windows that belongs to a chunk; begin has the offsets of its indices,
// updates and operand.
func (t *rowScatter) combineBatch(block *[offsetsBlock]int, r *columnRange, b windowBatch, begin []int64) {
	dst, src := begin[2]+r.firstCol, begin[1]+r.firstCol
	maxCount := int(min(offsetsBlock, max(1, windowElems/r.cols)))
	for lo := 0; lo < b.count; lo += maxCount {
		t.env.CheckCancel()
		at := block[:min(b.count-lo, maxCount)]
		t.findOffsets(at, t.indices[int(begin[0])*t.t.Size():], lo, b.index, b.operand)
		if len(t.box.size) == 0 {
			t.combineAt(at, lo, b.update, dst, src, int(r.cols))
			continue
		}
		space{t.box.size}.eachBetween(r.firstRow, r.lastRow, func(_ int64, off []int64) {
			t.combineAt(at, lo, b.update, dst+off[0], src+off[1], int(r.cols))
		}, t.box.dst, t.box.src)
	}
}

// combineAt combines columns of a row of windows from number lo on; dst and src are the offsets in the first window of
// the operand and of the updates.
func (t *rowScatter) combineAt(at []int, lo, upd int, dst, src int64, cols int) {
	size := t.box.elem
	// Plain Go converts float16 and bfloat16 slowly.
	byStep := t.step != nil && (size == 2 || upd == 1 && len(at) >= minElementRows)
	if cols == 1 && t.elements != nil && !byStep {
		t.elements(t.out[int(dst)*size:], t.updates[int(src)*size:], at, lo, upd)
		return
	}
	to, from := addr(t.out, dst, size), addr(t.updates, src+int64(lo*upd), size)
	if t.step != nil {
		t.step.Rows(to, from, at, upd, cols)
		return
	}
	for i, offset := range at {
		if offset >= 0 {
			t.combine(unsafe.Add(to, offset*size), unsafe.Add(from, i*upd*size), cols)
		}
	}
}

// findOffsets sets at to the offsets in the operand of the windows from number lo on, -1 for those outside; ix and
// batch are their strides in the indices and in the operand.
func (t *rowScatter) findOffsets(at []int, indices []byte, lo, ix, batch int) {
	moves := batch != 0 || len(t.operand) == 0
	if moves {
		for i := range at {
			at[i] = (lo + i) * batch
		}
	}
	for k := range t.operand {
		from, stride, limit := lo*ix+k*int(t.stride), int(t.operand[k]), int(t.limit[k])
		n := t.tierOffsets(k, at, addr(indices, int64(from), t.t.Size()), ix, moves)
		switch {
		case n == len(at):
		case t.t == dtype.S32:
			findOffsetsFrom(at[n:], rt.View[int32](indices)[from+n*ix:], ix, stride, limit, moves)
		default:
			findOffsetsFrom(at[n:], rt.View[int64](indices)[from+n*ix:], ix, stride, limit, moves)
		}
		moves = true
	}
}

func findOffsetsFrom[I int32 | int64](at []int, indices []I, step, stride, limit int, moves bool) {
	if moves {
		addOffsets(at, indices, step, stride, limit)
	} else {
		firstOffsets(at, indices, step, stride, limit)
	}
}

// tierOffsets computes a component of the indices by the tier's code, as far as supported, and returns the number of
// offsets done.
func (t *rowScatter) tierOffsets(k int, at []int, indices unsafe.Pointer, ix int, moves bool) int {
	if t.env == nil || t.env.Combines == nil {
		return 0
	}
	return t.env.Combines.Offsets(at, indices, t.t.Size(), ix, int(t.operand[k]), int(t.limit[k]), moves)
}
