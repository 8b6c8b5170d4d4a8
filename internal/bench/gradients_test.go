package bench

import (
	"flag"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

// timed also bounds times, which need an idle machine.
var timed = flag.Bool("timed", false, "bound the time of gradients, and of compiling them")

// maxSlowdown bounds the time of a value and gradient, relative to the function.
const maxSlowdown = 3.5

// TestGradientTime times losses and their gradients alternately.
func TestGradientTime(t *testing.T) {
	if !*timed {
		t.Skip("times need an idle machine: -args -timed")
	}
	const rounds = 41
	{
		p, x, y := mlpInputs()
		gradientTime(t, rounds, "MLP", func(p mlp) nx.Tensor { return p.loss(x, y) }, p)
	}
	{
		p, x, y := cnnInputs()
		gradientTime(t, rounds, "CNN", func(p cnn) nx.Tensor { return p.loss(x, y) }, p)
	}
	{
		p, x := transformerInputs()
		gradientTime(t, 9, "transformer", func(p []block) nx.Tensor { return transformerLoss(p, x) }, p)
	}
}

// gradientTime compares the medians of alternate calls of f and of its gradient.
func gradientTime[P any](t *testing.T, rounds int, name string, f func(P) nx.Tensor, p P) {
	loss := nx.Jit(f)
	grad := nx.Jit(func(p P) (nx.Tensor, P) { return nx.ValueAndGrad(f)(p) })
	var forward, both []time.Duration
	for i := range rounds + 1 {
		start := time.Now()
		nx.Release(loss(p))
		between := time.Now()
		l, g := grad(p)
		nx.Release(l, g)
		if i > 0 { // the first call compiles
			forward, both = append(forward, between.Sub(start)), append(both, time.Since(between))
		}
	}
	slices.Sort(forward)
	slices.Sort(both)
	f0, g0 := forward[rounds/2], both[rounds/2]
	ratio := float64(g0) / float64(f0)
	t.Logf("%s: %v, with its gradient %v: %.2f times", name, f0, g0, ratio)
	if ratio > maxSlowdown {
		t.Errorf("%s: the gradient takes %.2f times as long, at most %.1f are expected", name, ratio, maxSlowdown)
	}
}

// TestGradientCompile: the cost of tracing, differentiating and compiling is proportional to the program: chains of
// operations, layers of a transformer.
func TestGradientCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 96 layers")
	}
	compileGrowth(t, "operations", []int{125, 500, 2000}, func(n int) error {
		_, err := nx.Compile(nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(chain(n, x)) }),
			nx.Args(input(nx.F32, 1000)))
		return err
	})
	compileGrowth(t, "layers", []int{6, 24, 96}, func(n int) error {
		p, x := transformerOf(n, 2, 16, 32)
		_, err := nx.Compile(func(p []block) []block {
			return nx.Grad(func(p []block) nx.Tensor { return transformerLoss(p, x) })(p)
		}, nx.Args(p))
		return err
	})
}

// chain applies n operations, one after the other.
func chain(n int, x nx.Tensor) nx.Tensor {
	first := x
	for i := range n {
		switch i % 4 {
		case 0:
			x = nx.Tanh(x)
		case 1:
			x = nx.Mul(x, first)
		case 2:
			x = nx.Add(x, float64(i))
		case 3:
			x = nx.Sin(x)
		}
	}
	return x
}

// maxGrowth bounds the exponent of the size in the cost of compiling a program: linear, with a margin for tables that
// double, and for the clock.
const maxGrowth = 1.3

// compileGrowth compiles programs of several sizes, and bounds the growth of allocations, and with -timed of the time.
func compileGrowth(t *testing.T, what string, sizes []int, compile func(n int) error) {
	t.Helper()
	power := func(a, b float64, i int) float64 {
		return math.Log(b/a) / math.Log(float64(sizes[i])/float64(sizes[i-1]))
	}
	rounds := 1
	if *timed {
		rounds = 5
	}
	var allocs, seconds []float64
	for i, n := range sizes {
		var before, after runtime.MemStats
		fastest := time.Duration(math.MaxInt64)
		for range rounds {
			runtime.ReadMemStats(&before)
			start := time.Now()
			if err := compile(n); err != nil {
				t.Fatal(err)
			}
			fastest = min(fastest, time.Since(start))
			runtime.ReadMemStats(&after)
		}
		allocs, seconds = append(allocs, float64(after.Mallocs-before.Mallocs)), append(seconds, fastest.Seconds())
		t.Logf("the gradient of %d %s compiles in %v, with %.0f allocations", n, what, fastest, allocs[i])
		if i == 0 {
			continue
		}
		a, s := power(allocs[i-1], allocs[i], i), power(seconds[i-1], seconds[i], i)
		t.Logf("powers of the size: allocations %.2f, time %.2f", a, s)
		if a > maxGrowth || *timed && s > maxGrowth {
			t.Errorf("compiling grows faster than the program: by the power %.2f in allocations, %.2f in time", a, s)
		}
	}
}
