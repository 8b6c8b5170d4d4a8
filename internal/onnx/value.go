package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

// kind is what a value is.
type kind int

const (
	tensorKind   kind = iota
	sequenceKind      // list has its elements
	noneKind          // an optional value that is absent
	stringKind        // strings has its elements, shape its axes
)

// Value is a tensor, a sequence, or a tensor of strings, which is always known.
type Value struct {
	kind    kind
	t       core.Tensor
	list    []Value
	strings []string
	shape   []int
	file    *onnx.Tensor // whose elements the tensor has, for a weight
	// opaque is set for data that are not to be read while importing: arguments between the parts of a program.
	opaque bool
	// read is set for data that have been read for an op that needs them: known, whatever their size.
	read bool
	// slot is the number of a result of a part of a program, counted from 1, in whose place it is; 0 for none.
	slot int
	// from has the inputs of the model that the value is computed from, if these are a few small integers.
	from origin
}

// origin is a set of inputs of the model; other is set for a value that is computed from others too.
type origin struct {
	inputs uint64
	other  bool
}

func (o origin) with(other origin) origin {
	return origin{o.inputs | other.inputs, o.other || other.other}
}

// one is a tensor as the results of a node.
func one(t core.Tensor) []Value { return []Value{{t: t}} }

// tensors are values of tensors.
func tensors(ts ...core.Tensor) []Value {
	list := make([]Value, len(ts))
	for i, t := range ts {
		list[i].t = t
	}
	return list
}

// TensorValue returns a tensor as a value.
func TensorValue(t core.Tensor) Value { return Value{t: t} }

// SequenceValue returns a sequence.
func SequenceValue(list ...Value) Value { return Value{kind: sequenceKind, list: list} }

// StringsValue returns a tensor of strings.
func StringsValue(shape []int, list []string) Value {
	return Value{kind: stringKind, shape: shape, strings: list}
}

// NoneValue returns an optional value that is absent.
func NoneValue() Value { return Value{kind: noneKind} }

// Tensor returns the tensor of a value, absent for others.
func (v Value) Tensor() core.Tensor { return v.t }

// List returns the elements of a sequence, and whether it is one.
func (v Value) List() ([]Value, bool) { return v.list, v.kind == sequenceKind }

// Strings returns the elements of a tensor of strings with its shape, and whether it is one.
func (v Value) Strings() (list []string, shape []int, ok bool) {
	return v.strings, v.shape, v.kind == stringKind
}

// IsNone reports whether it is an optional value that is absent.
func (v Value) IsNone() bool { return v.kind == noneKind }

// maxKnown is the size in bytes up to which data are computed while importing and become constants.
const maxKnown = 64 << 10

// known reports whether a value is data that may be computed with while importing.
func (v Value) known() bool {
	switch v.kind {
	case tensorKind:
		return !v.opaque && !v.t.IsZero() && !core.IsTraced(v.t) && (v.read || bytesOf(v.t) <= maxKnown)
	case sequenceKind:
		for _, e := range v.list {
			if !e.known() {
				return false
			}
		}
	}
	return true
}

func bytesOf(t core.Tensor) int { return t.Size() * t.DType().Size() }

// each calls f for the tensors of a value, and returns the value with what it returns.
func (v Value) each(f func(v Value) Value) Value {
	switch v.kind {
	case tensorKind:
		return f(v)
	case sequenceKind:
		v.list = slices.Clone(v.list)
		for i, e := range v.list {
			v.list[i] = e.each(f)
		}
	}
	return v
}

// dims are the sizes of a tensor.
func dims(t core.Tensor) []int { return t.Shape() }

// isFloat reports whether a tensor has real floats.
func isFloat(t core.Tensor) bool { return t.DType().IsFloat() }

// toInts returns the elements of data.
func toInts(t core.Tensor) []int {
	list := core.Data[int64](t)
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// intsTensor returns a vector of 64-bit integers.
func intsTensor(list []int) core.Tensor {
	data := make([]int64, len(list))
	for i, v := range list {
		data[i] = int64(v)
	}
	return core.FromSlice(data, core.Shape{len(data)})
}

// product is the number of elements of a shape.
func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// sameType returns t with elements of type d.
func sameType(t core.Tensor, d dtype.Type) core.Tensor {
	if t.DType() == d {
		return t
	}
	return core.Cast(t, d)
}
