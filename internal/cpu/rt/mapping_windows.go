package rt

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

const canMapTwice = false

// mapping is memory for code: written through rw, run and read through rx, which are the same.
type mapping struct{ rw, rx []byte }

// mapCode returns a mapping of at least size bytes.
func mapCode(size int) (*mapping, error) {
	const page = 4096
	size = (size + page - 1) &^ (page - 1)
	at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, fmt.Errorf("rt: code memory of %d bytes: %w", size, err)
	}
	// The address is not of the Go heap: this conversion is hidden from vet.
	b := unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size)
	return &mapping{rw: b, rx: b}, nil
}

// protect makes the bytes of some pages executable and no longer writable.
func (m *mapping) protect(from, to int) error {
	var old uint32
	at := uintptr(unsafe.Pointer(&m.rw[from]))
	return windows.VirtualProtect(at, uintptr(to-from), windows.PAGE_EXECUTE_READ, &old)
}

// free returns the memory to the system.
func (m *mapping) free() {
	windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(m.rx))), 0, windows.MEM_RELEASE)
}
