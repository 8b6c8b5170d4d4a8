package rt

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHuge asks for large pages, where memory has room for some: with small ones, what reads
// across rows waits for translations of addresses. The system may not have any, and need not
// say so.
func adviseHuge(b []byte) {
	const huge = 2 << 20
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (huge - 1))
	if n := (len(b) - skip) &^ (huge - 1); n >= huge {
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_HUGEPAGE)
	}
}
