package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Pad implements nx.Pad.
func Pad[V Operand](t Tensor, v V, lohi ...[2]int) Tensor {
	return padBy("Pad", t, operandOf(v), lohi, make([]int, len(lohi)))
}

// PadInterior implements nx.PadInterior.
func PadInterior[V Operand](t Tensor, v V, inner []int, lohi ...[2]int) Tensor {
	return padBy("PadInterior", t, operandOf(v), lohi, inner)
}

func padBy(op string, t Tensor, x operand, lohi [][2]int, inner []int) Tensor {
	s := t.must(op)
	present(op, operand{t: t.p}, x)
	if x.t != nil && (len(x.t.spec.Shape) != 0 || x.t.spec.Vectors != nil) {
		failOn(ErrShape, op, []Tensor{t, wrap(x.t)}, "", "the value to pad with is a scalar")
	}
	if len(lohi) != len(s.Shape) || len(inner) != len(s.Shape) {
		failOn(ErrArgument, op, []Tensor{t}, "give one pair {before, after} per axis, {0, 0} for an unpadded one",
			"got %s for %s", plural(len(lohi), "pair", "pairs"), plural(len(s.Shape), "axis", "axes"))
	}
	a := padAttrs{inner: listOf(inner)}
	lo, hi := make([]int, len(lohi)), make([]int, len(lohi))
	for i, p := range lohi {
		lo[i], hi[i] = p[0], p[1]
		const most = math.MaxInt / 8
		switch {
		case inner[i] < 0:
			failOn(ErrArgument, op, []Tensor{t}, "", "the number %d of elements between others is negative", inner[i])
		case p[0] > most || p[1] > most || p[0] < -most || p[1] < -most || inner[i] > most/max(s.Shape[i], 1):
			failOn(ErrShape, op, []Tensor{t}, "",
				"the result does not fit in memory: axis %d would grow by %d and %d", i, p[0], p[1])
		}
	}
	a.lo, a.hi = listOf(lo), listOf(hi)
	for i, n := range a.shape(s.Shape) {
		if n < 0 {
			failOn(ErrShape, op, []Tensor{t}, "", "%s of size %d cannot lose %d elements", axisLabel(s, i),
				s.Shape[i], -lohi[i][0]-lohi[i][1])
		}
	}
	newSpec(op, Spec{DType: s.DType, Shape: a.shape(s.Shape)}, t)
	return padOp.call(a, operand{t: t.p}, x)
}

type padAttrs struct{ lo, hi, inner intList }

// shape returns the sizes of a shape after padding.
func (a padAttrs) shape(s Shape) Shape {
	out := slices.Clone(s)
	lo, hi, inner := a.lo.ints(), a.hi.ints(), a.inner.ints()
	for i := range out {
		out[i] += lo[i] + hi[i] + max(out[i]-1, 0)*inner[i]
	}
	return out
}

var padOp = &operation[padAttrs]{name: "Pad",
	describe: func(d *description[padAttrs]) {
		s := d.ins[0]
		d.in = promoted(s, d.ins[1])
		d.returns(intern(Spec{DType: d.in, Shape: d.attrs.shape(s.Shape), Names: s.Names}))
	},
	emit: func(d *description[padAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a := d.attrs
		return []*stablehlo.Value{e.pad(e.convert(in[0], d.in), e.convert(in[1], d.in), a.lo.ints(),
			a.hi.ints(), a.inner.ints())}
	}}
