package rt

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/goroutine"
)

//go:noescape
func callCode(entry uintptr, args unsafe.Pointer)

//go:noescape
func callCodeFlushing(entry uintptr, args unsafe.Pointer)

func mxcsr() uint32
func setMXCSR(v uint32)

// Call runs the function, which reads args and the memory they point to. It panics with a *[CodeFault] if the code
// faults.
//
// A goroutine cannot be preempted inside, so that garbage collections wait for the call. It should take 250 µs at most,
// and callers check for cancellation between calls.
func (f *Function) Call(args unsafe.Pointer) { f.call(args, false) }

// CallFlushing is [Function.Call] with subnormal operands and results flushed to 0. Code that changes the rounding mode
// is called this way: it need not restore it.
func (f *Function) CallFlushing(args unsafe.Pointer) { f.call(args, true) }

func (f *Function) call(args unsafe.Pointer, flush bool) {
	if f.entry == 0 {
		panic(fmt.Sprintf("rt: %s must be sealed before it is called", f.Name))
	}
	c := running{f: f, panicOnFault: debug.SetPanicOnFault(true), flushed: flush}
	if flush {
		// A fault leaves the rounding mode of the code on the thread until end. The goroutine may be preempted before;
		// the thread must not run another one then.
		runtime.LockOSThread()
	}
	if getLabels() == nil { // labels of the user stay
		setLabels(f.labels)
		c.labelled = true
	}
	defer c.end()
	switch {
	case executor != nil:
		executor.run(f, args, flush)
	case flush:
		callCodeFlushing(f.entry, args)
	default:
		callCode(f.entry, args)
	}
	c.returned = true
}

// running is a call in progress.
type running struct {
	f            *Function
	panicOnFault bool // of the goroutine, before
	labelled     bool
	flushed      bool
	returned     bool
}

// end restores the goroutine's state, and turns a fault into a *[CodeFault].
func (c *running) end() {
	if !c.panicOnFault {
		debug.SetPanicOnFault(false)
	}
	if c.labelled {
		setLabels(nil)
	}
	if !c.returned {
		setMXCSR(defaultMXCSR)
	}
	if c.flushed {
		runtime.UnlockOSThread()
	}
	if c.returned {
		runtime.KeepAlive(c.f)
		return
	}
	offset := c.f.faultOffset()
	cause := recover()
	err, ok := cause.(runtime.Error)
	if !ok {
		panic(cause)
	}
	panic(&CodeFault{Name: c.f.Name, Offset: offset, Cause: err})
}

// defaultMXCSR is the mode of Go code: all exceptions masked, round to nearest even.
const defaultMXCSR = 0x1f80

// faultOffset returns the code offset of the goroutine's last fault. The runtime keeps the address, and prints it when
// a program dies of the fault, but has no API for it. It is the only word of the goroutine's descriptor that points
// into this code; if there is none, or more than one, the offset is unknown.
func (f *Function) faultOffset() int {
	offset := -1
	for _, w := range goroutine.Descriptor() {
		if w >= f.entry && w < f.entry+uintptr(f.instructionBytes) {
			if offset >= 0 && offset != int(w-f.entry) {
				return -1
			}
			offset = int(w - f.entry)
		}
	}
	return offset
}

//go:linkname getLabels runtime/pprof.runtime_getProfLabel
func getLabels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(labels unsafe.Pointer)

// start makes the function callable.
func (f *Function) start() {
	old := getLabels()
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("kernel", f.Name)))
	f.labels = getLabels()
	setLabels(old)
	f.entry = uintptr(unsafe.Pointer(unsafe.SliceData(f.code)))
}

// testCode runs generated code by both trampolines and checks its results.
func testCode() error {
	if need := amd64.AVX | amd64.AVX2; HostFeatures()&need != need {
		return fmt.Errorf("the processor or the system does not support %s", need&^HostFeatures())
	}
	var a amd64.Assembler
	a.Emit(amd64.VMOVSD, amd64.X(0), amd64.Mem(amd64.RDI, 0))
	a.Emit(amd64.VMULSD, amd64.X(0), amd64.X(0), a.Const(amd64.Float64(0.5)))
	a.Emit(amd64.VMOVSD, amd64.Mem(amd64.RSI, 0), amd64.X(0))
	a.Emit(amd64.MOV, amd64.RAX, amd64.Mem(amd64.RSI, 0))
	a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, 8), amd64.RAX)
	a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, 16), amd64.RSI)
	a.Emit(amd64.RET)
	code, err := a.Finish()
	if err != nil {
		return err
	}
	arena := newCodeArena()
	f, err := arena.Add("self-test", code, a.Len())
	if err != nil {
		return err
	}
	if err := arena.Seal(); err != nil {
		return err
	}
	before := mxcsr()
	for _, c := range []struct {
		name string
		call func(unsafe.Pointer)
		x    uint64
		want uint64
	}{
		{"a number", f.Call, math.Float64bits(3), math.Float64bits(1.5)},
		{"a subnormal number", f.Call, 4, 2},
		{"a subnormal number, flushed", f.CallFlushing, 4, 0},
	} {
		var args [24]byte
		binary.LittleEndian.PutUint64(args[:], c.x)
		c.call(unsafe.Pointer(&args))
		if got := binary.LittleEndian.Uint64(args[8:]); got != c.want {
			return fmt.Errorf("half of %s must be %#[3]x, got %#[2]x", c.name, got, c.want)
		}
		if spill := binary.LittleEndian.Uint64(args[16:]); spill%64 != 0 || mxcsr()&^0x3f != before&^0x3f {
			return fmt.Errorf("spill memory at %#x, mxcsr %#x, %#x before", spill, mxcsr(), before)
		}
	}
	return nil
}
