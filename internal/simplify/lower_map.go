package simplify

import "github.com/go-nx/nx/stablehlo"

// lowerMap applies the elementwise ops of a region to tensors. A map whose region has other ops, or
// quantised ones, is not changed.
func lowerMap(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	b := op.Regions[0].Block()
	if !IsLiftable(b) {
		return nil, nil
	}
	l := &lift{Emitter: e, dims: op.Result().Tensor().Dims, values: map[*stablehlo.Value]*stablehlo.Value{}}
	return l.block(b, op.Operands), nil
}

// IsLiftable reports whether all ops of a block on scalars also apply to tensors of any shape.
func IsLiftable(b *stablehlo.Block) bool {
	for _, op := range b.Ops {
		switch op.Code {
		case stablehlo.OpReturn, stablehlo.OpConstant:
		case stablehlo.OpReshape, stablehlo.OpBroadcastInDim, stablehlo.OpTranspose:
			if t := op.Operands[0].Tensor(); t == nil || t.Rank() != 0 {
				return false
			}
		case stablehlo.OpBitcastConvert, stablehlo.OpConvert: // a change of width changes the rank
		case stablehlo.OpMap:
			if !IsLiftable(op.Regions[0].Block()) {
				return false
			}
		default:
			if op.Code.Info().Traits&stablehlo.Elementwise == 0 {
				return false
			}
		}
		for _, r := range op.Results {
			if t := r.Tensor(); t == nil || t.Rank() != 0 || t.Quant() != nil {
				return false
			}
		}
	}
	return true
}

// lift writes ops on scalars as ops on tensors of a shape.
type lift struct {
	Emitter
	dims   []int64
	values map[*stablehlo.Value]*stablehlo.Value
}

// block writes the ops of a block with other arguments and returns the operands of its terminator.
func (l *lift) block(b *stablehlo.Block, args []*stablehlo.Value) []*stablehlo.Value {
	for i, a := range b.Args {
		l.values[a] = args[i]
	}
	last := len(b.Ops) - 1
	for _, op := range b.Ops[:last] {
		l.values[op.Result()] = l.op(op)
	}
	return l.all(b.Ops[last].Operands)
}

func (l *lift) op(op *stablehlo.Op) *stablehlo.Value {
	t := op.Result().Tensor().WithDims(l.dims...)
	switch op.Code {
	case stablehlo.OpConstant:
		a := op.Attr("value").(*stablehlo.ElementsAttr)
		return l.B.Constant(&stablehlo.ElementsAttr{Type: t, Data: a.Data, Splat: true})
	case stablehlo.OpReshape, stablehlo.OpBroadcastInDim, stablehlo.OpTranspose:
		return l.value(op.Operands[0])
	case stablehlo.OpMap:
		return l.block(op.Regions[0].Block(), l.all(op.Operands))[0]
	}
	return l.As(op, l.all(op.Operands), t).Result()
}

func (l *lift) all(in []*stablehlo.Value) []*stablehlo.Value {
	out := make([]*stablehlo.Value, len(in))
	for i, v := range in {
		out[i] = l.value(v)
	}
	return out
}

// value returns the tensor of a scalar: a captured scalar is broadcast.
func (l *lift) value(v *stablehlo.Value) *stablehlo.Value {
	if l.values[v] == nil {
		l.values[v] = l.Broadcast(v, l.dims)
	}
	return l.values[v]
}
