//go:build !linux

package bench

import "time"

// cpuTime returns 0: the processor time is not measured.
func cpuTime() time.Duration { return 0 }
