package stablehlo

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
)

// wellFormed reports what is wrong with a type in itself, once a type.
func (v *verifier) wellFormed(op *Op, t Type) bool {
	if ok, seen := v.types[t]; seen {
		return ok
	}
	id, why := typeError(t, 0)
	if why != "" {
		v.report(op, id, "%s", why)
	}
	if comparableType(t) {
		v.types[t] = why == ""
	}
	return why == ""
}

// comparableType reports whether t may be a map key at little cost.
func comparableType(t Type) bool {
	switch t.(type) {
	case *TensorType, *UnrankedTensorType, *TupleType, *FuncType, *BufferType, *FutureType:
		return true
	}
	return false
}

// typeError returns what is wrong with a type, "" when nothing is, and the
// constraint of the specification if it has one.
func typeError(t Type, depth int) (id, why string) {
	if depth > maxDepth {
		return "", fmt.Sprintf("a type nests deeper than %d", maxDepth)
	}
	switch t := t.(type) {
	case nil:
		return "", "a part of a type is missing"
	case *TensorType:
		return tensorError(t)
	case *UnrankedTensorType:
		return elemError(t.Elem, t)
	case *BufferType:
		return elemError(t.Elem, t)
	case *TupleType:
		return typesError(t.Elems, depth)
	case *FutureType:
		return typesError(t.Elems, depth)
	case *FuncType:
		if id, why = typesError(t.Ins, depth); why != "" {
			return id, why
		}
		return typesError(t.Outs, depth)
	}
	return "", ""
}

func typesError(types []Type, depth int) (id, why string) {
	for _, t := range types {
		if id, why = typeError(t, depth+1); why != "" {
			return id, why
		}
	}
	return "", ""
}

func tensorError(t *TensorType) (id, why string) {
	for _, d := range t.Dims {
		if d < 0 && d != Dynamic {
			return "", fmt.Sprintf("%s: the size %d is negative", t, d)
		}
	}
	if t.Bounds != nil {
		if len(t.Bounds) != t.Rank() {
			return "", fmt.Sprintf("%s: %d bounds for rank %d", t, len(t.Bounds), t.Rank())
		}
		for i, b := range t.Bounds {
			if b != Dynamic && t.Dims[i] != Dynamic {
				return "", fmt.Sprintf("%s: dimension %d has a size and a bound", t, i)
			}
			if b < 0 && b != Dynamic {
				return "", fmt.Sprintf("%s: the bound %d is negative", t, b)
			}
		}
	}
	if id, why = elemError(t.Elem, t); why != "" {
		return id, why
	}
	if id, why = quantTensorError(t); why != "" {
		return id, fmt.Sprintf("%s: %s", t, why)
	}
	return "", ""
}

func elemError(elem, in Type) (id, why string) {
	switch e := elem.(type) {
	case Scalar:
		if dtype.Type(e).IsValid() {
			return "", ""
		}
	case IndexType, OtherType: // what an op refuses by its row
		return "", ""
	case *QuantType:
		if id, why = quantTypeError(e); why != "" {
			return id, fmt.Sprintf("%s: %s", in, why)
		}
		return "", ""
	}
	return "", fmt.Sprintf("%s: not a type of elements", in)
}
