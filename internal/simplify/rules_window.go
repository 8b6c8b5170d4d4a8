package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// windowRules move pooling before a bound, such as an activation, and padding into convolutions:
// this removes an intermediate array as large as the image.
func windowRules() []Rule {
	return []Rule{
		{"convolution_pad", stablehlo.OpConvolution, SingleResult(convolutionPad)},
		{"extreme_bound", stablehlo.OpReduceWindow, SingleResult(windowExtremeOfBound)},
		{"select_bound", stablehlo.OpSelectAndScatter, SingleResult(selectBound)},
	}
}

// boundOf returns the operands of max(x, c) or min(x, c) for a number c.
func boundOf(v *stablehlo.Value) (code stablehlo.OpCode, x *stablehlo.Value, c Splat, ok bool) {
	op := v.Op()
	if op == nil || op.Code != stablehlo.OpMaximum && op.Code != stablehlo.OpMinimum {
		return 0, nil, Splat{}, false
	}
	for i, v := range op.Operands {
		if c, ok := SplatOf(v); ok {
			return op.Code, op.Operands[1-i], c, true
		}
	}
	return 0, nil, Splat{}, false
}

// Elements returns a splat as a tensor of a shape.
func (s Splat) Elements(dims ...int64) *stablehlo.ElementsAttr {
	return &stablehlo.ElementsAttr{Type: stablehlo.Tensor(s.d, dims...), Splat: true, Data: s.data}
}

// withFirstOperand returns an op like op with another first operand. Other uses of the first
// operand stay.
func withFirstOperand(op *stablehlo.Op, x *stablehlo.Value) *stablehlo.Op {
	c := op.Clone(map[*stablehlo.Value]*stablehlo.Value{})
	c.Operands[0] = x
	return c
}

// convolutionPad moves zero padding of the image into the convolution, which also pads with 0. The
// padding must not be negative or interior.
func convolutionPad(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	p := DefinedBy(op.Operands[0], stablehlo.OpPad)
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if p == nil || !ok || !Holds(p.Operands[1], func(s Splat) bool { return s.Is(0) || isZero(s) }) {
		return nil
	}
	padding, dilation := op.Ints("padding"), op.Ints("lhs_dilation")
	if padding = slices.Clone(padding); padding == nil {
		padding = emit.Repeat(2*len(d.InputSpatial), 0)
	}
	low, high, interior := p.Ints("edge_padding_low"), p.Ints("edge_padding_high"), p.Ints("interior_padding")
	for at := range low {
		i := slices.Index(d.InputSpatial, int64(at))
		switch {
		case low[at] == 0 && high[at] == 0 && interior[at] == 0:
		case i < 0 || low[at] < 0 || high[at] < 0 || interior[at] != 0 || dilation != nil && dilation[i] != 1:
			return nil
		default:
			padding[2*i] += low[at]
			padding[2*i+1] += high[at]
		}
	}
	pairs, err := stablehlo.Elements(padding, int64(len(d.InputSpatial)), 2)
	if err != nil {
		return nil
	}
	c := withFirstOperand(op, p.Operands[0])
	c.SetAttr("padding", pairs)
	return e.Append(c).Result()
}

// windowExtremeOfBound applies a bound to the extremes of windows instead of all elements: max
// max(x, c) = max(max x, c). Every window must have an element of x.
func windowExtremeOfBound(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if len(op.Operands) != 2 || !IsInside(op) {
		return nil
	}
	code, x, c, ok := boundOf(op.Operands[0])
	results, _ := op.Result().Tensor().NumElems()
	elems, _ := op.Operands[0].Tensor().NumElems()
	if !ok || code != ReducerCode(op.Regions[0].Block()) ||
		!stablehlo.SameType(op.Result().Tensor().Elem, x.Tensor().Elem) ||
		2*results > elems {
		return nil
	}
	extreme := e.Append(withFirstOperand(op, x)).Result()
	return e.Do(code, extreme, e.B.Constant(c.Elements(extreme.Tensor().Dims...)))
}

// ReducerCode returns the op of a region of a single op on two elements, else Unregistered.
func ReducerCode(b *stablehlo.Block) stablehlo.OpCode {
	if len(b.Ops) != 2 || len(b.Args) != 2 || b.Terminator().Operands[0].Op() != b.Ops[0] {
		return stablehlo.Unregistered
	}
	in := b.Ops[0].Operands
	if !slices.Equal(in, b.Args) && !slices.Equal(in, []*stablehlo.Value{b.Args[1], b.Args[0]}) {
		return stablehlo.Unregistered
	}
	return b.Ops[0].Code
}

// IsInside reports whether all windows are within the operand.
func IsInside(op *stablehlo.Op) bool {
	return !slices.ContainsFunc(op.Ints("padding"), func(n int64) bool { return n > 0 }) &&
		!slices.ContainsFunc(op.Ints("base_dilations"), func(n int64) bool { return n != 1 })
}

// selectBound applies the bound to the elements when they are compared.
func selectBound(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	code, x, c, ok := boundOf(op.Operands[0])
	if !ok {
		return nil
	}
	n := e.Append(withFirstOperand(op, x))
	b := n.Regions[0].Block()
	rest := slices.Clone(b.Ops)
	b.SetOps(nil)
	in := e.on(b)
	bound := in.B.Constant(c.Elements())
	bounded := map[*stablehlo.Value]*stablehlo.Value{}
	for _, a := range b.Args {
		bounded[a] = in.Do(code, a, bound)
	}
	for _, o := range rest {
		o.Replace(bounded)
		in.Append(o)
	}
	return n.Result()
}
