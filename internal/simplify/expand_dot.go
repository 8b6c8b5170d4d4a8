package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// SmallDots says which products that sum something are written as folds and additions.
type SmallDots struct {
	Terms   int64 // up to how many become additions
	Vectors bool  // those of matrices and vectors that are integers or complex numbers become folds
}

// ExpandDots writes products that sum nothing, such as outer products and the gradients of examples
// one by one, as multiplications, and products of many rows and columns: those are parts of kernels. The rules of
// products come before.
func ExpandDots(f stablehlo.Func, small SmallDots, pause ...CheckCancel) error {
	multiply := func(e emitter, op *stablehlo.Op) *stablehlo.Value { return small.multiply(e, op) }
	rules := []rule{
		{"dot_multiply", stablehlo.OpDotGeneral, singleResult(multiply)},
		{"convolution_floats", stablehlo.OpConvolution, singleResult(convolutionAsFloats)},
	}
	s := newSimplifier(f, tableOf(rules), pause)
	s.keepsEqual = true
	return caught(func() { s.block(f.Body()) })
}

// Products of many matrices of which one has a single row or column: a call for each takes longer than multiplying.
const (
	minMatrices      = 64
	maxElements      = 9   // of a result, where additions are written
	maxExactElements = 16  // of a result of integers or complex numbers
	maxInner         = 256 // terms of the product of a row and a column, which is a fold
	maxShortLines    = 3   // rows or columns of integers of 16 bits that become folds, as one does: columns of any
	minLongLine      = 128 // length, and rows from this one on
)

// multiply multiplies the elements of a product whose sums have one term each, and adds up the terms of many short
// ones: in their order, from 0. One sum of complex numbers, or of elements in different orders, becomes a fold.
func (short SmallDots) multiply(e emitter, op *stablehlo.Op) *stablehlo.Value {
	p := namedDotOf(op)
	t := op.Result().Tensor()
	if p == nil || !isSymmetric(op) || t.Quant() != nil || t.DType() == dtype.Bool {
		return nil
	}
	mixed := false
	for _, x := range p.x {
		if !stablehlo.SameType(x.Tensor().Elem, t.Elem) {
			if mixed = x.Tensor().DType().IsInteger() && t.DType().IsInteger(); !mixed {
				return nil
			}
		}
	}
	terms, inner := int64(1), []int(nil) // the names of what is summed, those of one element left out
	for d, name := range p.names[0] {
		if n := p.x[0].Tensor().Dims[d]; slices.Contains(p.summed, name) && n != 1 {
			terms, inner = terms*n, append(inner, name)
		}
	}
	matrices, rows, cols := p.sizes()
	results, vector := matrices*rows*cols, rows == 1 || cols == 1
	few := t.DType().IsInteger() && t.DType().Size() == 2 && matrices == 1 &&
		(cols <= maxShortLines || rows <= maxShortLines && cols >= minLongLine)
	adds := terms <= short.Terms && len(inner) == 1 && (matrices == 1 || rows*cols <= maxElements)
	switch {
	case mixed && !(vector && terms > 0 && short.isReduction(t.DType())):
		return nil
	case mixed:
		return p.reduceWide(e, inner)
	case terms == 1:
		return e.Add(p.multiply(e, p.x, nil), e.Full(t, 0)) // a sum from 0 makes no -0
	case terms == 0:
		return nil
	case results == 1 && (t.DType().IsComplex() || t.DType().Size() >= 4 && !p.isInOrder(inner)):
		return p.reduce(e, p.x, inner)
	case short.isReduction(t.DType()) && (vector || few) && !(adds && results >= minMatrices):
		return p.reduceWide(e, inner)
	case short.isReduction(t.DType()) && matrices >= minMatrices && rows*cols <= maxExactElements && terms <= short.Terms &&
		len(inner) == 1:
		return p.addUp(e, p.x, inner[0], terms)
	case !vector || results < minMatrices:
		return nil
	}
	x := p.x
	narrow := t.DType().IsFloat() && t.DType().Size() < 4
	if narrow { // these are added up in wider ones
		for i := range x {
			x[i] = e.Convert(x[i], dtype.F32)
		}
	}
	var sum *stablehlo.Value
	switch {
	case adds:
		sum = p.addUp(e, x, inner[0], terms)
	case matrices == results && terms <= maxInner:
		sum = p.reduce(e, x, inner)
	default:
		return nil
	}
	if narrow {
		sum = e.Convert(sum, t.DType())
	}
	return sum
}

