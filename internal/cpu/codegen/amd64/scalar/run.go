package scalar

import (
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Code is a loop as one function. The layout of its memory: the resume point, the budget until the next exit, the
// addresses of buffers, the arguments of kernels in tiles, and the reserved buffers.
type Code struct {
	Text             []byte
	InstructionBytes int
	f                *rt.Function
	memBytes         int             // size of the memory
	slots            map[int]int     // byte offsets of the reserved buffers
	pointers         []scalarPointer // of the buffers in memory
	arguments        []scalarArgument
	fallbacks        []codegen.ScalarCode // fallback code, by the number of the exit minus 1; nil for none
	// Emulate runs the code in tests, instead of the processor; an error ends the run.
	Emulate func(mem []byte) error
}

// The header of the memory.
const (
	scalarResume = 0 // in and out: the number of the resume point, 0 at the beginning and the end
	scalarBudget = 8
	scalarHead   = 16
)

// scalarPointer is the address of a buffer in memory. Reserved buffers are filled from it, or spilled to it.
type scalarPointer struct {
	buf, at  int
	reserved bool
}

// scalarArgument is an argument of a kernel in tiles: the address of an element of a buffer, or a number.
type scalarArgument struct {
	at     int
	buf    int // -1: offset is a number
	offset int // in bytes
}

// scalarFile is the memory of scalar code while it runs.
type scalarFile struct {
	code      *Code
	mem       []byte
	bufs      []unsafe.Pointer // of the program
	addresses []unsafe.Pointer // of the fallback code: reserved buffers are in mem
	fallbacks []codegen.File
}

// NewFile returns a file for the code. Bufs are the addresses of the buffers, by number, whenever
// the code runs.
func (c *Code) NewFile(bufs []unsafe.Pointer) codegen.File {
	f := &scalarFile{code: c, mem: make([]byte, c.memBytes), bufs: bufs, addresses: make([]unsafe.Pointer, len(bufs))}
	for buf, at := range c.slots {
		f.addresses[buf] = unsafe.Pointer(&f.mem[at])
	}
	for _, p := range c.fallbacks {
		var file codegen.File
		if p != nil {
			file = p.NewFile(f.addresses)
		}
		f.fallbacks = append(f.fallbacks, file)
	}
	return f
}

func (f *scalarFile) word(at int) *int64 { return (*int64)(unsafe.Pointer(&f.mem[at])) }

// Run runs the code. Its loops end early when cancel, which may be nil, is set.
func (f *scalarFile) Run(cancel *atomic.Bool) {
	c := f.code
	for _, p := range c.pointers {
		if !p.reserved {
			f.addresses[p.buf] = f.bufs[p.buf]
		}
		*f.word(p.at) = int64(uintptr(f.bufs[p.buf]))
	}
	for _, a := range c.arguments {
		v := int64(a.offset)
		if a.buf >= 0 {
			v += int64(uintptr(f.addresses[a.buf]))
		}
		*f.word(a.at) = v
	}
	*f.word(scalarResume) = 0
	for cancel == nil || !cancel.Load() {
		*f.word(scalarBudget) = maxScalarCall
		if c.Emulate == nil {
			c.f.Call(unsafe.Pointer(&f.mem[0]))
		} else if c.Emulate(f.mem) != nil {
			break
		}
		stop := *f.word(scalarResume)
		if stop == 0 {
			break
		}
		if fallback := f.fallbacks[stop-1]; fallback != nil {
			fallback.Run(cancel)
		}
	}
	for _, p := range c.pointers { // an idle file keeps no other memory alive
		if !p.reserved {
			f.addresses[p.buf] = nil
		}
	}
}
