package tensors_test

import (
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/testkit"
)

var sink nx.Tensor

// A result of a few elements is one allocation, and releasing it none.
func TestResultAllocations(t *testing.T) {
	if testkit.Race {
		t.Skip("sync.Pool drops a part of what it is given under the race detector")
	}
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	for _, c := range []struct {
		name string
		call func()
	}{
		{"Add of a number", func() { sink = nx.Add(x, 1) }},
		{"Add of tensors", func() { sink = nx.Add(x, x) }},
		{"Jit", func() { sink = f(x) }},
		{"Release", func() { nx.Release(nx.Add(x, 1)) }},
	} {
		if n := testing.AllocsPerRun(2000, c.call); n > 1 {
			t.Errorf("%s: %v allocations, want 1", c.name, n)
		}
	}
}

// The room beside a buffer is for one tensor; another on the same buffer has its own.
func TestFronts(t *testing.T) {
	x := nx.Add(nx.New([]float32{1, 2, 3, 4}), 1)
	y := nx.Reshape(x, 2, 2)
	z := nx.Reshape(y, 4, 1)
	nx.Release(x)
	runtime.GC()
	if got := nx.Data[float32](y); !slices.Equal(got, []float32{2, 3, 4, 5}) {
		t.Errorf("got %v after another view was released", got)
	}
	if got := nx.Data[float32](z); !slices.Equal(got, []float32{2, 3, 4, 5}) || z.Rank() != 2 {
		t.Errorf("got %v", z)
	}
	if kind := reflect.TypeFor[backend.Front]().Elem().Kind(); kind != reflect.UnsafePointer {
		t.Errorf("a front is made of %s", kind)
	}
}
