package kit

import (
	"testing"
	"time"
)

// processorTime returns the CPU time of the process, if the system reports it.
var processorTime = func() time.Duration { return 0 }

// Bench times f. Beside the average it reports the best run, since a shared machine only ever makes runs slower, its
// rate of ops, and the least CPU time of all workers together, which is more reliable on a busy machine.
func Bench(b *testing.B, ops int, unit string, f func() error) {
	b.Helper()
	b.ReportAllocs()
	best, used := time.Duration(1<<62), time.Duration(1<<62)
	for b.Loop() {
		start, before := time.Now(), processorTime()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		used = min(used, processorTime()-before)
		best = min(best, time.Since(start))
	}
	if used > 0 {
		b.ReportMetric(float64(used.Nanoseconds())/1e3, "cpu-µs")
	}
	b.ReportMetric(float64(best.Nanoseconds())/1e3, "best-µs")
	if ops > 0 {
		b.ReportMetric(float64(ops)/float64(best.Nanoseconds()), unit)
	}
}
