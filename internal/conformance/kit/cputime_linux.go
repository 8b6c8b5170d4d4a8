package kit

import (
	"syscall"
	"time"
)

// ThreadTime returns the processor time of the calling thread: unlike the time of day
// it does not depend on what else the machine does.
func ThreadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD of getrusage(2)
	return timeOf(thread)
}

// ProcessTime returns the processor time of the process.
func ProcessTime() time.Duration { return timeOf(syscall.RUSAGE_SELF) }

func timeOf(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
