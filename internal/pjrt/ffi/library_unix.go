//go:build (linux || darwin) && (amd64 || arm64)

package ffi

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Library is a library that was opened. None is closed: plugins leave threads behind.
type Library struct{ handle uintptr }

// Open opens a library and its dependencies, with symbols that are invisible to other libraries.
//
// A library may install signal handlers when it is opened. Open restores the handler of SIGURG: Go preempts
// loops by it, and without it a collection waits for ever. Libraries with their own Go runtime also replace
// it.
func Open(path string) (Library, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer keepPreemption()()
	handle, err := purego.Dlopen(path, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	return Library{handle}, err
}

// Symbol returns the address of a symbol.
func (l Library) Symbol(name string) (uintptr, error) { return purego.Dlsym(l.handle, name) }

// sigaction is the function of libc, 0 if it cannot be found.
var sigaction = sync.OnceValue(func() uintptr {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "sigaction")
	if err != nil {
		return 0
	}
	return fn
})

// action has space for a struct sigaction, which has at most 152 bytes on these systems.
type action [32]uint64

// keepPreemption saves the handler of the signal by which Go preempts goroutines, and returns a function that
// restores it.
func keepPreemption() (restore func()) {
	fn, old := sigaction(), new(action)
	if fn == 0 || setAction(fn, nil, old) != 0 {
		return func() {}
	}
	return func() { setAction(fn, old, nil) }
}

func setAction(fn uintptr, to, old *action) uintptr {
	r, _, _ := purego.SyscallN(fn, uintptr(syscall.SIGURG), uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(old)))
	return r & 0xffffffff
}
