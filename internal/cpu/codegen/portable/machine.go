package portable

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// machine is the state of one worker while it runs a kernel. Registers are pointers to the elements of a tile, in store
// or in a parameter.
type machine struct {
	regs    []unsafe.Pointer
	params  []unsafe.Pointer
	first   []int64 // of each parameter, the index of the element at its address; nil: 0 for all
	store   []byte  // backs the registers
	index   []int64
	base    []int64 // of each access, the offset of the current tile
	seqBase []int64 // of each access, the part of base for the sequential space
	count   []int64 // of each reduction, the number of reduced tiles or rows
	tiles   []int   // of each sum in lanes, the number of tiles of the current group
	filled  []int   // of each sum in lanes, the number of used lanes
	offsets []int64 // of the elements of a tile, for loads with lookups
	single  [1]int64
	start   int64 // the first point of the current tile in the vector space
}

// firstOf returns the index of the element at the address of a parameter; p is -1 for an index.
func (m *machine) firstOf(p int) int64 {
	if m.first == nil || p < 0 {
		return 0
	}
	return m.first[p]
}

// step executes one instruction on the n elements of a tile.
type step func(m *machine, n int)

// ref is an operand: a register, uniform if one element stands for all.
type ref struct {
	reg     int
	uniform bool
}

// vec returns the elements of an operand; one if it is uniform.
func vec[T any](m *machine, r ref, n int) []T {
	if r.uniform {
		n = 1
	}
	return unsafe.Slice((*T)(m.regs[r.reg]), n)
}

// Scratch is the machine of one worker of an executable.
type Scratch struct {
	m    machine
	code *Code // whose registers are set up, with its constants
}

// prepare sets up the registers of c.
func (s *Scratch) prepare(c *Code, params []unsafe.Pointer) *machine {
	m := &s.m
	m.params, m.first = params, nil
	if s.code == c {
		return m
	}
	s.code = c
	if len(m.regs) < len(c.regOffset) {
		m.regs = make([]unsafe.Pointer, len(c.regOffset))
	}
	if len(m.store) < c.regBytes {
		m.store = make([]byte, c.regBytes)
	}
	if len(m.base) < len(c.Accesses) {
		m.base = make([]int64, len(c.Accesses))
		m.seqBase = make([]int64, len(c.Accesses))
	}
	if len(m.count) < len(c.reduces) {
		m.count = make([]int64, len(c.reduces))
		m.filled, m.tiles = make([]int, len(c.reduces)), make([]int, len(c.reduces))
	}
	if len(m.index) < maxRank {
		m.index = make([]int64, maxRank)
	}
	for r, off := range c.regOffset {
		if off >= 0 {
			m.regs[r] = unsafe.Pointer(&m.store[off])
		}
	}
	for _, s := range c.constants {
		s(m, plan.TileElems)
	}
	return m
}

// Forget drops the pointers into the memory of the last run, so that it can be freed.
func (s *Scratch) Forget() {
	if s.code == nil {
		return
	}
	clear(s.m.regs)
	s.m.params, s.m.first, s.code = nil, nil, nil
}

// regSize returns the size of a register element in bytes.
func regSize(t dtype.Type) int { return kernel.Register(t).Size() }
