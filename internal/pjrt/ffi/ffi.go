//go:build (linux || darwin || windows) && (amd64 || arm64)

// Package ffi opens libraries and calls C functions without cgo. It alone imports purego,
// which makes a program link dynamically: only those who import package xla pay for that.
package ffi

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported reports whether libraries can be opened on this system.
const Supported = true

// Call calls a C function of one pointer. What arg points to must lie on the heap, and
// hold in fields of pointer types whatever of Go's memory the function is to use.
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
	return *(*unsafe.Pointer)(unsafe.Pointer(&address)) // go vet knows no memory but Go's
}
