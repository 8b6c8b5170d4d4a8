//go:build !linux

package kit

import "time"

var started = time.Now()

// ThreadTime is the time of day where there is no clock for a thread.
func ThreadTime() time.Duration { return time.Since(started) }

// ProcessTime is the time of day too.
func ProcessTime() time.Duration { return time.Since(started) }
