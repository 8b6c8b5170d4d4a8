package rt

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHuge requests huge pages for large memory: with small pages, accesses across rows wait for address translation.
// The system may have none, and need not report that.
func adviseHuge(b []byte) {
	const huge = 2 << 20
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (huge - 1))
	if n := (len(b) - skip) &^ (huge - 1); n >= huge {
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_HUGEPAGE)
	}
}
