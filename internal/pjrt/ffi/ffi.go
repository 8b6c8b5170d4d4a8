//go:build (linux || darwin || windows) && (amd64 || arm64)

// Package ffi opens libraries and calls C functions without cgo. Only this package imports purego, which makes
// a program link dynamically: only importers of package xla pay for that.
package ffi

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported reports whether libraries can be opened on this system.
const Supported = true

// Call calls a C function of one pointer. The memory at arg must be on the heap, and hold references to Go
// memory in fields of pointer types.
func Call(fn uintptr, arg unsafe.Pointer) uintptr {
	r, _, _ := purego.SyscallN(fn, uintptr(arg))
	runtime.KeepAlive(arg)
	return r
}

// CallNumbers calls a C function of arguments that are not pointers to Go's memory.
func CallNumbers(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// Callback returns a C function that calls f with its two arguments. There are 2,000 of
// them in a process, which live as long as it does: make each once. No panic may leave f.
func Callback(f func(a, b uintptr) uintptr) uintptr { return purego.NewCallback(f) }

// CallbackOfPointer is [Callback] of a function of one pointer.
func CallbackOfPointer(f func(arg unsafe.Pointer) uintptr) uintptr { return purego.NewCallback(f) }

// CallbackOfMessage is [Callback] of a function of a number and a text with its size.
func CallbackOfMessage(f func(number uintptr, text unsafe.Pointer, size uintptr) uintptr) uintptr {
	return purego.NewCallback(f)
}

// Pointer returns an address in memory that is not Go's as a pointer.
func Pointer(address uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&address)) // go vet assumes Go memory
}
