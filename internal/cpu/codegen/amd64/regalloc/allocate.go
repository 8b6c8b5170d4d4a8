// Package regalloc has instructions on virtual registers, which a [Buffer] collects, and allocates physical registers
// to the instructions of a block ([Allocation]).
package regalloc

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// Local linear-scan register allocation of a basic block. If no register is free, the value whose next use is furthest
// ahead is spilled (Belady). Loop invariants have a home location in memory; the most used of them are pinned to
// registers.

// allocatedInst is an instruction with its registers.
type allocatedInst struct {
	inst asm.Inst
	// source is the index of the instruction in the block, -1 for a move between a register and its home or slot.
	source int
	moved  Register
	store  bool // the move is to memory
}

// Allocation is the state that all blocks of a function share.
type Allocation struct {
	*Buffer
	pins map[Register]asm.Reg
	// carried are registers that are live across blocks: each has a fixed register.
	carried map[Register]asm.Reg
	free    [2][]int // registers available to blocks: vectors, masks
}

// TailMask and TailMaskHigh are the masks of the elements of a tail, and of their upper half.
const (
	TailMask     = 7
	TailMaskHigh = 6
	maskRegs     = 5 // k1 to k5 hold values
)

// checkAllocation verifies, in tests, the contents of registers through an allocated block; see [CheckAllocations].
var checkAllocation func(al *Allocation, list []Inst, out []allocatedInst) error

// NewAllocation returns the allocation of a function whose code is in a buffer.
func NewAllocation(b *Buffer) *Allocation {
	al := &Allocation{Buffer: b, pins: map[Register]asm.Reg{}, carried: map[Register]asm.Reg{}}
	n := 16
	if b.IsWide() {
		n = 32
		al.free[1] = make([]int, 0, maskRegs)
		for i := range maskRegs {
			al.free[1] = append(al.free[1], 1+i)
		}
	}
	al.free[0] = make([]int, 0, n)
	for i := range n {
		al.free[0] = append(al.free[0], i)
	}
	return al
}

// Carry assigns a fixed register to a vector that is live across all following blocks, which may modify it.
func (al *Allocation) Carry(o Operand) {
	last := len(al.free[0]) - 1
	al.carried[o.Reg] = asm.MakeReg(al.class(o.Reg), al.free[0][last])
	al.free[0] = al.free[0][:last]
}

// Carries reports whether a vector has such a register.
func (al *Allocation) Carries(o Operand) bool { return al.carried[o.Reg] != 0 }

// Release frees the register of a vector that was carried.
func (al *Allocation) Release(o Operand) {
	al.free[0] = append(al.free[0], al.carried[o.Reg].Num())
	delete(al.carried, o.Reg)
}

// EmitBlock allocates registers for the collected instructions and assembles them. Check verifies the allocation.
func (al *Allocation) EmitBlock(check bool) error {
	block := al.Insts
	al.Insts = block[:0]
	out, err := al.allocate(block)
	if err != nil {
		return err
	}
	if check {
		if err := checkAllocation(al, block, out); err != nil {
			return fmt.Errorf("internal error: registers of the block: %w", err)
		}
	}
	a := &al.Asm
	for i := range out {
		if in := &out[i]; in.source >= 0 && block[in.source].SkipsEmptyMask {
			next := a.NewLabel()
			a.Emit(asm.KORTESTW, in.inst.Mask, in.inst.Mask)
			a.Emit(asm.JE, next)
			a.Inst(in.inst)
			a.Bind(next)
		} else if !al.isSelfMove(&in.inst) {
			a.Inst(in.inst)
		}
	}
	return nil
}

// isSelfMove reports whether an instruction copies a full vector to itself.
func (b *Buffer) isSelfMove(in *asm.Inst) bool {
	full := asm.YMM
	if b.IsWide() {
		full = asm.ZMM
	}
	return in.Op == asm.VMOVUPS && in.Args[0] == in.Args[1] && in.Args[0].Kind == asm.RegArg &&
		in.Args[0].Reg.Class() == full && in.Mask == 0
}

// LoadPins loads the pinned invariants into their registers.
func (al *Allocation) LoadPins() {
	s := &linearScan{Allocation: al}
	for r := Register(1); int(r) < len(al.masks); r++ {
		if p, ok := al.pins[r]; ok {
			al.Asm.Inst(s.reload(r, p).inst)
		}
	}
}

// FinishBlock allocates registers for the collected instructions and returns the machine instructions of the block.
// Check verifies the allocation.
func (al *Allocation) FinishBlock(check bool) ([]asm.Inst, error) {
	block := al.Insts
	al.Insts = make([]Inst, 0, len(block))
	out, err := al.allocate(block)
	if err != nil {
		return nil, err
	}
	if check {
		if err := checkAllocation(al, block, out); err != nil {
			return nil, fmt.Errorf("internal error: registers of scalar code: %w", err)
		}
	}
	list := make([]asm.Inst, len(out))
	for i := range out {
		list[i] = out[i].inst
	}
	return list, nil
}

