//go:build amd64 || arm64

// Package emulated runs the machine code of entire programs by the emulators, in tests and for counts of instructions:
// that of processors that the machine is not.
package emulated

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/amd64/emulator"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	emulator64 "github.com/go-nx/nx/internal/cpu/asm/arm64/emulator"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Program is a process whose machine code is emulated.
type Program struct {
	// Calls, Instructions and Bytes count the calls of functions, the instructions they have executed, and the bytes
	// they have read and written.
	Calls, Instructions, Bytes atomic.Int64

	make     func(code []byte, entry, spills uint64) machine
	mu       sync.Mutex
	machines map[weak.Pointer[rt.Function]]*sync.Pool
}

// Start emulates all machine code of this process from now on, for a tier: "neon" for AArch64, others for amd64 with
// every feature. See [rt.SetExecutor] for when it may be called.
func Start(tier string) *Program {
	p := &Program{machines: map[weak.Pointer[rt.Function]]*sync.Pool{}, make: newAMD64}
	x := &rt.Executor{Features: everyFeature, Run: p.run}
	if tier == "neon" {
		p.make = newAArch64
		x.Features, x.Translator = 0, &rt.Translator{Translate: neon.Translate, Listing: arm64.Listing}
	}
	rt.SetExecutor(x)
	return p
}

// everyFeature are the features of the emulator.
const everyFeature = ^amd64.Feature(0)

// machine calls the code of a function, and returns the instructions that it executed and the bytes that it accessed.
// It caches decoded instructions.
type machine func(args uint64, flushing bool) (instructions, bytes uint64, err error)

// stepsOfCall are more than any call takes, which lasts 250 µs on a processor.
const stepsOfCall = 1 << 26

func newAMD64(code []byte, entry, spills uint64) machine {
	m := emulator.New()
	m.OfProcess = true
	m.Map(entry, code, false)
	return func(args uint64, flushing bool) (instructions, bytes uint64, err error) {
		m.Executed, m.Accessed = 0, 0
		m.GP[7], m.GP[6] = args, spills
		m.MXCSR = emulator.DefaultMXCSR
		if flushing {
			m.MXCSR |= emulator.FTZ | emulator.DAZ
		}
		err = m.Call(entry, stepsOfCall)
		return m.Executed, m.Accessed, err
	}
}

func newAArch64(code []byte, entry, spills uint64) machine {
	m := &emulator64.Machine{}
	m.OfProcess = true
	m.Map(entry, code, false)
	return func(args uint64, flushing bool) (instructions, bytes uint64, err error) {
		m.Executed, m.Accessed = 0, 0
		m.X[0], m.X[1] = args, spills
		m.FPCR = 0
		if flushing {
			m.FPCR = emulator64.FZ | emulator64.FZ16
		}
		err = m.Call(entry, stepsOfCall)
		return m.Executed, m.Accessed, err
	}
}

func (p *Program) run(f *rt.Function, args uintptr, flushing bool) error {
	p.Calls.Add(1)
	machines := p.machinesOf(f)
	m := machines.Get().(*machineOf)
	instructions, bytes, err := m.call(uint64(args), flushing)
	if err != nil {
		return err
	}
	p.Instructions.Add(int64(instructions))
	p.Bytes.Add(int64(bytes))
	machines.Put(m)
	return nil
}

// machineOf is a machine that has the code of a function, and its spill memory.
type machineOf struct {
	call   machine
	memory []byte
}

func (p *Program) machinesOf(f *rt.Function) *sync.Pool {
	key := weak.Make(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	machines := p.machines[key]
	if machines == nil {
		code, _ := f.Code()
		machines = &sync.Pool{New: func() any {
			m := &machineOf{memory: make([]byte, 4096+neon.SpillBytes+64)}
			spills := (uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.memory)))) + 63) &^ 63
			m.call = p.make(code, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code)))), spills)
			return m
		}}
		p.machines[key] = machines
		runtime.AddCleanup(f, func(key weak.Pointer[rt.Function]) {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.machines, key)
		}, key)
	}
	return machines
}
