package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

func lowerGetDimensionSize(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	n := op.Operands[0].Tensor().Dims[op.Int("dimension", 0)]
	return []*stablehlo.Value{e.Full(op.Result().Tensor(), float64(n))}, nil
}

func lowerConstant(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return e.Values(stablehlo.OpConstant, nil, stablehlo.Named("value", op.Attr("value")),
		stablehlo.Results{op.Result().Type()}), nil
}

// lowerConstantLike broadcasts a scalar to the shape of the operand.
func lowerConstantLike(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	t := op.Result().Tensor()
	a := &stablehlo.ElementsAttr{Type: t.WithDims(t.Dims...), Data: make([]byte, t.DType().Size()), Splat: true}
	switch v := op.Attr("value").(type) {
	case stablehlo.FloatAttr:
		t.DType().StoreFloat(a.Data, 0, v.Value)
	case stablehlo.IntAttr:
		t.DType().StoreInt(a.Data, 0, v.Value)
	case stablehlo.BoolAttr:
		if v {
			a.Data[0] = 1
		}
	case *stablehlo.ElementsAttr:
		copy(a.Data, v.Data)
	default:
		return nil, nil
	}
	return []*stablehlo.Value{e.B.Constant(a)}, nil
}

// lowerBroadcasting broadcasts the operands to the shape of the result, by broadcast_dimensions, or
// else aligned at the last dimension.
func lowerBroadcasting(plain stablehlo.OpCode) lowering {
	return func(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
		dims := op.Result().Tensor().Dims
		in := make([]*stablehlo.Value, len(op.Operands))
		for i, x := range op.Operands {
			rank := x.Tensor().Rank()
			at := op.Ints("broadcast_dimensions")
			if len(at) != rank || rank == len(dims) {
				at = emit.UpTo(len(dims))[len(dims)-rank:]
			}
			in[i] = e.Broadcast(x, dims, at...)
		}
		parts := []stablehlo.OpPart{stablehlo.Results{op.Result().Type()}}
		for _, a := range op.Attrs {
			switch {
			case a.Name == "broadcast_dimensions":
				continue
			case plain == stablehlo.OpCompare: // the enumerations of both dialects have the same names
				a.Value = stablehlo.EnumAttr{Dialect: "stablehlo", Kind: a.Name, Value: op.Str(a.Name)}
				if a.Name == "compare_type" {
					a.Value = stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: op.Str(a.Name)}
				}
			}
			parts = append(parts, a)
		}
		return e.Values(plain, in, parts...), nil
	}
}

// promoteOperands converts the operands of a reducing op to the element types of its region, if
// these are wider.
func promoteOperands(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	first, n := 0, len(op.Operands)/2 // inputs, initial values
	region := op.Regions[len(op.Regions)-1].Block()
	elem := func(i int) stablehlo.Type { return region.Args[i%n].Tensor().Elem }
	switch op.Code {
	case stablehlo.OpSelectAndScatter: // operand, source, initial value
		first, n = 1, 1
	case stablehlo.OpScatter: // inputs, indices, updates
		n = (len(op.Operands) - 1) / 2
	}
	in := slices.Clone(op.Operands)
	changed := false
	for i := first; i < len(in); i++ {
		t := elem(i - first)
		if op.Code == stablehlo.OpScatter {
			if i == n {
				continue
			}
			if i > n {
				t = elem(i - n - 1)
			}
		}
		if in[i].Tensor().Quant() == nil && stablehlo.DType(t) != in[i].Tensor().DType() {
			in[i] = e.Convert(in[i], stablehlo.DType(t))
			changed = true
		}
	}
	if !changed {
		return nil, nil
	}
	return e.CloneWith(op, in...), nil
}