// Pin assigns fixed registers to the invariants that the block reads, the most used first, as many as the block leaves
// free.
func (al *Allocation) Pin(block []Inst) {
	uses := map[Register]int{}
	for i := range block {
		block[i].reads(func(r Register) {
			if _, ok := al.homes[r]; ok && !al.masks[r] {
				uses[r]++
			}
		})
	}
	list := make([]int, 0, len(uses)) // as ints, for which the binary already has a sort
	for r := range uses {
		list = append(list, int(r))
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(uses[Register(b)]-uses[Register(a)], a-b)
	})
	const toLoad = 2 // registers for invariants that are not pinned
	available := len(al.free[0]) - max(al.pressure(block), 2) - toLoad
	for _, r := range list {
		if available--; available < 0 {
			break
		}
		last, r := len(al.free[0])-1, Register(r)
		al.pins[r] = asm.MakeReg(al.class(r), al.free[0][last])
		al.free[0] = al.free[0][:last]
	}
}

// pressure returns the maximum number of vectors that are live at a time.
func (al *Allocation) pressure(block []Inst) int {
	last := map[Register]int{}
	for i := range block {
		block[i].reads(func(r Register) { last[r] = i })
	}
	live, maxLive := map[Register]bool{}, 0
	for i := range block {
		if d := block[i].Result(); d != 0 && !al.masks[d] && al.carried[d] == 0 {
			live[d] = true
		}
		maxLive = max(maxLive, len(live))
		for r := range live {
			if last[r] <= i {
				delete(live, r)
			}
		}
	}
	return maxLive
}

// reads calls f for the registers that the instruction reads.
func (in *Inst) reads(f func(Register)) {
	for i, o := range in.Args {
		if o.Reg != 0 && (i > 0 || in.Updates || in.flagsOnly || o.Kind() == asm.MemArg) {
			f(o.Reg)
		}
	}
	if in.Mask.Reg != 0 {
		f(in.Mask.Reg)
	}
}

// Result returns the register that the instruction writes, 0 if there is none.
func (in *Inst) Result() Register {
	if len(in.Args) == 0 || in.flagsOnly || in.Args[0].Kind() == asm.MemArg {
		return 0
	}
	return in.Args[0].Reg
}

// linearScan is the state of the allocation of a block; blocks reuse its memory.
type linearScan struct {
	*Allocation
	uses [][]int32 // the positions of the remaining uses of each register
	// counts and positions are the memory of uses.
	counts, positions []int32
	assigned          []asm.Reg        // the physical register of each register, 0 if there is none
	occupants         [2][]Register    // the register in each physical register, 0 if it is free
	spilled           map[Register]int // the spill slots of registers that are in memory
	free              [2][]int
	out               []allocatedInst
	pos               int
	inUse             []Register // of the current instruction
	freeSlots         []int      // free spill slots
	// staleHomes are registers whose value has not been stored to their home yet.
	staleHomes map[Register]bool
}

// begin resets the state for a block.
func (s *linearScan) begin(al *Allocation, list []Inst) {
	s.Allocation = al
	s.findUses(list)
	s.assigned = append(s.assigned[:0], make([]asm.Reg, len(al.masks))...)
	if s.spilled == nil {
		s.spilled, s.staleHomes = map[Register]int{}, map[Register]bool{}
		s.occupants = [2][]Register{make([]Register, 32), make([]Register, 8)}
	}
	clear(s.spilled)
	clear(s.staleHomes)
	for i := range s.occupants {
		clear(s.occupants[i])
		s.free[i] = append(s.free[i][:0], al.free[i]...)
	}
	s.out, s.inUse, s.freeSlots = slices.Grow(s.out[:0], len(list)*5/4), s.inUse[:0], s.freeSlots[:0]
}

// allocate assigns registers to the instructions. If the values do not fit the spill slots, the error is
// ErrUnsupported.
func (al *Allocation) allocate(list []Inst) ([]allocatedInst, error) {
	s := &al.linearScan
	s.begin(al, list)
	defer func(n int) { al.Slots = n }(al.Slots) // the next block reuses the slots
	for i := range list {
		if d := list[i].Result(); d != 0 {
			if h, ok := s.homes[d]; ok && h.data == nil {
				s.staleHomes[d] = true
			}
		}
	}
	for i := range list {
		s.pos = i
		if err := s.allocateInst(&list[i]); err != nil {
			return nil, err
		}
	}
	return s.out, nil
}

