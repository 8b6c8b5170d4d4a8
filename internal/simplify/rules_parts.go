package simplify

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// partsRules rewrite concatenations: kernels write the parts directly to their offsets, while
// fills, copies and sums of padded arrays are passes over the entire array.
func partsRules() []Rule {
	list := make([]Rule, 0, 160)
	list = append(list,
		Rule{"concatenate_concatenate", stablehlo.OpConcatenate, SingleResult(concatenateConcatenate)},
		Rule{"reshape_concatenate", stablehlo.OpReshape, SingleResult(reshapeConcatenate)},
		Rule{"transpose_concatenate", stablehlo.OpTranspose, SingleResult(transposeConcatenate)},
		Rule{"add_pads", stablehlo.OpAdd, SingleResult(addPads)},
	)
	apply := SingleResult(elementwiseConcatenate)
	for code, info := range stablehlo.Ops() {
		if info.Traits&stablehlo.Elementwise != 0 && info.Traits&stablehlo.SideEffects == 0 ||
			code == stablehlo.OpBitcastConvert {
			list = append(list, Rule{"elementwise_concatenate", code, apply})
		}
	}
	return list
}

// concatenateConcatenate flattens a concatenation along the same dimension.
func concatenateConcatenate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	var in []*stablehlo.Value
	for _, v := range op.Operands {
		d := DefinedBy(v, stablehlo.OpConcatenate)
		if d != nil && e.usedOnce(v) && d.Int("dimension", 0) == op.Int("dimension", 0) {
			in = append(in, d.Operands...)
		} else {
			in = append(in, v)
		}
	}
	if len(in) == len(op.Operands) || len(in) > maxSearched {
		return nil
	}
	return e.Concat(int(op.Int("dimension", 0)), in...)
}

// largeParts returns the operands of a concatenation of a few large arrays, else nil.
func largeParts(v *stablehlo.Value) []*stablehlo.Value {
	d := DefinedBy(v, stablehlo.OpConcatenate)
	if d == nil || len(d.Operands) > maxParts {
		return nil
	}
	for _, x := range d.Operands {
		if n, _ := x.Tensor().NumElems(); n < minPart {
			return nil
		}
	}
	return d.Operands
}

// elementwiseConcatenate computes the parts separately if all operands have such parts or are one
// number.
func elementwiseConcatenate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	var from *stablehlo.Op // the first concatenation
	parts := make([][]*stablehlo.Value, len(op.Operands))
	for i, v := range op.Operands {
		parts[i] = largeParts(v)
		switch {
		case parts[i] == nil && !isOneNumber(v):
			return nil
		case parts[i] == nil:
		case from == nil:
			from = v.Op()
		case !sameParts(from, v.Op()):
			return nil
		}
	}
	if from == nil || len(op.Results) != 1 || !slices.Equal(from.Result().Tensor().Dims, op.Result().Tensor().Dims) {
		return nil
	}
	out := make([]*stablehlo.Value, len(from.Operands))
	for j, x := range from.Operands {
		in := make([]*stablehlo.Value, len(op.Operands))
		for i, v := range op.Operands {
			if in[i] = v; parts[i] != nil {
				in[i] = parts[i][j]
			} else if t := v.Tensor(); t.Rank() > 0 {
				in[i] = e.oneNumber(v, x.Tensor().Dims)
			}
		}
		out[j] = e.As(op, in, op.Result().Tensor().WithDims(x.Tensor().Dims...)).Result()
	}
	return e.Concat(int(from.Int("dimension", 0)), out...)
}

// sameParts reports whether two concatenations have parts of the same sizes.
func sameParts(a, b *stablehlo.Op) bool {
	return a.Int("dimension", 0) == b.Int("dimension", 0) &&
		slices.EqualFunc(a.Operands, b.Operands, func(x, y *stablehlo.Value) bool {
			return slices.Equal(x.Tensor().Dims, y.Tensor().Dims)
		})
}

// isOneNumber reports whether all elements of v are the same: a constant, a scalar, or a broadcast
// scalar.
func isOneNumber(v *stablehlo.Value) bool {
	if _, ok := SplatOf(v); ok || v.Tensor().Rank() == 0 {
		return true
	}
	b := DefinedBy(v, stablehlo.OpBroadcastInDim)
	return b != nil && b.Operands[0].Tensor().Rank() == 0
}

// oneNumber writes such a value with another shape.
func (e Emitter) oneNumber(v *stablehlo.Value, dims []int64) *stablehlo.Value {
	t := v.Tensor().WithDims(dims...)
	if s, ok := SplatOf(v); ok {
		return e.B.Constant(&stablehlo.ElementsAttr{Type: t, Data: s.data, Splat: true})
	}
	return e.Broadcast(v.Op().Operands[0], dims)
}

// reshapeConcatenate reshapes the parts separately, if they are whole rows of the result.
func reshapeConcatenate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	parts := largeParts(op.Operands[0])
	dims := op.Result().Tensor().Dims
	if parts == nil || len(dims) == 0 || op.Operands[0].Op().Int("dimension", 0) != 0 {
		return nil
	}
	row := int64(1)
	for _, n := range dims[1:] {
		row *= n
	}
	out := make([]*stablehlo.Value, len(parts))
	for i, x := range parts {
		n, _ := x.Tensor().NumElems()
		if n%row != 0 {
			return nil
		}
		out[i] = e.Reshape(x, append([]int64{n / row}, dims[1:]...)...)
	}
	return e.Concat(0, out...)
}

