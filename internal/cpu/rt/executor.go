//go:build amd64 || arm64

package rt

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// An Executor runs machine code instead of the processor, so that tests reach code for features that the processor does
// not have, and for another processor.
type Executor struct {
	Features amd64.Feature // supported features; 0 if it runs code for AArch64
	// Translator, if it is not nil, translates code for AVX2 to code that Run runs.
	Translator *Translator
	// Run runs a function with arguments at an address of this process; flushing takes subnormal numbers for 0. The
	// goroutine's stack, which may have arguments, has 256 KiB more that Run may use without being moved.
	Run func(f *Function, args uintptr, flushing bool) error
}

// executor is nil except in tests.
var executor *Executor

// SetExecutor sets the executor of all code from now on. It is for tests that have not made or run code yet, in
// processes that do not shrink stacks (GODEBUG=gcshrinkstackoff=1): code has addresses that the garbage collector does
// not see.
func SetExecutor(e *Executor) { executor = e }

// Emulated returns the executor, nil if code runs on the processor.
func Emulated() *Executor { return executor }

// run runs a function on args. It panics with a *[CodeFault] if the executor fails.
func (e *Executor) run(f *Function, args unsafe.Pointer, flushing bool) {
	growStack()
	if err := e.Run(f, uintptr(args), flushing); err != nil {
		panic(&CodeFault{Name: f.Name, Offset: -1, Cause: err})
	}
}

// growStack makes the stack large enough not to be moved soon. Its frame is not that of the caller, and the array
// escapes to no heap, since neither function is inlined.
//
//go:noinline
func growStack() {
	var stack [256 << 10]byte
	touch(&stack)
}

//go:noinline
func touch(stack *[256 << 10]byte) { stack[0] = 1 }