// findUses finds the positions of the instructions that read each register.
func (s *linearScan) findUses(list []Inst) {
	s.counts = append(s.counts[:0], make([]int32, len(s.masks))...)
	total := 0
	for i := range list {
		list[i].reads(func(r Register) { s.counts[r]++; total++ })
	}
	s.positions = slices.Grow(s.positions[:0], total)
	s.uses = slices.Grow(s.uses[:0], len(s.masks))[:len(s.masks)]
	storage := s.positions[:total]
	for r, n := range s.counts {
		s.uses[r], storage = storage[:0:n], storage[n:]
	}
	for i := range list {
		list[i].reads(func(r Register) { s.uses[r] = append(s.uses[r], int32(i)) })
	}
}

// allocateInst assigns the registers of an instruction.
func (s *linearScan) allocateInst(in *Inst) error {
	s.inUse = s.inUse[:0]
	in.reads(func(r Register) { s.inUse = append(s.inUse, r) })
	out := asm.Inst{Op: in.Op, Zero: in.Zero}
	inMemory := s.memoryOperand(in)
	for i, o := range in.Args {
		switch {
		case i == inMemory: // below
		case o.Reg == 0:
			out.Args[i] = *o.arg
		case i == 0 && in.Result() != 0 && !in.Updates: // below
		default:
			r, err := s.load(o.Reg)
			if err != nil {
				return err
			}
			out.Args[i] = withReg(o, r)
		}
	}
	if in.Mask.Reg != 0 {
		r, err := s.load(in.Mask.Reg)
		if err != nil {
			return err
		}
		out.Mask = r
	} else if in.Mask.Kind() == asm.RegArg {
		out.Mask = in.Mask.arg.Reg
	}
	if inMemory >= 0 {
		out.Args[inMemory] = s.homeArg(in.Args[inMemory].Reg)
	}
	d := in.Result()
	if !in.ClobbersMask {
		s.expire(d)
	}
	if d != 0 {
		if p := s.carried[d]; p != 0 {
			out.Args[0] = withReg(in.Args[0], p)
		} else if !in.Updates {
			r, err := s.assign(d)
			if err != nil {
				return err
			}
			out.Args[0] = withReg(in.Args[0], r)
		}
		s.releaseSlot(d) // the copy in memory is stale
	}
	s.out = append(s.out, allocatedInst{inst: out, source: s.pos})
	if len(in.Args) == 2 && in.Args[0].Kind() == asm.MemArg && s.staleHomes[in.Args[1].Reg] &&
		*in.Args[0].arg == slotMem(s.homes[in.Args[1].Reg].slot) {
		delete(s.staleHomes, in.Args[1].Reg)
	}
	s.expire(0)
	return nil
}

// withReg returns the operand with the physical register r.
func withReg(o Operand, r asm.Reg) asm.Arg {
	if o.Class != 0 {
		r = r.As(o.Class)
	}
	if o.Kind() == asm.MemArg {
		m := *o.arg
		m.Index = r
		return m
	}
	return asm.RegOperand(r)
}

// memoryOperand returns the index of the operand that the instruction can read from its home location, -1 if there is
// none: the last operand that is not an immediate, if it is not in a register.
func (s *linearScan) memoryOperand(in *Inst) int {
	i := len(in.Args) - 1
	for i > 0 && in.Args[i].Kind() == asm.ImmArg {
		i--
	}
	if i <= 0 || in.ClobbersMask || in.flagsOnly || in.Mask.Reg != 0 {
		return -1
	}
	o := in.Args[i]
	if o.Reg == 0 || o.Class != 0 || o.Kind() == asm.MemArg || in.Args[0].Kind() == asm.MemArg {
		return -1
	}
	if !s.inHome(o.Reg) || s.pins[o.Reg] != 0 || s.assigned[o.Reg] != 0 || s.masks[o.Reg] {
		return -1
	}
	trial := asm.Inst{Op: in.Op}
	for j, a := range in.Args {
		switch {
		case j == i:
			trial.Args[j] = s.homeArg(a.Reg)
		case a.Reg == 0:
			trial.Args[j] = *a.arg
		case a.Reg == o.Reg:
			return -1
		default: // any register of the class is fine
			trial.Args[j] = withReg(a, asm.MakeReg(s.class(a.Reg), 1))
		}
	}
	if needs, err := trial.Needs(); err != nil || needs&^s.Width.Needs() != 0 {
		return -1
	}
	return i
}

// homeArg returns the home of a register as a full-width memory operand.
func (s *linearScan) homeArg(r Register) asm.Arg {
	h := s.homes[r]
	switch {
	case h.data == nil:
		return slotMem(h.slot)
	case len(h.data) == s.Width.VectorBytes():
		return s.Asm.Const(h.data).Sized(0)
	case s.IsWide():
		return s.Asm.Const(h.data).Broadcast(len(h.data))
	}
	return s.Asm.Const(bytes.Repeat(h.data, s.Width.VectorBytes()/len(h.data)))
}

