package conformance

import (
	"syscall"
	"time"
)

// threadTime returns the processor time of the calling thread: unlike the time of day
// it does not depend on what else the machine does.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD of getrusage(2)
	var u syscall.Rusage
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
