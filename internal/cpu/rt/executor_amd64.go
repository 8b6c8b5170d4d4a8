package rt

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// An Executor runs machine code in the place of the processor, so that tests reach code for features that
// the processor lacks.
type Executor struct {
	Features amd64.Feature // which it knows
	// Run runs a function whose arguments are at an address of this process; flushing takes subnormal numbers for 0.
	// The stack of the goroutine, which arguments may be on, has 256 KiB more that Run may use without being moved.
	Run func(f *Function, args uintptr, flushing bool) error
}

// executor is nil but in tests.
var executor *Executor

// SetExecutor lets all code be run by an executor from now on. It is for tests that have not made or run code yet,
// in processes that do not shrink stacks (GODEBUG=gcshrinkstackoff=1): code holds addresses that the collector cannot
// see.
func SetExecutor(e *Executor) { executor = e }

// run runs a function on memory that args point to. It panics with a *[CodeFault] when the executor fails.
func (e *Executor) run(f *Function, args unsafe.Pointer, flushing bool) {
	growStack()
	if err := e.Run(f, uintptr(args), flushing); err != nil {
		panic(&CodeFault{Name: f.Name, Offset: -1, Cause: err})
	}
}

// growStack makes the stack so large that it need not be moved soon.
//
//go:noinline
func growStack() {
	var stack [256 << 10]byte
	touch(&stack)
}

//go:noinline
func touch(stack *[256 << 10]byte) { stack[0] = 1 }
