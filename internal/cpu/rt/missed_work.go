package rt

import (
	"sync/atomic"
	"time"
)

// missedWork is the time that callers have lately spent in regions that sleeping workers could have
// shared. Where small regions follow each other, as in a loop, none is worth waking a worker for, but
// all of them are.
type missedWork struct {
	total atomic.Int64 // nanoseconds
	last  atomic.Int64 // when the last of the regions ended, after began
}

// began is when times of day are counted from.
var began = time.Now()

// add counts a region and reports whether it is time to wake workers: they will not sleep again before the
// next region where that follows as soon as those did that are counted. What is counted starts anew then.
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
