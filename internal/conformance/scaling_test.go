package conformance

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// growth is how much larger the second program of a family is.
const growth = 4

// cost is what a stage takes.
type cost struct{ seconds, allocs, bytes float64 }

// exponents returns by which powers of the size the cost grows from c to d.
func (c cost) exponents(d cost) cost {
	power := func(x, y float64) float64 { return math.Log(y/x) / math.Log(growth) }
	const tick = 0.004 // seconds: what the clock of a thread cannot tell apart
	return cost{power(max(c.seconds, tick), max(d.seconds, tick)), power(c.allocs, d.allocs), power(c.bytes, d.bytes)}
}

// min keeps the smaller of each: noise only adds.
func (c cost) min(d cost) cost {
	return cost{min(c.seconds, d.seconds), min(c.allocs, d.allocs), min(c.bytes, d.bytes)}
}

func costOf(t *testing.T, f func() error) cost {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	err := f()
	c := cost{seconds: (threadTime() - start).Seconds()}
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	c.allocs, c.bytes = float64(after.Mallocs-before.Mallocs), float64(after.TotalAlloc-before.TotalAlloc)
	return c
}

// stageNames are what is measured, in order.
var stageNames = []string{"parse", "verify", "print", "compile", "derive", "verify derivative", "compile derivative"}

// costsOf returns the cost of every stage on a program.
func (f family) costsOf(t *testing.T, client *cpu.Client, n int) map[string]cost {
	t.Helper()
	text := f.text(n)
	costs := map[string]cost{}
	var m, g *stablehlo.Module
	measure := func(stage string, run func() error) { costs[stage] = costOf(t, run) }
	compile := func(m *stablehlo.Module) func() error {
		return func() error { _, err := client.Compile(context.Background(), m); return err }
	}
	measure("parse", func() (err error) { m, err = stablehlo.Parse(f.name, []byte(text)); return err })
	measure("verify", func() error { return m.Verify() })
	measure("print", func() error { _ = m.String(); return nil })
	measure("compile", compile(m))
	if f.gradient {
		measure("derive", func() (err error) { g, _, err = autodiff.Gradient(m, "main", nil); return err })
		measure("verify derivative", func() error { return g.Verify() })
		measure("compile derivative", compile(g))
	}
	return costs
}

const (
	// mostAllocs bounds the powers of the size by which allocations and their bytes
	// may grow: linear, with room for tables that double.
	mostAllocs = 1.3
	fewAllocs  = 5000 // are not looked at

	// mostTime bounds the power by which time may grow: n·log n, with room for caches
	// and for noise. Nothing below shortest is told from noise.
	mostTime = 1.75
	shortest = 0.05

	// attempts is how often a program is measured before its time counts as too long.
	attempts = 6
)

// TestScaling: the cost of every stage of compiling grows about linearly with programs
// of every family.
func TestScaling(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time, which -race and other tests beside it spoil")
	}
	client := cpu.New(1)
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			small, large := f.costsOf(t, client, f.size), f.costsOf(t, client, growth*f.size)
			for range attempts {
				if len(f.tooSteep(small, large)) == 0 {
					return
				}
				for stage, c := range f.costsOf(t, client, f.size) {
					small[stage] = small[stage].min(c)
				}
				for stage, c := range f.costsOf(t, client, growth*f.size) {
					large[stage] = large[stage].min(c)
				}
			}
			for _, stage := range f.tooSteep(small, large) {
				e := small[stage].exponents(large[stage])
				t.Errorf("%s of %d and %d: time grows by the power %.2f, to %.3f s; allocations by %.2f, their bytes by %.2f",
					stage, f.size, growth*f.size, e.seconds, large[stage].seconds, e.allocs, e.bytes)
			}
		})
	}
}

// tooSteep returns the stages whose cost grows by more than the family may.
func (f family) tooSteep(small, large map[string]cost) (steep []string) {
	for _, stage := range stageNames {
		c, ok := large[stage]
		if !ok {
			continue
		}
		e := small[stage].exponents(c)
		extra := f.extra[stage]
		if c.allocs > fewAllocs && max(e.allocs, e.bytes) > mostAllocs+extra || c.seconds > shortest && e.seconds > mostTime+extra {
			steep = append(steep, stage)
		}
	}
	return steep
}
