package kit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
	"weak"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/amd64/emulator"
	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	emulator64 "github.com/go-nx/nx/internal/cpu/asm/arm64/emulator"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// stackStays keeps stacks where they are: code holds addresses of arguments on them.
const stackStays = "gcshrinkstackoff=1"

// runEmulated runs the tests, and returns the status of the process.
func runEmulated(m *testing.M) int {
	if debug := os.Getenv("GODEBUG"); !strings.Contains(debug, stackStays) {
		again := exec.Command(os.Args[0], os.Args[1:]...)
		again.Env = append(os.Environ(), "GODEBUG="+strings.TrimPrefix(debug+","+stackStays, ","))
		again.Stdin, again.Stdout, again.Stderr = os.Stdin, os.Stdout, os.Stderr
		err := again.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return again.ProcessState.ExitCode()
	}
	e := &emulating{machines: map[weak.Pointer[rt.Function]]*sync.Pool{}, make: newAMD64}
	x := &rt.Executor{Features: everyFeature, Run: e.run}
	if os.Getenv("NX_CPU") == "neon" {
		e.make = newAArch64
		x.Features, x.Translator = 0, &rt.Translator{Translate: neon.Translate, Listing: arm64.Listing}
	}
	rt.SetExecutor(x)
	code := m.Run()
	fmt.Printf("emulated: %d calls of machine code\n", e.calls.Load())
	if code == 0 && e.calls.Load() == 0 && os.Getenv("NX_CPU") != "portable" {
		fmt.Println("no machine code has been run")
		code = 1
	}
	return code
}

// everyFeature are the features of the emulator.
const everyFeature = ^amd64.Feature(0)

// emulating runs code by machines that cache their decoded instructions.
type emulating struct {
	calls atomic.Int64
	make  func(code []byte, entry, spills uint64) machine

	mu       sync.Mutex
	machines map[weak.Pointer[rt.Function]]*sync.Pool
}

// machine calls the code of a function.
type machine func(args uint64, flushing bool) error

// stepsOfCall are more than any call takes, which lasts 250 µs on a processor.
const stepsOfCall = 1 << 26

func newAMD64(code []byte, entry, spills uint64) machine {
	m := emulator.New()
	m.OfProcess = true
	m.Map(entry, code, false)
	return func(args uint64, flushing bool) error {
		m.GP[7], m.GP[6] = args, spills
		m.MXCSR = emulator.DefaultMXCSR
		if flushing {
			m.MXCSR |= emulator.FTZ | emulator.DAZ
		}
		return m.Call(entry, stepsOfCall)
	}
}

func newAArch64(code []byte, entry, spills uint64) machine {
	m := &emulator64.Machine{}
	m.OfProcess = true
	m.Map(entry, code, false)
	return func(args uint64, flushing bool) error {
		m.X[0], m.X[1] = args, spills
		m.FPCR = 0
		if flushing {
			m.FPCR = emulator64.FZ | emulator64.FZ16
		}
		return m.Call(entry, stepsOfCall)
	}
}

func (e *emulating) run(f *rt.Function, args uintptr, flushing bool) error {
	e.calls.Add(1)
	machines := e.machinesOf(f)
	m := machines.Get().(*machineOf)
	if err := m.call(uint64(args), flushing); err != nil {
		return err
	}
	machines.Put(m)
	return nil
}

// machineOf is a machine that has the code of a function, and its spill memory.
type machineOf struct {
	call   machine
	memory []byte
}

func (e *emulating) machinesOf(f *rt.Function) *sync.Pool {
	key := weak.Make(f)
	e.mu.Lock()
	defer e.mu.Unlock()
	machines := e.machines[key]
	if machines == nil {
		code, _ := f.Code()
		machines = &sync.Pool{New: func() any {
			m := &machineOf{memory: make([]byte, 4096+neon.SpillBytes+64)}
			spills := (uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.memory)))) + 63) &^ 63
			m.call = e.make(code, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code)))), spills)
			return m
		}}
		e.machines[key] = machines
		runtime.AddCleanup(f, func(key weak.Pointer[rt.Function]) {
			e.mu.Lock()
			defer e.mu.Unlock()
			delete(e.machines, key)
		}, key)
	}
	return machines
}
