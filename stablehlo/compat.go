package stablehlo

import (
	"fmt"
	"slices"
)

// Two types are compatible when a program may have either where the other is
// expected: the sizes are equal or unknown, known sizes keep to bounds, and the
// element types are equal up to scales and zero points. It is the relation
// between operands and results of most constraints ("baseline_type" in the
// specification), and between inferred and declared results.

// compatibleSize reports whether two sizes can be the same at run time.
func compatibleSize(a, b int64) bool { return a == b || a == Dynamic || b == Dynamic }

// compatibleDims reports whether two shapes can be the same at run time.
func compatibleDims(a, b []int64) bool { return slices.EqualFunc(a, b, compatibleSize) }

// compatibleShape is compatibleDims with respect to bounds.
func compatibleShape(a, b *TensorType) bool {
	return compatibleDims(a.Dims, b.Dims) && withinBounds(a.Dims, b.Bounds) && withinBounds(b.Dims, a.Bounds)
}

func withinBounds(dims, bounds []int64) bool {
	for i, b := range bounds {
		if b != Dynamic && i < len(dims) && dims[i] > b {
			return false
		}
	}
	return true
}

// compatibleElem reports whether two element types are equal, or equal but for
// scales, zero points and the quantised dimension.
func compatibleElem(a, b Type) bool {
	p, ok := a.(*QuantType)
	q, ok2 := b.(*QuantType)
	if !ok || !ok2 {
		return SameType(a, b)
	}
	return p.Storage == q.Storage && p.Min == q.Min && p.Max == q.Max &&
		p.Expressed == q.Expressed && p.IsPerAxis() == q.IsPerAxis()
}

// compatible reports whether two types are compatible.
func compatible(a, b Type) bool {
	s, ok := a.(*TensorType)
	t, ok2 := b.(*TensorType)
	switch {
	case ok && ok2:
		return compatibleShape(s, t) && compatibleElem(s.Elem, t.Elem)
	case isUnranked(a) && (ok2 || isUnranked(b)), ok && isUnranked(b):
		return compatibleElem(elemOf(a), elemOf(b))
	}
	return SameType(a, b)
}

// compatibleTypes is compatible of lists.
func compatibleTypes(a, b []Type) bool { return slices.EqualFunc(a, b, compatible) }

func isUnranked(t Type) bool { _, ok := t.(*UnrankedTensorType); return ok }

// elemOf returns the element type of a tensor or buffer, and any other type itself.
func elemOf(t Type) Type {
	switch t := t.(type) {
	case *TensorType:
		return t.Elem
	case *UnrankedTensorType:
		return t.Elem
	case *BufferType:
		return t.Elem
	}
	return t
}

// size is a dimension size with its bound.
type size struct{ dim, bound int64 }

func sizeAt(t *TensorType, i int) size {
	if i < len(t.Bounds) {
		return size{t.Dims[i], t.Bounds[i]}
	}
	return size{t.Dims[i], Dynamic}
}

// known returns the size or else its bound; Dynamic when there is neither.
func (s size) known() int64 {
	if s.dim != Dynamic {
		return s.dim
	}
	return s.bound
}

// tensorOf builds a tensor type of the sizes; the bounds are left out when
// there are none.
func tensorOf(elem Type, sizes []size) *TensorType {
	t := &TensorType{Dims: make([]int64, len(sizes)), Elem: elem}
	for i, s := range sizes {
		t.Dims[i] = s.dim
		if s.dim == Dynamic && s.bound != Dynamic && t.Bounds == nil {
			t.Bounds = slices.Repeat([]int64{Dynamic}, len(sizes))
		}
		if t.Bounds != nil && s.dim == Dynamic {
			t.Bounds[i] = s.bound
		}
	}
	return t
}

// sizesOf returns the sizes of t with their bounds.
func sizesOf(t *TensorType) []size {
	s := make([]size, len(t.Dims))
	for i := range s {
		s[i] = sizeAt(t, i)
	}
	return s
}

// meet is what two compatible sizes have in common when both hold: the known
// one, or the tighter bound.
func (s size) meet(t size) (size, error) {
	if s.dim == Dynamic && t.dim == Dynamic {
		switch {
		case s.bound == Dynamic:
			return t, nil
		case t.bound == Dynamic:
			return s, nil
		}
		return size{Dynamic, min(s.bound, t.bound)}, nil
	}
	if !compatibleSize(s.dim, t.dim) {
		return size{}, fmt.Errorf("sizes %d and %d differ", s.dim, t.dim)
	}
	dim := max(s.dim, t.dim)
	for _, b := range []int64{s.bound, t.bound} {
		if b != Dynamic && dim > b {
			return size{}, fmt.Errorf("size %d exceeds the bound %d", dim, b)
		}
	}
	return size{dim, Dynamic}, nil
}

// join is what two compatible sizes have in common when either may hold: the
// same known size, or the looser bound when both have one.
func (s size) join(t size) (size, error) {
	if s.dim != Dynamic && t.dim != Dynamic {
		if s.dim != t.dim {
			return size{}, fmt.Errorf("sizes %d and %d differ", s.dim, t.dim)
		}
		return s, nil
	}
	if s.known() == Dynamic || t.known() == Dynamic {
		return size{Dynamic, Dynamic}, nil
	}
	return size{Dynamic, max(s.known(), t.known())}, nil
}

// meetTypes returns the most specific type that all the types are compatible
// with; tensors of unknown rank do not count. The types are compatible already.
func meetTypes(types ...Type) (Type, error) { return combineTypes(size.meet, types) }

// joinTypes returns the most specific type that describes a value of any of the
// types. The types are compatible already.
func joinTypes(types ...Type) (Type, error) { return combineTypes(size.join, types) }

func combineTypes(combine func(a, b size) (size, error), types []Type) (Type, error) {
	if !slices.ContainsFunc(types, func(t Type) bool { return !SameType(t, types[0]) }) {
		return types[0], nil
	}
	var first *TensorType
	var sizes []size
	for _, t := range types {
		t, ok := t.(*TensorType)
		switch {
		case !ok:
		case first == nil:
			first, sizes = t, sizesOf(t)
		case t.Rank() != first.Rank():
			return nil, fmt.Errorf("ranks %d and %d differ", first.Rank(), t.Rank())
		default:
			for i := range sizes {
				s, err := combine(sizes[i], sizeAt(t, i))
				if err != nil {
					return nil, fmt.Errorf("dimension %d: %w", i, err)
				}
				sizes[i] = s
			}
		}
	}
	if first == nil {
		return types[0], nil
	}
	t := tensorOf(first.Elem, sizes)
	t.Encoding = first.Encoding
	return t, nil
}
