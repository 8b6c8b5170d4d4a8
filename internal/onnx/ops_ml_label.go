package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// list is a list of numbers or strings.
type list struct {
	t       core.Tensor // absent for strings
	strings []string
}

func (l list) len() int {
	if l.t.IsZero() {
		return len(l.strings)
	}
	return l.t.Size()
}

// listOf reads the attributes prefix_tensor, prefix_int64s, prefix_floats and prefix_strings, of which one is given.
func (n *node) listOf(prefix string) (l list, ok bool) {
	if v, ok := n.attrTensor(prefix + "_tensor"); ok {
		if v.kind == stringKind {
			return list{strings: v.strings}, true
		}
		return list{t: core.Reshape(v.t, -1)}, true
	}
	switch {
	case n.attr(prefix+"_int64s") != nil:
		return list{t: intsTensor(n.attrInts(prefix + "_int64s"))}, true
	case n.attr(prefix+"_floats") != nil:
		return list{t: vector(n.attrFloats(prefix+"_floats"), dtype.F32)}, true
	case n.attr(prefix+"_strings") != nil:
		return list{strings: n.attrStrings(prefix + "_strings")}, true
	}
	return list{}, false
}

// labelEncoder maps keys to values; others get the default. In version 1 classes are strings and their
// indices.
func labelEncoder(n *node) []Value {
	if n.version < 2 {
		names := n.attrStrings("classes_strings")
		numbers := make([]int, len(names))
		for i := range numbers {
			numbers[i] = i
		}
		return n.mapped(names, numbers, n.attrString("default_string", "_Unused"), n.attrInt("default_int64", -1))
	}
	keys, ok := n.listOf("keys")
	values, given := n.listOf("values")
	if !ok || !given || keys.len() != values.len() || keys.len() == 0 {
		n.fail("it has %d keys and %d values", keys.len(), values.len())
	}
	otherwise := n.labelDefault(values)
	x := n.value(0)
	if values.t.IsZero() {
		n.needsData()
	}
	if x.kind == stringKind {
		if keys.strings == nil {
			n.fail("the operand has strings, the keys are numbers")
		}
		index := map[string]int{}
		for i, s := range keys.strings {
			index[s] = i
		}
		at := make([]int, len(x.strings))
		for i, s := range x.strings {
			if k, ok := index[s]; ok {
				at[i] = k
			} else {
				at[i] = keys.len()
			}
		}
		return []Value{values.pick(core.Reshape(intsTensor(at), x.shape...), otherwise)}
	}
	if keys.t.IsZero() {
		n.fail("the keys are strings, the operand is not")
	}
	t := n.in(0)
	return []Value{values.pick(keyIndices(t, sameType(keys.t, t.DType())), otherwise)}
}

// labelDefault is the value of elements that are not keys, in the form of the values.
func (n *node) labelDefault(values list) list {
	if v, ok := n.attrTensor("default_tensor"); ok && v.kind == tensorKind {
		return list{t: core.Reshape(v.t, -1)}
	} else if ok {
		return list{strings: v.strings}
	}
	switch {
	case values.t.IsZero():
		return list{strings: []string{n.attrString("default_string", "_Unused")}}
	case values.t.DType().IsFloat():
		return list{t: vector([]float64{n.attrFloat("default_float", math.Copysign(0, -1))}, values.t.DType())}
	}
	return list{t: core.Cast(intsTensor([]int{n.attrInt("default_int64", -1)}), values.t.DType())}
}

// pick returns the values at indices; the default for an index after the last.
func (l list) pick(index core.Tensor, otherwise list) Value {
	if l.t.IsZero() {
		v := StringsValue(dims(index), nil)
		all := append(slices.Clone(l.strings), otherwise.strings...)
		for _, i := range toInts(index) {
			v.strings = append(v.strings, all[i])
		}
		return v
	}
	all := core.Concatenate([]core.Tensor{l.t, sameType(otherwise.t, l.t.DType())})
	return TensorValue(core.Take(all, index))
}

// keyIndices returns the index of each element among keys, the last of equal ones; their number for others. A NaN
// among keys is any NaN.
func keyIndices(x, keys core.Tensor) core.Tensor {
	data := core.Data[float64](keys)
	exact := core.Data[int64](keys)
	float := keys.DType().IsFloat()
	order := make([]int, 0, len(data))
	nan := -1
	for i := range data {
		if float && data[i] != data[i] {
			nan = i
			continue
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case float && data[a] < data[b] || !float && exact[a] < exact[b]:
			return -1
		case float && data[a] > data[b] || !float && exact[a] > exact[b]:
			return 1
		}
		return b - a // the last of equal ones first
	})
	none := keys.Size()
	out := core.Full(core.Shape{}, none, dtype.S64)
	if len(order) > 0 {
		sorted := core.Take(keys, intsTensor(order))
		place := core.SearchSorted(sorted, x)
		found := core.Equal(core.Take(sorted, place), x)
		out = core.Where(found, core.Take(intsTensor(order), place), int64(none))
	}
	if nan >= 0 {
		out = core.Where(core.IsNaN(x), int64(nan), out)
	}
	return core.BroadcastTo(out, dims(x)...)
}
