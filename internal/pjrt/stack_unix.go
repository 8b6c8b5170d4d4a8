//go:build unix

package pjrt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// minStack is the maximum stack usage of XLA's compilers in a thread, with a margin.
const minStack = 1 << 20

// StackWarning reports it when threads that C makes have too little stack for a compiler,
// which then dies of a segmentation fault; "" when there is enough.
func StackWarning() string {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &limit); err != nil || limit.Cur >= minStack {
		return ""
	}
	return fmt.Sprintf("the stack of a thread is limited to %d KiB, and compilers can need %d: "+
		"run \"ulimit -s 8192\" before the program starts", limit.Cur>>10, minStack>>10)
}
