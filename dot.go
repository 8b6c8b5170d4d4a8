package nx

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Dot contracts the last axis of a with the second to last of b (its only one
// when b is a vector), as NumPy's matmul does: leading axes are batches and
// broadcast.
//
// Shapes: a [..., m, k], b [..., k, n] → [..., m, n]; vectors drop their axis.
// DTypes: promoted. Gradient: two products. Accuracy: a sum of k products.
func Dot(a, b Tensor) Tensor {
	sa, sb := a.must("Dot"), b.must("Dot")
	ins := []Tensor{a, b}
	ra, rb := len(sa.Shape), len(sb.Shape)
	if ra == 0 || rb == 0 {
		failOn(ErrShape, "Dot", ins, "multiply by a scalar with nx.Mul", "takes vectors and matrices, an operand is a scalar")
	}
	ca, cb := ra-1, max(rb-2, 0)
	if sa.Shape[ca] != sb.Shape[cb] {
		hint := ""
		if rb > 1 && sa.Shape[ca] == sb.Shape[rb-1] {
			hint = "transpose the second operand (nx.Transpose)"
		}
		failOn(ErrShape, "Dot", ins, hint, "the contracted sizes differ: %s of the first is %d, %s of the second is %d",
			axisLabel(sa, ca), sa.Shape[ca], axisLabel(sb, cb), sb.Shape[cb])
	}
	d := promoted("Dot", operand{t: a.p}, operand{t: b.p})
	batch := broadcastBatch(ins, sa.Shape[:max(ra-2, 0)], sb.Shape[:max(rb-2, 0)])
	out := Spec{DType: d, Shape: slices.Clone(batch), Names: make([]string, len(batch))}
	for i := range batch {
		if j := i - (len(batch) - (ra - 2)); ra > 2 && j >= 0 {
			out.Names[i] = sa.name(j)
		}
		if j := i - (len(batch) - (rb - 2)); rb > 2 && j >= 0 && out.Names[i] == "" {
			out.Names[i] = sb.name(j)
		}
	}
	if ra > 1 {
		out.Shape, out.Names = append(out.Shape, sa.Shape[ra-2]), append(out.Names, sa.name(ra-2))
	}
	if rb > 1 {
		n := sb.name(rb - 1)
		if n != "" && slices.Contains(out.Names, n) {
			failOn(ErrNames, "Dot", ins, "rename one of them (nx.Rename)", "the result would have two axes named %q", n)
		}
		out.Shape, out.Names = append(out.Shape, sb.Shape[rb-1]), append(out.Names, n)
	}
	return apply1(call{op: "Dot", key: d.String(), ins: ins, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			x, y := e.convert(in[0], d), e.convert(in[1], d)
			if len(batch) > 0 { // both get all batch axes
				x = e.fitRight(x, append(slices.Clone(batch), shapeOf(x)[max(ra-2, 0):]...))
				if rb == 1 {
					y = e.broadcast(y, append(slices.Clone(batch), sb.Shape[0]), []int{len(batch)})
				} else {
					y = e.fitRight(y, append(slices.Clone(batch), shapeOf(y)[max(rb-2, 0):]...))
				}
			}
			nb := int64(len(batch))
			dims := &stablehlo.DotDims{LHSContracting: []int64{int64(x.Tensor().Rank() - 1)}, RHSContracting: []int64{nb}}
			for i := range nb {
				dims.LHSBatching, dims.RHSBatching = append(dims.LHSBatching, i), append(dims.RHSBatching, i)
			}
			return []*stablehlo.Value{e.op(stablehlo.OpDotGeneral, []*stablehlo.Value{x, y},
				stablehlo.Named("dot_dimension_numbers", dims), stablehlo.Results{stablehlo.Tensor(d, dims64(out.Shape)...)})}
		}})
}

// axisLabel names an axis for messages: axis 1 "features".
func axisLabel(s *Spec, i int) string {
	if n := s.name(i); n != "" {
		return fmt.Sprintf("axis %d %q", i, n)
	}
	return fmt.Sprintf("axis %d", i)
}

// broadcastBatch returns the common batch shape of two operands of Dot.
func broadcastBatch(ins []Tensor, a, b Shape) Shape {
	out := make(Shape, max(len(a), len(b)))
	for i := range out {
		x, y := 1, 1
		if j := i - (len(out) - len(a)); j >= 0 {
			x = a[j]
		}
		if j := i - (len(out) - len(b)); j >= 0 {
			y = b[j]
		}
		switch {
		case x == y || y == 1:
			out[i] = x
		case x == 1:
			out[i] = y
		default:
			failOn(ErrShape, "Dot", ins, "leading axes are batches: sizes must be equal or 1", "the batch axes cannot be broadcast: sizes %d and %d", x, y)
		}
	}
	return out
}
