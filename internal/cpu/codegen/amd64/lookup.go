package amd64

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Loads with lookups have three forms. If the indices are the same at all points of a call, as in slices or rows, the
// caller adds their offsets to the address. Otherwise the code gathers; if it cannot, the caller copies the elements to
// a tile.

// callerLookup is a lookup by the caller: of an index in memory.
type callerLookup struct {
	access        int // of the index
	t             dtype.Type
	limit, stride int64
}

// callerLookups returns the lookups of a load that the caller performs, nil if there are none. Accesses are those of
// the instructions of the kernel.
func callerLookups(k *kernel.Kernel, p *plan.Plan, accesses []int, in *kernel.Instr, access int) []callerLookup {
	if in.Op != kernel.Load || len(in.At.Lookups) == 0 || len(in.At.Guards) > 0 {
		return nil
	}
	var out []callerLookup
	varies := false
	for _, l := range in.At.Lookups {
		from := &k.Body.Instrs[l.Index]
		if from.Op != kernel.Load || !from.At.IsAffine() {
			return nil
		}
		out = append(out, callerLookup{accesses[l.Index], from.Type, l.Limit, l.Stride})
		varies = varies || p.Accesses[accesses[l.Index]].Kind != plan.Broadcast
	}
	if varies && p.Accesses[access].Kind == plan.Broadcast && gatherUnsupported(in, k.Body.Instrs) == "" {
		return nil
	}
	return out
}

// isUniform reports whether lookups are the same at all points of a call.
func isUniform(p *plan.Plan, lookups []callerLookup) bool {
	for _, l := range lookups {
		if p.Accesses[l.access].Kind != plan.Broadcast {
			return false
		}
	}
	return true
}

// areInvariant reports whether lookups are the same at all points of the kernel.
func areInvariant(p *plan.Plan, lookups ...[]callerLookup) bool {
	moves := func(stride int64) bool { return stride != 0 }
	for _, l := range slices.Concat(lookups...) {
		a := &p.Accesses[l.access]
		if slices.ContainsFunc(a.Vec, moves) || slices.ContainsFunc(a.Seq, moves) {
			return false
		}
	}
	return true
}

// accessesOf returns the access in the plan of each instruction, -1 for instructions without one.
func accessesOf(k *kernel.Kernel) []int {
	out := make([]int, len(k.Body.Instrs))
	next := 0
	for i := range k.Body.Instrs {
		out[i] = -1
		if at := k.Body.Instrs[i].At; at != nil {
			out[i] = next
			next += 1 + len(at.Guards)
		}
	}
	return out
}

// lookupOffset returns the offset of the lookups of an access at point v, in elements.
func (c *Code) lookupOffset(i int, v int64, m *Scratch) int64 {
	sum := int64(0)
	for _, l := range c.lookups[i] {
		at := unsafe.Add(m.params[c.Accesses[l.access].Param], c.offsetOf(l.access, v, m)*int64(l.t.Size()))
		sum += indexAt(l.t, at, l.limit) * l.stride
	}
	return sum
}

// indexAt returns the index at an address, clamped to the range from 0 to limit.
func indexAt(t dtype.Type, at unsafe.Pointer, limit int64) int64 {
	switch t.Size() {
	case 1:
		if t.IsUnsigned() {
			return clamp(*(*uint8)(at), limit)
		}
		return clamp(*(*int8)(at), limit)
	case 2:
		if t.IsUnsigned() {
			return clamp(*(*uint16)(at), limit)
		}
		return clamp(*(*int16)(at), limit)
	case 4:
		if t.IsUnsigned() {
			return clamp(*(*uint32)(at), limit)
		}
		return clamp(*(*int32)(at), limit)
	}
	if t.IsUnsigned() {
		return clamp(*(*uint64)(at), limit)
	}
	return clamp(*(*int64)(at), limit)
}

// anyInt is the type of an index in memory.
type anyInt interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// clamp clamps x to the range from 0 to limit.
func clamp[T anyInt](x T, limit int64) int64 {
	switch {
	case x < 0:
		return 0
	case uint64(x) > uint64(limit):
		return limit
	}
	return int64(x)
}

