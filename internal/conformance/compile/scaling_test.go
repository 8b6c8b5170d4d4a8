package compile_test

import (
	"context"
	"flag"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/growth"
	"github.com/go-nx/nx/internal/testkit"
)

// timed also bounds time, which only an idle machine measures well.
var timed = flag.Bool("timed", false, "bound the time of compiling too, not only the counts of its work")

// cost is the cost of a stage: memory and checks of its context, one for each op that a pass visits; they are
// the same on every machine.
type cost struct{ allocs, bytes, looks, seconds float64 }

// exponents returns by which powers of the size the cost grows from c to d.
func (c cost) exponents(d cost) cost {
	power := func(x, y, least float64) float64 {
		if y <= least { // a constant cost may dominate
			return 0
		}
		return math.Log(y/max(x, 1e-9)) / math.Log(growth.Growth)
	}
	const tick = 0.004 // seconds: the resolution of a thread's clock
	return cost{power(c.allocs, d.allocs, minAllocs), power(c.bytes, d.bytes, minBytes),
		power(c.looks, d.looks, minChecks), power(max(c.seconds, tick), d.seconds, shortest)}
}

func costOf(t *testing.T, f func(ctx context.Context) error) cost {
	t.Helper()
	ctx := testkit.NewCountdown(math.MaxInt64)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := kit.ThreadTime()
	err := f(ctx)
	c := cost{seconds: (kit.ThreadTime() - start).Seconds()}
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	c.allocs, c.bytes = float64(after.Mallocs-before.Mallocs), float64(after.TotalAlloc-before.TotalAlloc)
	c.looks = float64(math.MaxInt64 - ctx.Left())
	return c
}

// costsOf returns the cost of every stage on a program of a family.
func costsOf(t *testing.T, client *cpu.Client, f growth.Family, n int) map[string]cost {
	t.Helper()
	costs := map[string]cost{}
	f.Run(client, n, func(stage string, run func(ctx context.Context) error) { costs[stage] = costOf(t, run) })
	return costs
}

const (
	// maxGrowth bounds the powers of the size by which allocations, their bytes and checks of the context may
	// grow: linear, with a margin for tables that double.
	maxGrowth = 1.3
	// Less than these is not looked at.
	minAllocs, minBytes, minChecks = 5000, 1 << 20, 2000

	// maxTime bounds the power by which time may grow: n·log n, with a margin for caches and noise. Times
	// below shortest are noise.
	maxTime  = 1.75
	shortest = 0.05

	// attempts is how often a program is timed before its time counts as too long.
	attempts = 6
)

// TestScaling: the cost of every stage of compiling grows about linearly with programs
// of every family.
func TestScaling(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds; with -race it counts what that allocates")
	}
	client := cpu.New(1)
	for _, f := range slices.Concat(growth.Families, growth.Chains(!*timed)) {
		t.Run(f.Name, func(t *testing.T) {
			small, large := costsOf(t, client, f, f.Size), costsOf(t, client, f, growth.Growth*f.Size)
			for range attempts {
				if !*timed || len(tooSteep(f, small, large)) == 0 {
					break
				}
				faster(small, costsOf(t, client, f, f.Size))
				faster(large, costsOf(t, client, f, growth.Growth*f.Size))
			}
			// a step at some size, or a power: measure a larger program
			if f.Mapped && len(tooSteep(f, small, large)) > 0 {
				f.Size *= growth.Growth
				small, large = large, costsOf(t, client, f, growth.Growth*f.Size)
			}
			for _, stage := range tooSteep(f, small, large) {
				e := small[stage].exponents(large[stage])
				t.Errorf(
					"%s of %d and %d grows by the power %.2f in allocations, %.2f in their bytes, %.2f in looks at the context, "+
						"%.2f in time, to %.3f s",
					stage, f.Size, growth.Growth*f.Size, e.allocs, e.bytes, e.looks, e.seconds, large[stage].seconds)
			}
		})
	}
}

// faster keeps the shorter time of each stage: noise only adds.
func faster(costs, again map[string]cost) {
	for stage, c := range costs {
		c.seconds = min(c.seconds, again[stage].seconds)
		costs[stage] = c
	}
}

// tooSteep returns the stages whose cost grows by more than the family may.
func tooSteep(f growth.Family, small, large map[string]cost) (steep []string) {
	for _, stage := range growth.Stages {
		c, ok := large[stage]
		if !ok {
			continue
		}
		e, extra := small[stage].exponents(c), f.Extra[stage]
		if max(e.allocs, e.bytes, e.looks) > maxGrowth+extra || *timed && e.seconds > maxTime+extra {
			steep = append(steep, stage)
		}
	}
	return steep
}
