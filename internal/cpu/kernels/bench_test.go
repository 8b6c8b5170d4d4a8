package kernels

import (
	"testing"
	"time"
)

// bench times f and reports its best run beside the average, since a shared
// machine only ever makes runs slower, and the rate of ops at the best run.
func bench(b *testing.B, ops int, unit string, f func() error) {
	b.Helper()
	b.ReportAllocs()
	best := time.Duration(1 << 62)
	for b.Loop() {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Nanoseconds())/1e3, "best-µs")
	if ops > 0 {
		b.ReportMetric(float64(ops)/float64(best.Nanoseconds()), unit)
	}
}