// isTileInvariant reports whether all tiles of a chunk have the same elements of an access.
func (c *Code) isTileInvariant(i int) bool {
	same := c.IsTileInvariant(&c.Accesses[i]) && c.guarded[i] == nil
	for _, l := range c.lookups[i] {
		same = same && c.IsTileInvariant(&c.Accesses[l.access])
	}
	return same
}

// gatherTile gathers the elements of an access with lookups at n points from v on into its tile: run by run if the
// indices are constant along the innermost dimension, else one by one.
func (c *Code) gatherTile(i int, v, n int64, params []unsafe.Pointer, m *Scratch) {
	if len(m.offsets) < plan.TileElems {
		m.offsets = make([]int64, plan.TileElems)
	}
	inRuns := c.hasConstantRuns(i)
	offsets := m.offsets[:0] // of each element, or of each run
	c.walk(i, v, n, m, func(_, off, stride, run int64) {
		if inRuns {
			run = 1
		}
		for range run {
			offsets = append(offsets, off)
			off += stride
		}
	})
	for _, l := range c.lookups[i] {
		base, rest := params[c.Accesses[l.access].Param], offsets
		c.walk(l.access, v, n, m, func(_, off, stride, run int64) {
			if inRuns {
				run = 1
			}
			l.addOffsets(rest[:run], base, off, stride)
			rest = rest[run:]
		})
	}
	from, size := params[c.Accesses[i].Param], int64(c.addressing[i].size)
	tile := unsafe.Pointer(&m.tile[c.tileOffsets[i]])
	if inRuns {
		c.walk(i, v, n, m, func(j, _, stride, run int64) {
			copyRun(unsafe.Add(tile, j*size), unsafe.Add(from, offsets[0]*size), size, size, stride*size, run)
			offsets = offsets[1:]
		})
		return
	}
	rt.BySize(int(size), gatherAt[uint8], gatherAt[uint16], gatherAt[uint32], gatherAt[uint64], gatherAt[rt.Block16])(
		tile, from, offsets)
}

func (c *Code) hasConstantRuns(i int) bool {
	if c.Vec.Dims[len(c.Vec.Dims)-1] < minRun {
		return false
	}
	for _, l := range c.lookups[i] {
		if c.Accesses[l.access].Inner != 0 {
			return false
		}
	}
	return true
}

// addOffsets adds the offsets of the lookup to offsets; its indices start at element off of base, stride elements
// apart.
func (l *callerLookup) addOffsets(offsets []int64, base unsafe.Pointer, off, stride int64) {
	switch l.t {
	case dtype.S32:
		addIndexOffsets[int32](l, offsets, base, off, stride)
	case dtype.S64:
		addIndexOffsets[int64](l, offsets, base, off, stride)
	default:
		size := int64(l.t.Size())
		for k := range offsets {
			offsets[k] += indexAt(l.t, unsafe.Add(base, (off+int64(k)*stride)*size), l.limit) * l.stride
		}
	}
}

func addIndexOffsets[T anyInt](l *callerLookup, offsets []int64, base unsafe.Pointer, off, stride int64) {
	size := int64(unsafe.Sizeof(T(0)))
	for k := range offsets {
		offsets[k] += clamp(*(*T)(unsafe.Add(base, (off+int64(k)*stride)*size)), l.limit) * l.stride
	}
}

func gatherAt[T any](tile, from unsafe.Pointer, offsets []int64) {
	var z T
	for j, at := range offsets {
		*(*T)(unsafe.Add(tile, j*int(unsafe.Sizeof(z)))) = *(*T)(unsafe.Add(from, at*int64(unsafe.Sizeof(z))))
	}
}

