package conformance

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx/backend"
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
	n := uint64(400)
	if testing.Short() {
		n = 30
	}
	for seed := range n {
		if err := compareRandom(seed); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

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
	want, err := runInterp(p)
	if err != nil {
		return fail("interp: %v", err)
	}
	one, err := runCPU(p, oneWorker)
	if err != nil {
		return fail("cpu: %v", err)
	}
	several, err := runCPU(p, threeWorkers)
	if err != nil {
		return fail("cpu, several workers: %v", err)
	}
	for i, w := range want {
		if !bytes.Equal(one[i], several[i]) {
			return fail("result %d differs with the number of workers", i)
		}
		if why := differs(w.(*interp.Tensor), one[i], p.Exact[i]); why != "" {
			return fail("result %d of type %s: %s", i, w.(*interp.Tensor).Type, why)
		}
	}
	return nil
}

var oneWorker, threeWorkers = cpu.New(1), cpu.New(3)

func runInterp(p *random.Program) ([]interp.Value, error) {
	it, err := interp.New(p.Module)
	if err != nil {
		return nil, err
	}
	f, _ := p.Module.Func("main")
	var args []interp.Value
	for i, t := range f.Type().Ins {
		x, err := interp.NewTensor(t.(*stablehlo.TensorType), p.Args[i])
		if err != nil {
			return nil, err
		}
		args = append(args, x)
	}
	return it.Call(context.Background(), "main", args...)
}

func runCPU(p *random.Program, c *cpu.Client) ([][]byte, error) {
	ctx := context.Background()
	exe, err := c.Compile(ctx, p.Module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	f, _ := p.Module.Func("main")
	var args []backend.Argument
	for i, t := range f.Type().Ins {
		t := t.(*stablehlo.TensorType)
		b, err := c.Put(ctx, backend.Type{DType: t.DType(), Dims: t.Dims}, p.Args[i], c.Devices()[0])
		if err != nil {
			return nil, err
		}
		args = append(args, backend.Argument{Buffer: b})
	}
	out, err := exe.Execute(ctx, args)
	if err != nil {
		return nil, err
	}
	data := make([][]byte, len(out))
	for i, b := range out {
		data[i] = make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, data[i]); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// differs says where results differ: by a bit where they are exact (all NaNs are
// one), else by more than rounding errors may have grown to.
func differs(want *interp.Tensor, got []byte, exact bool) string {
	d := want.Type.DType()
	if len(got) != len(want.Data) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	real, parts := d.Real(), 1
	if d.IsComplex() {
		parts = 2
	}
	n := len(got) / d.Size() * parts
	if !real.IsFloat() {
		if !bytes.Equal(got, want.Data) {
			for i := range n {
				if a, b := d.LoadInt(got, i), d.LoadInt(want.Data, i); a != b {
					return fmt.Sprintf("element %d is %d, want %d", i, a, b)
				}
			}
		}
		return ""
	}
	scale := 1.0
	for i := range n {
		if v := math.Abs(real.LoadFloat(want.Data, i)); v > scale && !math.IsInf(v, 0) {
			scale = v
		}
	}
	tolerance := scale * map[int]float64{16: 0.1, 32: 2e-3, 64: 1e-8}[real.Bits()]
	for i := range n {
		a, b := real.LoadFloat(got, i), real.LoadFloat(want.Data, i)
		switch {
		case a != a && b != b:
		case exact && dtype.F64.FromFloat64(a) != dtype.F64.FromFloat64(b):
			return fmt.Sprintf("element %d is %v, want exactly %v", i, a, b)
		case !exact && a != b && !(math.Abs(a-b) <= tolerance):
			return fmt.Sprintf("element %d is %v, want %v", i, a, b)
		}
	}
	return ""
}
