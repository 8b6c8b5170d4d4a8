package amd64

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// accessMode is how code addresses the elements of an access.
type accessMode uint8

const (
	accessUnused     accessMode = iota // no instruction uses the elements
	accessContiguous                   // contiguous in memory
	accessBroadcast                    // one element for all lanes
	accessGathered                     // strided, loaded by gathers or spans
	accessIota                         // an iota that the code computes
	accessStaged                       // copied to and from a contiguous tile by the caller
	accessTransposed                   // transposed into a tile by the caller
)

// addressing is the mode of an access with its parameters.
type addressing struct {
	mode   accessMode
	reg    asm.Reg // holds the address; 0: the address is only in the arguments
	stride int64   // from element to element: of a gather in bytes, of an iota in units
	size   int     // bytes of an element in memory
	spans  []span  // of a gather: the loads that replace it
}

// The byte offsets of the arguments of a call.
const (
	argCount     = 0  // elements
	argDone      = 8  // out: elements that have been computed
	argAddresses = 16 // addresses of the accesses; first values of iotas
	argStrides   = argAddresses + 8*maxAccesses
)

// maxAccesses bounds the accesses of a kernel.
const maxAccesses = 64

// Registers with a fixed purpose. RDI points to the arguments, RSI to the spill slots.
var (
	remaining   = asm.RAX // number of elements
	elemIndex   = asm.RCX // index of the current element
	scratchReg  = asm.RDX
	pointerRegs = []asm.Reg{asm.RBX, asm.RBP, asm.GP(8), asm.GP(9), asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13),
		asm.GP(14), asm.GP(15)}
)

// chooseAddressing chooses the addressing of the accesses of a kernel.
func chooseAddressing(w target.Width, k *kernel.Kernel, l *lowered, p *plan.Plan, lanes int) ([]addressing, error) {
	if len(p.Accesses) > maxAccesses {
		return nil, target.Unsupported("%d accesses", len(p.Accesses))
	}
	out := make([]addressing, len(p.Accesses))
	next := pointerRegs
	if p.Form != plan.Map {
		next = next[:len(next)-reduceRegs]
	}
	for i := range l.instrs {
		in, acc := &l.instrs[i], l.access[i]
		if acc < 0 || !l.used[i] {
			continue
		}
		out[acc] = addressingOf(in.Op == kernel.Index, in.Type, &p.Accesses[acc], p, lanes)
		if w == target.V256 && p.Form != plan.Map && out[acc].mode == accessContiguous && out[acc].size < 4 &&
			runLength(p) < int64(lanes) {
			out[acc].mode = accessStaged // there are no partial loads and stores, only overlapping ones
		}
		if out[acc].mode == accessGathered {
			out[acc].spans = spansOf(w, out[acc].size, p.Accesses[acc].Inner)
		}
		if len(in.At.Guards) > 0 || in.Op == kernel.Index && len(in.At.Lookups) > 0 {
			return nil, target.Unsupported("guards")
		}
		if len(in.At.Lookups) > 0 && out[acc].mode != accessBroadcast {
			return nil, target.Unsupported("lookups of %s", in.Type)
		}
		// Reductions take several rows per call.
		if l.guarded[acc] != nil || !isUniform(p, l.lookups[acc]) ||
			p.Form != plan.Map && !areInvariant(p, l.lookups[acc]) {
			out[acc].mode = accessStaged
		}
	}
	for i := range k.Stores {
		if len(k.Stores[i].At.Lookups) > 0 {
			return nil, target.Unsupported("stores with lookups")
		}
		a := &out[p.Stores+i]
		*a = addressingOf(false, k.Stores[i].Type, &p.Accesses[p.Stores+i], p, lanes)
		if a.mode != accessContiguous || w == target.V256 && p.Form != plan.Map && a.size < 4 &&
			runLength(p) < int64(lanes) {
			a.mode = accessStaged // a single element as well: it belongs to the only point
		}
	}
	assign := func(routes ...accessMode) {
		for i := range out {
			if len(next) > 0 && out[i].reg == 0 && slices.Contains(routes, out[i].mode) {
				out[i].reg, next = next[0], next[1:]
			}
		}
	}
	assign(accessGathered) // the loop advances these addresses
	assign(accessContiguous, accessStaged, accessTransposed)
	return out, nil
}

