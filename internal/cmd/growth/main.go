// Command growth looks for statements of the compiler whose number of runs grows faster
// than the program that is compiled. It compiles two programs of each family of package
// growth, one four times the other, and a larger one still where that shows something, and counts how
// often every block of statements runs, which counters of coverage say: the counts are the same on
// every machine, and name the place. It fails where one is not in the list of those that are accepted. It is built with
// counters:
//
//	go build -cover -covermode=atomic -coverpkg=./...,slices,sort,maps -o growth ./internal/cmd/growth
//	GOCOVERDIR=$(mktemp -d) ./growth
//
// Arguments are parts of the names of families to look at.
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
	// maxGrowth bounds the power of the size by which a count may grow: n·log n, and
	// room for tables that double.
	maxGrowth = 1.3

	// minRuns is what a block of statements may run for each unit of the size before its growth is
	// looked at: it may begin to be used at some size.
	minRuns = 12
)

func main() {
	listed := flag.Int("list", 5, "the places listed for each stage")
	size := flag.Int("size", 150, "the smaller size of families, where theirs is not smaller still")
	verbose := flag.Bool("v", false, "name the families that are looked at")
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

// run reports whether something grows too fast in the families whose names have one of some parts.
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

// grows reports whether statements run too often for a larger program of a family. Those that do so of a
// larger one alone may begin to be used at its size: a program larger still shows that.
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

// tooSteep returns of each stage the statements whose runs grow by more than a power of the size, those that
// run most often first. The smaller program has size n.
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
