package lower

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// SmallDots selects the contractions that are expanded to reductions or additions.
type SmallDots struct {
	Terms   int64 // maximum number of terms that become additions
	Vectors bool  // integer and complex matrix-vector products become reductions
}

// ExpandDots expands dots that sum nothing, such as outer products and per-example gradients, to
// multiplications, and batches of small dots to multiplications and additions: these are fused into
// kernels. The rules of dots run before.
func ExpandDots(f stablehlo.Func, small SmallDots, checkCancel simplify.CheckCancel) error {
	multiply := func(e simplify.Emitter, op *stablehlo.Op) *stablehlo.Value { return small.multiply(e, op) }
	rules := []simplify.Rule{
		{Name: "dot_multiply", Code: stablehlo.OpDotGeneral, Apply: simplify.SingleResult(multiply)},
		{Name: "convolution_floats", Code: stablehlo.OpConvolution, Apply: simplify.SingleResult(convolutionAsFloats)},
	}
	return simplify.Apply("expand dots", f, simplify.NewRuleTable(rules), checkCancel)
}

// multiply multiplies the elements of a dot whose sums have one term each, and adds the terms of
// batches of short ones: in their order, from 0. A complex sum, or a sum of elements in different
// orders, becomes a reduction. Other sums than those of integers would have other bits then: what
// becomes of them depends on neither the number of matrices nor that of rows, so that a row of the
// result has the same bits whatever number of rows is beside it.
func (small SmallDots) multiply(e simplify.Emitter, op *stablehlo.Op) *stablehlo.Value {
	p := dot{simplify.NamedDotOf(op)}
	t := op.Result().Tensor()
	if p.NamedDot == nil || !simplify.IsSymmetric(op) || t.Quant() != nil || t.DType() == dtype.Bool {
		return nil
	}
	mixed := false
	for _, x := range p.X {
		if !stablehlo.SameType(x.Tensor().Elem, t.Elem) {
			if mixed = x.Tensor().DType().IsInteger() && t.DType().IsInteger(); !mixed {
				return nil
			}
		}
	}
	terms, inner := int64(1), []int(nil) // the names of the summed dimensions, except those of size one
	for d, name := range p.Names[0] {
		if n := p.X[0].Tensor().Dims[d]; slices.Contains(p.Summed, name) && n != 1 {
			terms, inner = terms*n, append(inner, name)
		}
	}
	matrices, rows, cols := p.sizes()
	isExact, isInner := t.DType().IsInteger(), !p.hasFree(0) && !p.hasFree(1)
	vector, fewLines, many := cols == 1 || !p.hasFree(0), false, true
	adds := terms <= small.Terms && len(inner) == 1
	if isExact {
		vector, many = rows == 1 || cols == 1, matrices*rows*cols >= minMatrices
		fewLines = t.DType().Size() == 2 && matrices == 1 &&
			(cols <= maxShortLines || rows <= maxShortLines && cols >= minLongLine)
		adds = adds && (matrices == 1 || rows*cols <= maxElements)
	}
	switch {
	case mixed && !(vector && terms > 0 && small.isReduction(t.DType())):
		return nil
	case mixed:
		return p.reduceWide(e, inner)
	case terms == 1:
		return e.Add(p.multiply(e, p.X, nil), e.Full(t, 0)) // a sum from 0 cannot be -0
	case terms == 0:
		return nil
	case isInner && !adds && (t.DType().IsComplex() || t.DType().Size() >= 4 && !p.isInOrder(inner)):
		return p.reduce(e, p.X, inner)
	case small.isReduction(t.DType()) && (vector || fewLines) && !(adds && many):
		return p.reduceWide(e, inner)
	case small.isReduction(t.DType()) && (matrices >= minMatrices || !isExact && len(p.Batch()) > 0) &&
		rows*cols <= maxExactElements && terms <= small.Terms && len(inner) == 1:
		return p.addUp(e, p.X, inner[0], terms)
	case !vector || !many:
		return nil
	}
	x := p.X
	narrow := t.DType().IsFloat() && t.DType().Size() < 4
	if narrow { // these are summed in wider types
		for i := range x {
			x[i] = e.Convert(x[i], dtype.F32)
		}
	}
	var sum *stablehlo.Value
	switch {
	case adds:
		sum = p.addUp(e, x, inner[0], terms)
	case isInner && terms <= maxInner:
		sum = p.reduce(e, x, inner)
	default:
		return nil
	}
	if narrow {
		sum = e.Convert(sum, t.DType())
	}
	return sum
}

