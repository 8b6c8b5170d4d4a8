package errors_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestEndingWhileOthersWait: calls that wait for a function to be compiled go on when the call that traces it ends
// otherwise.
func TestEndingWhileOthersWait(t *testing.T) {
	ends := map[string]func(){"a panic": func() { panic("oh") }, "the end of the goroutine": runtime.Goexit}
	for name, end := range ends {
		begun, go1 := make(chan struct{}), make(chan struct{})
		var first sync.Once
		f := nx.Jit(func(x nx.Tensor) nx.Tensor {
			first.Do(func() {
				close(begun)
				<-go1
				end()
			})
			return nx.Mul(x, 2)
		})
		var all sync.WaitGroup
		all.Go(func() { kit.EndingOf(func() (nx.Tensor, error) { return f(nx.New(1.)), nil }) })
		<-begun
		for range 3 {
			all.Go(func() {
				e := kit.EndingOf(func() (nx.Tensor, error) { return f(nx.New(1.)), nil })
				if e.Err != nil || e.Hangs || e.Goexit || e.Panicked != nil || nx.Item[float64](e.Y) != 2 {
					t.Errorf("%s: a call that waited ends with %v", name, e)
				}
			})
		}
		time.Sleep(10 * time.Millisecond)
		close(go1)
		all.Wait()
	}
}
