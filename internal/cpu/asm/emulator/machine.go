package emulator

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// Machine is the state of a processor. The zero Machine has no memory; [New] is what code
// starts with.
type Machine struct {
	GP    [16]uint64
	V     [32][64]byte
	K     [8]uint64
	Flags uint64 // of RFLAGS those of arithmetic
	MXCSR uint32
	Tiles Tiles
	Memory

	decoded   map[uint64]step // instructions by their address, as they were when they were run first
	undefined uint64          // flags whose value code may not depend on
	ip        uint64          // of the next instruction, and of the one in progress
	at        uint64
}

// The flags of arithmetic, by their bit in RFLAGS.
const (
	CF = 1 << 0
	PF = 1 << 2
	AF = 1 << 4
	ZF = 1 << 6
	SF = 1 << 7
	OF = 1 << 11

	AllFlags = CF | PF | AF | ZF | SF | OF
)

// The bits of MXCSR that mean something here.
const (
	DAZ          = 1 << 6
	FTZ          = 1 << 15
	DefaultMXCSR = 0x1f80
)

// New returns a machine without memory whose MXCSR is the default.
func New() *Machine { return &Machine{MXCSR: DefaultMXCSR} }

// Undefined returns the flags that the last instructions have left undefined.
func (m *Machine) Undefined() uint64 { return m.undefined }

// A Fault is why an instruction could not be run.
type Fault struct {
	At   uint64 // its address
	Inst amd64.Inst
	Err  error
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("emulator: %#x: %s: %v", f.At, f.Inst, f.Err) }

// Unwrap returns what went wrong.
func (f *Fault) Unwrap() error { return f.Err }

// What goes wrong beside accesses to memory ([AccessError]).
var (
	ErrUndefinedFlag = errors.New("depends on a flag that is undefined")
	ErrDivide        = errors.New("the quotient does not fit, or the divisor is 0")
	ErrTrap          = errors.New("a trap")
	ErrTileConfig    = errors.New("tiles are not configured for it")
	ErrSteps         = errors.New("emulator: the code has not returned after the steps that it may take")
)

// returnAddress is where code that has been called returns to.
const returnAddress = 0xdead_0000_0000_0000

// Call runs code at an address until it returns, as a trampoline calls it: with a stack that
// has room for a return address and little more. Code is only run where it is mapped, and does not change between
// calls.
func (m *Machine) Call(entry uint64, steps int) error {
	const stackAt, stackBytes = 0x7fff_0000_0000, 256
	stack := make([]byte, stackBytes)
	m.Map(stackAt, stack, true)
	defer m.Unmap(stackAt)
	m.GP[4] = stackAt + stackBytes/2
	if err := m.push(returnAddress); err != nil {
		return err
	}
	m.ip = entry
	if m.decoded == nil {
		m.decoded = map[uint64]step{}
	}
	for range steps {
		s, ok := m.decoded[m.ip]
		if !ok {
			code, err := m.code(m.ip)
			if err != nil {
				return err
			}
			if s.in, s.size, err = amd64.Decode(code); err != nil {
				return fmt.Errorf("emulator: at %#x: %w", m.ip, err)
			}
			m.decoded[m.ip] = s
		}
		if err := m.step(&s.in, s.size); err != nil {
			return err
		}
		if m.ip == returnAddress {
			if m.GP[4] != stackAt+stackBytes/2 {
				return fmt.Errorf("emulator: the code returns with the stack %d bytes off", int64(m.GP[4]-stackAt-stackBytes/2))
			}
			return nil
		}
	}
	return ErrSteps
}

// step is an instruction that has been decoded.
type step struct {
	in   amd64.Inst
	size int
}

// Exec runs one instruction as if it stood at an address and were so long.
func (m *Machine) Exec(in *amd64.Inst, at uint64, size int) error {
	m.ip = at
	return m.step(in, size)
}

func (m *Machine) step(in *amd64.Inst, size int) error {
	f := execFuncs[in.Op]
	m.at = m.ip
	m.ip += uint64(size)
	if f == nil {
		return &Fault{m.at, *in, errors.ErrUnsupported}
	}
	x := exec{m: m, in: in, vl: vectorBytes(in)}
	x.setRounding()
	if err := f(&x); err != nil {
		return &Fault{m.at, *in, err}
	}
	return nil
}

// execFunc is what an instruction does.
type execFunc func(x *exec) error

// execFuncs are those of all mnemonics.
var execFuncs = map[amd64.Op]execFunc{}

// define adds meanings; it panics where there is one.
func define(more map[amd64.Op]execFunc) {
	for op, f := range more {
		if execFuncs[op] != nil {
			panic("emulator: two meanings of " + op.String())
		}
		execFuncs[op] = f
	}
}

// def is define for one mnemonic.
func def(op amd64.Op, f execFunc) { define(map[amd64.Op]execFunc{op: f}) }