// runLength returns the length of the contiguous runs of a contiguous access.
func runLength(p *plan.Plan) int64 {
	if p.RowTiles {
		return p.Vec.Dims[len(p.Vec.Dims)-1]
	}
	return p.Vec.Size
}

func addressingOf(isIndex bool, t dtype.Type, a *plan.Access, p *plan.Plan, lanes int) addressing {
	out := addressing{mode: accessContiguous, size: t.Size()}
	// The offsets of a gather, also of an unrolled one, are integers of 32 bits.
	const maxStride = math.MaxInt32 / 64
	switch {
	case isIndex && (p.RowTiles || a.Kind != plan.Strided) && fitsIota(t, a, p):
		out.mode, out.stride = accessIota, a.Inner
		if a.Kind == plan.Broadcast {
			out.stride = 0
		}
	case isIndex:
		out.mode = accessStaged
	case a.Kind == plan.Contiguous:
	case a.Kind == plan.Broadcast:
		out.mode = accessBroadcast
	case isTransposed(a, p, t.Size()):
		out.mode = accessTransposed
	case isAcrossRows(a, p):
		out.mode = accessStaged
	case p.RowTiles && t.Size() >= 4 && t != dtype.Bool && max(a.Inner, -a.Inner) < maxStride/int64(t.Size()):
		out.mode, out.stride = accessGathered, a.Inner*int64(t.Size())
	default:
		out.mode = accessStaged
	}
	return out
}

