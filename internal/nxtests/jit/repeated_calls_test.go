package jit_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/go-nx/nx"
)

// TestDirectCalls: what is called again in a row is computed as on the first call, whatever
// comes between and however many do it at a time.
func TestDirectCalls(t *testing.T) {
	x := nx.New([][]float32{{1, 2}, {3, 4}})
	affine := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, 3), 1) })
	sum := nx.Jit(func(a, b nx.Tensor) nx.Tensor { return nx.Add(a, b) })
	want := []float32{4, 7, 10, 13}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 300 {
				y := affine(x)
				z := sum(nx.Add(x, x), nx.Add(x, 1))
				if got := nx.Data[float32](y); !slices.Equal(got, want) {
					t.Errorf("3 x + 1 = %v", got)
				}
				if got := nx.Data[float32](z); !slices.Equal(got, want) {
					t.Errorf("(x + x) + (x + 1) = %v", got)
				}
				if i%7 == 0 { // another type, which is then the one used last
					wide := nx.New([]float64{1, 2, 3})
					nx.Release(affine(wide), nx.Add(wide, 1))
				}
				nx.Release(y, z)
			}
		})
	}
	wg.Wait()
}

// TestDirectCallsAreChecked: what a call refuses, it refuses after calls that it does not.
func TestDirectCallsAreChecked(t *testing.T) {
	x := nx.New([]float32{1, 2})
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
	refused := func(what string, code error, call func()) {
		t.Helper()
		defer func() {
			if e, ok := recover().(*nx.Error); !ok || !errors.Is(e, code) {
				t.Errorf("%s: %v", what, e)
			}
		}()
		call()
	}
	for range 3 {
		nx.Release(double(x), nx.Add(x, 1))
	}
	gone := nx.New([]float32{1, 2})
	nx.Release(gone)
	refused("Jit of a released tensor", nx.ErrReleased, func() { double(gone) })
	refused("Add of a released tensor", nx.ErrReleased, func() { nx.Add(gone, 1) })
	refused("Jit of no tensor", nx.ErrAbsent, func() { double(nx.Tensor{}) })
	refused("Add of no tensor", nx.ErrAbsent, func() { nx.Add(nx.Tensor{}, 1) })
	small := nx.New([]uint8{1, 2})
	nx.Release(nx.Add(small, 1))
	refused("Add of a number that does not fit", nx.ErrValue, func() { nx.Add(small, 300) })
	if got := nx.Data[float32](double(x)); !slices.Equal(got, []float32{2, 4}) {
		t.Errorf("2 x = %v", got)
	}
}

// TestDirectCallsInTraces: a function that was just called directly is part of the graph where
// it is called with traced tensors, or in a body of control flow.
func TestDirectCallsInTraces(t *testing.T) {
	x := nx.New([]float32{1, 2})
	square := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, x) })
	for range 3 {
		nx.Release(square(x))
	}
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(square(x)) })(x)
	if got := nx.Data[float32](g); !slices.Equal(got, []float32{2, 4}) {
		t.Errorf("the gradient of x² is %v", got)
	}
	y := nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return square(x) }, func() nx.Tensor { return x })
	if got := nx.Data[float32](y); !slices.Equal(got, []float32{1, 4}) {
		t.Errorf("x² in a branch is %v", got)
	}
}
