package nx_test

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

func BenchmarkAddNumber(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Add(x, 1)
	}
}

func BenchmarkAddTensors(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Add(x, x)
	}
}

func BenchmarkJitAdd(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) })
	b.ReportAllocs()
	for b.Loop() {
		sink = f(x)
	}
}

func BenchmarkSum(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Sum(x, nx.Axis(-1))
	}
}

func BenchmarkExp(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		sink = nx.Exp(x)
	}
}

type benchModel struct {
	W, B  nx.Tensor
	Rate  float64
	Inner []struct{ W, B nx.Tensor }
}

func BenchmarkJitStruct(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	m := benchModel{W: x, B: x, Rate: 0.1, Inner: make([]struct{ W, B nx.Tensor }, 4)}
	for i := range m.Inner {
		m.Inner[i].W, m.Inner[i].B = x, x
	}
	f := nx.Jit(func(m benchModel, x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, m.W), m.B) })
	b.ReportAllocs()
	for b.Loop() {
		sink = f(m, x)
	}
}

func BenchmarkAddRelease(b *testing.B) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	b.ReportAllocs()
	for b.Loop() {
		nx.Release(nx.Add(x, 1))
	}
}

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
