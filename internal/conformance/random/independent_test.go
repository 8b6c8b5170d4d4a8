package random_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
)

var (
	independent = flag.Duration("independent", 4*time.Second,
		"how long TestIndependentOps runs programs, from -first-seed on")
	callsOf = flag.Int("calls", 6, "how often each of 3 goroutines calls a program of TestIndependentOps, "+
		"with each number of workers")
)

// workerCounts are the numbers of workers for independent ops. The results of the first are the reference.
var workerCounts = []int{1, 2, 3, 4, 16}

// TestIndependentOps runs random programs of several independent large ops, and their gradients, on the CPU
// compiler with different numbers of workers, many times from several goroutines: each call returns the same
// bits. Two of three run on the interpreter as well, the third is too large. It prints the seed to continue
// from. A program that fails is kept as those of [TestRandomPrograms] are.
func TestIndependentOps(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	d := *independent
	if testing.Short() {
		d = min(d, time.Second)
	}
	seed, refused := *firstSeed, map[string]int{}
	for end := time.Now().Add(d); time.Now().Before(end) && !t.Failed(); seed++ {
		make, checks := random.Independent, independentChecks
		if seed%3 == 2 {
			make, checks = random.Huge, hugeChecks
		}
		p, err := make(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, c := range checks {
			if err := c.run(p.Module, p.Args); c.refuses(err) {
				refused[err.Error()]++
			} else if err != nil {
				t.Errorf("%s of seed %d: %v", c.name, seed, err)
				keep(t, c, p.Module, seed)
			}
		}
	}
	t.Logf("%d programs; -first-seed %d goes on; gradients refused: %v", seed-*firstSeed, seed, refused)
}

// workersCheck is that of many calls.
var workersCheck = checkOf{"workers", sameByWorkers, nil}

// gradientWorkersCheck is that of many calls of the gradient.
var gradientWorkersCheck = checkOf{"gradientworkers", func(m *stablehlo.Module, args [][]byte) error {
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		return err
	}
	return sameByWorkers(g, args)
}, allChecks[1].unsupported}

var (
	hugeChecks        = []checkOf{workersCheck, gradientWorkersCheck}
	independentChecks = slices.Concat(allChecks, hugeChecks)
)

var clientsOf = sync.OnceValue(func() []*cpu.Client {
	var clients []*cpu.Client
	for _, n := range workerCounts {
		clients = append(clients, cpu.New(n))
	}
	return clients
})

// sameByWorkers calls @main of a module many times, from several goroutines, with different numbers of
// workers. All calls must return the same bits.
func sameByWorkers(m *stablehlo.Module, args [][]byte) error {
	calls := *callsOf
	var want [][]byte
	for i, c := range clientsOf() {
		p, err := compileSoaked(c, m, args)
		if err != nil {
			return err
		}
		p.want = want
		if i == 0 {
			start := time.Now()
			if p.want, err = p.run(context.Background()); err != nil {
				return fmt.Errorf("one worker: %w", err)
			}
			if want = p.want; time.Since(start) > longCall {
				calls = max(1, calls/4)
			}
		}
		if err := p.callMany(calls); err != nil {
			return fmt.Errorf("%d workers: %w", workerCounts[i], err)
		}
		for _, b := range p.args {
			b.Release()
		}
		if err := p.exe.Close(); err != nil {
			return err
		}
	}
	return nil
}

// longCall is the time of a call from which on fewer calls are made.
const longCall = 20 * time.Millisecond

// callMany calls a program so often from each of some goroutines.
func (s *soaked) callMany(calls int) error {
	errs := make([]error, 3)
	var all sync.WaitGroup
	for g := range errs {
		all.Go(func() {
			defer caught(&errs[g])
			for n := 0; n < calls && errs[g] == nil; n++ {
				errs[g] = s.compareRun(context.Background())
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
