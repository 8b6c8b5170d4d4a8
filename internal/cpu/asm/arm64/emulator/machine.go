package emulator

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// Machine is the state of a processor. The zero Machine has no memory, and the modes of Go code.
type Machine struct {
	X     [31]uint64
	SP    uint64
	V     [32][16]byte
	Flags Flags
	FPCR  uint32
	FPSR  uint32 // as MSR has set it
	memory.Memory
	Executed uint64 // instructions that Call has executed

	decoded map[uint64]arm64.Inst // decoded instructions by address, as of their first execution
	pc      uint64                // address of the next instruction, and of the current one
	at      uint64
}

// Flags are the condition flags, with N in bit 3, then Z, C and V.
type Flags uint8

// The flags.
const (
	V Flags = 1 << iota
	C
	Z
	N
)

// The bits of FPCR that are modelled, besides the rounding mode.
const (
	FZ16 = 1 << 19
	FZ   = 1 << 24
)

// Fault reports why an instruction could not be executed.
type Fault struct {
	At   uint64 // its address
	Inst arm64.Inst
	Err  error
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("emulator: %#x: %s: %v", f.At, f.Inst, f.Err) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// The causes besides accesses to memory ([memory.AccessError]).
var (
	ErrTrap  = errors.New("a trap")
	ErrSteps = errors.New("emulator: the code did not return within the step limit")
	// ErrSystem reports a system register that is not modelled.
	ErrSystem = errors.New("the system register is not modelled")
)

// returnAddress is the return address of called code.
const returnAddress = 0xdead_0000_0000_0000

// Call runs code at an address until it returns, as a trampoline calls it. Code must be mapped, and must not change
// between calls.
func (m *Machine) Call(entry uint64, steps int) error {
	const stackAt, stackBytes = 0x7fff_0000_0000, 256
	m.Map(stackAt, make([]byte, stackBytes), true)
	defer m.Unmap(stackAt)
	m.SP = stackAt + stackBytes/2
	m.X[30] = returnAddress
	m.pc = entry
	if m.decoded == nil {
		m.decoded = map[uint64]arm64.Inst{}
	}
	for range steps {
		in, ok := m.decoded[m.pc]
		if !ok {
			code, err := m.Code(m.pc, 4)
			if err != nil {
				return err
			}
			if in, err = arm64.Decode(code); err != nil {
				return fmt.Errorf("emulator: at %#x: %w", m.pc, err)
			}
			m.decoded[m.pc] = in
		}
		if err := m.Exec(&in, m.pc); err != nil {
			return err
		}
		m.Executed++
		if m.pc == returnAddress {
			if m.SP != stackAt+stackBytes/2 {
				return fmt.Errorf("emulator: the code returns with the stack pointer off by %d bytes",
					int64(m.SP-stackAt-stackBytes/2))
			}
			return nil
		}
	}
	return ErrSteps
}

// Exec executes an instruction at an address.
func (m *Machine) Exec(in *arm64.Inst, at uint64) error {
	m.at, m.pc = at, at+4
	f := ops[in.Op]
	if f == nil {
		return &Fault{at, *in, errors.ErrUnsupported}
	}
	x := exec{Machine: m, in: in}
	if err := f(&x); err != nil {
		if x.updated != 0 {
			x.setReg(x.updated, x.base)
		}
		return &Fault{at, *in, err}
	}
	return nil
}

// PC returns the address of the next instruction.
func (m *Machine) PC() uint64 { return m.pc }

// execFunc executes an instruction.
type execFunc func(x *exec) error

// ops are the functions of the mnemonics.
var ops = map[arm64.Op]execFunc{}

// define adds functions of mnemonics.
func define(more map[arm64.Op]execFunc) {
	for op, f := range more {
		if ops[op] != nil {
			panic(fmt.Sprintf("emulator: %s is defined twice", op))
		}
		ops[op] = f
	}
}

// exec is an instruction in execution.
type exec struct {
	*Machine
	in *arm64.Inst
	// updated is the base of an access that adds its offset to it, which a fault does not change; base was its value.
	updated arm64.Reg
	base    uint64
}

// arg returns operand i.
func (x *exec) arg(i int) *arm64.Arg { return &x.in.Args[i] }

// reg returns the value of a general register, or the lowest bits of a vector register.
func (x *exec) reg(r arm64.Reg) uint64 {
	n := r.Num()
	switch r.Class() {
	case arm64.ClassSP:
		return x.SP
	case arm64.ClassWSP:
		return uint64(uint32(x.SP))
	case arm64.ClassX, arm64.ClassW:
		if n == 31 {
			return 0
		}
		if r.Class() == arm64.ClassW {
			return uint64(uint32(x.X[n]))
		}
		return x.X[n]
	}
	return memory.Load(x.V[n][:], min(r.Class().Bytes(), 8))
}

// setReg sets a register; the upper bits become 0.
func (x *exec) setReg(r arm64.Reg, v uint64) {
	n := r.Num()
	switch r.Class() {
	case arm64.ClassSP:
		x.SP = v
	case arm64.ClassWSP:
		x.SP = uint64(uint32(v))
	case arm64.ClassX, arm64.ClassW:
		if n == 31 {
			return
		}
		if r.Class() == arm64.ClassW {
			v = uint64(uint32(v))
		}
		x.X[n] = v
	default:
		x.V[n] = [16]byte{}
		memory.Store(x.V[n][:], min(r.Class().Bytes(), 8), v)
	}
}

// isVector reports whether a register is of the vector registers.
func isVector(r arm64.Reg) bool { return r.Class() >= arm64.ClassB }

// width returns the bytes of a general register.
func width(r arm64.Reg) int { return r.Class().Bytes() }

// truncated returns the lower bytes of a number.
func truncated(v uint64, bytes int) uint64 { return v << (64 - 8*bytes) >> (64 - 8*bytes) }

// signed returns a number of some bytes with its sign extended.
func signed(v uint64, bytes int) int64 { return int64(v<<(64-8*bytes)) >> (64 - 8*bytes) }
