package conformance

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Compiler is a client that compiles any function of a module. Args are the types
// of its arguments where they have sizes that the function leaves open.
type Compiler interface {
	backend.Client
	CompileFunc(ctx context.Context, m *stablehlo.Module, fn string, args ...stablehlo.Type) (backend.Executable, error)
}

// Compiled is a compiler as an [Executor]: functions are compiled when they are called.
func Compiled(c Compiler) Executor { return compiler{c} }

type compiler struct{ Compiler }

func (c compiler) Load(m *stablehlo.Module) (Program, error) {
	return &compiled{m, c.Compiler}, m.Verify()
}

type compiled struct {
	m      *stablehlo.Module
	client Compiler
}

// Call compiles and runs the function @fn. Tokens are neither handed over nor
// returned by the code: they stand for the order that it keeps anyway.
func (c *compiled) Call(ctx context.Context, fn string, args ...interp.Value) ([]interp.Value, error) {
	var types []stablehlo.Type
	for _, v := range args {
		types = append(types, typeOf(v))
	}
	m, err := simplify.Specialise(c.m, fn, func(i int) []byte { return args[i].(*interp.Tensor).Data })
	if err != nil {
		return nil, err
	}
	exe, err := c.client.CompileFunc(ctx, m, fn, types...)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	var in []backend.Buffer
	for i, v := range args {
		switch v := v.(type) {
		case interp.Token:
		case *interp.Tensor:
			b, err := c.put(ctx, v)
			if err != nil {
				return nil, err
			}
			in = append(in, b)
		default:
			return nil, fmt.Errorf("argument %d is a tuple, which backend %s does not support", i, c.client.Name())
		}
	}
	out, err := exe.Execute(ctx, in)
	if err != nil {
		return nil, err
	}
	f, _ := c.m.Func(fn)
	return results(ctx, f.Type().Outs, out)
}

// put makes an argument of a tensor, sharing its memory if the client computes in host memory: large weights
// are stored once.
func (c *compiled) put(ctx context.Context, x *interp.Tensor) (backend.Buffer, error) {
	t := backend.Type{DType: x.Type.DType(), Dims: x.Type.Dims}
	if w, ok := c.client.(backend.Wrapper); ok && len(x.Data) > 0 {
		return w.Wrap(t, x.Data)
	}
	return c.client.Put(ctx, t, x.Data, c.client.Devices()[0])
}

// typeOf returns the type of a value; nil for a tuple.
func typeOf(v interp.Value) stablehlo.Type {
	switch v := v.(type) {
	case *interp.Tensor:
		return v.Type
	case interp.Token:
		return stablehlo.TokenType{}
	}
	return nil
}

// results reads buffers as values of the function's result types.
func results(ctx context.Context, types []stablehlo.Type, out []backend.Buffer) ([]interp.Value, error) {
	values := make([]interp.Value, len(types))
	for i, t := range types {
		tensor, ok := t.(*stablehlo.TensorType)
		if !ok {
			values[i] = interp.Token{}
			continue
		}
		b := out[0]
		out = out[1:]
		data := make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, data); err != nil {
			return nil, err
		}
		v, err := interp.NewTensor(tensor.WithDims(b.Type().Dims...), data)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}
