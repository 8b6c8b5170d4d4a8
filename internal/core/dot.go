package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Dot implements nx.Dot.
func Dot(a, b Tensor) Tensor { return dotOp.call(none{}, operand{t: a.p}, operand{t: b.p}) }

var dotOp = &operation[none]{name: "Dot",
	describe: func(d *description[none]) {
		sa, sb := d.ins[0], d.ins[1]
		ra, rb := len(sa.Shape), len(sb.Shape)
		if ra == 0 || rb == 0 {
			d.returns(scaledSpec(d.tensors(), dotType(sa, sb)))
			return
		}
		ca, cb := ra-1, max(rb-2, 0)
		if sa.Shape[ca] != sb.Shape[cb] {
			hint := ""
			if rb > 1 && sa.Shape[ca] == sb.Shape[rb-1] {
				hint = "transpose the second operand (nx.Transpose)"
			}
			d.fail(ErrShape, hint, "the contracted sizes differ: %s of the first is %d, %s of the second is %d",
				axisLabel(sa, ca), sa.Shape[ca], axisLabel(sb, cb), sb.Shape[cb])
		}
		d.returns(dotSpec(d.tensors(), dotType(sa, sb), dotBatch(d.tensors())))
	},
	emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		sa, sb, out := d.ins[0], d.ins[1], d.outs[0]
		ra, rb := len(sa.Shape), len(sb.Shape)
		batch := out.Shape[:max(ra-2, rb-2, 0)]
		x, y := e.convert(in[0], out.DType), e.convert(in[1], out.DType)
		if ra == 0 || rb == 0 {
			x, y = e.fitRight(x, out.Shape), e.fitRight(y, out.Shape)
			return []*stablehlo.Value{e.Value(stablehlo.OpMultiply, []*stablehlo.Value{x, y})}
		}
		if len(batch) > 0 { // both get all batch axes
			x = e.fitRight(x, slices.Concat(batch, sa.Shape[max(ra-2, 0):]))
			y = e.fitRight(y, slices.Concat(batch, sb.Shape[max(rb-2, 0):]))
		}
		nb := int64(len(batch))
		dims := &stablehlo.DotDims{LHSContracting: []int64{int64(x.Tensor().Rank() - 1)}, RHSContracting: []int64{nb}}
		for i := range nb {
			dims.LHSBatching, dims.RHSBatching = append(dims.LHSBatching, i), append(dims.RHSBatching, i)
		}
		return []*stablehlo.Value{e.dot(x, y, dims, out)}
	}}

// dotType is the element type of a product of tensors.
func dotType(a, b *Spec) DType {
	d := promoted(a, b)
	if d == Bool {
		return U8
	}
	return d
}

// scaledSpec returns the type of a product with a scalar: that of the other operand.
func scaledSpec(ins []Tensor, d DType) *Spec {
	s, scalar := ins[0].p.spec, ins[1].p.spec
	if len(s.Shape) == 0 {
		s, scalar = scalar, s
	}
	return newSpec("Dot", Spec{DType: d, Shape: s.Shape, Names: s.Names, weak: s.weak && scalar.weak}, ins...)
}

// dotSpec returns the type of Dot's result.
func dotSpec(ins []Tensor, d DType, batch Shape) *Spec {
	sa, sb := ins[0].p.spec, ins[1].p.spec
	ra, rb := len(sa.Shape), len(sb.Shape)
	out := Spec{DType: d, Shape: slices.Clone(batch), Names: make([]string, len(batch)), weak: sa.weak && sb.weak}
	for _, s := range [2]*Spec{sa, sb} {
		lead := len(s.Shape) - 2
		for j := range max(lead, 0) {
			i, n := len(batch)-lead+j, s.name(j)
			if n != "" && out.Names[i] != "" && n != out.Names[i] {
				failOn(ErrNames, "Dot", ins, "rename an axis (nx.Rename)", "a batch axis is named %q and %q",
					out.Names[i], n)
			}
			if n != "" {
				out.Names[i] = n
			}
		}
	}
	if ra > 1 {
		out.Shape, out.Names = append(out.Shape, sa.Shape[ra-2]), append(out.Names, sa.name(ra-2))
	}
	if rb > 1 {
		out.Shape, out.Names = append(out.Shape, sb.Shape[rb-1]), append(out.Names, sb.name(rb-1))
	}
	return newSpec("Dot", out, ins...)
}

// dot appends a product of tensors.
func (e *emitter) dot(x, y *stablehlo.Value, dims *stablehlo.DotDims, out *Spec) *stablehlo.Value {
	return e.Value(stablehlo.OpDotGeneral, []*stablehlo.Value{x, y}, stablehlo.Named("dot_dimension_numbers", dims),
		stablehlo.Results{out.tensorType()})
}

