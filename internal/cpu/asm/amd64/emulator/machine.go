package emulator

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// Machine is the state of a processor. The zero Machine has no memory; [New] returns the initial state of code.
type Machine struct {
	GP    [16]uint64
	V     [32][64]byte
	K     [8]uint64
	Flags uint64 // the arithmetic flags of RFLAGS
	MXCSR uint32
	Tiles Tiles
	memory.Memory
	Executed uint64 // instructions that Call has executed

	decoded   map[uint64]step // decoded instructions by address, as of their first execution
	undefined uint64          // undefined flags
	ip        uint64          // address of the next instruction, and of the current one
	at        uint64
}

// The arithmetic flags, by their bit in RFLAGS.
const (
	CF = 1 << 0
	PF = 1 << 2
	AF = 1 << 4
	ZF = 1 << 6
	SF = 1 << 7
	OF = 1 << 11

	AllFlags = CF | PF | AF | ZF | SF | OF
)

// The bits of MXCSR that are modelled.
const (
	DAZ          = 1 << 6
	FTZ          = 1 << 15
	DefaultMXCSR = 0x1f80
)

// New returns a machine without memory and the default MXCSR.
func New() *Machine { return &Machine{MXCSR: DefaultMXCSR} }

// Undefined returns the flags that the last instructions left undefined.
func (m *Machine) Undefined() uint64 { return m.undefined }

// Fault reports why an instruction could not be executed.
type Fault struct {
	At   uint64 // its address
	Inst amd64.Inst
	Err  error
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("emulator: %#x: %s: %v", f.At, f.Inst, f.Err) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// The causes besides accesses to memory ([memory.AccessError]).
var (
	ErrUndefinedFlag = errors.New("depends on an undefined flag")
	ErrDivide        = errors.New("the quotient does not fit, or the divisor is 0")
	ErrTrap          = errors.New("a trap")
	ErrTileConfig    = errors.New("the tiles are not configured for the instruction")
	ErrSteps         = errors.New("emulator: the code did not return within the step limit")
)

// returnAddress is the return address of called code.
const returnAddress = 0xdead_0000_0000_0000

// Call runs code at an address until it returns, as a trampoline calls it: the stack has little more than the return
// address. Code must be mapped, and must not change between calls.
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
			code, err := m.Code(m.ip, 15)
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
		m.Executed++
		if m.ip == returnAddress {
			if m.GP[4] != stackAt+stackBytes/2 {
				return fmt.Errorf("emulator: the code returns with the stack pointer off by %d bytes",
					int64(m.GP[4]-stackAt-stackBytes/2))
			}
			return nil
		}
	}
	return ErrSteps
}

// step is a decoded instruction.
type step struct {
	in   amd64.Inst
	size int
}

// Exec executes one instruction as if it were at an address with the given size.
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

// execFunc executes an instruction.
type execFunc func(x *exec) error

// execFuncs has the execFunc of each mnemonic.
var execFuncs = map[amd64.Op]execFunc{}

// define adds execFuncs; it panics if there already is one.
func define(more map[amd64.Op]execFunc) {
	for op, f := range more {
		if execFuncs[op] != nil {
			panic("emulator: duplicate implementation of " + op.String())
		}
		execFuncs[op] = f
	}
}

// def is define for one mnemonic.
func def(op amd64.Op, f execFunc) { define(map[amd64.Op]execFunc{op: f}) }