// isReduction reports whether matrix-vector products of a type become reductions: floats have their
// own code.
func (small SmallDots) isReduction(t dtype.Type) bool {
	return small.Vectors && (t.IsComplex() || t.IsInteger())
}

// dot is a dot that is written as multiplications.
type dot struct{ *simplify.NamedDot }

// reduceWide is reduce of narrow integers in 32 bits: the wrapped result is the same.
func (p dot) reduceWide(e simplify.Emitter, inner []int) *stablehlo.Value {
	x, t := p.X, p.Op.Result().Tensor().DType()
	wide := t
	if t.IsInteger() && t.Size() < 4 {
		wide = dtype.S32
	}
	for i := range x {
		x[i] = e.Convert(x[i], wide)
	}
	return e.Convert(p.reduce(e, x, inner), t)
}

// isInOrder reports whether the summed dimensions have the same order in both operands.
func (p dot) isInOrder(inner []int) bool {
	last := -1
	for _, name := range inner {
		at := slices.Index(p.Names[1], name)
		if at < last {
			return false
		}
		last = at
	}
	return true
}

// multiply multiplies the elements of both operands.
func (p dot) multiply(e simplify.Emitter, x [2]*stablehlo.Value, inner []int) *stablehlo.Value {
	return e.Mul(p.factor(e, x[0], 0, inner), p.factor(e, x[1], 1, inner))
}

// reduce writes the sum of the products as a reduction.
func (p dot) reduce(e simplify.Emitter, x [2]*stablehlo.Value, inner []int) *stablehlo.Value {
	dims := make([]int64, len(inner))
	for i := range dims {
		dims[i] = int64(len(p.Result) + i)
	}
	return e.SumOver(p.multiply(e, x, inner), dims...)
}

// addUp writes the sum of the products as additions.
func (p dot) addUp(e simplify.Emitter, x [2]*stablehlo.Value, name int, terms int64) (sum *stablehlo.Value) {
	for k := range terms {
		term := x
		for i := range x {
			term[i] = e.SliceDim(x[i], slices.Index(p.Names[i], name), k, k+1, 1)
		}
		if v := p.multiply(e, term, nil); sum != nil {
			sum = e.Add(sum, v)
		} else {
			sum = e.Add(v, e.Fill(v, 0))
		}
	}
	return sum
}

// sizes returns the number of matrices, and the rows and columns of each result.
func (p dot) sizes() (matrices, rows, cols int64) {
	matrices, rows, cols = 1, 1, 1
	for d, name := range p.Result {
		n := p.Op.Result().Tensor().Dims[d]
		switch left, right := slices.Contains(p.Names[0], name), slices.Contains(p.Names[1], name); {
		case left && right:
			matrices *= n
		case left:
			rows *= n
		default:
			cols *= n
		}
	}
	return matrices, rows, cols
}

// hasFree reports whether an operand has rows or columns, perhaps of one element.
func (p dot) hasFree(i int) bool {
	return slices.ContainsFunc(p.Names[i], func(name int) bool { return !slices.Contains(p.Names[1-i], name) })
}

// factor broadcasts an operand to the shape of the products. The dimensions inner come last; other
// summed dimensions have one element.
func (p dot) factor(e simplify.Emitter, x *stablehlo.Value, i int, inner []int) *stablehlo.Value {
	order, all := p.Order(), slices.Clone(p.Op.Result().Tensor().Dims)
	var dims, at []int64
	sizes := make([]int64, len(inner))
	for d, name := range p.Names[i] {
		n := x.Tensor().Dims[d]
		if k := slices.Index(inner, name); k >= 0 {
			dims, at, sizes[k] = append(dims, n), append(at, int64(len(order)+k)), n
		} else if j := slices.Index(order, name); j >= 0 {
			dims, at = append(dims, n), append(at, int64(j))
		}
	}
	return e.Broadcast(e.Reshape(x, dims...), append(all, sizes...), at...)
}
