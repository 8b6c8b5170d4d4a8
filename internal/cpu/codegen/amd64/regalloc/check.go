package regalloc

import (
	"fmt"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// CheckAllocations makes the check of an allocation follow the registers. Tests call it; programs do not contain the
// check.
func CheckAllocations() { checkAllocation = followRegisters }

// followRegisters tracks the contents of every physical register and spill slot through a block and reports an
// instruction with a wrong operand. It is independent of the allocator, except for the block.
func followRegisters(al *Allocation, list []Inst, out []allocatedInst) error {
	b, pins := al.Buffer, al.pins
	type location struct {
		mask bool
		n    int
	}
	regs, slots := map[location]Register{}, map[int64]Register{}
	for r, p := range pins {
		regs[location{n: p.Num()}] = r
	}
	for r, p := range al.carried {
		regs[location{n: p.Num()}] = r
	}
	isPin := func(p location) bool {
		r, ok := pins[regs[p]]
		return ok && !p.mask && r.Num() == p.n
	}
	computed := map[Register]bool{} // in this block: their homes are stale until they are stored
	for i := range list {
		computed[list[i].Result()] = true
	}
	atHome := func(r Register, mem asm.Arg) bool {
		h, ok := b.homes[r]
		return ok && (h.data != nil || mem.Val == slotMem(h.slot).Val && (!computed[r] || slots[mem.Val] == r))
	}
	next := 0
	for i := range out {
		o := &out[i]
		fail := func(format string, args ...any) error {
			return fmt.Errorf("instruction %d, %s: %s", i, o.inst, fmt.Sprintf(format, args...))
		}
		if o.source < 0 {
			at, mem := o.inst.Args[0], o.inst.Args[1]
			if o.store {
				at, mem = mem, at
			}
			p := location{at.Reg.Class() == asm.Mask, at.Reg.Num()}
			if o.store {
				if regs[p] != o.moved {
					return fail("saves value %d, not %d", regs[p], o.moved)
				}
				slots[mem.Val] = o.moved
				continue
			}
			if isPin(p) {
				return fail("overwrites a live value")
			}
			if !atHome(o.moved, mem) && slots[mem.Val] != o.moved {
				return fail("reloads value %d, not %d", slots[mem.Val], o.moved)
			}
			regs[p] = o.moved
			continue
		}
		if o.source != next {
			return fail("replaces %d", next)
		}
		next++
		in := &list[o.source]
		holds := func(x asm.Reg, r Register) error {
			if p := (location{x.Class() == asm.Mask, x.Num()}); regs[p] != r {
				return fail("%s holds value %d, not %d", x, regs[p], r)
			}
			return nil
		}
		for j, a := range in.Args {
			got := o.inst.Args[j]
			switch {
			case a.Reg == 0 || j == 0 && in.Result() != 0 && !in.Updates:
				continue
			case a.Kind() == asm.MemArg:
				if err := holds(got.Index, a.Reg); err != nil {
					return err
				}
			case got.Kind == asm.RegArg:
				if err := holds(got.Reg, a.Reg); err != nil {
					return err
				}
			default:
				if !atHome(a.Reg, got) {
					return fail("reads value %d from another register", a.Reg)
				}
			}
		}
		if m := in.Args; len(m) == 2 && m[0].Kind() == asm.MemArg && m[0].arg.Reg == asm.RSI && m[1].Reg != 0 {
			slots[m[0].arg.Val] = m[1].Reg
		}
		if in.Mask.Reg != 0 {
			if err := holds(o.inst.Mask, in.Mask.Reg); err != nil {
				return err
			}
		}
		if d := in.Result(); d != 0 {
			x := o.inst.Args[0].Reg
			p := location{x.Class() == asm.Mask, x.Num()}
			if isPin(p) {
				return fail("overwrites a live value")
			}
			for q, r := range regs { // stale copies of the same register
				if r == d {
					delete(regs, q)
				}
			}
			for q, r := range slots {
				if r == d {
					delete(slots, q)
				}
			}
			regs[p] = d
		}
		if in.ClobbersMask { // the mask is clobbered
			if in.Mask.Reg != 0 {
				delete(regs, location{true, o.inst.Mask.Num()})
			} else {
				delete(regs, location{false, o.inst.Args[len(in.Args)-1].Reg.Num()})
			}
		}
	}
	if next != len(list) {
		return fmt.Errorf("%d of %d instructions", next, len(list))
	}
	for r, p := range al.carried {
		if have := regs[location{n: p.Num()}]; have != r {
			return fmt.Errorf("%s ends with value %d, want %d, which is live out", p, have, r)
		}
	}
	return nil
}
