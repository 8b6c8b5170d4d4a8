package bench

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Program is a workload of a StableHLO program on synthetic inputs: floats as
// uniform, integers as indices(n, 16), booleans by the sign of uniform.
func Program(name string, m *stablehlo.Module, client backend.Client) (Workload, error) {
	f, ok := m.Func("main")
	if !ok {
		return Workload{}, fmt.Errorf("there is no function @main")
	}
	ctx := context.Background()
	exe, err := client.Compile(ctx, m)
	if err != nil {
		return Workload{}, err
	}
	var args []backend.Argument
	for i, t := range f.Type().Ins {
		tt, ok := t.(*stablehlo.TensorType)
		if !ok || !tt.IsStatic() {
			return Workload{}, fmt.Errorf("argument %d is of type %s: no synthetic input for it", i, t)
		}
		n, ok := tt.NumElems()
		if !ok {
			return Workload{}, fmt.Errorf("argument %d is of type %s: too large", i, t)
		}
		buf, err := client.Put(ctx, backend.Type{DType: tt.DType(), Dims: tt.Dims}, synthetic(tt.DType(), int(n)), client.Devices()[0])
		if err != nil {
			return Workload{}, err
		}
		args = append(args, backend.Argument{Buffer: buf})
	}
	results, err := exe.Execute(ctx, args) // an error now rather than while it is timed
	if err != nil {
		return Workload{}, err
	}
	return Workload{Name: name, Make: func() (func(), func() float64) {
		call := func() {
			out, err := exe.Execute(ctx, args)
			for _, b := range out {
				if err == nil {
					err = b.Await(ctx)
				}
			}
			if err != nil {
				panic(err) // the same call has just succeeded
			}
		}
		return call, func() float64 { return firstOf(ctx, results) }
	}}, nil
}

// synthetic returns n elements of a type.
func synthetic(t dtype.Type, n int) []byte {
	b := make([]byte, n*t.Size())
	for i, v := range uniform(1, n) {
		switch {
		case t == dtype.Bool && v >= 0:
			t.StoreInt(b, i, 1)
		case t == dtype.Bool:
		case t.IsComplex():
			t.StoreComplex(b, i, complex(v, 0))
		case t.IsFloat():
			t.StoreFloat(b, i, v)
		default:
			t.StoreInt(b, i, int64((v+1)/2*16))
		}
	}
	return b
}

// firstOf returns the first element of the first result, 0 when it has none.
func firstOf(ctx context.Context, results []backend.Buffer) float64 {
	if len(results) == 0 || results[0].Type().SizeBytes() == 0 {
		return 0
	}
	t := results[0].Type()
	data := make([]byte, t.SizeBytes())
	if err := results[0].Read(ctx, data); err != nil {
		return 0
	}
	switch d := t.DType; {
	case d.IsComplex():
		return real(d.LoadComplex(data, 0))
	case d.IsFloat():
		return d.LoadFloat(data, 0)
	default:
		return float64(d.LoadInt(data, 0))
	}
}