// isReduction reports whether products of matrices and vectors of a type become folds: those of floats have code of their
// own.
func (short SmallDots) isReduction(t dtype.Type) bool {
	return short.Vectors && (t.IsComplex() || t.IsInteger())
}

// reduceWide is fold, of short integers as those of 32 bits: what wraps around at the end is the same.
func (p *namedDot) reduceWide(e emitter, inner []int) *stablehlo.Value {
	x, t := p.x, p.op.Result().Tensor().DType()
	wide := t
	if t.IsInteger() && t.Size() < 4 {
		wide = dtype.S32
	}
	for i := range x {
		x[i] = e.Convert(x[i], wide)
	}
	return e.Convert(p.reduce(e, x, inner), t)
}

// isInOrder reports whether both operands have what is summed in the same order.
func (p *namedDot) isInOrder(inner []int) bool {
	last := -1
	for _, name := range inner {
		at := slices.Index(p.names[1], name)
		if at < last {
			return false
		}
		last = at
	}
	return true
}

// multiply multiplies the elements of both operands.
func (p *namedDot) multiply(e emitter, x [2]*stablehlo.Value, inner []int) *stablehlo.Value {
	return e.Mul(p.factor(e, x[0], 0, inner), p.factor(e, x[1], 1, inner))
}

// reduce is the sum of the products as a reduction.
func (p *namedDot) reduce(e emitter, x [2]*stablehlo.Value, inner []int) *stablehlo.Value {
	dims := make([]int64, len(inner))
	for i := range dims {
		dims[i] = int64(len(p.result) + i)
	}
	return e.SumOver(p.multiply(e, x, inner), dims...)
}

// addUp is the sum of the products as additions.
func (p *namedDot) addUp(e emitter, x [2]*stablehlo.Value, name int, terms int64) (sum *stablehlo.Value) {
	for k := range terms {
		term := x
		for i := range x {
			term[i] = e.SliceDim(x[i], slices.Index(p.names[i], name), k, k+1, 1)
		}
		if v := p.multiply(e, term, nil); sum != nil {
			sum = e.Add(sum, v)
		} else {
			sum = e.Add(v, e.Fill(v, 0))
		}
	}
	return sum
}

// sizes returns how many matrices there are, and how many rows and columns the result of each has.
func (p *namedDot) sizes() (matrices, rows, cols int64) {
	matrices, rows, cols = 1, 1, 1
	for d, name := range p.result {
		n := p.op.Result().Tensor().Dims[d]
		switch left, right := slices.Contains(p.names[0], name), slices.Contains(p.names[1], name); {
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

// factor returns the elements of an operand as many times as the result has them. The dimensions inner come last;
// others that are summed have one element.
func (p *namedDot) factor(e emitter, x *stablehlo.Value, i int, inner []int) *stablehlo.Value {
	order, all := p.order(), slices.Clone(p.op.Result().Tensor().Dims)
	var dims, at []int64
	sizes := make([]int64, len(inner))
	for d, name := range p.names[i] {
		n := x.Tensor().Dims[d]
		if k := slices.Index(inner, name); k >= 0 {
			dims, at, sizes[k] = append(dims, n), append(at, int64(len(order)+k)), n
		} else if j := slices.Index(order, name); j >= 0 {
			dims, at = append(dims, n), append(at, int64(j))
		}
	}
	return e.Broadcast(e.Reshape(x, dims...), append(all, sizes...), at...)
}
