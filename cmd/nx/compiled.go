package main

import (
	"context"
	"fmt"

	contract "github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// compiled is a module whose functions are compiled when they are called.
type compiled struct {
	m      *stablehlo.Module
	client *cpu.Client
}

// Call compiles and runs the function @fn. Tokens are neither handed over nor
// returned by the code: they stand for the order that it keeps anyway.
func (c *compiled) Call(ctx context.Context, fn string, args ...interp.Value) ([]interp.Value, error) {
	var types []stablehlo.Type
	for _, v := range args {
		types = append(types, typeOf(v))
	}
	exe, err := c.client.CompileFunc(c.m, fn, types...)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	var in []contract.Argument
	for i, v := range args {
		switch v := v.(type) {
		case interp.Token:
		case *interp.Tensor:
			b, err := c.client.Put(ctx, contract.Type{DType: v.Type.DType(), Dims: v.Type.Dims}, v.Data, c.client.Devices()[0])
			if err != nil {
				return nil, err
			}
			in = append(in, contract.Argument{Buffer: b})
		default:
			return nil, fmt.Errorf("argument %d is a tuple, which backend cpu does not take", i)
		}
	}
	out, err := exe.Execute(ctx, in)
	if err != nil {
		return nil, err
	}
	f, _ := c.m.Func(fn)
	return results(ctx, f.Type().Outs, out)
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
func results(ctx context.Context, types []stablehlo.Type, out []contract.Buffer) ([]interp.Value, error) {
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
