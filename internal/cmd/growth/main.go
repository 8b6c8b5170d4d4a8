// Command growth finds statements of the compiler whose execution count grows superlinearly with
// the size of the compiled program. It compiles two programs of each family of package growth, the
// second four times larger, and a third one where the counts grow, and compares the counts of every
// basic block, from the coverage counters. The counts are the same on every machine, and identify
// the position. It fails if a position is not in the list of accepted ones. It is built with
// coverage:
//
//	go build -cover -covermode=atomic -coverpkg=./...,slices,sort,maps -o growth ./internal/cmd/growth
//	GOCOVERDIR=$(mktemp -d) ./growth
//
// Arguments are substrings of the names of families.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/growth"
)

const (
	// maxGrowth bounds the exponent with which a count may grow: n·log n, with a margin for tables
	// that double.
	maxGrowth = 1.3

	// usual is the number of executions of a block per unit of the size up to which its growth is
	// ignored: a block may start to be used at some size.
	minRuns = 12
)

func main() {
	listed := flag.Int("list", 5, "the number of positions listed per stage")
	size := flag.Int("size", 150, "the maximum of the smaller size of families")
	verbose := flag.Bool("v", false, "print the name of each family")
	flag.Parse()
	found, err := run(flag.Args(), *listed, *size, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
	if found {
		os.Exit(1)
	}
}

// run reports whether a count grows too fast in the families whose names contain one of parts.
func run(parts []string, listed, size int, verbose bool) (found bool, err error) {
	client := cpu.New(1)
	for _, f := range slices.Concat(growth.Families, growth.Chains(false)) {
		if len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(f.Name, p) }) {
			continue
		}
		f.Size = min(f.Size, size)
		if verbose {
			fmt.Println(f.Name)
		}
		steep, err := grows(f, client, listed)
		if err != nil {
			return false, fmt.Errorf("%s: %w", f.Name, err)
		}
		found = found || steep
	}
	return found, nil
}

// grows reports whether counts of statements grow too fast for a program of a family. Statements
// may start to be used at the larger size: then a third, larger program decides.
func grows(f growth.Family, client *cpu.Client, listed int) (found bool, err error) {
	n := f.Size
	small, err := workOf(f, client, n)
	if err != nil {
		return false, err
	}
	for {
		large, err := workOf(f, client, growth.Growth*n)
		if err != nil {
			return false, err
		}
		steep := tooSteep(small, large, f, n)
		if len(steep) == 0 {
			return false, nil
		}
		if larger := growth.Growth * n; n == f.Size && (f.MaxSize == 0 || growth.Growth*larger <= f.MaxSize) {
			n, small = larger, large
			continue
		}
		for _, stage := range growth.Stages {
			printed := 0
			for _, s := range steep[stage] {
				place := s.place()
				if isAccepted(place, f.Name) {
					continue
				}
				if found = true; printed == listed {
					break
				}
				printed++
				fmt.Printf("%s of %s of %d and %d: %.0f and %.0f runs of %s\n", stage, f.Name, n, growth.Growth*n,
					small[stage][s], large[stage][s], place)
			}
		}
		return found, nil
	}
}

// workOf returns the work of every stage on a program.
func workOf(f growth.Family, client *cpu.Client, n int) (all map[string]work, err error) {
	all = map[string]work{}
	f.Run(client, n, func(stage string, run func(ctx context.Context) error) {
		if err != nil {
			return
		}
		var failed error
		all[stage], err = countWork(func() { failed = run(context.Background()) })
		if failed != nil {
			err = fmt.Errorf("%s: %w", stage, failed)
		}
	})
	return all, err
}

// tooSteep returns for each stage the statements whose counts grow faster than a power of the size,
// those that run most often first. The smaller program has size n.
func tooSteep(small, large map[string]work, f growth.Family, n int) map[string][]statements {
	out := map[string][]statements{}
	for stage, runs := range large {
		limit := math.Pow(growth.Growth, maxGrowth+f.Extra[stage])
		var list []statements
		for s, r := range runs {
			if r > limit*max(small[stage][s], float64(minRuns*n)) {
				list = append(list, s)
			}
		}
		if len(list) > 0 {
			slices.SortFunc(list, func(a, b statements) int { return cmp.Compare(runs[b], runs[a]) })
			out[stage] = list
		}
	}
	return out
}
