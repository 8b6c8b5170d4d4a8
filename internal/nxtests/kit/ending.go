package kit

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

// Ending is how a call of a function of the program came to an end.
type Ending struct {
	Y        nx.Tensor
	Err      error
	Panicked any
	Goexit   bool // it ended its goroutine
	Hangs    bool
}

func (e Ending) String() string {
	switch {
	case e.Hangs:
		return "a hang"
	case e.Goexit:
		return "the end of the goroutine"
	case e.Panicked != nil:
		return fmt.Sprintf("a panic with %v", e.Panicked)
	case e.Err != nil:
		return fmt.Sprintf("the error %q", e.Err)
	}
	return fmt.Sprintf("the result %v", e.Y)
}

// EndingOf calls f on a goroutine of its own and watches how it ends.
func EndingOf(f func() (nx.Tensor, error)) Ending {
	end := make(chan Ending, 1)
	go func() {
		e := Ending{Goexit: true}
		defer func() {
			if r := recover(); r != nil {
				e = Ending{Panicked: r}
			}
			if err, ok := e.Panicked.(*nx.Error); ok {
				e = Ending{Err: err}
			}
			end <- e
		}()
		y, err := f()
		e = Ending{Y: y, Err: err}
	}()
	select {
	case e := <-end:
		return e
	case <-time.After(20 * time.Second):
		return Ending{Hangs: true}
	}
}

// CheckGoroutines wants no goroutine to be left that calls functions of these tests, or waits for one that does.
func CheckGoroutines(t *testing.T) {
	t.Helper()
	var left []string
	for range 50 {
		text := make([]byte, 1<<22)
		text = text[:runtime.Stack(text, true)]
		left = nil
		for i, g := range strings.Split(string(text), "\n\n") {
			for _, part := range []string{"internal/userfunc.", "internal/processes.", "inOrder", "kit.EndingOf"} {
				if i > 0 && strings.Contains(g, part) { // the first is this one
					left = append(left, g)
					break
				}
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left:\n%s", len(left), strings.Join(left, "\n\n"))
}
