package conformance

import (
	"context"
	"flag"
	"fmt"
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

// workerCounts are the numbers of workers with which independent ops run. The first gives what the others must give.
var workerCounts = []int{1, 2, 3, 4, 16}

// TestIndependentOps runs random programs of several large ops that need nothing of each other, and their gradients,
// on the interpreter, and on the CPU compiler with different numbers of workers, many times from several
// goroutines: each call gives the same bits. It prints the seed to go on from. A program that fails is kept as those
// of [TestRandomPrograms] are.
func TestIndependentOps(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	d := *independent
	if testing.Short() {
		d = min(d, time.Second)
	}
	seed, refused := *firstSeed, map[string]int{}
	for end := time.Now().Add(d); time.Now().Before(end) && !t.Failed(); seed++ {
		p, err := random.Independent(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, c := range independentChecks {
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

// independentChecks are those of all programs, and of many calls of them and of their gradients.
var independentChecks = []checkOf{
	allChecks[0], workersCheck, {"gradient", func(m *stablehlo.Module, args [][]byte) error {
		g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
		if err != nil {
			return err
		}
		if err := sameByWorkers(g, args); err != nil {
			return err
		}
		return compare(g, args)
	}, allChecks[1].lacks},
}

var clientsOf = sync.OnceValue(func() []*cpu.Client {
	var clients []*cpu.Client
	for _, n := range workerCounts {
		clients = append(clients, cpu.New(n))
	}
	return clients
})

// sameByWorkers calls @main of a module many times, from several goroutines, with different numbers of workers. All
// calls must give the same bits.
func sameByWorkers(m *stablehlo.Module, args [][]byte) error {
	var want [][]byte
	for i, c := range clientsOf() {
		p, err := compileSoaked(c, m, args)
		if err != nil {
			return err
		}
		p.want = want
		if i == 0 {
			if p.want, err = p.run(context.Background()); err != nil {
				return fmt.Errorf("one worker: %w", err)
			}
			want = p.want
		}
		if err := p.callMany(); err != nil {
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

// callMany calls a program from some goroutines.
func (s *soaked) callMany() error {
	errs := make([]error, 3)
	var all sync.WaitGroup
	for g := range errs {
		all.Go(func() {
			defer caught(&errs[g])
			for n := 0; n < *callsOf && errs[g] == nil; n++ {
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
