package scalar

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// kernel emits a kernel point by point, or leaves it to the fallback tier.
func (s *assembler) kernel(n *kernelNode) error {
	insts, known := len(s.Insts), slices.Clone(s.known)
	s.Lowered = compiler.Lower(n.k, plan.Of(n.k), true)
	if len(s.BailOuts) > 0 && n.k.NumElems() != 1 {
		return s.fallbackNode(n)
	}
	s.points(n)
	if s.Err != nil {
		s.Err, s.Insts, s.known = nil, s.Insts[:insts], known
		return s.fallbackNode(n)
	}
	s.ops += len(s.Instrs) * int(n.k.NumElems())
	if len(s.BailOuts) == 0 {
		return nil
	}
	return s.resumeAfter(n)
}

// resumeAfter makes the end of a kernel the resume point after a bail-out.
func (s *assembler) resumeAfter(n *kernelNode) error {
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
		s.Asm.Bind(s.exits[number])
		return nil
	}
	over := s.Asm.NewLabel()
	s.Asm.Emit(asm.JMP, over)
	s.Asm.Bind(s.exits[number])
	if err := s.fetchCarried(); err != nil {
		return err
	}
	s.Asm.Bind(over)
	return nil
}

// points emits the points of a kernel.
func (s *assembler) points(n *kernelNode) {
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
func (s *assembler) point(n *kernelNode, index []int64) {
	s.Values = make([][]regalloc.Operand, len(s.Instrs))
	for i := range s.Instrs {
		in := &s.Instrs[i]
		switch {
		case s.Err != nil:
			return
		case !s.Used[i]:
		case in.Op == kernel.Load && s.Access[i] >= 0:
			s.Values[i] = s.loadElement(in.Type, n.bufs[in.At.Param], int(elementOf(in.At, index))*in.Type.Size())
		case in.Op == kernel.Index:
			s.Values[i] = s.ConstValue(indexConst(in.Register(), elementOf(in.At, index)))
		default:
			s.Value(i)
		}
	}
	if len(s.BailOuts) > 0 {
		s.jumpToBailOut()
	}
	for i := range s.Stores {
		st := &s.Stores[i]
		s.storeElement(st.Type, n.bufs[st.At.Param], int(elementOf(&st.At, index))*st.Type.Size(), s.Values[st.Value])
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

// jumpToBailOut exits before the stores if the point takes the slow path.
func (s *assembler) jumpToBailOut() {
	s.bailOutLabel = s.Asm.NewLabel()
	mask := s.Values[s.BailOuts[0]][0]
	for _, r := range s.BailOuts[1:] {
		mask = s.OrMask(mask, s.Values[r][0])
	}
	s.boolToScratch(mask)
	s.Test(asm.TEST, s.General(asm.GP32(compiler.ScratchReg.Num())), regalloc.Imm(1))
	s.Emit(asm.JNE, s.ArgOperand(asm.LabelOperand(s.bailOutLabel)))
}

// boolToScratch copies a boolean to the lowest bit of the scratch register.
func (s *assembler) boolToScratch(mask regalloc.Operand) {
	low := s.General(asm.GP32(compiler.ScratchReg.Num()))
	if s.IsWide() {
		s.Emit(asm.KMOVW, low, mask)
	} else {
		s.Emit(asm.VMOVD, low, mask.As(asm.XMM))
	}
}

// loadElement returns an element of a buffer.
func (s *assembler) loadElement(t dtype.Type, buf, offset int) []regalloc.Operand {
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
func (s *assembler) fetch(t dtype.Type, buf, offset int) []regalloc.Operand {
	switch t {
	case dtype.C64:
		return s.Deinterleave(s.BroadcastFrom(dtype.U64, s.home(buf, offset)))
	case dtype.C128:
		return s.BroadcastComplex128(s.home(buf, offset))
	}
	return s.BroadcastFrom(t, s.home(buf, offset))
}

// track records the registers of an element. It replaces elements that overlap and, if there are too many, the oldest.
func (s *assembler) track(e knownElement) {
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
func (s *assembler) storeElement(t dtype.Type, buf, offset int, x []regalloc.Operand) {
	s.storeAt(t, s.home(buf, offset), x)
	s.track(knownElement{buf, offset, t, x})
}

// storeAt emits the store of the first element of a value.
func (s *assembler) storeAt(t dtype.Type, to asm.Arg, x []regalloc.Operand) {
	v, op, args := x[0], asm.VMOVD, []regalloc.Operand(nil)
	switch first := []regalloc.Operand{regalloc.Imm(0)}; {
	case compiler.IsFloat8(t):
		v, op, args = s.Float8Bits(t, s.RoundFloat8(t, v)), asm.VPEXTRB, first
	case t.IsFloat() && t.Size() == 1:
		s.Unsupported("store of %s", t)
		return
	case t == dtype.C128:
		v, op, to.Bytes = s.To(asm.VUNPCKLPD, x[0], x[1]), asm.VMOVUPS, 16
	case t == dtype.C64:
		v, op = s.Interleave(x)[0], asm.VMOVQ
	case t.Size() == 8:
		op = asm.VMOVQ
	case t.Size() == 4:
	case t == dtype.Bool:
		v, op, args = s.Blend(dtype.U32, v, s.Number(4, 1), s.Number(4, 0)), asm.VPEXTRB, first
	case t == dtype.F16:
		const toEven = 0
		v, op, args = s.Emit(asm.VCVTPS2PH, s.Vector().As(s.Half()), v, regalloc.Imm(toEven)), asm.VPEXTRW, first
	case t == dtype.BF16:
		v, op, args = s.To(asm.VPSRLD, s.AddBF16Rounding(v, false), regalloc.Imm(16)), asm.VPEXTRW, first
	case t.Size() == 2:
		op, args = asm.VPEXTRW, first
	default:
		op, args = asm.VPEXTRB, first
	}
	s.Emit(op, s.Memory(to.Sized(t.Size())), append([]regalloc.Operand{v.As(asm.XMM)}, args...)...)
}

// moves emits simultaneous copies.
func (s *assembler) moves(n *movesNode) error {
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
			s.Emit(asm.MOV, s.General(compiler.ScratchReg), s.ArgMem(s.pointer(e.to)))
			s.storeAt(e.t, asm.Mem(compiler.ScratchReg, e.offset), e.parts)
		} else {
			s.storeElement(e.t, e.to, e.offset, e.parts)
		}
	}
	return nil
}

// movedElement returns an element of a buffer of at most max bytes, whatever its type.
func (s *assembler) movedElement(n *movesNode, buf, offset, maxBytes int) knownElement {
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
		s.Emit(asm.MOV, s.General(compiler.ScratchReg), s.ArgMem(s.pointer(buf)))
		return knownElement{buf, offset, t, s.BroadcastFrom(t, asm.Mem(compiler.ScratchReg, offset))}
	}
	return knownElement{buf, offset, t, s.loadElement(t, buf, offset)}
}