// dotBatch returns the common batch shape of two operands of Dot.
func dotBatch(ins []Tensor) Shape {
	batch := func(s Shape) Shape { return s[:max(len(s)-2, 0)] }
	a, b := batch(ins[0].p.spec.Shape), batch(ins[1].p.spec.Shape)
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
			failOn(ErrShape, "Dot", ins, "leading axes are batches: sizes must be equal or 1",
				"the batch axes cannot be broadcast: sizes %d and %d", x, y)
		}
	}
	return out
}

// DotDims is nx.DotDims.
type DotDims struct{ ContractA, ContractB, BatchA, BatchB []int }

// DotGeneral implements nx.DotGeneral.
func DotGeneral(a, b Tensor, dims DotDims) Tensor {
	const op = "DotGeneral"
	present(op, operand{t: a.p}, operand{t: b.p})
	ins := []Tensor{a, b}
	if len(dims.ContractA) != len(dims.ContractB) || len(dims.BatchA) != len(dims.BatchB) {
		failOn(ErrAxis, op, ins, "axes are given in pairs", "there are %d and %d axes to contract, %d and %d batches",
			len(dims.ContractA), len(dims.ContractB), len(dims.BatchA), len(dims.BatchB))
	}
	each := func(t Tensor, batch, contract []int) (intList, intList) {
		var refs []axisRef
		for _, i := range slices.Concat(batch, contract) {
			refs = append(refs, axisRef{i: i})
		}
		at := axisIndices(op, t, refs)
		return listOf(at[:len(batch)]), listOf(at[len(batch):])
	}
	var d dotAttrs
	d.batchA, d.contractA = each(a, dims.BatchA, dims.ContractA)
	d.batchB, d.contractB = each(b, dims.BatchB, dims.ContractB)
	for k, i := range append(d.batchA.ints(), d.contractA.ints()...) {
		j := append(d.batchB.ints(), d.contractB.ints()...)[k]
		if m, n := a.p.spec.Shape[i], b.p.spec.Shape[j]; m != n {
			failOn(ErrShape, op, ins, "", "%s of the first has size %d, %s of the second %d", axisLabel(a.p.spec, i),
				m, axisLabel(b.p.spec, j), n)
		}
	}
	return dotGeneralOp.call(d, operand{t: a.p}, operand{t: b.p})
}

// dotAttrs are the axes of a product.
type dotAttrs struct{ batchA, batchB, contractA, contractB intList }

func (a dotAttrs) dims() *stablehlo.DotDims {
	return &stablehlo.DotDims{LHSBatching: dims64(a.batchA.ints()), RHSBatching: dims64(a.batchB.ints()),
		LHSContracting: dims64(a.contractA.ints()), RHSContracting: dims64(a.contractB.ints())}
}

var dotGeneralOp = &operation[dotAttrs]{name: "DotGeneral",
	describe: func(d *description[dotAttrs]) { d.returns(productSpec(d.op, d.tensors(), d.attrs.dims())) },
	emit: func(d *description[dotAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		t := d.outs[0].DType
		return []*stablehlo.Value{e.dot(e.convert(in[0], t), e.convert(in[1], t), d.attrs.dims(), d.outs[0])}
	}}

// Outer implements nx.Outer.
func Outer(a, b Tensor) Tensor {
	present("Outer", operand{t: a.p}, operand{t: b.p})
	defer calledAs("Outer", a, b)
	sa, sb := a.p.spec, b.p.spec
	x, y := Reshape(Flatten(a), -1, 1), Flatten(b)
	names := []string{"", ""}
	if len(sa.Shape) > 0 {
		names[0] = sa.name(0)
	}
	if n := len(sb.Shape); n > 0 {
		names[1] = sb.name(n - 1)
	}
	out := Mul(x, y)
	newSpec("Outer", Spec{DType: out.p.spec.DType, Shape: out.p.spec.Shape, Names: names}, a, b)
	return out.withNames("Outer", names)
}

// productSpec returns the type of a product of two tensors: the batch axes, then the
// free ones of both.
func productSpec(op string, ts []Tensor, dims *stablehlo.DotDims) *Spec {
	sa, sb := ts[0].p.spec, ts[1].p.spec
	out := Spec{DType: dotType(sa, sb), weak: sa.weak && sb.weak}
	add := func(s *Spec, i int) {
		out.Shape, out.Names = append(out.Shape, s.Shape[i]), append(out.Names, s.name(i))
	}
	for k, i := range dims.LHSBatching {
		add(sa, int(i))
		if n := &out.Names[k]; *n == "" {
			*n = sb.name(int(dims.RHSBatching[k]))
		}
	}
	for i := range sa.Shape {
		if !slices.Contains(dims.LHSBatching, int64(i)) && !slices.Contains(dims.LHSContracting, int64(i)) {
			add(sa, i)
		}
	}
	for i := range sb.Shape {
		if !slices.Contains(dims.RHSBatching, int64(i)) && !slices.Contains(dims.RHSContracting, int64(i)) {
			add(sb, i)
		}
	}
	return newSpec(op, out, ts...)
}
