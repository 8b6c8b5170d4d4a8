// Command slowest reads the output of go test -json and names the tests and the packages that take longest, and the
// packages that take longer than their budgets.
//
//	go test -json ./... | go run ./internal/cmd/slowest -budgets .ci/budgets.txt
//
// A line of the file of budgets is a package, as a path in the module, and its seconds; "*" is every other package. The
// status is 1 if a test failed or a package is over its budget.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	n := flag.Int("n", 20, "how many tests to name")
	path := flag.String("budgets", "", "a file of budgets")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *n, *path); err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
		os.Exit(1)
	}
}

// prefix is that of the packages of the module.
const prefix = "github.com/go-nx/nx/"

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// timed is a test, or a package, with its seconds.
type timed struct {
	name    string
	seconds float64
}

// report is what a run of tests took.
type report struct {
	tests, packages []timed
	failed          []string
}

func run(in io.Reader, out io.Writer, n int, path string) error {
	var budgets map[string]float64
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if budgets, err = parseBudgets(string(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	r, err := read(in)
	if err != nil {
		return err
	}
	if len(r.packages) == 0 {
		return errors.New("the input has no package: it must be the output of go test -json")
	}
	print := func(title string, list []timed) {
		fmt.Fprintf(out, "%s\n", title)
		for _, t := range list[:min(n, len(list))] {
			fmt.Fprintf(out, "%8.1f s  %s\n", t.seconds, t.name)
		}
	}
	print("slowest tests:", r.tests)
	print("slowest packages:", r.packages)
	var errs []error
	for _, name := range r.failed {
		errs = append(errs, errors.New(name+" failed"))
	}
	return errors.Join(append(errs, r.over(budgets)...)...)
}

// over returns an error for each package that takes longer than its budget.
func (r report) over(budgets map[string]float64) []error {
	var errs []error
	for _, p := range r.packages {
		budget, ok := budgets[p.name]
		if !ok {
			budget, ok = budgets["*"]
		}
		if ok && p.seconds > budget {
			errs = append(errs, fmt.Errorf("%s took %.0f s, its budget is %.0f s", p.name, p.seconds, budget))
		}
	}
	return errs
}

// parseBudgets reads lines of a package and seconds. A # begins a comment.
func parseBudgets(text string) (map[string]float64, error) {
	budgets := map[string]float64{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		seconds, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if len(fields) != 2 || err != nil || !(seconds > 0) {
			return nil, fmt.Errorf("line %d: want a package and a positive number of seconds, got %q", number,
				strings.TrimSpace(line))
		}
		if _, twice := budgets[fields[0]]; twice {
			return nil, fmt.Errorf("line %d: %s has two budgets", number, fields[0])
		}
		budgets[fields[0]] = seconds
	}
	return budgets, nil
}

// read returns what the tests of a run took, the slowest first. A test counts with its subtests. Lines that are not
// JSON, such as errors of compiling, are passed over.
func read(in io.Reader) (report, error) {
	var r report
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && bytes.HasPrefix(line, []byte("{")) {
			var e event
			if json.Unmarshal(line, &e) == nil {
				r.add(e)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return report{}, err
		}
	}
	slowestFirst := func(a, b timed) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(a.name, b.name))
	}
	slices.SortFunc(r.tests, slowestFirst)
	slices.SortFunc(r.packages, slowestFirst)
	return r, nil
}

func (r *report) add(e event) {
	name := strings.TrimPrefix(e.Package, prefix)
	if e.Test != "" {
		name += "." + e.Test
	}
	if e.Action == "fail" && !strings.Contains(e.Test, "/") {
		r.failed = append(r.failed, name)
	}
	if e.Action != "pass" && e.Action != "fail" || strings.Contains(e.Test, "/") {
		return
	}
	if e.Test == "" {
		r.packages = append(r.packages, timed{name, e.Elapsed})
		return
	}
	r.tests = append(r.tests, timed{name, e.Elapsed})
}
