package conformance

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestRandomPrograms runs random programs on the interpreter, and on the CPU
// compiler with one worker and with several.
func TestRandomPrograms(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	n := *seeds
	if testing.Short() {
		n = 30
	}
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		if err := compareRandom(seed); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

var (
	seeds     = flag.Uint64("seeds", 400, "how many random programs run")
	firstSeed = flag.Uint64("first-seed", 0, "the first of them")
)

func FuzzRandomPrograms(f *testing.F) {
	f.Setenv("NX_CHECK", "1")
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if err := compareRandom(seed); err != nil {
			t.Fatal(err)
		}
	})
}

// compareRandom runs the program of a seed everywhere.
func compareRandom(seed uint64) error {
	p, err := random.New(seed)
	if err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s\n%s", fmt.Sprintf(format, args...), clip(p.Module.String(), 6000))
	}
	want, err := run(oracle, p.Module, p.Args)
	if err != nil {
		return fail("interp: %v", err)
	}
	one, err := run(oneWorker, p.Module, p.Args)
	if err != nil {
		return fail("cpu: %v", err)
	}
	several, err := run(threeWorkers, p.Module, p.Args)
	if err != nil {
		return fail("cpu, several workers: %v", err)
	}
	for i := range want {
		if !bytes.Equal(one[i].Data, several[i].Data) {
			return fail("result %d differs with the number of workers", i)
		}
		if !p.Exact[i] {
			continue
		}
		if why := differs(want[i], one[i].Data); why != "" {
			return fail("result %d of type %s: %s", i, want[i].Type, why)
		}
	}
	return compareRounded(seed, p, want, one, fail)
}

// compareRounded compares the results that depend on rounding errors: they may
// be as far from the interpreter's as those of the same program with larger
// errors. An unlucky draw of these asks for another.
func compareRounded(seed uint64, p *random.Program, want []*interp.Tensor, got []*interp.Tensor, fail func(string, ...any) error) error {
	var rounded []int
	for i, exact := range p.Exact {
		if !exact {
			rounded = append(rounded, i)
		}
	}
	const draws = 8
	for draw := uint64(1); len(rounded) > 0; draw++ {
		rough, err := random.NewRough(seed, draw)
		if err != nil {
			return fail("made rough: %v", err)
		}
		off, err := run(oracle, rough.Module, rough.Args)
		if err != nil {
			return fail("interp, made rough: %v", err)
		}
		var left []int
		for _, i := range rounded {
			why := strays(want[i], off[i], got[i].Data)
			if why == "" {
				continue
			}
			if left = append(left, i); draw == draws {
				return fail("result %d of type %s: %s", i, want[i].Type, why)
			}
		}
		rounded = left
	}
	return nil
}

var (
	oracle                  = Interp()
	oneWorker, threeWorkers = Compiled(cpu.New(1)), Compiled(cpu.New(3))
)

// run runs @main of a module on tensors of the types of its arguments.
func run(e Executor, m *stablehlo.Module, args [][]byte) ([]*interp.Tensor, error) {
	p, err := e.Load(m)
	if err != nil {
		return nil, err
	}
	return runLoaded(p, m, args)
}

func runLoaded(p Program, m *stablehlo.Module, args [][]byte) ([]*interp.Tensor, error) {
	f, _ := m.Func("main")
	var in []interp.Value
	for i, t := range f.Type().Ins {
		x, err := interp.NewTensor(t.(*stablehlo.TensorType), args[i])
		if err != nil {
			return nil, err
		}
		in = append(in, x)
	}
	values, err := p.Call(context.Background(), "main", in...)
	var out []*interp.Tensor
	for _, v := range values {
		out = append(out, v.(*interp.Tensor))
	}
	return out, err
}

// partsOf returns the type and the count of the numbers of a tensor, two for each complex one.
func partsOf(t *stablehlo.TensorType, data []byte) (real dtype.Type, n int) {
	real = t.DType().Real()
	return real, len(data) / real.Size()
}

// differs says where results that are exact differ; all NaNs are one.
func differs(want *interp.Tensor, got []byte) string {
	if bytes.Equal(got, want.Data) {
		return ""
	}
	real, n := partsOf(want.Type, want.Data)
	if len(got) != len(want.Data) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	for i := range n {
		a, b := real.LoadBits(got, i), real.LoadBits(want.Data, i)
		if a == b {
			continue
		}
		if !real.IsFloat() {
			return fmt.Sprintf("element %d is %d, want %d", i, real.LoadInt(got, i), real.LoadInt(want.Data, i))
		}
		if x, y := real.LoadFloat(got, i), real.LoadFloat(want.Data, i); x == x || y == y {
			return fmt.Sprintf("element %d is %v, want exactly %v", i, x, y)
		}
	}
	return ""
}

// strays says where a result is farther from the interpreter's than one with
// larger rounding errors ever is. Numbers that are not finite in either of these
// are left out: an error may decide whether they overflow.
func strays(want, off *interp.Tensor, got []byte) string {
	real, n := partsOf(want.Type, want.Data)
	if len(got) != len(want.Data) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	tolerance := map[int]float64{16: 0x1p-20, 32: 0x1p-140, 64: 0x1p-1060}[real.Bits()] // of numbers that are subnormal
	for i := range n {
		if d := math.Abs(real.LoadFloat(want.Data, i) - real.LoadFloat(off.Data, i)); d > tolerance && !math.IsInf(d, 0) {
			tolerance = d
		}
	}
	isFinite := func(x float64) bool { return x-x == 0 }
	for i := range n {
		x, a, b := real.LoadFloat(got, i), real.LoadFloat(want.Data, i), real.LoadFloat(off.Data, i)
		if isFinite(a) && isFinite(b) && !(math.Abs(x-a) <= tolerance) {
			return fmt.Sprintf("element %d is %v, want %v or what is not %v from it", i, x, a, tolerance)
		}
	}
	return ""
}