// lookup gathers elements by clamped indices: from a table of an expansion, or from an operand with a uniform base.
func (s *selector) lookup(in *kernel.Instr, access int) []operand {
	if why := gatherUnsupported(in, s.instrs); why != "" {
		return s.unsupported("%s", why)
	}
	size, step := in.Type.Size(), int64(1)
	if in.Type == dtype.C128 { // offsets count parts
		size, step = 8, 2
	}
	t := dtype.S32
	if size == 8 {
		t = dtype.S64
	}
	var index []operand
	for i := range in.At.Lookups {
		l := &in.At.Lookups[i]
		it := s.instrs[l.Index].Register()
		x := s.convert(it, t, s.each(s.numParts(it), func(p int) operand {
			return s.clampIndex(it, l, s.values[l.Index][p])
		}))
		if by := l.Stride * step; by != 1 {
			each := s.each(len(x), func(int) operand { return s.number(elemBytes(t), uint64(by)) })
			x = s.intOp(&kernel.Instr{Op: kernel.Mul, Type: t}, t, x, each)
		}
		if i > 0 {
			x = s.intOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, index, x)
		}
		index = x
	}
	if access < 0 {
		s.emit(asm.LEA, s.general(scratchReg), s.memory(s.a.Const(s.tables[in.At.Param]).Sized(0)))
	} else {
		s.emit(asm.MOV, s.general(scratchReg), s.argMem(argAddresses+8*access))
	}
	if size < 4 {
		return s.gatherNarrow(in, scratchReg, index[0])
	}
	op := bySize(size, asm.VPGATHERDD, asm.VPGATHERQQ)
	n := len(index)
	x := s.each(n*int(step), func(p int) operand {
		return s.gatherTo(op, p%n, size, scratchReg, 0, index[p%n], size, p/n*8)
	})
	if in.Type == dtype.C64 {
		return s.deinterleave(x)
	}
	return x
}

// gatherUnsupported returns why the code cannot gather the elements of a load with a uniform base and indices among
// instrs; "" if it can.
func gatherUnsupported(in *kernel.Instr, instrs []kernel.Instr) string {
	size := in.Type.Size()
	reach := int64(0) // largest offset from the base
	for _, l := range in.At.Lookups {
		it := instrs[l.Index].Register()
		if it.Size() < 4 || kernel.NeedsRound(in.Type) && size == 1 && !isFloat8(in.Type) {
			return fmt.Sprintf("lookups of %s by %s", in.Type, it)
		}
		if size <= 4 && (l.Stride < 0 || l.Limit > math.MaxInt32 || l.Stride > math.MaxInt32 ||
			l.Limit*l.Stride > math.MaxInt32/4-reach) {
			return "lookups with large offsets"
		}
		reach += l.Limit * l.Stride
	}
	if (reach+1)*int64(size) < 4 {
		return fmt.Sprintf("lookups of too few %s", in.Type)
	}
	return ""
}

// gatherNarrow gathers elements of one or two bytes, for which there is no instruction: it loads the four bytes that
// start with each element, or the last four bytes in bounds.
func (s *selector) gatherNarrow(in *kernel.Instr, base asm.Reg, index operand) []operand {
	size, t := in.Type.Size(), in.Type
	last := int64(size - 4)
	for i := range in.At.Lookups {
		last += in.At.Lookups[i].Limit * in.At.Lookups[i].Stride * int64(size)
	}
	if size == 2 {
		index = s.to(asm.VPADDD, index, index)
	}
	from := s.to(asm.VPMINUD, index, s.number(4, uint64(last)))
	bits := s.to(asm.VPSLLD, s.to(asm.VPSUBD, index, from), imm(3))
	x := s.to(asm.VPSRLVD, s.gatherTo(asm.VPGATHERDD, 0, 4, base, 0, from, 1, 0), bits)
	switch {
	case t == dtype.Bool:
		return []operand{s.compareInts(kernel.NE, dtype.U32, s.wrap(dtype.U8, x), s.number(4, 0))}
	case isFloat8(t):
		return s.fromNarrowBits(t, s.wrap(dtype.U8, x))
	case hasNarrowBits(t):
		return s.fromNarrowBits(t, x)
	}
	return []operand{s.wrap(t, x)}
}

// clampIndex clamps an index to the range of a lookup, unless it is known to be in range.
func (s *selector) clampIndex(t dtype.Type, l *kernel.Lookup, x operand) operand {
	if in := &s.instrs[l.Index]; in.Op == kernel.And {
		if c := &s.instrs[in.Args[1]]; c.Op == kernel.Const && c.Bits[0] <= uint64(l.Limit) {
			return x
		}
	}
	if t.IsSigned() {
		x = s.minMaxInt(kernel.Max, t, x, s.number(elemBytes(t), 0))
	}
	return s.minMaxInt(kernel.Min, t, x, s.number(elemBytes(t), uint64(l.Limit)))
}
