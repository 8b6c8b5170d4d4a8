// Package codegen defines the interface between the compiler and the tiers that generate code for kernels: a tier is a
// [Generator]. Package cpu chooses the tier when it builds the default compiler; no other package names one.
package codegen

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Generator generates code for kernels. It is safe for concurrent use.
type Generator interface {
	// NewSession returns the generator of one executable.
	NewSession() (Session, error)
	// Compile generates code for a kernel that runs as the plan says. Both have been verified: no access leaves its
	// parameter.
	Compile(k *kernel.Kernel, p *plan.Plan) (Code, error)
	// Gemm returns the micro-kernels of matrix products, from which the library builds them.
	Gemm() rt.GemmSteps
	// Scans returns the steps of cumulative sums and products; nil selects plain Go.
	Scans() rt.ScanSteps
	// Fourier returns the steps of Fourier transforms; nil selects plain Go.
	Fourier() rt.FourierSteps
	// Sorts returns the steps of radix sorts; nil selects plain Go.
	Sorts() rt.SortSteps
	// Combines returns the steps of scatters; nil selects plain Go.
	Combines() rt.CombineSteps
	// NewScratch returns the scratch memory of a worker that runs code of this tier.
	NewScratch() Scratch
	// IsScalar reports whether a kernel can be scalar code, and whether that is faster than code for tiles.
	IsScalar(k *kernel.Kernel) (can, better bool)
	// IsScalarContract reports whether scalar code can compute a contraction, and is faster than a call.
	IsScalarContract(c *Contract) bool
	// NewScalarCompiler returns a compiler without operations.
	NewScalarCompiler() ScalarCompiler
}

// Session generates the code of one executable.
type Session interface {
	Generator
	// Seal makes the code executable. It must be called before any of the code runs.
	Seal() error
}

// Loop computes an elementary function of n elements; dst may be x.
type Loop func(dst, x unsafe.Pointer, n int)

// Code is a compiled kernel. It is immutable and may run on several goroutines, each with its own Scratch. Params are
// the addresses of the kernel's parameters.
type Code interface {
	// PartialBytes returns the bytes of memory for partial results, which RunChunk and Finish share among all chunks of
	// a run.
	PartialBytes() int
	// RunChunk runs piece i of the plan. First is, for each parameter, the index of the element at its address, where
	// memory holds only the part of it that the piece accesses; nil means that all addresses are those of element 0.
	RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer, s Scratch)
	// Finishes is that of the plan. Finish reduces the partial results of piece i of them, after all chunks have run;
	// the pieces may run in parallel.
	Finishes() int
	Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s Scratch)
	// RunElems computes the first n points of a kernel over one dimension without reductions, whatever its length. It
	// is the scalar function of a region. An output may alias an input.
	RunElems(n int, params []unsafe.Pointer, s Scratch)
	// Describe describes the code.
	Describe() Description
}

// Description describes code for a reader.
type Description struct {
	Tier    string // "portable", "avx2", …
	Why     string // why the code is not of the requested tier; "" if it is
	Listing string // the machine code as text
}

// Scratch is the memory of a worker.
type Scratch interface {
	// Forget drops the pointers into the memory of the last run, so that it can be freed.
	Forget()
}

// ScalarCompiler compiles kernels of a few points each, and loops and branches over them, to one function. Buffers are
// identified by number. Reserved buffers stay in the code's file; others are in memory.
type ScalarCompiler interface {
	Reserve(buf int, sizeBytes int64)
	IsReserved(buf int) bool
	// Fill copies buffers in memory to reserved ones, Spill copies reserved buffers to memory, Copy copies reserved
	// buffers to others. The moves of a call happen at the same time.
	Fill(moves ...Move)
	Spill(moves ...Move)
	Copy(moves ...Move)
	// Kernel adds a kernel for which IsScalar returns true; bufs are its parameters.
	Kernel(k *kernel.Kernel, bufs []int) error
	// Window adds a copy between an array and a part of it; the buffers of its indices are reserved. Tiles adds a
	// kernel of one chunk with its own code. Its parameters are buffers, or the parts of arrays that windows select;
	// scratch allocates the scratch memory of the code.
	Window(w Window)
	Tiles(c Code, scratch func() Scratch, bufs []int, windows map[int]Window)
	// Contract adds a small contraction, whose result aliases no operand.
	Contract(c Contract)
	// Loop runs the body while cond leaves true in the reserved buffer test.
	Loop(test int, cond, body func() error) error
	// Branch runs one of the blocks: if isBool, the first if the reserved buffer index is true, else the second.
	// Otherwise index is an integer of 32 bits that selects the block; the last block is the default.
	Branch(index int, isBool bool, blocks []func() error) error
	// Done returns the code.
	Done() (ScalarCode, error)
}

// Move copies an entire buffer.
type Move struct {
	From, To int
	Bytes    int64
}

// Window is a run of elements of an array that is copied to or from another buffer, at offsets that are computed while
// the code runs. There may be several runs, each a step after the previous one.
type Window struct {
	Array, Part         int // buffers
	Bytes               int // of a run
	Runs                int // 0 means 1
	ArrayStep, PartStep int // bytes from a run to the next
	Indices             []WindowIndex
	Store               bool // copies from the part to the array
	// For a store: Combine updates the elements, nil replaces them. Drop skips a window that is out of bounds instead
	// of clamping its indices.
	Combine func(dst, src unsafe.Pointer, n int)
	By      rt.CombineOp // the operation of Combine
	Like    any          // a value of the element type, see [rt.CombineSteps]; nil: any type
	Elem    int          // bytes of an element
	Drop    bool
}

// WindowIndex is an index in a reserved buffer.
type WindowIndex struct {
	Buf    int
	Type   dtype.Type // an integer of at least 8 bits
	Offset int        // byte offset of the integer in the buffer
	Limit  int        // the largest index that is in bounds; not negative
	Stride int        // bytes from an index to the next
}

// ScalarCode is immutable; each goroutine needs its own File.
type ScalarCode interface {
	// NewFile returns a file for the code. Bufs are the addresses of the buffers, by number, when the code runs.
	NewFile(bufs []unsafe.Pointer) File
}

// File holds the values of scalar code while it runs.
type File interface {
	// Run runs the code. Its loops end early once cancel, which may be nil, is set.
	Run(cancel *atomic.Bool)
}

// Compile calls the generator for a kernel that [kernel.Kernel.Verify] has accepted. A plan that does not match the
// kernel is a bug of the compiler.
func Compile(g Generator, k *kernel.Kernel, p *plan.Plan) (Code, error) {
	if err := p.Check(k); err != nil {
		return nil, fmt.Errorf("internal error: %w\n%s%s", err, k, p)
	}
	return g.Compile(AsBits(k), p)
}
