package neon

import (
	"errors"
	"math"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// Local linear-scan register allocation of a block. Between blocks, half h is in register h. If no register is free,
// the value whose next use is furthest ahead is spilled (Belady); constants are loaded again.

// SpillBytes is the spill memory of translated code, after that of the code for AVX2. The trampoline provides it.
const SpillBytes = 16 * spillSlots

const (
	registers  = 32
	spillSlots = 32
)

// scan is the state of the allocation of a block.
type scan struct {
	*assembler
	b         *block
	list      []node
	uses      [][]int32 // positions of the remaining uses of each value
	wish      []int8    // the register in which a value is wanted, -1 if there is none
	regOf     []int8    // -1 if the value is in no register
	slotOf    []int8    // -1 if it is not in memory
	occupants [registers]value
	locked    [registers]bool // by the current instruction
	freeSlots []int8
}

// allocate assigns registers to the nodes of a block, and assembles them.
func (s *scan) allocate(b *block) error {
	s.begin(b)
	last := len(s.list)
	if last > 0 && isBranch(s.list[last-1].op) {
		last--
	}
	for i := range s.list[:last] {
		if err := s.node(i); err != nil {
			return err
		}
	}
	if err := s.moveOut(); err != nil {
		return err
	}
	for i := range s.list[last:] {
		if err := s.node(last + i); err != nil {
			return err
		}
	}
	return nil
}

// isBranch reports whether an instruction ends a block.
func isBranch(op arm64.Op) bool { return op == arm64.RET || op >= arm64.B && op <= arm64.TBNZ }

// begin resets the state for a block.
func (s *scan) begin(b *block) {
	s.b, s.list = b, b.nodeList()
	n := b.values
	s.uses, s.wish = make([][]int32, n), make([]int8, n)
	s.regOf, s.slotOf = make([]int8, n), make([]int8, n)
	for v := range n {
		s.wish[v], s.regOf[v], s.slotOf[v] = -1, -1, -1
	}
	for i := range s.list {
		s.list[i].reads(func(v value) { s.uses[v] = append(s.uses[v], int32(i)) })
	}
	for h, v := range b.out {
		if b.live>>h&1 != 0 {
			s.uses[v] = append(s.uses[v], int32(len(s.list)))
			s.wish[v] = int8(h)
		}
	}
	for i := len(s.list) - 1; i >= 0; i-- {
		n := &s.list[i]
		if d := n.args[0]; d.def && d.tied != 0 && s.wish[d.tied] < 0 {
			s.wish[d.tied] = s.wish[d.v]
		}
	}
	s.occupants = [registers]value{}
	for h := range halves {
		if v := value(h + 1); len(s.uses[v]) > 0 {
			s.regOf[v], s.occupants[h] = int8(h), v
		}
	}
	s.freeSlots = s.freeSlots[:0]
	for i := spillSlots - 1; i >= 0; i-- {
		s.freeSlots = append(s.freeSlots, int8(i))
	}
}

// reads calls f for the values that a node reads.
func (n *node) reads(f func(value)) {
	for _, o := range n.args[:n.n] {
		switch {
		case o.v != 0 && !o.def:
			f(o.v)
		case o.def && o.tied != 0:
			f(o.tied)
		}
	}
}

// node assigns the registers of an instruction.
func (s *scan) node(i int) error {
	n := &s.list[i]
	s.locked = [registers]bool{}
	var err error
	n.reads(func(v value) {
		if err == nil {
			err = s.load(v)
		}
	})
	if err != nil {
		return err
	}
	n.reads(func(v value) { s.pop(v, i) })
	if n.choice {
		s.resolve(n)
	}
	p := arm64.Inst{Op: n.op}
	for j := range n.args[:n.n] {
		switch o := &n.args[j]; {
		case o.v == 0:
			p.Args[j] = s.arg(o)
		case !o.def:
			p.Args[j] = o.in(s.regOf[o.v])
		}
	}
	for j, o := range n.args[:n.n] {
		if !o.def || o.tied == 0 {
			continue
		}
		r := s.regOf[o.tied]
		if len(s.uses[o.tied]) > 0 {
			// The old value stays: the result is in a copy.
			to, err := s.take(s.wish[o.v])
			if err != nil {
				return err
			}
			s.move(int(to), int(r))
			r = to
		} else {
			s.leave(o.tied)
		}
		s.enter(o.v, r)
		s.locked[r] = true
		p.Args[j] = o.in(r)
	}
	n.reads(func(v value) {
		if len(s.uses[v]) == 0 && s.regOf[v] >= 0 {
			s.leave(v)
		}
	})
	for j, o := range n.args[:n.n] {
		if !o.def || o.tied != 0 {
			continue
		}
		if o.v == 0 {
			return errors.New("neon: a result without a value")
		}
		r, err := s.take(s.wish[o.v])
		if err != nil {
			return err
		}
		s.enter(o.v, r)
		s.locked[r] = true
		p.Args[j] = o.in(r)
	}
	if n.skip != 0 { // the lane is in memory that is not accessed if the bit is clear
		skip := arm64.Inst{Op: arm64.TBZ}
		skip.Args[0], skip.Args[1] = arm64.RegOperand(arm64.X(int(n.skip))), arm64.Imm(int64(n.skipBit))
		skip.Args[2] = arm64.Imm(8)
		s.Inst(skip)
	}
	s.Inst(p)
	for _, o := range n.args[:n.n] { // results without a reader
		if o.def && len(s.uses[o.v]) == 0 && s.regOf[o.v] >= 0 {
			s.leave(o.v)
		}
	}
	return nil
}

// in returns the operand in a register.
func (o *operand) in(r int8) arm64.Arg {
	if o.list {
		a := arm64.List(arm64.MakeReg(o.class, int(r)), 1)
		a.Lane = o.lane
		return a
	}
	return arm64.Elem(o.class, int(r), int(o.lane))
}

// resolve chooses the instruction for a choice: that which overwrites the operand that is not needed any more.
func (s *scan) resolve(n *node) {
	d, mask, yes, no := n.args[0], n.args[1], n.args[2], n.args[3]
	ends := func(o operand) bool { return len(s.uses[o.v]) == 0 }
	form := func(op arm64.Op, old, x, y operand) {
		d.tied = old.v
		*n = node{op: op, n: 3, args: [4]operand{d, x, y}}
	}
	wanted := func(o operand) bool { return ends(o) && s.regOf[o.v] == s.wish[d.v] }
	switch {
	case wanted(no):
		form(arm64.BIT, no, yes, mask)
	case wanted(yes):
		form(arm64.BIF, yes, no, mask)
	case ends(mask):
		form(arm64.BSL, mask, yes, no)
	case ends(no):
		form(arm64.BIT, no, yes, mask)
	case ends(yes):
		form(arm64.BIF, yes, no, mask)
	default:
		form(arm64.BSL, mask, yes, no)
	}
}

// pop removes the uses of a value up to a position.
func (s *scan) pop(v value, i int) {
	for len(s.uses[v]) > 0 && int(s.uses[v][0]) <= i {
		s.uses[v] = s.uses[v][1:]
	}
}

// load loads a value to a register, and locks it.
func (s *scan) load(v value) error {
	if r := s.regOf[v]; r >= 0 {
		s.locked[r] = true
		return nil
	}
	r, err := s.take(s.wish[v])
	if err != nil {
		return err
	}
	if err := s.reload(v, int(r)); err != nil {
		return err
	}
	s.enter(v, r)
	s.locked[r] = true
	return nil
}

// reload emits the load of a value that is not in a register.
func (s *scan) reload(v value, r int) error {
	if data, ok := s.b.consts[v]; ok {
		op, c, x := s.constants.load(data)
		p := arm64.Inst{Op: op}
		p.Args[0], p.Args[1] = arm64.RegOperand(arm64.MakeReg(c, r)), s.arg(&x)
		s.Inst(p)
		return nil
	}
	if s.slotOf[v] < 0 {
		return errors.New("neon: a value is read before it is computed")
	}
	s.access(arm64.LDR, r, s.slotOf[v])
	return nil
}

// access loads or stores a register from or to a slot.
func (s *scan) access(op arm64.Op, r int, slot int8) {
	s.Emit(op, arm64.Q(r), arm64.Mem(arm64.X(spillReg), 16*int(slot)))
}

// move copies a register.
func (s *scan) move(to, from int) {
	s.Emit(arm64.ORR, arm64.V16B(to), arm64.V16B(from), arm64.V16B(from))
}

// enter and leave record that a value is in a register, and no longer.
func (s *scan) enter(v value, r int8) {
	s.regOf[v], s.occupants[r] = r, v
}

func (s *scan) leave(v value) {
	s.occupants[s.regOf[v]] = 0
	s.regOf[v] = -1
	if slot := s.slotOf[v]; slot >= 0 && len(s.uses[v]) == 0 {
		s.freeSlots = append(s.freeSlots, slot)
		s.slotOf[v] = -1
	}
}

// take returns a free register, the one that is wished for if it is free, else one that no value after the block needs.
func (s *scan) take(wish int8) (int8, error) {
	if wish >= 0 && s.occupants[wish] == 0 && !s.locked[wish] {
		return wish, nil
	}
	best := int8(-1)
	for r := range int8(registers) {
		if s.occupants[r] != 0 || s.locked[r] {
			continue
		}
		if s.b.live>>r&1 == 0 {
			return r, nil
		}
		best = r
	}
	if best >= 0 {
		return best, nil
	}
	return s.evict()
}

// evict frees the register whose value is read last, or is a constant that is not read soon.
func (s *scan) evict() (int8, error) {
	victim, furthest := int8(-1), int32(-1)
	for r, v := range s.occupants {
		if s.locked[r] {
			continue
		}
		next := int32(math.MaxInt32)
		if len(s.uses[v]) > 0 {
			next = s.uses[v][0]
		}
		if next > furthest {
			victim, furthest = int8(r), next
		}
	}
	if victim < 0 {
		return -1, errors.New("neon: an instruction with too many registers")
	}
	v := s.occupants[victim]
	if _, isConst := s.b.consts[v]; !isConst && s.slotOf[v] < 0 {
		last := len(s.freeSlots) - 1
		if last < 0 {
			return -1, errors.New("neon: too many values")
		}
		s.slotOf[v] = s.freeSlots[last]
		s.freeSlots = s.freeSlots[:last]
		s.access(arm64.STR, int(victim), s.slotOf[v])
	}
	s.occupants[victim], s.regOf[v] = 0, -1
	return victim, nil
}

// moveOut moves the values that are live after the block to the registers of their halves, all at the same time.
func (s *scan) moveOut() error {
	from := [registers]int8{} // -1 for values that are not in registers, and registers that stay
	var sources [registers]int
	var loads []int
	for h := range halves {
		from[h] = -1
		if s.b.live>>h&1 == 0 {
			continue
		}
		switch r := s.regOf[s.b.out[h]]; {
		case r < 0:
			loads = append(loads, h)
		case int(r) != h:
			from[h] = r
			sources[r]++
		}
	}
	for {
		moved, pending := false, -1
		for h := range halves {
			if from[h] < 0 {
				continue
			}
			if sources[h] > 0 {
				pending = h
				continue
			}
			s.move(h, int(from[h]))
			sources[from[h]]--
			from[h] = -1
			moved = true
		}
		if moved {
			continue
		}
		if pending < 0 {
			break
		}
		// A cycle: a value leaves by a slot.
		last := len(s.freeSlots) - 1
		if last < 0 {
			return errors.New("neon: too many values")
		}
		v := s.b.out[pending]
		if s.slotOf[v] < 0 {
			s.slotOf[v] = s.freeSlots[last]
			s.freeSlots = s.freeSlots[:last]
			s.access(arm64.STR, int(from[pending]), s.slotOf[v])
		}
		sources[from[pending]]--
		from[pending] = -1
		loads = append(loads, pending)
	}
	for _, h := range loads {
		if err := s.reload(s.b.out[h], h); err != nil {
			return err
		}
	}
	return nil
}
