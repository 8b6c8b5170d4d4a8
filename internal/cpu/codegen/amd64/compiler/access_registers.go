package compiler

import (
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Registers with a fixed purpose. RDI points to the arguments, RSI to the spill slots.
var (
	remaining   = asm.RAX // number of elements
	elemIndex   = asm.RCX // index of the current element
	ScratchReg  = asm.RDX
	pointerRegs = []asm.Reg{asm.RBX, asm.RBP, asm.GP(8), asm.GP(9), asm.GP(10), asm.GP(11), asm.GP(12), asm.GP(13),
		asm.GP(14), asm.GP(15)}
)

// addressRegs returns the registers for addresses.
func addressRegs(p *plan.Plan) []asm.Reg {
	if p.Form != plan.Map {
		return pointerRegs[:len(pointerRegs)-reduceRegs]
	}
	return pointerRegs
}

// assignAddresses assigns address registers to accesses, as long as there are free ones: first to those that the loop
// advances.
func assignAddresses(addressings []Addressing, p *plan.Plan) {
	next := addressRegs(p)
	assign := func(modes ...AccessMode) {
		for i := range addressings {
			if len(next) > 0 && addressings[i].Reg == 0 && slices.Contains(modes, addressings[i].Mode) {
				addressings[i].Reg, next = next[0], next[1:]
			}
		}
	}
	assign(AccessGathered)
	assign(AccessContiguous, AccessStaged, AccessTransposed)
}

// assignBroadcasts assigns address registers to elements that are broadcast along a row, as long as there are free
// ones.
func assignBroadcasts(l *Lowered, p *plan.Plan, addressings []Addressing) {
	next := addressRegs(p)
	for i := range addressings {
		if addressings[i].Reg != 0 {
			next = next[1:]
		}
	}
	for i := range l.Instrs {
		at := l.Access[i]
		if at >= 0 && l.Used[i] && !l.uniform[i] && addressings[at].Mode == AccessBroadcast &&
			len(l.Instrs[i].At.Lookups) == 0 &&
			len(next) > 0 {
			addressings[at].Reg, next = next[0], next[1:]
		}
	}
}
