package scalar

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scatter"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// window emits a copy between an array and a part of it, or leaves it to the fallback tier.
func (s *assembler) window(w *codegen.Window) error {
	by := s.combineOp(w)
	runs := max(w.Runs, 1)
	if w.Combine != nil && by == 0 || w.Bytes > maxInlineCopy || runs > 1 && w.Bytes*runs > maxUnrolledCopy ||
		w.ArrayStep*runs > math.MaxInt32 {
		return s.fallbackNode(w)
	}
	if err := s.flush(); err != nil {
		return err
	}
	out := s.Asm.NewLabel()
	s.windowOffset(w, out)
	array, part := asm.RBX, asm.RBP
	s.address(array, w.Array)
	s.Asm.Emit(asm.ADD, array, asm.RAX)
	s.address(part, w.Part)
	if by != 0 {
		s.combine(by, array, part, w.Bytes, w.Elem)
	} else {
		for i := range runs {
			if inArray, inPart := i*w.ArrayStep, i*w.PartStep; w.Store {
				s.copy(array, inArray, part, inPart, w.Bytes)
			} else {
				s.copy(part, inPart, array, inArray, w.Bytes)
			}
		}
	}
	s.Asm.Bind(out)
	s.ops += opsPerFallback
	return nil
}

// combineOp returns the instruction of a window that updates a few elements one at a time; 0 if it is left to the
// fallback tier.
func (s *assembler) combineOp(w *codegen.Window) asm.Op {
	if w.Combine == nil || w.Like == nil || w.Bytes > maxInlineCombine*w.Elem {
		return 0
	}
	return scatter.Instruction(s.Width, w.By, w.Like, w.Elem)
}

// combine emits the update of elements of an array by those of a part, n bytes of them.
func (s *assembler) combine(by asm.Op, array, part asm.Reg, n, size int) {
	move, x, y := target.ByElement(size, asm.VMOVSS, asm.VMOVSD), asm.X(0), asm.X(1)
	for at := 0; at < n; at += size {
		s.Asm.Emit(move, x, asm.Mem(part, at))
		s.Asm.Emit(move, y, asm.Mem(array, at))
		s.Asm.Emit(by, x, y, x)
		s.Asm.Emit(move, asm.Mem(array, at), x)
	}
}

// windowOffset computes the offset of a window in RAX, or jumps to out if the window is skipped.
func (s *assembler) windowOffset(w *codegen.Window, out asm.Label) {
	a := &s.Asm
	sum, index, limit := asm.RAX, asm.RCX, asm.RDX
	a.Emit(asm.XOR, sum, sum)
	for _, i := range w.Indices {
		s.loadIndex(index, i.Type, asm.Mem(asm.RDI, s.code.slots[i.Buf]+i.Offset))
		a.Emit(asm.MOV, limit, asm.Imm(int64(i.Limit)))
		switch {
		case w.Drop: // a negative index is a large unsigned number
			a.Emit(asm.CMP, index, limit)
			a.Emit(asm.JA, out)
		case i.Type.IsUnsigned():
			a.Emit(asm.CMP, index, limit)
			a.Emit(asm.CMOVA, index, limit)
		default:
			zero := asm.RBX
			a.Emit(asm.XOR, zero, zero)
			a.Emit(asm.TEST, index, index)
			a.Emit(asm.CMOVL, index, zero)
			a.Emit(asm.CMP, index, limit)
			a.Emit(asm.CMOVG, index, limit)
		}
		a.Emit(asm.MOV, limit, asm.Imm(int64(i.Stride)))
		a.Emit(asm.IMUL, index, limit)
		a.Emit(asm.ADD, sum, index)
	}
}

// loadIndex loads an integer into a 64-bit register.
func (s *assembler) loadIndex(to asm.Reg, t dtype.Type, at asm.Arg) {
	op := asm.MOV
	switch at = at.Sized(t.Size()); {
	case t.Size() == 8:
	case t == dtype.U32:
		to = to.As(asm.R32)
	case t.IsUnsigned():
		op = asm.MOVZX
	case t == dtype.S32:
		op = asm.MOVSXD
	default:
		op = asm.MOVSX
	}
	s.Asm.Emit(op, to, at)
}

// address loads the address of a buffer into a general register.
func (s *assembler) address(to asm.Reg, buf int) {
	if slot, ok := s.code.slots[buf]; ok {
		s.Asm.Emit(asm.LEA, to, asm.Mem(asm.RDI, slot))
	} else {
		s.Asm.Emit(asm.MOV, to, asm.Mem(asm.RDI, s.pointer(buf)))
	}
}

// copy emits a copy between disjoint ranges.
func (s *assembler) copy(to asm.Reg, toAt int, from asm.Reg, fromAt, n int) {
	at := 0
	if n > maxUnrolledCopy { // the index starts at 0
		at = n &^ 63
		top, index := s.Asm.NewLabel(), asm.RCX
		s.Asm.Emit(asm.XOR, asm.GP32(index.Num()), asm.GP32(index.Num()))
		s.Asm.Align(16)
		s.Asm.Bind(top)
		for half := range 2 {
			s.Asm.Emit(asm.VMOVUPS, asm.Y(half), asm.MemIndex(from, index, 1, fromAt+32*half))
		}
		for half := range 2 {
			s.Asm.Emit(asm.VMOVUPS, asm.MemIndex(to, index, 1, toAt+32*half), asm.Y(half))
		}
		s.Asm.Emit(asm.ADD, index, asm.Imm(64))
		s.Asm.Emit(asm.CMP, index, asm.Imm(int64(at)))
		s.Asm.Emit(asm.JNE, top)
	}
	for at < n {
		var size int
		in, of := asm.Mem(from, fromAt+at), asm.Mem(to, toAt+at)
		switch rest := n - at; {
		case rest >= 32:
			size = 32
			s.Asm.Emit(asm.VMOVUPS, asm.Y(0), in)
			s.Asm.Emit(asm.VMOVUPS, of, asm.Y(0))
		case rest >= 8:
			size = 8
			s.Asm.Emit(asm.MOV, asm.RDX, in)
			s.Asm.Emit(asm.MOV, of, asm.RDX)
		case rest >= 4:
			size = 4
			s.Asm.Emit(asm.MOV, asm.RDX.As(asm.R32), in)
			s.Asm.Emit(asm.MOV, of, asm.RDX.As(asm.R32))
		default:
			size = 1
			s.Asm.Emit(asm.MOVZX, asm.RDX.As(asm.R32), in.Sized(1))
			s.Asm.Emit(asm.MOV, of, asm.RDX.As(asm.R8))
		}
		at += size
	}
}
