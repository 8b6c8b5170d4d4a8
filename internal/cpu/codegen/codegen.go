// Package codegen is what the compiler knows of the tiers that make code of kernels: a
// [Generator] is all that a tier has to be. A tier is chosen where the default compiler
// is made (package cpu); nothing else names one.
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

// Generator makes code of kernels. It is safe for concurrent use.
type Generator interface {
	// NewSession returns the generator of one executable.
	NewSession() (Session, error)
	// Compile makes code of a kernel that runs as the plan says. Both have been checked:
	// the code may rely on it that no access leaves its parameter.
	Compile(k *kernel.Kernel, p *plan.Plan) (Code, error)
	// Products returns the inner steps of matrix products, from which the library makes them.
	Gemm() rt.GemmSteps
	// Scans returns the steps of cumulative sums and products, nil where plain Go has them.
	Scans() rt.ScanSteps
	// Fourier returns the steps of Fourier transforms, nil where plain Go has them.
	Fourier() rt.FourierSteps
	// Sorts returns the steps of radix sorts, nil where plain Go has them.
	Sorts() rt.SortSteps
	// Combines returns the steps of scatters, nil where plain Go has them.
	Combines() rt.CombineSteps
	// NewScratch returns the memory that a worker needs while it runs code of this tier.
	NewScratch() Scratch
	// IsScalar reports whether a kernel can be scalar code, and whether that takes less
	// time than code of its own.
	IsScalar(k *kernel.Kernel) (can, better bool)
	// IsScalarContract reports whether scalar code forms a product, and takes less time than a call.
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

// Loop computes an elementary function of n elements, which may lie where the results go.
type Loop func(dst, x unsafe.Pointer, n int)

// Code is a compiled kernel. It is immutable and may run on several goroutines at a time,
// each with a Scratch of its own. Params are the addresses of the kernel's parameters.
type Code interface {
	// PartialBytes returns the bytes of memory for partial results, shared by all chunks
	// of a run, that RunChunk and Finish need.
	PartialBytes() int
	// RunChunk runs piece i of the plan. First says of each parameter the number of the
	// element that its address is that of, where memory holds only a part of it that the
	// piece stays in; nil stands for the first of all.
	RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer, s Scratch)
	// Finishes is that of the plan. Finish folds the partial results of piece i of them, after
	// all chunks have run; the pieces may run side by side.
	Finishes() int
	Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s Scratch)
	// RunElems computes the first n points of a kernel over one dimension without
	// reductions, whatever its length is: the scalar function of a region. An output may
	// be an input.
	RunElems(n int, params []unsafe.Pointer, s Scratch)
	// Describe returns the code for people.
	Describe() Description
}

// Description is code for people.
type Description struct {
	Tier    string // "portable", "avx2", …
	Why     string // it is not of the tier that was asked for; "" when it is
	Listing string // of machine code
}

// Scratch is the memory of a worker.
type Scratch interface {
	// Forget drops the pointers into the memory of the last run, which would keep it.
	Forget()
}

// ScalarCompiler makes one code of kernels of a few points each, and of loops and
// branches over them. Buffers are known by number. Those reserved are kept in the code's
// file all the time; others are in memory.
type ScalarCompiler interface {
	Reserve(buf int, sizeBytes int64)
	IsReserved(buf int) bool
	// Fill copies buffers in memory to reserved ones, Spill the other way, Copy reserved
	// ones to others, all at the same time.
	Fill(moves ...Move)
	Spill(moves ...Move)
	Copy(moves ...Move)
	// Kernel adds a kernel for which IsScalar says that it can be; bufs are its parameters.
	Kernel(k *kernel.Kernel, bufs []int) error
	// Window adds a copy between an array and a part of it; the buffers of its indices are
	// reserved. Tiles adds a kernel of one chunk as code of its own, whose parameters are
	// buffers or, where one stands in windows, that part of the array; scratch makes what
	// the code needs.
	Window(w Window)
	Tiles(c Code, scratch func() Scratch, bufs []int, windows map[int]Window)
	// Contract adds a small product, whose result does not lie where its operands do.
	Contract(c Contract)
	// Loop runs the body as long as cond leaves true in the reserved buffer test.
	Loop(test int, cond, body func() error) error
	// Branch runs one of the blocks: the first where the reserved buffer index is true,
	// else the second; or, by an index of 32 bits, that one, the last if there is none.
	Branch(index int, isBool bool, blocks []func() error) error
	// Done returns the code.
	Done() (ScalarCode, error)
}

// Move is a copy of a whole buffer.
type Move struct {
	From, To int
	Bytes    int64
}

// Window is a run of elements of an array that is copied to or from another buffer, at a
// place that indices say while the code runs; or several runs, each a step further on.
type Window struct {
	Array, Part         int // buffers
	Bytes               int // of the run
	Runs                int // 0 for one
	ArrayStep, PartStep int // bytes from run to run
	Indices             []WindowIndex
	Store               bool // from the part to the array
	// Of a store: how the part changes the elements, nil for those that replace them, and
	// that a window which is not inside is left out instead of being moved inside.
	Combine func(dst, src unsafe.Pointer, n int)
	By      rt.CombineOp // what Combine does with
	Like    any          // elements of this type, see [rt.Combines]; nil: anything
	Elem    int          // bytes of an element
	Drop    bool
}

// WindowIndex is an index in a reserved buffer.
type WindowIndex struct {
	Buf    int
	Type   dtype.Type // an integer of at least 8 bits
	Offset int        // of the integer in the buffer, in bytes
	Limit  int        // the largest for which the window is inside; not negative
	Stride int        // bytes from one index to the next
}

// ScalarCode is immutable; every goroutine needs a File of its own.
type ScalarCode interface {
	// NewFile returns a file for the code. Bufs are the addresses of the buffers, by
	// number, whenever the code runs.
	NewFile(bufs []unsafe.Pointer) File
}

// File holds the numbers of scalar code while it runs.
type File interface {
	// Run runs the code. Its loops end early when cancel, which may be nil, is set.
	Run(cancel *atomic.Bool)
}

// Compile lets the generator make code of a kernel that [kernel.Kernel.Verify] has passed.
// A plan that does something else than the kernel is an error of the compiler.
func Compile(g Generator, k *kernel.Kernel, p *plan.Plan) (Code, error) {
	if err := p.Check(k); err != nil {
		return nil, fmt.Errorf("internal error: %w\n%s%s", err, k, p)
	}
	return g.Compile(AsBits(k), p)
}
