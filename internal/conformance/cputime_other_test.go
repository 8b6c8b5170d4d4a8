//go:build !linux

package conformance

import "time"

var started = time.Now()

// threadTime is the time of day where there is no clock for a thread.
func threadTime() time.Duration { return time.Since(started) }

// processTime is the time of day too.
func processTime() time.Duration { return time.Since(started) }
