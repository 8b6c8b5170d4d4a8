package amd64

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// mostCopied bounds the bytes of a window that are copied here.
const mostCopied = 256

// window writes a copy between an array and a part of it, or leaves it to the other tier.
func (s *scalarAssembler) window(w *codegen.Window) error {
	by := s.combineStep(w)
	if w.Combine != nil && by == nil || w.Bytes > mostCopied {
		return s.piece(w)
	}
	if err := s.flush(); err != nil {
		return err
	}
	out := s.a.NewLabel()
	s.windowOffset(w, out)
	array, part := asm.RBX, asm.RBP
	s.address(array, w.Array)
	s.a.Emit(asm.ADD, array, asm.RAX)
	s.address(part, w.Part)
	if by != nil {
		s.combine(by, array, part, w.Bytes)
	} else if w.Store {
		s.copy(array, part, w.Bytes)
	} else {
		s.copy(part, array, w.Bytes)
	}
	s.a.Bind(out)
	s.ops += opsPerPiece
	return nil
}

// combineStep returns the operation by which a window changes a few elements, one at a time; nil where it is left to
// the other tier.
func (s *scalarAssembler) combineStep(w *codegen.Window) *combineStep {
	if w.Combine == nil || w.Like == nil || w.Bytes > mostCombined*w.Elem {
		return nil
	}
	by, ok := combinesOf[s.w].Step(w.By, w.Like).(*combineStep)
	if !ok || by.op == 0 || by.join != 0 || by.half != 0 || by.size != w.Elem {
		return nil
	}
	return by
}

// mostCombined bounds the elements of a window that are changed here.
const mostCombined = 4

// combine writes the change of elements of an array by those of a part.
func (s *scalarAssembler) combine(by *combineStep, array, part asm.Reg, n int) {
	move, x, y := by.of(asm.VMOVSS, asm.VMOVSD), asm.X(0), asm.X(1)
	for at := 0; at < n; at += by.size {
		s.a.Emit(move, x, asm.Mem(part, at))
		s.a.Emit(move, y, asm.Mem(array, at))
		s.a.Emit(by.op, x, y, x)
		s.a.Emit(move, asm.Mem(array, at), x)
	}
}

