package goroutine

import (
	"runtime"
	"sync"
	"testing"
)

// TestID compares the numbers of many goroutines with those of their stack traces.
func TestID(t *testing.T) {
	if (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && offset == 0 {
		t.Error("the number is not found in the descriptor")
	}
	var wg sync.WaitGroup
	var ids sync.Map
	for range 1000 {
		wg.Go(func() {
			for range 3 {
				if id, want := ID(), printed(); id != want {
					t.Errorf("%d, want %d", id, want)
				}
				runtime.Gosched()
				grow(20) // moves the stack
			}
			if _, twice := ids.LoadOrStore(ID(), true); twice {
				t.Errorf("two goroutines have the number %d", ID())
			}
		})
	}
	wg.Wait()
}

func grow(n int) byte {
	var a [1 << 10]byte
	if n > 0 {
		a[n] = grow(n - 1)
	}
	return a[n]
}

func BenchmarkID(b *testing.B) {
	for b.Loop() {
		ID()
	}
}
