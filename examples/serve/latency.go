package main

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"
)

// latency counts times by their size: eight classes to each power of two, so that a
// percentile is right to an eighth, whatever the number of requests.
type latency struct {
	classes [64 * 8]atomic.Int64
	longest atomic.Int64
}

func classOf(d time.Duration) int {
	n := uint64(max(d, 8))
	power := bits.Len64(n) - 1
	return power*8 + int(n>>(power-3)&7)
}

func (l *latency) add(d time.Duration) {
	l.classes[classOf(d)].Add(1)
	for {
		old := l.longest.Load()
		if int64(d) <= old || l.longest.CompareAndSwap(old, int64(d)) {
			return
		}
	}
}

func (l *latency) count() (n int64) {
	for i := range l.classes {
		n += l.classes[i].Load()
	}
	return n
}

// percentile returns the time that p of 100 requests stay below.
func (l *latency) percentile(p float64) time.Duration {
	left := int64(p / 100 * float64(l.count()))
	for i := range l.classes {
		if left -= l.classes[i].Load(); left < 0 {
			power, eighth := i/8, uint64(i%8)
			return min(time.Duration((8+eighth+1)<<power/8), time.Duration(l.longest.Load()))
		}
	}
	return time.Duration(l.longest.Load())
}

func (l *latency) String() string {
	short := func(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
	return fmt.Sprintf("p50 %v, p95 %v, p99 %v, longest %v", short(l.percentile(50)), short(l.percentile(95)),
		short(l.percentile(99)), short(time.Duration(l.longest.Load())))
}
