// Command ulp measures the errors of the functions of package nx in units in the last place, and compares them
// with the bounds in their comments.
//
//	go run ./internal/cmd/ulp [-all] [-only REGEXP] [-write docs/accuracy.md]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/go-nx/nx/dtype"
)

// types are the element types that are measured.
var types = []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16}

// bound is the error that the comment of a function states.
func (b bounds) of(d dtype.Type) float64 {
	switch d {
	case dtype.F32:
		return b.f32
	case dtype.F64:
		return b.f64
	}
	return b.f16
}

// String returns the bounds in the form of the comments.
func (b bounds) String() string {
	s := fmt.Sprintf("≤ %v ulp", b.f32)
	switch {
	case b == bounds{0.5, 0.5, 0.5}:
		return "correctly rounded"
	case b.f32 != b.f16 && b.f64 != b.f32:
		panic("comments have no words for such bounds")
	case b.f64 != b.f32:
		s += fmt.Sprintf(", in f64 ≤ %v", b.f64)
	}
	return s
}

// row is the measurement of one function.
type row struct {
	name   string
	bounds bounds
	worst  []worst // for each of types
	every  bool    // of the numbers of type f32
}

// usualStep is the step between the numbers of type f32 of the page.
const usualStep = 1009

func main() {
	all := flag.Bool("all", false, "all 2^32 numbers of type f32 rather than every step-th")
	step := flag.Uint64("step", usualStep, "the step between the numbers of type f32")
	n := flag.Int("n", 400_000, "how many numbers of type f64, and pairs of numbers")
	only := flag.String("only", "", "only the functions whose names match this regular expression")
	file := flag.String("write", "", "the file to write the rows into, between its two marks")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *all {
		*step = 1
	}
	names, err := regexp.Compile(*only)
	if err == nil && *file != "" && *step != usualStep && *step != 1 {
		err = fmt.Errorf("the page is of every %d-th number or of all, not of every %d-th", usualStep, *step)
	}
	if err != nil {
		fail(err)
	}
	rows, ok := measure(os.Stdout, names, *step, *n)
	if *file != "" {
		if err := write(*file, rows); err != nil {
			fail(err)
		}
	}
	if !ok {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "ulp:", err)
	os.Exit(1)
}

// measure measures the selected functions, prints the results, and reports whether all are within bounds.
func measure(out io.Writer, only *regexp.Regexp, step uint64, n int) (rows []row, ok bool) {
	ok = true
	add := func(name string, b bounds, every bool, of func(d dtype.Type) worst) {
		if !only.MatchString(name) {
			return
		}
		r := row{name: name, bounds: b, every: every}
		for _, d := range types {
			w := of(d)
			r.worst = append(r.worst, w)
			verdict := ""
			if w.ulp > b.of(d) {
				verdict, ok = fmt.Sprintf("  ABOVE %v", b.of(d)), false
			}
			fmt.Fprintf(out, "%-16s %-4v %6v ulp at %v: %v, not %v%s\n", name, d, w, w.at, w.got, w.want, verdict)
		}
		rows = append(rows, r)
	}
	for _, f := range functions {
		add(f.name, f.bounds, step == 1, func(d dtype.Type) worst { return f.measure(d, step, n) })
	}
	for _, p := range pairs {
		add(p.name, p.bounds, false, func(d dtype.Type) worst { return p.measure(d, n/8) })
	}
	return rows, ok
}
