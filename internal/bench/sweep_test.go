package bench

import (
	"testing"
	"time"
)

// A plot shows times per element: the same height for times that are proportional to the size, and more for others.
func TestPlot(t *testing.T) {
	us := time.Microsecond
	got := Plot([][]time.Duration{{us, 4 * us, 16 * us}, {8 * us, 8 * us, 16 * us}}, []int{10, 12, 14})
	if got[0] != "▁▁▁" || got[1] != "█▃▁" {
		t.Errorf("got %q", got)
	}
	if got := Plot([][]time.Duration{{us}}, []int{10}); got[0] != "▁" {
		t.Errorf("of one time: %q", got)
	}
}

// The smallest size of each sweep runs.
func TestSweeps(t *testing.T) {
	if logs := SweepSizes(); logs[0] != 10 || logs[len(logs)-1] != 26 {
		t.Errorf("sizes %v", logs)
	}
	for _, s := range Sweeps {
		if r, err := s.At(10).Measure(time.Millisecond); err != nil || r.Reps < 3 || r.Check != r.Check {
			t.Errorf("%s: %d calls, first element %v, %v", r.Name, r.Reps, r.Check, err)
		}
	}
}
