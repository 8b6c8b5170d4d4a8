package scalar

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Loop-carried values stay in registers: a store-to-load forward costs five cycles, as much as the computation of many
// loops. They are in memory as well, for the code of the fallback tier; at an entry of the function they are loaded
// from there.

// maxCarried returns the number of vectors that may be loop-carried; the rest are for computations.
func (s *assembler) maxCarried() int {
	if s.IsWide() {
		return 8
	}
	return 4
}

// carry assigns registers to the loop-carried elements, and loads them.
func (s *assembler) carry(n *loopNode) error {
	available := s.maxCarried()
	for _, e := range loopCarried(slices.Concat(n.cond, n.body)) {
		parts := s.NumParts(e.t)
		if _, reserved := s.code.slots[e.buf]; !reserved || parts > available {
			continue
		}
		available -= parts
		e.parts = s.Each(parts, func(int) regalloc.Operand {
			x := s.Vector()
			s.al.Carry(x)
			return x
		})
		s.carried = append(s.carried, e)
	}
	return s.fetchCarried()
}

// fetchCarried loads the loop-carried elements from memory.
func (s *assembler) fetchCarried() error {
	for _, e := range s.carried {
		for i, x := range s.fetch(e.t, e.buf, e.offset) {
			s.Emit(asm.VMOVAPS, e.parts[i], x)
		}
	}
	return s.flush()
}

// updateCarried copies the current values to the loop-carried registers. A value may be in the register of another
// element.
func (s *assembler) updateCarried() {
	var to, from []regalloc.Operand
	for _, e := range s.carried {
		for i, x := range s.loadElement(e.t, e.buf, e.offset) {
			if !x.IsSame(e.parts[i]) {
				to, from = append(to, e.parts[i]), append(from, x)
			}
		}
	}
	for i, x := range from {
		if s.al.Carries(x) {
			from[i] = s.To(asm.VMOVAPS, x)
		}
	}
	for i, x := range from {
		s.Emit(asm.VMOVAPS, to[i], x)
	}
}

// endCarry frees the registers.
func (s *assembler) endCarry() {
	for _, e := range s.carried {
		for _, x := range e.parts {
			s.al.Release(x)
		}
	}
	s.carried, s.known = s.carried[:0], s.known[:0]
}

// loopCarried returns the elements that kernels of one point read before they are written in an iteration; nil if there
// are other nodes than such kernels and copies.
func loopCarried(nodes []scalarNode) []knownElement {
	var read []knownElement
	written := map[int]bool{} // buffers
	for _, n := range nodes {
		switch n := n.(type) {
		case *movesNode:
			if n.fill || n.spill {
				return nil
			}
			for _, m := range n.moves {
				written[m.To] = true
			}
		case *kernelNode:
			for i := range n.k.Body.Instrs {
				in := &n.k.Body.Instrs[i]
				if in.Op != kernel.Load || n.k.NumElems() != 1 || len(in.At.Lookups) > 0 || len(in.At.Guards) > 0 {
					continue
				}
				switch in.Type {
				case dtype.S32, dtype.U32, dtype.S64, dtype.U64, dtype.F32, dtype.F64, dtype.C64, dtype.C128:
				default:
					continue
				}
				e := knownElement{buf: n.bufs[in.At.Param], offset: int(in.At.Offset) * in.Type.Size(), t: in.Type}
				same := func(o knownElement) bool { return o.buf == e.buf && o.offset == e.offset }
				if !written[e.buf] && !slices.ContainsFunc(read, same) {
					read = append(read, e)
				}
			}
			for i := range n.k.Stores {
				written[n.bufs[n.k.Stores[i].At.Param]] = true
			}
		default:
			return nil
		}
	}
	return slices.DeleteFunc(read, func(e knownElement) bool { return !written[e.buf] })
}
