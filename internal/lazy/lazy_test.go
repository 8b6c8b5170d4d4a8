package lazy_test

import (
	"sync"
	"testing"

	"github.com/go-nx/nx/internal/lazy"
)

func TestValueIsComputedOnce(t *testing.T) {
	var v lazy.Value[map[string]int]
	calls := 0
	compute := func() map[string]int { calls++; return map[string]int{"a": 1} }
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			if got := v.Get(compute)["a"]; got != 1 {
				t.Errorf("got %d, want 1", got)
			}
		})
	}
	wait.Wait()
	if calls != 1 {
		t.Errorf("computed %d times, want once", calls)
	}
}

func TestValueIsComputedAgainAfterPanic(t *testing.T) {
	var v lazy.Value[int]
	func() {
		defer func() { recover() }()
		v.Get(func() int { panic("no value") })
	}()
	if got := v.Get(func() int { return 2 }); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}

func TestValueAllocatesOnlyAtFirst(t *testing.T) {
	var v lazy.Value[[]int]
	fill := func() []int { return make([]int, 4) }
	v.Get(fill)
	if n := testing.AllocsPerRun(10, func() { v.Get(fill) }); n != 0 {
		t.Errorf("%v allocations per use, want none", n)
	}
}
