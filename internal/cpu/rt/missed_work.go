package rt

import (
	"sync/atomic"
	"time"
)

// missedWork is the time that callers have recently spent in regions that sleeping workers could have shared.
// Consecutive small regions, as in a loop, are not worth waking a worker one by one, but all together are.
type missedWork struct {
	total atomic.Int64 // nanoseconds
	last  atomic.Int64 // end of the last region, relative to began
}

// began is the origin of times.
var began = time.Now()

// add counts a region and reports whether to wake workers: if the next region follows as quickly as the counted ones,
// they will not sleep before it. The count restarts then.
func (m *missedWork) add(start, end time.Time) bool {
	if start.Sub(began)-time.Duration(m.last.Load()) > spinTime {
		m.total.Store(0)
	}
	m.last.Store(int64(end.Sub(began)))
	if time.Duration(m.total.Add(int64(end.Sub(start)))) < 2*wakeTime { // a second worker saves half of it
		return false
	}
	m.total.Store(0)
	return true
}
