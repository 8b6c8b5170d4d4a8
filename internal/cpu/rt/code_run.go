//go:build amd64 || arm64

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

	"github.com/go-nx/nx/internal/goroutine"
)

//go:noescape
func callCode(entry uintptr, args unsafe.Pointer)

//go:noescape
func callCodeFlushing(entry uintptr, args unsafe.Pointer)

// floatMode returns the control register of floats, with the rounding mode.
func floatMode() uint32

func setFloatMode(v uint32)

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
		setFloatMode(defaultFloatMode)
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

// checkTrampolines calls the code of the self-test, which has the float64 at args halved at args+8, and the address of
// the spill memory at args+16.
func checkTrampolines(code []byte, instructionBytes int) error {
	arena := newCodeArena()
	f, err := arena.Add("self-test", code, instructionBytes)
	if err != nil {
		return err
	}
	if err := arena.Seal(); err != nil {
		return err
	}
	before := floatMode()
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
		spill, mode := binary.LittleEndian.Uint64(args[16:]), floatMode()
		if spill%64 != 0 || mode&^floatFlags != before&^floatFlags {
			return fmt.Errorf("spill memory at %#x, mode of floats %#x, %#x before", spill, mode, before)
		}
	}
	return nil
}
