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

// kernel emits a kernel point by point, or leaves it to the fallback tier.
func (s *scalarAssembler) kernel(n *scalarKernel) error {
	insts, known := len(s.insts), slices.Clone(s.known)
	s.lowered = lower(n.k, plan.Of(n.k), true)
	if len(s.bailOuts) > 0 && n.k.NumElems() != 1 {
		return s.fallbackNode(n)
	}
	s.points(n)
	if s.err != nil {
		s.err, s.insts, s.known = nil, s.insts[:insts], known
		return s.fallbackNode(n)
	}
	s.ops += len(s.instrs) * int(n.k.NumElems())
	if len(s.bailOuts) == 0 {
		return nil
	}
	return s.resumeAfter(n)
}

// resumeAfter makes the end of a kernel the resume point after a bail-out.
func (s *scalarAssembler) resumeAfter(n *scalarKernel) error {
	if err := s.flush(); err != nil {
		return err
	}
	code, err := s.fallbackFor(n)
	if err != nil {
		return err
	}
	number, err := s.newExit(code)
	if err != nil {
		return err
	}
	s.coldExits = append(s.coldExits, coldExit{s.bailOutLabel, number})
	if len(s.carried) == 0 {
		s.a.Bind(s.exits[number])
		return nil
	}
	over := s.a.NewLabel()
	s.a.Emit(asm.JMP, over)
	s.a.Bind(s.exits[number])
	if err := s.fetchCarried(); err != nil {
		return err
	}
	s.a.Bind(over)
	return nil
}

// points emits the points of a kernel.
func (s *scalarAssembler) points(n *scalarKernel) {
	index := make([]int64, len(n.k.Dims))
	for range n.k.NumElems() {
		s.point(n, index)
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < n.k.Dims[d] {
				break
			}
			index[d] = 0
		}
	}
}

// point emits a kernel at one point. Stores come last, since an output may alias an input.
func (s *scalarAssembler) point(n *scalarKernel, index []int64) {
	s.values = make([][]operand, len(s.instrs))
	for i := range s.instrs {
		in := &s.instrs[i]
		switch {
		case s.err != nil:
			return
		case !s.used[i]:
		case in.Op == kernel.Load && s.access[i] >= 0:
			s.values[i] = s.loadElement(in.Type, n.bufs[in.At.Param], int(elementOf(in.At, index))*in.Type.Size())
		case in.Op == kernel.Index:
			s.values[i] = s.constValue(indexConst(in.Register(), elementOf(in.At, index)))
		default:
			s.value(i)
		}
	}
	if len(s.bailOuts) > 0 {
		s.jumpToBailOut()
	}
	for i := range s.stores {
		st := &s.stores[i]
		s.storeElement(st.Type, n.bufs[st.At.Param], int(elementOf(&st.At, index))*st.Type.Size(), s.values[st.Value])
	}
}

// elementOf returns the element of an access.
func elementOf(a *kernel.Access, index []int64) int64 {
	at := a.Offset
	for d, stride := range a.Strides {
		at += stride * index[d]
	}
	return at
}

// indexConst returns a number as a constant.
func indexConst(t dtype.Type, x int64) *kernel.Instr {
	in := &kernel.Instr{Op: kernel.Const, Type: t, Bits: [2]uint64{uint64(x)}}
	switch t {
	case dtype.F32:
		in.Bits[0] = uint64(math.Float32bits(float32(x)))
	case dtype.F64:
		in.Bits[0] = math.Float64bits(float64(x))
	}
	return in
}

