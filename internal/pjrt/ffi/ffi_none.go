//go:build !((linux || darwin || windows) && (amd64 || arm64))

// Package ffi opens libraries and calls C functions without cgo, on supported systems. This one is not
// supported: [Open] returns an error.
package ffi

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Supported reports whether libraries can be opened on this system.
const Supported = false

// Library is a library that was opened.
type Library struct{}

// Open reports that no library can be opened here.
func Open(string) (Library, error) {
	return Library{}, fmt.Errorf("libraries cannot be loaded without cgo on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// Symbol is never called.
func (Library) Symbol(string) (uintptr, error) { return 0, nil }

// Call is never called.
func Call(uintptr, unsafe.Pointer) uintptr { return 0 }

// CallNumbers is never called.
func CallNumbers(uintptr, ...uintptr) uintptr { return 0 }

// Callback returns no function.
func Callback(func(a, b uintptr) uintptr) uintptr { return 0 }

// CallbackOfPointer returns no function.
func CallbackOfPointer(func(unsafe.Pointer) uintptr) uintptr { return 0 }

// CallbackOfMessage returns no function.
func CallbackOfMessage(func(uintptr, unsafe.Pointer, uintptr) uintptr) uintptr { return 0 }

// Pointer returns nil.
func Pointer(uintptr) unsafe.Pointer { return nil }
