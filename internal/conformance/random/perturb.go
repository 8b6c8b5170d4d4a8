package random

import (
	"math/rand/v2"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// perturbation returns the relative error that [Perturb] adds to numbers of a type: large relative to the
// errors of a sum of thousands of terms if the type allows that, and always relative to half a unit in the
// last place. It is 0 for types of so little precision that differently rounded results have no digits in
// common.
func perturbation(d dtype.Type) float64 {
	switch d := d.Real(); {
	case d == dtype.F64:
		return 0x1p-38
	case d == dtype.F32:
		return 0x1p-12
	case d == dtype.F16:
		return 0x1p-6
	case d == dtype.BF16:
		return 0x1p-4
	case d.IsFloat() && d.MantissaBits() > 0:
		return d.Epsilon()
	}
	return 0
}

// Perturb returns a module with the rounding errors of @main enlarged, at random by noise. The difference
// between its results and those of m bounds the propagation of rounding errors.
func Perturb(m *stablehlo.Module, noise uint64) *stablehlo.Module {
	m = m.Clone()
	f, _ := m.Func("main")
	c := certainties{}
	c.block(f.Body())
	g := &perturber{c, rand.New(rand.NewPCG(noise, 1)), noise%2 == 0, map[*stablehlo.Value]*stablehlo.Value{}}
	g.block(f.Body())
	return m
}

// perturber makes the values of a function rough.
type perturber struct {
	certain certainties
	r       *rand.Rand
	vanish  bool                                  // sums that may consist only of errors are 0
	renamed map[*stablehlo.Value]*stablehlo.Value // values whose users take another one
}

func (g *perturber) block(b *stablehlo.Block) {
	ops := b.Ops
	b.SetOps(nil)
	m := &maker{b: stablehlo.NewBuilder(b)}
	for _, op := range ops {
		for i, v := range op.Operands {
			if w, ok := g.renamed[v]; ok {
				op.Operands[i] = w
			}
		}
		perturbed := len(op.Results) > 0 && g.rounds(op)
		if perturbed && !isElementwise(op.Code) {
			terms := terms(op)
			for i, v := range op.Operands {
				op.Operands[i] = g.perturb(m, v, terms) // the error of a sum depends on its terms, not on its value
			}
		}
		for _, r := range op.Regions {
			if isControl(op.Code) {
				g.block(r.Block())
			} else {
				op.Replace(g.renamed) // scalars from outside
			}
		}
		results := op.Results
		if perturbed && op.Code == stablehlo.OpReduce {
			if reassociated := g.reassociate(m, b, op); reassociated != nil {
				results = reassociated
			}
		}
		if len(results) == 0 || results[0] == op.Results[0] {
			b.Append(op)
		}
		for i, v := range results {
			if !perturbed {
				continue
			}
			v = g.overflow(m, b, op, v)
			if g.vanish && !isElementwise(op.Code) {
				v = m.zeroSmall(v)
			}
			g.renamed[op.Results[i]] = g.perturb(m, v, 0)
		}
	}
}

func isControl(c stablehlo.OpCode) bool {
	return c == stablehlo.OpWhile || c == stablehlo.OpIf || c == stablehlo.OpCase
}

// rounds reports whether the op rounds.
func (g *perturber) rounds(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpReturn, stablehlo.OpOptimizationBarrier:
		return false
	case stablehlo.OpConvert: // to fewer digits, which an error may decide
		from, to := op.Operands[0].Tensor().DType(), op.Result().Tensor().DType()
		return g.certain[op.Operands[0]] == Near && perturbation(to) > perturbation(from)
	}
	switch roundingOf(op) {
	case inexact, inexactDiscontinuous:
		return !isControl(op.Code)
	}
	return false
}

// perturb returns v with an error in every element between half of the perturbation of its type and all of it,
// relative to the element; of a complex one relative to its modulus, as the products in a complex division may
// cancel in only one part. It returns v itself if its numbers are not rounded. terms is the number of terms of
// a sum over them: the errors of all additions are added to the first term, and have one sign when the terms
// are equal.
func (g *perturber) perturb(m *maker, v *stablehlo.Value, terms int64) *stablehlo.Value {
	t := v.Tensor()
	d := t.DType()
	if !isInexact(d) || perturbation(d) == 0 {
		return v
	}
	wide := dtype.F32
	if d.Real() == dtype.F64 {
		wide = dtype.F64
	}
	float := stablehlo.Tensor(wide, t.Dims...)
	size := perturbation(d)
	factor := m.op(stablehlo.OpAdd, g.errors(m, float, size), m.full(float, 1))
	if drift := driftOf(d, terms); drift > size {
		factor = m.op(stablehlo.OpAdd, factor, g.ramp(m, float, drift))
	}
	if d.IsComplex() {
		return m.op(stablehlo.OpMultiply, v, m.op(stablehlo.OpComplex, factor, g.errors(m, float, size)))
	}
	return m.as(d, m.op(stablehlo.OpMultiply, m.as(wide, v), factor))
}