// transposeConcatenate transposes the parts separately before they are concatenated: the kernel
// that computes a part writes it transposed, and contractions read it contiguously. The last
// dimension stays the last.
func transposeConcatenate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	parts, perm := largeParts(op.Operands[0]), op.Ints("permutation")
	last := len(perm) - 1
	if parts == nil || perm[last] != int64(last) || !e.usedOnce(op.Operands[0]) {
		return nil
	}
	axis := slices.Index(perm, op.Operands[0].Op().Int("dimension", 0))
	if axis == last {
		return nil
	}
	out := make([]*stablehlo.Value, len(parts))
	for i, x := range parts {
		d := DefinedBy(x, stablehlo.OpAdd)
		if d == nil || !e.usedOnce(x) || !isOneNumber(d.Operands[1]) {
			return nil
		}
		moved := e.Transpose(d.Operands[0], perm...)
		number := e.oneNumber(d.Operands[1], moved.Tensor().Dims)
		out[i] = e.As(d, []*stablehlo.Value{moved, number}, moved.Tensor()).Result()
	}
	return e.Concat(axis, out...)
}

// padded is an operand of a sum of arrays that are zero but for a part each.
type padded struct {
	x        *stablehlo.Value
	at, axis int64
}

// addPads puts the parts of arrays side by side that are padded with 0 and added, as
// gradients of slices are. Each is added to 0 as before, which makes 0 of -0.
func addPads(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	var pads []padded
	sums := 0 // looked at: fewer than the pads they add, so a longer chain has something else
	var find func(v *stablehlo.Value) bool
	find = func(v *stablehlo.Value) bool {
		if a := DefinedBy(v, stablehlo.OpAdd); a != nil && e.usedOnce(v) {
			sums++
			return sums < maxSearched && find(a.Operands[0]) && find(a.Operands[1])
		}
		p, ok := paddedOf(v)
		pads = append(pads, p)
		return ok && p.axis == pads[0].axis && len(pads) <= maxSearched
	}
	if !find(op.Operands[0]) || !find(op.Operands[1]) {
		return nil
	}
	sort.Slice(pads, func(i, j int) bool { return pads[i].at < pads[j].at })
	t, axis := op.Result().Tensor(), pads[0].axis
	end := pads[0].at
	parts := make([]*stablehlo.Value, len(pads))
	for i, p := range pads {
		if p.at != end {
			return nil
		}
		end += p.x.Tensor().Dims[axis]
		if parts[i] = p.x; !IsDiscrete(t.DType()) && !isNeverNegativeZero(p.x) {
			parts[i] = e.Add(p.x, e.Full(p.x.Tensor(), 0))
		}
	}
	dims := slices.Clone(t.Dims)
	dims[axis] = end - pads[0].at
	sum := e.Concat(int(axis), parts...)
	if dims[axis] == t.Dims[axis] {
		return sum
	}
	low, high, none := make([]int64, len(dims)), make([]int64, len(dims)), make([]int64, len(dims))
	low[axis], high[axis] = pads[0].at, t.Dims[axis]-end
	return e.Pad(sum, low, high, none)
}

// paddedOf looks at a value that is padded with 0 at the ends of one dimension.
func paddedOf(v *stablehlo.Value) (p padded, ok bool) {
	d := DefinedBy(v, stablehlo.OpPad)
	if d == nil || !isNumber(v.Tensor().DType()) ||
		!Holds(d.Operands[1], func(s Splat) bool { return s.Is(0) || isZero(s) }) {
		return padded{}, false
	}
	p = padded{x: d.Operands[0], axis: -1}
	for i := range v.Tensor().Dims {
		low, high := d.Ints("edge_padding_low")[i], d.Ints("edge_padding_high")[i]
		switch {
		case low < 0 || high < 0 || d.Ints("interior_padding")[i] != 0:
			return padded{}, false
		case low == 0 && high == 0:
		case p.axis >= 0:
			return padded{}, false
		default:
			p.axis, p.at = int64(i), low
		}
	}
	return p, p.axis >= 0
}

// isNumber reports whether add of the type adds real numbers.
func isNumber(d dtype.Type) bool { return d.IsInteger() || d.IsFloat() }

// isNeverNegativeZero reports whether v is a sum with 0, or consists of such sums.
func isNeverNegativeZero(v *stablehlo.Value) bool {
	d := v.Op()
	switch {
	case d == nil:
		return false
	case d.Code == stablehlo.OpAdd:
		return slices.ContainsFunc(d.Operands, func(x *stablehlo.Value) bool { return Holds(x, subtractsNothing) })
	case d.Code == stablehlo.OpConcatenate:
		return !slices.ContainsFunc(d.Operands, func(x *stablehlo.Value) bool {
			a := DefinedBy(x, stablehlo.OpAdd)
			return a == nil || !isNeverNegativeZero(x)
		})
	}
	return false
}
