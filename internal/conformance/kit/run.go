package kit

import (
	"context"
	"time"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Run runs @main of a module on tensors of the types of its arguments.
func Run(e conformance.Executor, m *stablehlo.Module, args [][]byte) ([]*interp.Tensor, error) {
	p, err := e.Load(m)
	if err != nil {
		return nil, err
	}
	return RunLoaded(p, m, args)
}

// RunLoaded is Run of a module that an executor has loaded.
func RunLoaded(p conformance.Program, m *stablehlo.Module, args [][]byte) ([]*interp.Tensor, error) {
	f, _ := m.Func("main")
	var in []interp.Value
	for i, t := range f.Type().Ins {
		x, err := interp.NewTensor(t.(*stablehlo.TensorType), args[i])
		if err != nil {
			return nil, err
		}
		in = append(in, x)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	values, err := p.Call(ctx, "main", in...)
	var out []*interp.Tensor
	for _, v := range values {
		out = append(out, v.(*interp.Tensor))
	}
	return out, err
}