// zeroSmall returns v with 0 for the elements that are small relative to the largest one: no larger than
// errors of terms that were perturbed twice, as results and as operands. Where the terms of a sum cancel, one
// executor has 0 and another a rounding error, which divided by itself is 1.
func (m *maker) zeroSmall(v *stablehlo.Value) *stablehlo.Value {
	t := v.Tensor()
	d := t.DType()
	if !isInexact(d) || perturbation(d) == 0 {
		return v
	}
	size := m.op(stablehlo.OpAbs, v)
	dims := make([]int64, t.Rank())
	for i := range dims {
		dims[i] = int64(i)
	}
	scalar := stablehlo.Tensor(d.Real())
	// A NaN or an overflowed element does not count as the largest.
	finite := m.append(stablehlo.OpCompare, []*stablehlo.Value{size, m.full(size.Tensor(), d.Real().MaxFinite())},
		direction("LE"))[0]
	finiteSize := m.op(stablehlo.OpSelect, finite, size, m.full(size.Tensor(), 0))
	largest := m.append(stablehlo.OpReduce, []*stablehlo.Value{finiteSize, m.full(scalar, 0)},
		ints("dimensions", dims...),
		scalarBody(stablehlo.OpMaximum, d.Real()))[0]
	limit := m.append(stablehlo.OpBroadcastInDim,
		[]*stablehlo.Value{m.op(stablehlo.OpMultiply, largest, m.full(scalar, 4*perturbation(d)))},
		ints("broadcast_dimensions"), stablehlo.Results{size.Type()})[0]
	small := m.append(stablehlo.OpCompare, []*stablehlo.Value{size, limit}, direction("LT"))[0]
	return m.op(stablehlo.OpSelect, small, m.full(t, 0), v)
}

func (m *maker) op(c stablehlo.OpCode, operands ...*stablehlo.Value) *stablehlo.Value {
	return m.append(c, operands)[0]
}

func (m *maker) as(d dtype.Type, v *stablehlo.Value) *stablehlo.Value {
	if v.Tensor().DType() == d {
		return v
	}
	return m.append(stablehlo.OpConvert, []*stablehlo.Value{v},
		stablehlo.Results{stablehlo.Tensor(d, v.Tensor().Dims...)})[0]
}

// ramp returns numbers that fall from size, or rise from -size, to 0.
func (g *perturber) ramp(m *maker, t *stablehlo.TensorType, size float64) *stablehlo.Value {
	n, _ := t.NumElems()
	if g.r.IntN(2) == 0 {
		size = -size
	}
	at := m.as(t.DType(), linearIndices(m, t))
	return m.op(stablehlo.OpSubtract, m.full(t, size),
		m.op(stablehlo.OpMultiply, at, m.full(t, size/float64(max(n, 1)))))
}

// linearIndices returns the linear index of each element.
func linearIndices(m *maker, t *stablehlo.TensorType) *stablehlo.Value {
	n, _ := t.NumElems()
	index := m.append(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(0)),
		stablehlo.Results{stablehlo.Tensor(dtype.S32, n)})
	return m.append(stablehlo.OpReshape, index, stablehlo.Results{stablehlo.Tensor(dtype.S32, t.Dims...)})[0]
}

// errors returns random numbers of either sign between size/2 and size.
func (g *perturber) errors(m *maker, t *stablehlo.TensorType, size float64) *stablehlo.Value {
	s32 := stablehlo.Tensor(dtype.S32, t.Dims...)
	// The linear index of an element, scrambled by multiplications that wrap.
	at := m.op(stablehlo.OpMultiply, linearIndices(m, t), m.full(s32, float64(g.r.Int32()|1)))
	at = m.op(stablehlo.OpAdd, at, m.full(s32, float64(g.r.Int32())))
	at = m.op(stablehlo.OpXor, at, m.op(stablehlo.OpShiftRightLogical, at, m.full(s32, 15)))
	at = m.op(stablehlo.OpMultiply, at, m.full(s32, 0x2c1b3c6d))
	noise := m.op(stablehlo.OpMultiply, m.as(t.DType(), at), m.full(t, size/2*0x1p-31))
	return m.op(stablehlo.OpAdd, noise, m.op(stablehlo.OpMultiply, m.op(stablehlo.OpSign, noise), m.full(t, size/2)))
}
