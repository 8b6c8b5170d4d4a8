package bench

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Compiler is a client that compiles a function for arguments of given types.
type Compiler interface {
	backend.Client
	CompileFunc(ctx context.Context, m *stablehlo.Module, fn string, args ...stablehlo.Type) (backend.Executable, error)
}

// fill returns the n elements of an argument.
type fill func(t dtype.Type, n int) []byte

// Program returns the workload of a StableHLO program on synthetic inputs: floats as uniform, integers as indices(n,
// 16), booleans by the sign of uniform. types are those of the arguments, with static sizes; nil stands for those that
// @main declares.
func Program(name string, m *stablehlo.Module, client Compiler, types ...stablehlo.Type) (Workload, error) {
	f, ok := m.Func("main")
	if !ok {
		return Workload{}, fmt.Errorf("the module must have a function @main")
	}
	if types == nil {
		types = f.Type().Ins
	}
	fills := make([]fill, len(types))
	for i := range fills {
		fills[i] = Synthetic
	}
	call, results, err := start(m, types, client, fills)
	if err != nil {
		return Workload{}, err
	}
	check := firstOf(results[:min(1, len(results))])
	release(results)
	return Workload{Name: name, Make: func() (func(), func() float64) {
		return call, func() float64 { return check }
	}}, nil
}

// start compiles @main, makes its arguments and calls it once, so that errors occur before the timing. It returns the
// call and the results of the first call.
func start(m *stablehlo.Module, types []stablehlo.Type, client Compiler, fills []fill) (
	call func(), results []backend.Buffer, err error) {
	ctx := context.Background()
	m = m.Clone()
	if f, ok := m.Func("main"); ok {
		f.SetDonated(nil) // each call takes the same arguments
	}
	exe, err := client.CompileFunc(ctx, m, "main", types...)
	if err != nil {
		return nil, nil, err
	}
	var args []backend.Buffer
	for i, t := range types {
		tt, ok := t.(*stablehlo.TensorType)
		if !ok || !tt.IsStatic() {
			return nil, nil, fmt.Errorf("argument %d must be a tensor of static shape for synthetic inputs, got %s", i, t)
		}
		n, ok := tt.NumElems()
		if !ok {
			return nil, nil, fmt.Errorf("argument %d is too large: %s", i, t)
		}
		typ := backend.Type{DType: tt.DType(), Dims: tt.Dims}
		buf, err := client.Put(ctx, typ, fills[i](tt.DType(), int(n)), client.Devices()[0])
		if err != nil {
			return nil, nil, err
		}
		args = append(args, buf)
	}
	execute := func() ([]backend.Buffer, error) {
		out, err := exe.Execute(ctx, args)
		for _, b := range out {
			if err == nil {
				err = b.Await(ctx)
			}
		}
		return out, err
	}
	results, err = execute()
	if err != nil {
		return nil, nil, err
	}
	return func() {
		out, err := execute()
		if err != nil {
			panic(err) // the same call has just succeeded
		}
		release(out)
	}, results, nil
}

// release frees the memory of results, as other libraries do when a call returns.
func release(results []backend.Buffer) {
	for _, b := range results {
		b.Release()
	}
}

// Synthetic returns n elements of a type, the same ones every time: floats in [-1, 1), integers from 0 to 15.
func Synthetic(t dtype.Type, n int) []byte { return elements(t, uniform(1, n)) }

// elements returns numbers in [-1, 1) as elements of a type: integers from 0 to 15,
// booleans by the sign.
func elements(t dtype.Type, v []float64) []byte {
	b := make([]byte, len(v)*t.Size())
	for i, v := range v {
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

// firstOf returns the first element of the last result, 0 if there is none.
func firstOf(results []backend.Buffer) float64 {
	if len(results) == 0 {
		return 0
	}
	last := results[len(results)-1]
	t := last.Type()
	data := make([]byte, t.SizeBytes())
	if err := last.Read(context.Background(), data); err != nil || len(data) == 0 {
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
