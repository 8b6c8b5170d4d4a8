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
	e := &emulating{machines: map[weak.Pointer[rt.Function]]*sync.Pool{}}
	rt.SetExecutor(&rt.Executor{Features: everyFeature, Run: e.run})
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

	mu       sync.Mutex
	machines map[weak.Pointer[rt.Function]]*sync.Pool
}

// stepsOfCall are more than any call takes, which lasts 250 µs on a processor.
const stepsOfCall = 1 << 26

func (e *emulating) run(f *rt.Function, args uintptr, flushing bool) error {
	e.calls.Add(1)
	machines := e.machinesOf(f)
	m := machines.Get().(*machineOf)
	m.GP[7], m.GP[6] = uint64(args), m.spills
	m.MXCSR = emulator.DefaultMXCSR
	if flushing {
		m.MXCSR |= emulator.FTZ | emulator.DAZ
	}
	if err := m.Call(m.entry, stepsOfCall); err != nil {
		return err
	}
	machines.Put(m)
	return nil
}

// machineOf is a machine that has the code of a function.
type machineOf struct {
	*emulator.Machine
	entry, spills uint64
	memory        []byte
}

func (e *emulating) machinesOf(f *rt.Function) *sync.Pool {
	key := weak.Make(f)
	e.mu.Lock()
	defer e.mu.Unlock()
	machines := e.machines[key]
	if machines == nil {
		code, _ := f.Code()
		machines = &sync.Pool{New: func() any {
			m := &machineOf{Machine: emulator.New(), memory: make([]byte, 4096+64)}
			m.OfProcess = true
			m.entry = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code))))
			m.spills = (uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.memory)))) + 63) &^ 63
			m.Map(m.entry, code, false)
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
