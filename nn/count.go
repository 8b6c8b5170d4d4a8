package nn

import (
	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/stablehlo"
)

// count adds up the FLOPs of a program by the tensors of a model, its first arguments.
type count struct {
	module *stablehlo.Module
	costs  *cost.Coster
	origin map[*stablehlo.Value]int // values that are a tensor of the model in another form
	of     []float64
	other  float64
	depth  int
}

func newCount(m *stablehlo.Module, leaves int) *count {
	return &count{module: m, costs: cost.New(m), origin: map[*stablehlo.Value]int{}, of: make([]float64, leaves)}
}

func (c *count) main() {
	main, ok := c.module.Func("main")
	if !ok {
		return
	}
	for i, a := range main.Args() {
		if i < len(c.of) {
			c.origin[a] = i
		}
	}
	c.block(main.Body(), 1)
}

// block adds the operations of a block that is executed a number of times.
func (c *count) block(b *stablehlo.Block, times float64) {
	for _, op := range b.Ops {
		c.op(op, times)
	}
}

func (c *count) op(op *stablehlo.Op, times float64) {
	switch op.Code {
	case stablehlo.OpTranspose, stablehlo.OpReshape, stablehlo.OpBroadcastInDim, stablehlo.OpConvert, stablehlo.OpSlice,
		stablehlo.OpReverse:
		if i, ok := c.origin[op.Operands[0]]; ok {
			c.origin[op.Result()] = i
		}
		return
	case stablehlo.OpCall, stablehlo.OpComposite:
		name := op.Str("callee")
		if op.Code == stablehlo.OpComposite {
			name = op.Str("decomposition")
		}
		if f, ok := c.module.Func(name); ok && c.depth < 100 {
			for i, a := range f.Args() {
				delete(c.origin, a)
				if leaf, ok := c.origin[op.Operands[i]]; ok {
					c.origin[a] = leaf
				}
			}
			c.depth++
			c.block(f.Body(), times)
			c.depth--
		}
		return
	case stablehlo.OpWhile:
		times *= trips(op)
		for _, r := range op.Regions {
			c.block(r.Block(), times)
		}
		return
	}
	flops := c.costs.Op(op).Flops * times
	for _, v := range op.Operands {
		if i, ok := c.origin[v]; ok {
			c.of[i] += flops
			return
		}
	}
	c.other += flops
}

// trips is how often a loop runs that counts from 0 to a constant, 1 for others.
func trips(op *stablehlo.Op) float64 {
	for _, cond := range op.Regions[0].Block().Ops {
		if cond.Code != stablehlo.OpCompare || len(cond.Operands) != 2 {
			continue
		}
		limit := cond.Operands[1].Op()
		if limit == nil || limit.Code != stablehlo.OpConstant {
			continue
		}
		if e, ok := limit.Attr("value").(*stablehlo.ElementsAttr); ok && e.Type.DType().IsInteger() && e.Len() == 1 {
			return max(float64(e.Int64s()[0]), 1)
		}
	}
	return 1
}