// windowOffset computes the offset of a window in RAX, or jumps where it is left out.
func (s *scalarAssembler) windowOffset(w *codegen.Window, out asm.Label) {
	a := &s.a
	sum, index, limit := asm.RAX, asm.RCX, asm.RDX
	a.Emit(asm.XOR, sum, sum)
	for _, i := range w.Indices {
		at := asm.Mem(asm.RDI, s.code.slots[i.Buf]+i.Offset)
		if i.Wide {
			a.Emit(asm.MOV, index, at.Sized(8))
		} else {
			a.Emit(asm.MOVSXD, index, at.Sized(4))
		}
		a.Emit(asm.MOV, limit, asm.Imm(int64(i.Limit)))
		if w.Drop { // below 0 it is a large number
			a.Emit(asm.CMP, index, limit)
			a.Emit(asm.JA, out)
		} else {
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

// address brings the address of a buffer into a general register.
func (s *scalarAssembler) address(to asm.Reg, buf int) {
	if slot, ok := s.code.slots[buf]; ok {
		s.a.Emit(asm.LEA, to, asm.Mem(asm.RDI, slot))
	} else {
		s.a.Emit(asm.MOV, to, asm.Mem(asm.RDI, s.pointer(buf)))
	}
}

// copy writes a copy between places that do not overlap.
func (s *scalarAssembler) copy(to, from asm.Reg, n int) {
	for at := 0; at < n; {
		var size int
		switch rest := n - at; {
		case rest >= 32:
			size = 32
			s.a.Emit(asm.VMOVUPS, asm.Y(0), asm.Mem(from, at))
			s.a.Emit(asm.VMOVUPS, asm.Mem(to, at), asm.Y(0))
		case rest >= 8:
			size = 8
			s.a.Emit(asm.MOV, asm.RDX, asm.Mem(from, at))
			s.a.Emit(asm.MOV, asm.Mem(to, at), asm.RDX)
		case rest >= 4:
			size = 4
			s.a.Emit(asm.MOV, asm.RDX.As(asm.R32), asm.Mem(from, at))
			s.a.Emit(asm.MOV, asm.Mem(to, at), asm.RDX.As(asm.R32))
		default:
			size = 1
			s.a.Emit(asm.MOVZX, asm.RDX.As(asm.R32), asm.Mem(from, at).Sized(1))
			s.a.Emit(asm.MOV, asm.Mem(to, at), asm.RDX.As(asm.R8))
		}
		at += size
	}
}

// tiles writes the loops of a kernel in tiles where it is called, or leaves it to the other tier.
func (s *scalarAssembler) tiles(n *scalarTiles) error {
	for _, w := range n.windows {
		if w.Drop {
			return s.piece(n)
		}
	}
	if !s.looksUp(n) {
		return s.piece(n)
	}
	if c, ok := n.c.(*foldCode); ok && c.fitsInside() {
		return s.fold(n, c)
	}
	c, ok := n.c.(*Code)
	if !ok || !c.fitsInside() {
		return s.piece(n)
	}
	if err := s.flush(); err != nil {
		return err
	}
	elems := int(c.Vec.Size)
	args := s.reserve(argAt + 8*len(c.places))
	s.code.tiles = append(s.code.tiles, scalarArgument{args + argCount, -1, elems})
	for i := range c.places {
		s.place(args+argAt+8*i, n, c, i)
	}
	l := lower(c.k, c.Plan)
	f := &function{check: s.check, selection: &selection{builder: s.builder, lowered: l, p: c.Plan, lanes: c.lanes,
		places: c.places, values: make([][]operand, len(l.instrs)), offsets: make([][]operand, len(c.places))}}
	s.a.Emit(asm.ADD, asm.RDI, asm.Imm(int64(args)))
	begin := s.a.Len()
	if err := f.writeLoops(); err != nil {
		return err
	}
	s.work += (s.a.Len() - begin) / bytesPerInstruction * (elems / c.lanes)
	s.a.Emit(asm.SUB, asm.RDI, asm.Imm(int64(args)))
	s.ops += opsPerPiece
	return nil
}

// looksUp reports whether all indices that a kernel in tiles looks up are where those of windows are.
func (s *scalarAssembler) looksUp(n *scalarTiles) bool {
	c, ok := n.c.(*Code)
	if f, isFold := n.c.(*foldCode); isFold {
		c, ok = f.Code, true
	}
	if !ok {
		return true
	}
	for i := range c.looked {
		for _, l := range c.looked[i] {
			param := c.Accesses[l.access].Param
			_, reserved := s.code.slots[n.bufs[param]]
			if _, isPart := n.windows[param]; isPart || !reserved || l.t != dtype.S32 && l.t != dtype.S64 {
				return false
			}
		}
	}
	return true
}

// indicesOf returns what access i looks up as indices of a window.
func (c *Code) indicesOf(i int, bufs []int) (out []codegen.WindowIndex) {
	for _, l := range c.looked[i] {
		a := &c.Accesses[l.access]
		out = append(out, codegen.WindowIndex{Buf: bufs[a.Param], Wide: l.t == dtype.S64, Limit: int(l.limit),
			Offset: int(a.Offset) * l.t.Size(), Stride: int(l.stride) * c.places[i].size})
	}
	return out
}

// place has the address of what access i of a kernel in tiles begins with written where its code finds it.
func (s *scalarAssembler) place(at int, n *scalarTiles, c *Code, i int) {
	acc, pl := &c.Accesses[i], &c.places[i]
	if pl.route == unread {
		return
	}
	offset := int(acc.Offset) * pl.size
	w, isPart := n.windows[acc.Param]
	if !isPart {
		w = codegen.Window{Array: n.bufs[acc.Param]}
	}
	w.Indices = slices.Concat(w.Indices, c.indicesOf(i, n.bufs))
	if len(w.Indices) == 0 {
		s.argument(at, n.bufs[acc.Param], offset)
		return
	}
	s.windowOffset(&w, 0)
	s.address(asm.RBX, w.Array)
	s.a.Emit(asm.LEA, asm.RAX, asm.MemIndex(asm.RBX, asm.RAX, 1, offset))
	s.a.Emit(asm.MOV, asm.Mem(asm.RDI, at), asm.RAX)
}

// argument has the address of a buffer from an offset on written where code called here finds it.
func (s *scalarAssembler) argument(at, buf, offset int) {
	s.code.tiles = append(s.code.tiles, scalarArgument{at, buf, offset})
	if _, reserved := s.code.slots[buf]; !reserved {
		s.pointer(buf)
	}
}

// mostInside bounds the elements of a kernel in tiles that is written where it is called.
const mostInside = 4096

// fitsInside reports whether the code can be written where it is called: it takes one call, which
// computes all elements.
func (c *Code) fitsInside() bool {
	n := c.Vec.Size
	if c.Form != plan.Map || c.Transpose != nil || c.rows || c.stops || c.streamed != nil || len(c.Vec.Dims) != 1 ||
		c.Seq.Size != 1 || n > mostInside || c.exact && n%int64(c.lanes) != 0 {
		return false
	}
	for i := range c.places {
		if r := c.places[i].route; r != unread && r != direct && r != single || !areFixed(c.Plan, c.looked[i]) {
			return false
		}
	}
	return true
}
