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
)

//go:noescape
func callCode(entry uintptr, args unsafe.Pointer)

//go:noescape
func callCodeFlushing(entry uintptr, args unsafe.Pointer)

func mxcsr() uint32
func setMXCSR(v uint32)
func goroutine() unsafe.Pointer

// Call runs the function, which reads args and what they point to. It panics with a
// *[CodeFault] when the code faults.
//
// A goroutine cannot be stopped inside, so that collections wait for the call: it is to take
// 250 µs at most, and whoever makes several looks between them whether to go on.
func (f *Function) Call(args unsafe.Pointer) { f.call(args, false) }

// CallFlushing is [Function.Call] with subnormal numbers taken for 0, as operands and as
// results, which [Function.Call] keeps. Code that changes how numbers are rounded is called
// so: it need not change that back.
func (f *Function) CallFlushing(args unsafe.Pointer) { f.call(args, true) }

func (f *Function) call(args unsafe.Pointer, flush bool) {
	if f.entry == 0 {
		panic(fmt.Sprintf("rt: %s is called before its arena is sealed", f.Name))
	}
	c := running{f: f, panicOnFault: debug.SetPanicOnFault(true), flushed: flush}
	if flush {
		// A fault leaves the thread rounding as the code did until end. The goroutine may be
		// stopped on the way there; the thread must not run another one then.
		runtime.LockOSThread()
	}
	if getLabels() == nil { // those of the user stay
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
	panicOnFault bool // of the goroutine before
	labelled     bool
	flushed      bool
	returned     bool
}

// end leaves the goroutine as it was, and turns a fault into a *[CodeFault].
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

// defaultMXCSR is what Go code runs with: all exceptions masked, to nearest even.
const defaultMXCSR = 0x1f80

// goroutineWords is how much of the runtime's description of a goroutine is searched; it is
// longer in all versions of Go.
const goroutineWords = 46

// faultOffset returns at which offset of the code the goroutine has just faulted. The runtime
// keeps the address, and shows it when a program dies of the fault, but to no program that
// lives. It is the one word of the goroutine's description that points into this code;
// where there is none, or more than one, the offset is not known.
func (f *Function) faultOffset() int {
	offset := -1
	for _, w := range unsafe.Slice((*uintptr)(goroutine()), goroutineWords) {
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

// start lets the function be called.
func (f *Function) start() {
	old := getLabels()
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("kernel", f.Name)))
	f.labels = getLabels()
	setLabels(old)
	f.entry = uintptr(unsafe.Pointer(unsafe.SliceData(f.code)))
}

// testCode makes code, runs it by both trampolines and looks at what it did.
func testCode() error {
	if need := amd64.AVX | amd64.AVX2; HostFeatures()&need != need {
		return fmt.Errorf("the processor or the system lacks %s", need&^HostFeatures())
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
			return fmt.Errorf("half of %s is %#x instead of %#x", c.name, got, c.want)
		}
		if spill := binary.LittleEndian.Uint64(args[16:]); spill%64 != 0 || mxcsr()&^0x3f != before&^0x3f {
			return fmt.Errorf("memory for spills at %#x, mxcsr %#x, %#x before", spill, mxcsr(), before)
		}
	}
	return nil
}