// fitsIota reports whether vector code can compute an iota: of integers, or of F32 and F64 with magnitudes below 2^30.
func fitsIota(t dtype.Type, a *plan.Access, p *plan.Plan) bool {
	if t.IsInteger() {
		return a.Inner == int64(int32(a.Inner))
	}
	lo, hi := float64(a.Offset), float64(a.Offset)
	for i, s := range append(a.Vec[:len(a.Vec):len(a.Vec)], a.Seq...) {
		n := float64(append(p.Vec.Dims[:len(p.Vec.Dims):len(p.Vec.Dims)], p.Seq.Dims...)[i])
		if reach := float64(s) * n; reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return (t == dtype.F32 || t == dtype.F64) && lo > -1<<30 && hi < 1<<30
}

// argMem returns an argument as a memory operand.
func (b *instBuffer) argMem(offset int) operand { return b.memory(asm.Mem(asm.RDI, offset)) }

// addressOf returns the register with the address of an access. It loads the address if no register is assigned.
func (s *selector) addressOf(access int) asm.Reg {
	if r := s.addressing[access].reg; r != 0 {
		return r
	}
	s.emit(asm.MOV, s.general(scratchReg), s.argMem(argAddresses+8*access))
	return scratchReg
}

// memOf returns part p of an access in a copy of the body as a memory operand.
func (s *selector) memOf(access, copyNum, offset int) operand {
	pl := &s.addressing[access]
	disp := copyNum*s.lanes*pl.size + offset + s.reduceOffset(access)
	if s.rowUniform != nil { // the address advances from row to row
		return s.memory(asm.Mem(s.addressOf(access), disp))
	}
	return s.memory(asm.MemIndex(s.addressOf(access), elemIndex, pl.size, disp))
}

// reduceOffset returns the byte offset of the current term of a reduction from the first one.
func (s *selector) reduceOffset(access int) int {
	if s.reduceOffsets == nil {
		return 0
	}
	return s.reduceOffsets[access]
}

// load emits the load of an access.
func (s *selector) load(t dtype.Type, access, copyNum int) []operand {
	switch r := s.addressing[access].mode; {
	case t == dtype.C64:
		return s.deinterleave(s.load(dtype.U64, access, copyNum))
	case t == dtype.C128 && r != accessBroadcast && r != accessGathered:
		return s.loadComplex128(access, copyNum)
	}
	switch s.addressing[access].mode {
	case accessBroadcast:
		return s.loadBroadcast(t, access)
	case accessGathered:
		return s.gather(t, access, copyNum)
	}
	vector := s.w.VectorBytes()
	switch {
	case t.Size() == 8:
		return s.each(s.numParts(t), func(p int) operand {
			return s.loadWide(8, p, s.memOf(access, copyNum, p*vector))
		})
	case t == dtype.F16:
		return []operand{s.loadNarrow(asm.VCVTPH2PS, access, copyNum)}
	case t == dtype.BF16:
		return s.fromNarrowBits(t, s.loadNarrow(asm.VPMOVZXWD, access, copyNum))
	case isFloat8(t):
		return s.fromNarrowBits(t, s.loadNarrow(asm.VPMOVZXBD, access, copyNum))
	case t == dtype.Bool:
		bytes := s.loadNarrow(asm.VPMOVZXBD, access, copyNum)
		return []operand{s.compareInts(kernel.NE, dtype.U32, bytes, s.number(4, 0))}
	case t.IsFloat() && t != dtype.F32:
		return s.unsupported("load of %s", t)
	case t.Size() == 4:
		return []operand{s.loadWide(4, 0, s.memOf(access, copyNum, 0))}
	}
	op := []asm.Op{asm.VPMOVZXBD, asm.VPMOVSXBD, asm.VPMOVZXWD, asm.VPMOVSXWD}
	i := 2 * (t.Size() - 1)
	if t.IsSigned() {
		i++
	}
	x := s.loadNarrow(op[i], access, copyNum)
	if t.Bits() < 8 {
		x = s.wrap(t, x)
	}
	return []operand{x}
}

// loadTo emits a load to lanes of elem bytes; in a tail, only of the elements that exist.
func (s *selector) loadTo(elem, part int, op asm.Op, m operand) operand {
	d := s.vector()
	if s.inTail && s.isWide() {
		class, full := s.tailClass(elem, part)
		s.emit(op, d.as(class), m)
		if last := &s.insts[len(s.insts)-1]; !full {
			last.mask, last.zero = s.tailMask(elem, part), true
		}
		return d
	}
	return s.emit(op, d, m)
}

// loadNarrow emits a load of contiguous elements of one or two bytes, which it extends to four.
func (s *selector) loadNarrow(op asm.Op, access, copyNum int) operand {
	if !s.isOverlapping(access) {
		return s.loadTo(4, 0, op, s.memOf(access, copyNum, 0))
	}
	return s.to(op, s.loadOverlapping(access, copyNum).as(asm.XMM))
}

// tailClass returns the class of the smallest register that holds the elements of a tail, 0 for a full vector, and
// whether they fill it. Full accesses would touch more cache lines.
func (s *selector) tailClass(elem, part int) (class asm.Class, full bool) {
	if s.tailCount == 0 {
		return 0, false
	}
	switch n := elem * s.tailElems(elem, part); {
	case n <= 16:
		return asm.XMM, n == 16
	case n <= 32:
		return asm.YMM, n == 32
	default:
		return 0, n >= s.w.VectorBytes()
	}
}

// tailElems returns the number of elements of a part of vectors in a tail of known length.
func (s *selector) tailElems(elem, part int) int {
	maxElems := s.w.VectorBytes() / elem
	return min(max(s.tailCount-part*maxElems, 0), maxElems)
}

// loadWide emits a load of elements of 4 or 8 bytes.
func (s *selector) loadWide(elem, part int, m operand) operand {
	if s.inTail && !s.isWide() {
		return s.to(bySize(elem, asm.VMASKMOVPS, asm.VMASKMOVPD), s.tailMask(elem, part), m)
	}
	return s.loadTo(elem, part, bySize(elem, asm.VMOVUPS, asm.VMOVUPD), m)
}

// tailMask returns the mask of the elements of a part in a tail, in vectors with lanes of elem bytes.
func (s *selector) tailMask(elem, part int) operand {
	switch {
	case !s.isWide() && elem*s.lanes > s.w.VectorBytes():
		return s.tailMasks[1+part]
	case !s.isWide():
		return s.tailMasks[0]
	case part == 0:
		return s.general(asm.K(tailMask))
	}
	return s.general(asm.K(tailMaskHigh))
}

// loadBroadcast loads one element of an access into all lanes.
func (s *selector) loadBroadcast(t dtype.Type, access int) []operand {
	return s.broadcastFrom(t, asm.Mem(s.addressOf(access), s.reduceOffset(access)))
}

// broadcastFrom loads the element in memory into all lanes.
func (s *selector) broadcastFrom(t dtype.Type, at asm.Arg) []operand {
	m := s.memory(at)
	all := func(x operand) []operand { return s.each(s.numParts(t), func(int) operand { return x }) }
	switch {
	case t == dtype.C128:
		return s.broadcastComplex128(at)
	case t.Size() == 8:
		return all(s.to(asm.VBROADCASTSD, m))
	case t.Size() == 4:
		return all(s.to(asm.VBROADCASTSS, m))
	case t.IsFloat() && !hasNarrowBits(t):
		return s.unsupported("load of %s", t)
	}
	// Narrow elements go through a general register.
	low := s.general(asm.GP32(scratchReg.Num()))
	switch {
	case t.Size() == 2 && t.IsSigned():
		s.emit(asm.MOVSX, low, s.memory(at.Sized(2)))
	case t.Size() == 2:
		s.emit(asm.MOVZX, low, s.memory(at.Sized(2)))
	case t.IsSigned():
		s.emit(asm.MOVSX, low, s.memory(at.Sized(1)))
	default:
		s.emit(asm.MOVZX, low, s.memory(at.Sized(1)))
	}
	x := s.broadcastReg(low)
	switch {
	case t == dtype.Bool:
		return []operand{s.compareInts(kernel.NE, dtype.U32, x, s.number(4, 0))}
	case hasNarrowBits(t):
		return s.fromNarrowBits(t, x)
	case t.Bits() < 8:
		return []operand{s.wrap(t, x)}
	}
	return []operand{x}
}

// broadcastReg copies the lower half of a general register to all lanes.
func (s *selector) broadcastReg(low operand) operand {
	x := s.vector()
	s.emit(asm.VMOVD, x.as(asm.XMM), low)
	return s.to(asm.VPBROADCASTD, x.as(asm.XMM))
}

// strideOffsets returns the byte offsets of the elements of a gather, one vector of 4-byte lanes per part. The stride
// is an argument, since tails may be staged with another one.
func (s *selector) strideOffsets(access int) []operand {
	b := s.vector()
	s.emit(asm.VPBROADCASTD, b, s.argMem(argStrides+8*access))
	v := s.to(asm.VPMULLD, b, s.iota(4))
	if s.addressing[access].size >= 8 && s.lanes*8 > s.w.VectorBytes() {
		half := s.halves(v)
		return []operand{{reg: half[0].reg}, {reg: half[1].reg}}
	}
	return []operand{v}
}

// iota returns the vector 0, 1, 2, … with lanes of elem bytes.
func (s *selector) iota(elem int) operand {
	bytes := s.vector()
	data := make([]byte, 16)
	for i := range data {
		data[i] = byte(i)
	}
	op := asm.VPMOVZXBD
	if elem == 8 {
		op = asm.VPMOVZXBQ
	}
	s.emit(op, bytes, s.memory(s.a.Const(data).Sized(0)))
	return bytes
}

// gather loads strided elements.
func (s *selector) gather(t dtype.Type, access, copyNum int) []operand {
	if s.addressing[access].spans != nil && !s.inTail {
		return s.each(s.numParts(t), func(p int) operand { return s.loadSpans(t.Size(), p, access, copyNum) })
	}
	base := s.addressOf(access)
	disp := copyNum * s.lanes * int(s.addressing[access].stride)
	offsets := s.offsets[access]
	if len(offsets) == 0 {
		offsets = s.strideOffsets(access)
	}
	if t.Size() == 4 {
		return []operand{s.gatherTo(asm.VPGATHERDD, 0, 4, base, 0, offsets[0], 1, disp)}
	}
	parts := len(offsets) // the imaginary parts follow
	return s.each(s.numParts(t), func(p int) operand {
		return s.gatherTo(asm.VPGATHERDQ, p%parts, 8, base, s.half(), offsets[p%parts], 1, disp+p/parts*8)
	})
}

// gatherTo emits a gather of the elements at base + index·scale + disp.
func (s *selector) gatherTo(op asm.Op, part, elem int, base asm.Reg, class asm.Class, index operand, scale,
	disp int) operand {
	zero := s.number(4, 0)
	d := s.copy(zero)
	m := s.memory(asm.MemIndex(base, asm.X(0), scale, disp))
	m.reg, m.class = index.reg, class
	if s.isWide() {
		mask := s.mask()
		if s.inTail {
			s.emit(asm.KMOVW, mask, s.tailMask(elem, part))
		} else {
			s.emit(asm.KXNORW, mask, s.general(asm.K(0)), s.general(asm.K(0)))
		}
		s.merge(mask, op, d, m)
	} else {
		mask := s.number(4, 1<<32-1)
		if s.inTail {
			mask = s.tailMask(elem, part)
		}
		s.update(op, d, m, s.copy(mask))
	}
	s.insts[len(s.insts)-1].clobbersMask = true
	return d
}

// iotaValues emits the values of an index operation.
func (s *selector) iotaValues(in *kernel.Instr, access int) []operand {
	pl := &s.addressing[access]
	if pl.mode == accessStaged {
		return s.load(in.Type, access, 0)
	}
	t := in.Register()
	if elemBytes(t) == 8 && t.IsInteger() {
		return s.each(s.numParts(t), func(p int) operand {
			b := s.vector()
			s.emit(asm.VPBROADCASTQ, b, s.argMem(argAddresses+8*access))
			return s.addReduceOffset(asm.VPADDQ, s.to(asm.VPADDQ, b, s.offsets[access][p]), access, 8)
		})
	}
	b := s.vector()
	s.emit(asm.VPBROADCASTD, b, s.argMem(argAddresses+8*access))
	x := s.addReduceOffset(asm.VPADDD, s.to(asm.VPADDD, b, s.offsets[access][0]), access, 4)
	switch {
	case t == dtype.F64:
		return s.intToF64(dtype.S32, x)
	case t == dtype.F32:
		return []operand{s.to(asm.VCVTDQ2PS, x)}
	}
	return []operand{s.wrap(t, x)}
}

// addReduceOffset adds the offset of the current term of a reduction to iota values.
func (s *selector) addReduceOffset(add asm.Op, x operand, access, elem int) operand {
	if by := s.reduceOffset(access); by != 0 {
		return s.to(add, x, s.number(elem, uint64(by)))
	}
	return x
}

// store emits the store of a value.
func (s *selector) store(i, copyNum int) {
	st := &s.stores[i]
	access := s.p.Stores + i
	x := s.values[st.Value]
	vector := s.w.VectorBytes()
	put := func(part int, op asm.Op, v operand, offset int) {
		size := st.Type.Size()
		if s.tailCount > 0 && s.inTail && s.tailElems(max(size, 4), part) == 0 {
			return
		}
		if s.inTail && !s.isWide() && size >= 4 {
			op = bySize(size, asm.VMASKMOVPS, asm.VMASKMOVPD)
			s.emit(op, s.memOf(access, copyNum, offset), s.tailMask(size, part), v)
			return
		}
		if s.isOverlapping(access) {
			s.storeOverlapping(access, copyNum, v)
			return
		}
		if s.streamsTo(access) && size >= 4 {
			op = bySize(size, asm.VMOVNTPS, asm.VMOVNTPD)
		}
		if s.inTail && s.isWide() {
			s.storeTail(op, s.memOf(access, copyNum, offset), v, max(size, 4), part)
			return
		}
		s.emit(op, s.memOf(access, copyNum, offset), v)
	}
	switch t := st.Type; {
	case t == dtype.Bool:
		s.storeBools(put, x[0])
	case t == dtype.C128:
		s.storeComplex128(access, copyNum, x)
	case t.Size() == 8:
		if t == dtype.C64 {
			x = s.interleave(x)
		}
		for p := range x {
			put(p, asm.VMOVUPD, x[p], p*vector)
		}
	case t.Size() == 4:
		put(0, asm.VMOVUPS, x[0], 0)
	case t == dtype.F16:
		const toEven = 0
		switch {
		case s.inTail && s.isWide():
			s.storeTail(asm.VCVTPS2PH, s.memOf(access, copyNum, 0), x[0], 4, 0, imm(toEven))
			return
		case s.inTail:
			put(0, asm.VMOVUPS, s.emit(asm.VCVTPS2PH, s.vector().as(s.half()), x[0], imm(toEven)), 0)
			return
		}
		s.emit(asm.VCVTPS2PH, s.memOf(access, copyNum, 0), x[0], imm(toEven))
	case t == dtype.BF16:
		bits := s.bf16Bits(st.Value, x[0])
		if s.isWide() {
			s.storeWords(put, bits)
		} else {
			put(0, asm.VMOVUPS, s.packWords(bits), 0)
		}
	case isFloat8(t):
		v := x[0]
		if !s.isOf(t, st.Value) {
			v = s.roundFloat8(t, v)
		}
		s.storeBytes(put, s.float8Bits(t, v))
	case t.IsFloat():
		s.unsupported("store of %s", t)
	case t.Size() == 2:
		s.storeWords(put, x[0])
	default:
		s.storeBytes(put, x[0])
	}
}

// storeTail emits a store of the elements of a tail, with lanes of elem bytes.
func (s *selector) storeTail(op asm.Op, m, x operand, elem, part int, more ...operand) {
	class, full := s.tailClass(elem, part)
	if class != 0 {
		x = x.as(class)
	}
	s.emit(op, m, append([]operand{x}, more...)...)
	if !full {
		s.insts[len(s.insts)-1].mask = s.tailMask(elem, part)
	}
}

// streamsTo reports whether the stores of an access bypass the caches.
func (s *selector) streamsTo(access int) bool {
	return s.streams && s.p.Accesses[access].Streamed && !s.inTail
}

// storeWords stores the lower 16 bits of each 4-byte lane.
func (s *selector) storeWords(put func(int, asm.Op, operand, int), x operand) {
	if s.isWide() {
		put(0, asm.VPMOVDW, x, 0)
		return
	}
	put(0, asm.VMOVUPS, s.lowWords(x), 0)
}

// lowWords packs the lower 16 bits of each 4-byte lane into half a vector.
func (s *selector) lowWords(x operand) operand {
	if s.isWide() {
		return s.emit(asm.VPMOVDW, s.vector().as(s.half()), x)
	}
	return s.packWords(s.and(x, s.number(4, 1<<16-1)))
}

// packWords is lowWords for lanes whose upper halves are 0.
func (s *selector) packWords(x operand) operand {
	packed := s.to(asm.VPACKUSDW, x, x)
	const evenPairs = 0xd8
	return s.to(asm.VPERMQ, packed, imm(evenPairs)).as(asm.XMM)
}

// storeBytes stores the lowest byte of each 4-byte lane.
func (s *selector) storeBytes(put func(int, asm.Op, operand, int), x operand) {
	if s.isWide() {
		put(0, asm.VPMOVDB, x, 0)
		return
	}
	low := s.and(x, s.number(4, 1<<8-1))
	packed := s.to(asm.VPACKUSDW, low, low)
	const evenPairs = 0xd8
	words := s.to(asm.VPERMQ, packed, imm(evenPairs))
	put(0, asm.VMOVQ, s.to(asm.VPACKUSWB, words, words).as(asm.XMM), 0)
}

// storeBools stores bytes of 1 and 0.
func (s *selector) storeBools(put func(int, asm.Op, operand, int), mask operand) {
	one := s.number(4, 1)
	s.storeBytes(put, s.blend(dtype.U32, mask, one, s.number(4, 0)))
}
