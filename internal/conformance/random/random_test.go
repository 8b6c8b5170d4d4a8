package random_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

var (
	seeds     = flag.Uint64("seeds", 500, "how many random programs run")
	firstSeed = flag.Uint64("first-seed", 0, "the first of them")
)

// TestRandomPrograms runs random programs, and their gradients, on the interpreter, and on the CPU compiler
// with one worker and with several. A program that fails is shrunk and stored in testdata/found: commit it
// with the fix.
func TestRandomPrograms(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	n := *seeds
	if testing.Short() {
		n = 50
	}
	refused := map[string]int{}
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		p, err := random.New(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, c := range allChecks {
			if err := c.run(p.Module, p.Args); c.refuses(err) {
				refused[err.Error()]++
			} else if err != nil {
				t.Errorf("%s of seed %d: %v", c.name, seed, err)
				keep(t, c, p.Module, seed)
			}
		}
	}
	t.Log("gradients refused:", refused)
}

// TestFound runs the programs that failed once.
func TestFound(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	files, err := filepath.Glob("testdata/found/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var seed uint64
			if _, err := fmt.Sscanf(string(text), "// seed %d:", &seed); err != nil {
				t.Fatalf("the first line does not begin with the seed of its arguments: %v", err)
			}
			m, err := stablehlo.Parse(path, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range independentChecks {
				if err := c.run(m, random.Arguments(m, seed)); err != nil && !c.refuses(err) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		})
	}
}

func FuzzRandomPrograms(f *testing.F) {
	f.Setenv("NX_CHECK", "1")
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		p, err := random.New(seed)
		if err == nil {
			err = compare(p.Module, p.Args)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// checkOf is something that must hold of every program.
type checkOf struct {
	name        string
	check       func(m *stablehlo.Module, args [][]byte) error
	unsupported []string // parts of the errors with which it refuses a program
}

var allChecks = []checkOf{
	{"values", compare, nil},
	{"gradient", compareGradient,
		[]string{"no derivative of chlo.zeta by its exponent", "no derivative of chlo.polygamma by its order",
			"no derivative of stablehlo.scatter of several tensors at once",
			"no derivative of stablehlo.select_and_scatter whose scatter is not a sum",
			"no derivative of stablehlo.bitcast_convert: its operand has the bits"}},
}

// run is check, with a panic as an error.
func (c checkOf) run(m *stablehlo.Module, args [][]byte) (err error) {
	defer caught(&err)
	return c.check(m, args)
}

// caught makes a panic an error.
func caught(err *error) {
	if e := recover(); e != nil {
		*err = fmt.Errorf("a panic: %v\n%s", e, debug.Stack())
	}
}

func (c checkOf) refuses(err error) bool {
	return err != nil &&
		slices.ContainsFunc(c.unsupported, func(part string) bool { return strings.Contains(err.Error(), part) })
}

// compareGradient compares the gradient of the sum of all results of floats.
func compareGradient(m *stablehlo.Module, args [][]byte) error {
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		return err
	}
	return compare(g, args)
}

// compare runs @main of a module on the interpreter, and on the CPU compiler with one
// worker and with several.
func compare(m *stablehlo.Module, args [][]byte) error { return compareAs(m, m, args) }

// compareAs is compare where the compiler gets another module, which computes the same.
func compareAs(m, compiled *stablehlo.Module, args [][]byte) error {
	want, err := kit.Run(kit.Oracle, m, args)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	one, err := kit.Run(kit.OneWorker, compiled, args)
	if err != nil {
		return fmt.Errorf("cpu: %w", err)
	}
	several, err := kit.Run(kit.ThreeWorkers, compiled, args)
	if err != nil {
		return fmt.Errorf("cpu, several workers: %w", err)
	}
	var rounded []int
	for i, certainty := range random.Certain(m) {
		if !bytes.Equal(one[i].Data, several[i].Data) {
			return fmt.Errorf("result %d differs with the number of workers", i)
		}
		switch certainty {
		case random.Near:
			rounded = append(rounded, i)
		case random.Same:
			if why := kit.Differs(want[i], one[i].Data); why != "" {
				return fmt.Errorf("result %d of type %s: %s", i, want[i].Type, why)
			}
		}
	}
	return compareRounded(rounded, m, args, want, one)
}

// compareRounded compares the results that depend on rounding errors: they may differ from the interpreter's
// as much as those of the same program with larger errors. An unlucky draw of these is repeated.
func compareRounded(rounded []int, m *stablehlo.Module, args [][]byte, want, got []*interp.Tensor) error {
	const draws = 8
	for draw := uint64(1); len(rounded) > 0; draw++ {
		rough := random.Perturb(m, draw)
		off, err := kit.Run(kit.Oracle, rough, args)
		if err != nil {
			return fmt.Errorf("interp, made rough: %w", err)
		}
		var left []int
		for _, i := range rounded {
			why := deviates(want[i], off[i], got[i].Data)
			if why == "" {
				continue
			}
			if left = append(left, i); draw == draws {
				return fmt.Errorf("result %d of type %s: %s", i, want[i].Type, why)
			}
		}
		rounded = left
	}
	return nil
}

// deviates reports where a result is farther from the interpreter's than one with
// larger rounding errors ever is. Numbers that are not finite in either of these
// are left out: an error may decide whether they overflow; so are overflows where
// the number is so large that one on the way to it may.
func deviates(want, off *interp.Tensor, got []byte) string {
	real, n := kit.PartsOf(want.Type, want.Data)
	if len(got) != len(want.Data) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	tolerance := map[int]float64{16: 0x1p-20, 32: 0x1p-140, 64: 0x1p-1060}[real.Bits()] // of numbers that are subnormal
	for i := range n {
		if d := math.Abs(real.LoadFloat(want.Data, i) - real.LoadFloat(off.Data, i)); d > tolerance &&
			!math.IsInf(d, 0) {
			tolerance = d
		}
	}
	isFinite := func(x float64) bool { return x-x == 0 }
	for i := range n {
		x, a, b := real.LoadFloat(got, i), real.LoadFloat(want.Data, i), real.LoadFloat(off.Data, i)
		if !isFinite(x) && math.Abs(a) > real.MaxFinite()/8 {
			continue
		}
		if isFinite(a) && isFinite(b) && !(math.Abs(x-a) <= tolerance) {
			return fmt.Sprintf("element %d is %v, want %v or within %v of it", i, x, a, tolerance)
		}
	}
	return ""
}
