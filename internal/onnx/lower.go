package onnx

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// Lower returns the model for arguments of given types as a module, with its weights as constants. The place of an op
// is the name of its node. Inputs of known are constants too: those that decide shapes.
//
// The error names a shape that depends on values, for which there is no single program.
func (p *Program) Lower(ctx context.Context, types []*stablehlo.TensorType,
	known map[int]core.Tensor) (*model.Program, error) {
	d, err := p.Describe()
	if err != nil {
		return nil, err
	}
	if len(types) != len(d.In) {
		return nil, fmt.Errorf("%s takes %d inputs, got types of %d", d.Path, len(d.In), len(types))
	}
	args := []core.Tensor{}
	out := &model.Program{Path: d.Path, Form: Form, Function: d.Function, Out: slices.Clone(d.Out)}
	for i, t := range types {
		if !t.IsStatic() || t.DType() != d.In[i].Tensor().DType() || !model.Fits(ints(t.Dims), d.In[i].Tensor().Dims) {
			return nil, fmt.Errorf("%s: the input %s, got %s", d.Path, d.In[i].Label("arg", i), t)
		}
		if _, ok := known[i]; ok {
			continue
		}
		args = append(args, core.Zeros(ints(t.Dims), t.DType())) // for its type
		q := d.In[i]
		q.Type = t
		out.In = append(out.In, q)
	}
	l, err := core.Lower(func(args []core.Tensor) ([]core.Tensor, error) {
		ins := make([]Value, len(types))
		next := 0
		for i := range ins {
			if t, ok := known[i]; ok {
				ins[i] = Value{t: t, read: true}
				continue
			}
			ins[i].t = args[next]
			next++
		}
		list, err := p.inline(ctx, ins)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Path, err)
		}
		outs := make([]core.Tensor, len(list))
		for i, v := range list {
			outs[i] = v.t
		}
		return outs, nil
	}, []any{args})
	if err != nil {
		return nil, err
	}
	out.Module = l.Module()
	main, _ := out.Module.Func("main")
	for i, t := range main.Type().Outs {
		out.Out[i].Type = t
	}
	return out, nil
}

func ints(dims []int64) []int {
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = int(d)
	}
	return out
}