// divideScalar divides the first elements by the division instruction. It traps for a divisor of 0 and, if signed, may
// trap for -1.
func (s *selector) divideScalar(op kernel.Op, t dtype.Type, x, y operand, known bool) operand {
	e := elemBytes(t)
	zero, one, minus := s.number(e, 0), s.number(e, 1), s.number(e, 1<<(8*e-1)<<1-1)
	divisor := y
	if !known {
		divisor = s.blend(t, s.compareInts(kernel.EQ, t, y, zero), one, y)
		if t.IsSigned() {
			divisor = s.blend(t, s.compareInts(kernel.EQ, t, y, minus), one, divisor)
		}
	}
	class, move := asm.R32, asm.VMOVD
	if e == 8 {
		class, move = asm.R64, asm.VMOVQ
	}
	a, d, by := s.general(asm.RAX.As(class)), s.general(asm.RDX.As(class)), s.general(asm.RCX.As(class))
	s.emit(move, a, x.as(asm.XMM))
	s.emit(move, by, divisor.as(asm.XMM))
	switch {
	case !t.IsSigned():
		s.emit(asm.XOR, d, d)
		s.emit(asm.DIV, by)
	case e == 8:
		s.insts = append(s.insts, inst{op: asm.CQO})
		s.emit(asm.IDIV, by)
	default:
		s.insts = append(s.insts, inst{op: asm.CDQ})
		s.emit(asm.IDIV, by)
	}
	r := s.vector()
	if op == kernel.Rem { // by -1 it is 0, as by 1
		s.emit(move, r.as(asm.XMM), d)
		if known {
			return r
		}
		return s.blend(t, s.compareInts(kernel.EQ, t, y, zero), x, r)
	}
	s.emit(move, r.as(asm.XMM), a)
	if known {
		return s.wrap(t, r)
	}
	if t.IsSigned() {
		r = s.blend(t, s.compareInts(kernel.EQ, t, y, minus), s.to(subOps.of(t), zero, x), r)
	}
	return s.wrap(t, s.blend(t, s.compareInts(kernel.EQ, t, y, zero), minus, r))
}

// isSafeDivisor reports whether a value is a constant by which the instruction never traps.
func (s *selector) isSafeDivisor(t dtype.Type, v kernel.Value) bool {
	c := &s.instrs[v]
	bits := c.Bits[0] << (64 - t.Bits())
	return c.Op == kernel.Const && bits != 0 && !(t.IsSigned() && int64(bits)>>(64-t.Bits()) == -1)
}

// jumpToBailOut exits before the stores if the point takes the slow path.
func (s *scalarAssembler) jumpToBailOut() {
	s.bailOutLabel = s.a.NewLabel()
	mask := s.values[s.bailOuts[0]][0]
	for _, r := range s.bailOuts[1:] {
		mask = s.orMask(mask, s.values[r][0])
	}
	s.boolToScratch(mask)
	s.test(asm.TEST, s.general(asm.GP32(scratchReg.Num())), imm(1))
	s.emit(asm.JNE, s.argOperand(asm.LabelOperand(s.bailOutLabel)))
}

// boolToScratch copies a boolean to the lowest bit of the scratch register.
func (s *scalarAssembler) boolToScratch(mask operand) {
	low := s.general(asm.GP32(scratchReg.Num()))
	if s.isWide() {
		s.emit(asm.KMOVW, low, mask)
	} else {
		s.emit(asm.VMOVD, low, mask.as(asm.XMM))
	}
}

// loadElement returns an element of a buffer.
func (s *scalarAssembler) loadElement(t dtype.Type, buf, offset int) []operand {
	for _, e := range s.known {
		if e.buf == buf && e.offset == offset && e.t == t {
			return e.parts
		}
	}
	x := s.fetch(t, buf, offset)
	s.track(knownElement{buf, offset, t, x})
	return x
}

// fetch loads an element of a buffer from memory.
func (s *scalarAssembler) fetch(t dtype.Type, buf, offset int) []operand {
	switch t {
	case dtype.C64:
		return s.deinterleave(s.broadcastFrom(dtype.U64, s.home(buf, offset)))
	case dtype.C128:
		return s.broadcastComplex128(s.home(buf, offset))
	}
	return s.broadcastFrom(t, s.home(buf, offset))
}