// inHome reports whether the home of a register holds its value.
func (s *linearScan) inHome(r Register) bool {
	_, ok := s.homes[r]
	return ok && !s.staleHomes[r]
}

// load returns a physical register with the value of r, which it reloads if necessary.
func (s *linearScan) load(r Register) (asm.Reg, error) {
	if p, ok := s.pins[r]; ok {
		return p, nil
	}
	if p := s.carried[r]; p != 0 {
		return p, nil
	}
	if p := s.assigned[r]; p != 0 {
		return p, nil
	}
	p, err := s.assign(r)
	if err != nil {
		return 0, err
	}
	s.out = append(s.out, s.reload(r, p))
	return p, nil
}

// reload returns the instruction that loads r from its home or its slot.
func (s *linearScan) reload(r Register, p asm.Reg) allocatedInst {
	h := s.homes[r]
	if !s.inHome(r) {
		h = home{slot: s.spilled[r]}
	}
	in := asm.Inst{Op: s.move(r), Args: [4]asm.Arg{asm.RegOperand(p), slotMem(h.slot)}}
	switch {
	case len(h.data) == s.Width.VectorBytes():
		in.Args[1] = s.Asm.Const(h.data).Sized(0)
	case h.data != nil:
		in.Op = target.ByElement(len(h.data), asm.VBROADCASTSS, asm.VBROADCASTSD)
		in.Args[1] = s.Asm.Const(h.data)
	}
	return allocatedInst{inst: in, source: -1, moved: r}
}

// assign assigns a free physical register to r.
func (s *linearScan) assign(r Register) (asm.Reg, error) {
	k := 0
	if s.masks[r] {
		k = 1
	}
	if len(s.free[k]) == 0 {
		if err := s.evict(k); err != nil {
			return 0, err
		}
	}
	last := len(s.free[k]) - 1
	p := asm.MakeReg(s.class(r), s.free[k][last])
	s.free[k] = s.free[k][:last]
	s.assigned[r], s.occupants[k][p.Num()] = p, r
	s.inUse = append(s.inUse, r)
	return p, nil
}

// evict frees the register whose next use is furthest ahead.
func (s *linearScan) evict(k int) error {
	victim, furthest := Register(0), -1
	for _, r := range s.occupants[k] {
		if r == 0 || slices.Contains(s.inUse, r) {
			continue
		}
		next := math.MaxInt
		if len(s.uses[r]) > 0 {
			next = int(s.uses[r][0])
		}
		if next > furthest || next == furthest && r < victim {
			victim, furthest = r, next
		}
	}
	if victim == 0 {
		return target.Unsupported("an instruction with too many registers")
	}
	_, isSaved := s.spilled[victim]
	if !s.inHome(victim) && !isSaved {
		if len(s.freeSlots) == 0 {
			if s.Slots == MaxSlots {
				return target.Unsupported("too many live values for the spill memory")
			}
			s.freeSlots = append(s.freeSlots, s.slot())
		}
		slot := s.freeSlots[len(s.freeSlots)-1]
		s.freeSlots = s.freeSlots[:len(s.freeSlots)-1]
		s.spilled[victim] = slot
		in := asm.Inst{Op: s.move(victim), Args: [4]asm.Arg{slotMem(slot), asm.RegOperand(s.assigned[victim])}}
		s.out = append(s.out, allocatedInst{inst: in, source: -1, moved: victim, store: true})
	}
	s.unassign(victim)
	return nil
}

func (s *linearScan) unassign(r Register) {
	k := 0
	if s.masks[r] {
		k = 1
	}
	n := s.assigned[r].Num()
	s.free[k] = append(s.free[k], n)
	s.assigned[r], s.occupants[k][n] = 0, 0
}

// releaseSlot frees the spill slot of r.
func (s *linearScan) releaseSlot(r Register) {
	if slot, ok := s.spilled[r]; ok {
		delete(s.spilled, r)
		s.freeSlots = append(s.freeSlots, slot)
	}
}

// expire frees the registers that have no use after the current instruction, except the one that it writes.
func (s *linearScan) expire(written Register) {
	for _, r := range s.inUse {
		for len(s.uses[r]) > 0 && int(s.uses[r][0]) <= s.pos {
			s.uses[r] = s.uses[r][1:]
		}
		if len(s.uses[r]) > 0 || r == written {
			continue
		}
		if s.assigned[r] != 0 {
			s.unassign(r)
		}
		s.releaseSlot(r)
	}
}
