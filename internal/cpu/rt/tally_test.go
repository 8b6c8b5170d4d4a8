package rt

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

type small struct {
	batch *Batch
	_     [24]byte
}

func TestTally(t *testing.T) {
	var tally Tally
	settles := func(want int64) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); tally.Bytes() != want; {
			if time.Now().After(end) {
				t.Fatalf("%d bytes are counted, want %d", tally.Bytes(), want)
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	const n = 1000
	var wg sync.WaitGroup
	kept := make([][]*small, 4)
	for i := range kept {
		wg.Go(func() {
			for range n {
				kept[i] = append(kept[i], &small{batch: tally.Add(24)})
			}
		})
	}
	wg.Wait()
	if got := tally.Bytes(); got != 4*n*24 {
		t.Errorf("%d bytes are counted, want %d", got, 4*n*24)
	}
	for _, s := range kept[0] {
		s.batch.Release(24)
	}
	if got := tally.Bytes(); got != 3*n*24 {
		t.Errorf("%d bytes are counted after releases, want %d", got, 3*n*24)
	}
	clear(kept)
	settles(0)

	one := &small{batch: tally.Add(24)}
	for range 10 * n {
		_ = &small{batch: tally.Add(24)}
	}
	for end := time.Now().Add(20 * time.Second); tally.Bytes() > batchBytes; { // its batch stays
		if time.Now().After(end) {
			t.Fatalf("%d bytes are counted for one buffer", tally.Bytes())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(one)
	settles(0)
}
