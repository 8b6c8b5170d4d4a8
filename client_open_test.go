package nx_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
)

// TestOpeningTheDefaultClient: a backend that computes with tensors of the default client while it is opened as that
// gets an error. One whose function ends its goroutine can be opened again.
func TestOpeningTheDefaultClient(t *testing.T) {
	open := nx.NewChoice()
	self, ends := fmt.Sprint("itself ", time.Now().UnixNano()), fmt.Sprint("ends ", time.Now().UnixNano()) // may run twice
	backend.Register(self, func() (backend.Client, error) {
		return nil, caught(func() { open(self) })
	})
	e := endingOf(func() (nx.Tensor, error) { open(self); return nx.Tensor{}, nil })
	if !errors.Is(e.err, nx.ErrDevice) || !strings.Contains(e.err.Error(), "while it is opened") {
		t.Errorf("a backend that opens itself ends with %v", e)
	}
	end := true
	backend.Register(ends, func() (backend.Client, error) {
		if end {
			runtime.Goexit()
		}
		return cpu.Default(), nil
	})
	for range 2 {
		if e := endingOf(func() (nx.Tensor, error) { open(ends); return nx.Tensor{}, nil }); e.goexit != end {
			t.Errorf("it ends with %v", e)
		}
		end = false
	}
}
