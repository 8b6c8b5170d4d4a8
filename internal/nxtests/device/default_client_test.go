package device_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestOpeningTheDefaultClient: a backend that computes with tensors of the default client while it is opened as that
// gets an error. One whose function ends its goroutine can be opened again.
func TestOpeningTheDefaultClient(t *testing.T) {
	if !kit.Alone(t) {
		return
	}
	compute := func() (nx.Tensor, error) { return nx.Add(nx.New([]float32{1, 2}), 1), nil }
	backend.Register("itself", func() (backend.Client, error) {
		return nil, kit.Caught(func() { compute() })
	})
	t.Setenv("NX_CLIENT", "itself")
	e := kit.EndingOf(compute)
	if !errors.Is(e.Err, nx.ErrDevice) || !strings.Contains(e.Err.Error(), "while it is opened") {
		t.Errorf("a backend that opens itself ends with %v", e)
	}
	end := true
	backend.Register("ends", func() (backend.Client, error) {
		if end {
			runtime.Goexit()
		}
		return cpu.Default(), nil
	})
	t.Setenv("NX_CLIENT", "ends")
	for range 2 {
		if e := kit.EndingOf(compute); e.Goexit != end || !end && e.Err != nil {
			t.Errorf("it ends with %v", e)
		}
		end = false
	}
}
