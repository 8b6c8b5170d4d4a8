package rt

import (
	"runtime"
	"testing"
	"time"
)

// Small regions wake a worker if enough of them follow each other closely.
func TestMissedWork(t *testing.T) {
	const work = 20 * time.Microsecond
	for _, c := range []struct {
		name    string
		gap     time.Duration
		regions int // after which a worker is woken, 0 for never
	}{
		{"at once", 0, 20},
		{"with short steps between", spinTime / 2, 20},
		{"with pauses in which workers sleep again", 2 * spinTime, 0},
	} {
		var m missedWork
		at, woken := began.Add(time.Second), 0
		for i := range 100 {
			if m.add(at, at.Add(work)) && woken == 0 {
				woken = i + 1
			}
			at = at.Add(work + c.gap)
		}
		if woken != c.regions {
			t.Errorf("%s: woken after %d regions, want %d", c.name, woken, c.regions)
		}
	}
}

// A loop of regions wakes the worker although no single one would.
func TestLoopWakes(t *testing.T) {
	p := newPool(t, 2)
	for p.asleep.Load() == 0 {
		runtime.Gosched()
	}
	task := &spinTask{5_000}
	for end := time.Now().Add(20 * time.Second); p.woken.Load() == 0; {
		if time.Now().After(end) {
			t.Fatal("no worker woke")
		}
		(&Env{Pool: p}).Run(2, task)
	}
}
