package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// wellFormed reports the errors in a type itself, once per type.
func (v *verifier) wellFormed(op *Op, t Type) bool {
	if ok, seen := v.types[t]; comparableType(t) && seen {
		return ok
	}
	if nestsTooDeep(t, 0) {
		v.stop(op, "a type is")
		return false
	}
	id, why := typeError(t)
	if why != "" {
		v.malformed = true
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

// nestsTooDeep reports whether a type nests deeper than maxDepth.
func nestsTooDeep(t Type, depth int) bool {
	var parts []Type
	switch t := t.(type) {
	case *TupleType:
		parts = t.Elems
	case *FutureType:
		parts = t.Elems
	case *FuncType:
		return nestsTooDeep(&TupleType{Elems: t.Ins}, depth) || nestsTooDeep(&TupleType{Elems: t.Outs}, depth)
	case *TensorType:
		parts = []Type{t.Elem}
	}
	return depth > maxDepth || slices.ContainsFunc(parts, func(p Type) bool { return nestsTooDeep(p, depth+1) })
}

// typeError describes the error in a type, "" for a valid type, and the violated constraint of the
// specification if there is one.
func typeError(t Type) (id, why string) {
	switch t := t.(type) {
	case nil:
		return "", "a part of a type is missing"
	case *TensorType:
		return tensorError(t)
	case OtherType:
		return "", otherError(t)
	case *UnrankedTensorType:
		return elemError(t.Elem, t)
	case *BufferType:
		return elemError(t.Elem, t)
	case *TupleType:
		return typesError(t.Elems)
	case *FutureType:
		return typesError(t.Elems)
	case *FuncType:
		if id, why = typesError(t.Ins); why != "" {
			return id, why
		}
		return typesError(t.Outs)
	}
	return "", ""
}

func typesError(types []Type) (id, why string) {
	for _, t := range types {
		if id, why = typeError(t); why != "" {
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
	if why = boundsError(t); why != "" {
		return "", fmt.Sprintf("%s: %s", t, why)
	}
	return elemError(t.Elem, t)
}

// boundsError describes the error in the bounds of a tensor type.
func boundsError(t *TensorType) string {
	if t.Bounds != nil && len(t.Bounds) != t.Rank() {
		return fmt.Sprintf("%d bounds for a tensor of rank %d", len(t.Bounds), t.Rank())
	}
	for i, b := range t.Bounds {
		switch {
		case b == Dynamic:
		case t.Dims[i] != Dynamic:
			return fmt.Sprintf("dimension %d has both a size, %d, and a bound", i, t.Dims[i])
		case b < 0:
			return fmt.Sprintf("dimension %d has a negative bound, %d", i, b)
		}
	}
	return ""
}

func elemError(elem, in Type) (id, why string) {
	switch e := elem.(type) {
	case Scalar:
		if dtype.Type(e).IsValid() {
			return "", ""
		}
	case IndexType:
		return "", ""
	case OtherType:
		return "", otherError(e)
	case *QuantType:
		if id, why = quantError(in); why != "" {
			return id, fmt.Sprintf("%s: %s", in, why)
		}
		return "", ""
	}
	return "", fmt.Sprintf("%s: not a type of elements", in)
}

// otherError describes the error in a type that is kept as text; it returns "" for a type of an unknown
// dialect.
func otherError(t OtherType) string {
	switch {
	case strings.HasPrefix(t.Text, "!stablehlo."):
		return "stablehlo has no type " + t.Text
	case strings.HasPrefix(t.Text, "!quant.uniform"):
		return t.Text + ": not a quantised type of the specification"
	}
	return ""
}
