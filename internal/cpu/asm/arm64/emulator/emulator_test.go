package emulator

import (
	"errors"
	"math/rand/v2"
	"testing"

	. "github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// TestComplete looks for mnemonics that are not implemented.
func TestComplete(t *testing.T) {
	for op := range Ops() {
		if ops[op] == nil {
			t.Errorf("%s is not implemented", op)
		}
	}
}

// TestRunsAllRows executes every form with random registers; the only errors are those of memory and of traps.
func TestRunsAllRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range Samples(r, 3) {
		var m Machine
		for i := range m.V {
			for j := range m.V[i] {
				m.V[i][j] = byte(r.Uint32())
			}
		}
		_ = m.Exec(&s.Inst, 0x1000)
	}
}

// TestJumps executes what TestHardware cannot: jumps in both directions, calls, flags, traps.
func TestJumps(t *testing.T) {
	for name, c := range map[string]struct {
		write func(a *Assembler)
		want  uint64 // of x0
		err   error
	}{
		"a loop": {func(a *Assembler) {
			loop := a.NewLabel()
			a.Emit(MOVZ, X(0), Imm(0))
			a.Emit(MOVZ, X(1), Imm(10))
			a.Bind(loop)
			a.Emit(ADD, X(0), X(0), X(1))
			a.Emit(SUBS, X(1), X(1), Imm(1))
			a.Emit(BNE, loop)
		}, 55, nil},
		"zeros and bits": {func(a *Assembler) {
			zero, bit, end := a.NewLabel(), a.NewLabel(), a.NewLabel()
			a.Emit(MOVZ, X(0), Imm(4))
			a.Emit(CBZ, X(0), end)
			a.Emit(CBNZ, X(0), zero)
			a.Emit(BRK, Imm(1))
			a.Bind(zero)
			a.Emit(TBZ, X(0), Imm(2), end)
			a.Emit(TBNZ, X(0), Imm(2), bit)
			a.Emit(BRK, Imm(2))
			a.Bind(bit)
			a.Emit(MOVZ, X(0), Imm(7))
			a.Bind(end)
		}, 7, nil},
		"a call": {func(a *Assembler) {
			f, after := a.NewLabel(), a.NewLabel()
			a.Emit(ORR, X(5), XZR, X(30))
			a.Emit(BL, f)
			a.Emit(ADR, X(2), f)
			a.Emit(BLR, X(2))
			a.Emit(ORR, X(30), XZR, X(5))
			a.Emit(B, after)
			a.Bind(f)
			a.Emit(ADD, X(0), X(0), Imm(3))
			a.Emit(RET, X(30))
			a.Bind(after)
		}, 6, nil},
		"constants": {func(a *Assembler) {
			a.Emit(LDR, X(0), a.Const([]byte{1, 2, 3, 4, 5, 6, 7, 8}))
			a.Emit(LDR, Q(1), a.Const([]byte{9: 1, 15: 2}))
			a.Emit(UMOV, X(1), Elem(ElemD, 1, 1))
			a.Emit(EOR, X(0), X(0), X(1))
		}, 0x0807060504030201 ^ 0x0200000000000100, nil},
		"modes and flags": {func(a *Assembler) {
			a.Emit(MOVZ, X(1), Lsl(0xf000, 16))
			a.Emit(MSR, NZCV, X(1))
			a.Emit(MOVZ, X(2), Lsl(1<<8, 16))
			a.Emit(MSR, FPCR, X(2))
			a.Emit(MRS, X(0), NZCV)
			a.Emit(MRS, X(3), FPCR)
			a.Emit(EOR, X(0), X(0), X(3))
			a.Emit(MSR, FPCR, XZR)
		}, 0xf1000000, nil},
		"every condition": {func(a *Assembler) {
			a.Emit(MOVZ, X(0), Imm(0))
			a.Emit(MOVZ, X(1), Imm(1))
			a.Emit(SUBS, XZR, X(1), Imm(2)) // 1 - 2: N, no Z, no C, no V
			for i, op := range []Op{BEQ, BNE, BHS, BLO, BMI, BPL, BVS, BVC, BHI, BLS, BGE, BLT, BGT, BLE} {
				over := a.NewLabel()
				a.Emit(op, over)
				a.Emit(ORR, X(0), X(0), Imm(1<<i))
				a.Bind(over)
			}
		}, 0b01_0101_0110_0101, nil},
		"a trap":                  {func(a *Assembler) { a.Emit(BRK, Imm(0)) }, 0, ErrTrap},
		"another system register": {func(a *Assembler) { a.Emit(MRS, X(0), SysReg(1)) }, 0, ErrSystem},
	} {
		t.Run(name, func(t *testing.T) {
			var a Assembler
			c.write(&a)
			a.Emit(RET, X(30))
			code, err := a.Finish()
			if err != nil {
				t.Fatal(err)
			}
			var m Machine
			const at = 0x10000
			m.Map(at, code, false)
			if err := m.Call(at, 1000); !errors.Is(err, c.err) || c.err == nil && err != nil {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if c.err == nil && m.X[0] != c.want {
				t.Errorf("x0 is %#x, want %#x", m.X[0], c.want)
			}
		})
	}
}

// TestErrors executes what fails, and keeps the state of the machine.
func TestErrors(t *testing.T) {
	var m Machine
	m.X[1] = 0x1000
	in := Inst{Op: LDR, Args: [5]Arg{RegOperand(X(0)), Post(X(1), 8)}}
	var access *memory.AccessError
	if err := m.Exec(&in, 0); !errors.As(err, &access) || access.At != 0x1000 || m.X[1] != 0x1000 {
		t.Errorf("got %v, x1 %#x", err, m.X[1])
	}
	m.Map(0x1000, make([]byte, 16), false)
	in.Op = STR
	if err := m.Exec(&in, 0); !errors.As(err, &access) || access.What != "are read-only" || m.X[1] != 0x1000 {
		t.Errorf("got %v, x1 %#x", err, m.X[1])
	}
	var a Assembler
	loop := a.NewLabel()
	a.Bind(loop)
	a.Emit(B, loop)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	m.Map(0x2000, code, false)
	if err := m.Call(0x2000, 100); !errors.Is(err, ErrSteps) {
		t.Errorf("an endless loop: %v", err)
	}
	m.Map(0x3000, []byte{0, 0, 0, 0}, false)
	if err := m.Call(0x3000, 100); !errors.Is(err, ErrUnknown) {
		t.Errorf("bytes that are not an instruction: %v", err)
	}
	if err := m.Call(0x4000, 100); !errors.As(err, &access) {
		t.Errorf("code outside of memory: %v", err)
	}
}