// track records the registers of an element. It replaces elements that overlap and, if there are too many, the oldest.
func (s *scalarAssembler) track(e knownElement) {
	end := e.offset + e.t.Size()
	s.known = slices.DeleteFunc(s.known, func(k knownElement) bool {
		return k.buf == e.buf && k.offset < end && e.offset < k.offset+k.t.Size()
	})
	if len(s.known) == maxKnown {
		s.known = slices.Delete(s.known, 0, 1)
	}
	s.known = append(s.known, e)
}

// storeElement stores a value to a buffer.
func (s *scalarAssembler) storeElement(t dtype.Type, buf, offset int, x []operand) {
	s.storeAt(t, s.home(buf, offset), x)
	s.track(knownElement{buf, offset, t, x})
}

// storeAt emits the store of the first element of a value.
func (s *scalarAssembler) storeAt(t dtype.Type, to asm.Arg, x []operand) {
	v, op, args := x[0], asm.VMOVD, []operand(nil)
	switch first := []operand{imm(0)}; {
	case isFloat8(t):
		v, op, args = s.float8Bits(t, s.roundFloat8(t, v)), asm.VPEXTRB, first
	case t.IsFloat() && t.Size() == 1:
		s.unsupported("store of %s", t)
		return
	case t == dtype.C128:
		v, op, to.Bytes = s.to(asm.VUNPCKLPD, x[0], x[1]), asm.VMOVUPS, 16
	case t == dtype.C64:
		v, op = s.interleave(x)[0], asm.VMOVQ
	case t.Size() == 8:
		op = asm.VMOVQ
	case t.Size() == 4:
	case t == dtype.Bool:
		v, op, args = s.blend(dtype.U32, v, s.number(4, 1), s.number(4, 0)), asm.VPEXTRB, first
	case t == dtype.F16:
		const toEven = 0
		v, op, args = s.emit(asm.VCVTPS2PH, s.vector().as(s.half()), v, imm(toEven)), asm.VPEXTRW, first
	case t == dtype.BF16:
		v, op, args = s.to(asm.VPSRLD, s.addBF16Rounding(v, false), imm(16)), asm.VPEXTRW, first
	case t.Size() == 2:
		op, args = asm.VPEXTRW, first
	default:
		op, args = asm.VPEXTRB, first
	}
	s.emit(op, s.memory(to.Sized(t.Size())), append([]operand{v.as(asm.XMM)}, args...)...)
}

// moves emits simultaneous copies.
func (s *scalarAssembler) moves(n *scalarMoves) error {
	type moved struct {
		knownElement
		to int
	}
	var list []moved
	for _, m := range n.moves {
		for at := 0; at < int(m.Bytes); at += list[len(list)-1].t.Size() {
			if len(list) == maxMovedElems {
				return target.Unsupported("copies of %d bytes", m.Bytes)
			}
			list = append(list, moved{s.movedElement(n, m.From, at, int(m.Bytes)-at), m.To})
		}
	}
	for _, e := range list {
		if n.spill {
			s.emit(asm.MOV, s.general(scratchReg), s.argMem(s.pointer(e.to)))
			s.storeAt(e.t, asm.Mem(scratchReg, e.offset), e.parts)
		} else {
			s.storeElement(e.t, e.to, e.offset, e.parts)
		}
	}
	return nil
}

// movedElement returns an element of a buffer of at most max bytes, whatever its type.
func (s *scalarAssembler) movedElement(n *scalarMoves, buf, offset, maxBytes int) knownElement {
	if !n.fill {
		for _, e := range s.known {
			if e.buf == buf && e.offset == offset && e.t.Size() <= maxBytes {
				return e
			}
		}
	}
	t := dtype.U8
	for _, wider := range []dtype.Type{dtype.U16, dtype.U32, dtype.U64} {
		if wider.Size() <= maxBytes {
			t = wider
		}
	}
	if n.fill {
		s.emit(asm.MOV, s.general(scratchReg), s.argMem(s.pointer(buf)))
		return knownElement{buf, offset, t, s.broadcastFrom(t, asm.Mem(scratchReg, offset))}
	}
	return knownElement{buf, offset, t, s.loadElement(t, buf, offset)}
}
