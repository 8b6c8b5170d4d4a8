package emulator

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// program writes random code with jumps and a stack between a load and a store of all general registers except
// RSP; RDI holds the state's address.
func program(a *Assembler, r *rand.Rand) {
	free := []Reg{RAX, RCX, RDX, RBX, RBP, RSI, GP(8), GP(9), GP(10), GP(11), GP(12), GP(13), GP(14), GP(15)}
	reg := func() Reg { return free[r.IntN(len(free))] }
	for _, g := range free {
		a.Emit(MOV, g, Mem(RDI, 8*g.Num()))
	}
	for range 40 {
		condition := Op(r.IntN(16))
		a.Emit([]Op{CMP, SUB, ADD}[r.IntN(3)], reg(), reg())
		switch r.IntN(8) {
		case 0: // a jump over an instruction, short or long
			over := a.NewLabel()
			a.Emit(JO+condition, over)
			for range 1 + r.IntN(60) {
				a.Emit(LEA, reg(), MemIndex(reg(), reg(), 4, r.IntN(500)))
			}
			a.Bind(over)
		case 1: // a backward jump
			a.Emit(MOV, RCX, Imm(int64(1+r.IntN(5))))
			top := a.NewLabel()
			a.Bind(top)
			for range 1 + r.IntN(50) {
				a.Emit(LEA, RDX, MemIndex(RDX, RCX, 2, 1))
			}
			a.Emit(DEC, RCX)
			a.Emit(JNE, top)
		case 2:
			a.Emit(PUSH, reg())
			a.Emit(ADD, reg(), reg())
			a.Emit(POP, reg())
		case 3: // a return to the instruction after a trap
			a.Emit(LEA, RAX, Mem(RIP, 1+1+1))
			a.Emit(PUSH, RAX)
			a.Emit(RET)
			a.Emit(INT3)
		case 4: // a jump by memory over a trap
			a.Emit(LEA, RAX, Mem(RIP, 5+4+1))
			a.Emit(MOV, Mem(RSP, 32), RAX)
			a.Emit(JMP, Mem(RSP, 32))
			a.Emit(INT3)
		case 5:
			a.Emit(CMOVO+condition, reg(), reg())
		case 6: // short, forward
			a.Emit(JO+condition, Imm(3))
			a.Emit(INC, RBX) // 3 bytes
		case 7:
			a.Emit(PUSHFQ)
			a.Emit(POP, RAX)
			a.Emit(AND, RAX, Imm(AllFlags))
			a.Emit(PUSH, RAX)
			a.Emit(POPFQ)
			a.Emit(PUSH, Mem(RDI, 64))
			a.Emit(POP, Mem(RDI, 72))
		}
	}
	for _, g := range free {
		a.Emit(MOV, Mem(RDI, 8*g.Num()), g)
	}
	a.Emit(RET)
}

// TestPrograms runs random code with jumps on both.
func TestPrograms(t *testing.T) {
	if err := rt.CanRunCode(); err != nil {
		t.Skip(err)
	}
	arena, err := rt.NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 * *perRow {
		r := rand.New(rand.NewPCG(*seed, uint64(n)))
		var a Assembler
		program(&a, r)
		code, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		f, err := arena.Add("program", code, a.Len())
		if err != nil {
			t.Fatal(err)
		}
		if err := arena.Seal(); err != nil {
			t.Fatal(err)
		}
		theirs := make([]byte, 128)
		fill(r, theirs)
		ours := slices.Clone(theirs)
		m := New()
		text, _ := f.Code()
		start := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(text))))
		at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(theirs))))
		m.Map(start, text, false)
		m.Map(at, ours, true)
		m.GP[rdi] = at
		if err := m.Call(start, 100_000); err != nil {
			t.Fatalf("program %d: %v\n%s", n, err, Listing(code, a.Len()))
		}
		f.Call(unsafe.Pointer(unsafe.SliceData(theirs)))
		// Pushed addresses are the same in both, except for the stack's own.
		if !slices.Equal(ours, theirs) {
			t.Fatalf("program %d: emulator % x\nprocessor % x\n%s", n, ours, theirs, Listing(code, a.Len()))
		}
	}
}
