package rt

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// system are the calls of Windows.
var system = pages{
	size: windows.Getpagesize,
	alloc: func(size int) ([]byte, error) {
		at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT,
			windows.PAGE_READWRITE)
		if err != nil {
			return nil, fmt.Errorf("rt: code memory of %d bytes: %w", size, err)
		}
		// The address is not of the Go heap: this conversion is hidden from vet.
		return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
	},
	execute: func(b []byte) error {
		var old uint32
		return windows.VirtualProtect(addressOf(b), uintptr(len(b)), windows.PAGE_EXECUTE_READ, &old)
	},
	free: func(b []byte) error { return windows.VirtualFree(addressOf(b), 0, windows.MEM_RELEASE) },
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
