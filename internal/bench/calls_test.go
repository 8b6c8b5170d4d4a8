package bench

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// BenchmarkCompileCalls compiles transformers whose layers are calls of one compiled function, and the same layers
// unrolled: "calls=24" should take far less than 24 times "calls=1".
func BenchmarkCompileCalls(b *testing.B) {
	for _, n := range []int{1, 24} {
		p, x := transformerOf(n, 2, 16, 32)
		for _, way := range []struct {
			name string
			f    func(p []block, x nx.Tensor) nx.Tensor
		}{{"calls", called()}, {"copies", transformer}} {
			b.Run(fmt.Sprintf("%s=%d", way.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := nx.Compile(way.f, nx.Args(p, x)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// called applies layers that are calls of one function.
func called() func(p []block, x nx.Tensor) nx.Tensor {
	layer := nx.Jit(func(l block, x nx.Tensor) nx.Tensor { return transformer([]block{l}, x) })
	return func(p []block, x nx.Tensor) nx.Tensor {
		for _, l := range p {
			x = layer(l, x)
		}
		return x
	}
}

// TestCallsAllocations: a layer that is called 24 times is compiled once, and laid out 24 times. It took 12.4 times the
// objects of one call when each call was planned separately.
func TestCallsAllocations(t *testing.T) {
	allocs := func(n int) float64 {
		p, x := transformerOf(n, 2, 16, 32)
		f := called()
		compile := func() {
			if _, err := nx.Compile(f, nx.Args(p, x)); err != nil {
				t.Fatal(err)
			}
		}
		compile() // fills the caches
		return testing.AllocsPerRun(3, compile)
	}
	one, many := allocs(1), allocs(24)
	t.Logf("a call takes %v objects, 24 calls take %v", one, many)
	if many > 3*one {
		t.Errorf("24 calls must take at most 3 times the objects of one call, got %v, %.1f times", many, many/one)
	}
}

// TestCallsAsCopies: layers that are calls of one function have the bits of unrolled layers, with the same traffic and
// arena; their training steps have no more traffic.
func TestCallsAsCopies(t *testing.T) {
	step := func(f func(p []block, x nx.Tensor) nx.Tensor) func(p []block, x nx.Tensor) ([]block, nx.Tensor) {
		return func(p []block, x nx.Tensor) ([]block, nx.Tensor) {
			l, g := nx.ValueAndGrad(func(p []block) nx.Tensor { y := f(p, x); return nx.Mean(nx.Mul(y, y)) })(p)
			return descend(p, g), l
		}
	}
	for _, size := range [][3]int{{2, 16, 32}, {2, 64, 64}, {1, 128, 128}} {
		p, x := transformerOf(4, size[0], size[1], size[2])
		f, g := nx.Jit(transformer), nx.Jit(called())
		if !slices.Equal(nx.Data[float32](f(p, x)), nx.Data[float32](g(p, x))) {
			t.Errorf("%v: calls return other bits", size)
		}
		moved, arena := figuresOf(t, nodesOf(t, f, p, x))
		m, a := figuresOf(t, nodesOf(t, g, p, x))
		if m != moved || a != arena {
			t.Errorf("%v: calls move %d bytes in an arena of %d, copies %d in %d", size, m, a, moved, arena)
		}
		c, d := nx.Jit(step(transformer)), nx.Jit(step(called()))
		moved, arena = figuresOf(t, nodesOf(t, c, p, x))
		m, a = figuresOf(t, nodesOf(t, d, p, x))
		if m > moved || a > arena {
			t.Errorf("%v: a step of calls moves %d bytes in an arena of %d, one of copies %d in %d", size, m, a, moved, arena)
		}
	}
}
