package onnx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

// castRows are conversions of element types.
func castRows() []row {
	return []row{
		{op: "Cast", run: func(n *node) []Value { return []Value{n.cast(n.castType())} }, strings: true},
		{op: "CastLike", run: castLike, strings: true},
		single("BitCast", bitCast),
	}
}

// typeNames are the element types by their numbers, as Cast of version 1 names them.
var typeNames = []string{"", "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "STRING", "BOOL", "FLOAT16",
	"DOUBLE", "UINT32", "UINT64", "COMPLEX64", "COMPLEX128"}

// castType is the type that Cast converts to.
func (n *node) castType() onnx.DataType {
	a := n.attr("to")
	if a == nil {
		n.fail("it has no type")
	}
	if len(a.String) > 0 {
		i := slices.Index(typeNames, strings.ToUpper(string(a.String)))
		if i < 0 {
			n.fail("there is no type %q", a.String)
		}
		return onnx.DataType(i)
	}
	return onnx.DataType(a.Int)
}

// castLike is CastLike: a Cast to the type of the second operand.
func castLike(n *node) []Value {
	v := n.value(1)
	switch v.kind {
	case stringKind:
		return []Value{n.cast(onnx.StringData)}
	case tensorKind:
		return one(n.castTo(v.t.DType()))
	}
	n.fail("operand 1 is not a tensor")
	return nil
}

// cast is Cast of the first operand. Strings must be known.
func (n *node) cast(to onnx.DataType) Value {
	if to == onnx.StringData {
		return n.toStrings()
	}
	d, err := to.DType()
	if err != nil {
		n.fail("%v", err)
	}
	return Value{t: n.castTo(d)}
}

// castTo is Cast of the first operand to numbers. Floats beyond the range of integers, for which ONNX defines nothing,
// become the nearest ones, but with 2 and 4 bits they wrap around as in its tests; NaN becomes 0.
func (n *node) castTo(d dtype.Type) core.Tensor {
	if n.value(0).kind == stringKind {
		return n.fromStrings(d)
	}
	x := n.in(0)
	from := x.DType()
	saturate := n.attrInt("saturate", 1) != 0
	switch {
	case from == d:
		return x
	case d == dtype.F8E8M0FNU:
		return n.toExponent(x, saturate)
	case d.IsFloat() && d.Size() == 1 && saturate:
		return core.Cast(x, d, core.Saturate)
	case d.IsInteger() && d.Bits() < 8 && from.IsFloat():
		return core.Cast(core.Cast(x, dtype.S32), d)
	}
	return core.Cast(x, d)
}

// toExponent rounds to powers of two: those of the type f8e8m0fnu, which are the exponents of f32.
func (n *node) toExponent(x core.Tensor, saturate bool) core.Tensor {
	bits := core.Bitcast(sameType(x, dtype.F32), dtype.U32)
	exponent := core.BitwiseAnd(core.RightShift(bits, 23), 0xff)
	rest := core.BitwiseAnd(bits, 0x7fffff)
	up := core.Greater(rest, 0)
	switch mode := n.attrString("round_mode", "up"); mode {
	case "up":
	case "down":
		up = core.Less(rest, 0)
	case "nearest":
		up = core.LogicalOr(core.Greater(rest, 0x400000), core.LogicalAnd(core.Equal(rest, 0x400000),
			core.Greater(exponent, 0)))
	default:
		n.fail("round_mode is %q, not up, down or nearest", mode)
	}
	const largest, nan = 254, 255
	rounded := core.Where(core.Equal(exponent, nan), nan, core.Add(exponent, sameType(up, dtype.U32)))
	if saturate {
		rounded = core.Where(core.IsNaN(x), nan, core.Minimum(rounded, largest))
	}
	return core.Bitcast(core.Cast(rounded, dtype.U8), dtype.F8E8M0FNU)
}

// toStrings is Cast to strings of what is known.
func (n *node) toStrings() Value {
	if v := n.value(0); v.kind == stringKind {
		return v
	}
	t := n.data(0)
	list := make([]string, t.Size())
	switch d := t.DType(); {
	case d == dtype.Bool:
		for i, v := range core.Data[bool](t) {
			list[i] = map[bool]string{false: "0", true: "1"}[v]
		}
	case d == dtype.U64:
		for i, v := range core.Data[uint64](t) {
			list[i] = strconv.FormatUint(v, 10)
		}
	case d.IsInteger():
		for i, v := range core.Data[int64](t) {
			list[i] = strconv.FormatInt(v, 10)
		}
	case d.IsFloat():
		bits := 64
		if d != dtype.F64 {
			bits = 32
		}
		for i, v := range core.Data[float64](t) {
			list[i] = strconv.FormatFloat(v, 'g', -1, bits)
		}
	default:
		n.fail("%s has no form as strings", d)
	}
	return StringsValue(dims(t), list)
}

// fromStrings is Cast of strings, which are known, to numbers.
func (n *node) fromStrings(d dtype.Type) core.Tensor {
	v := n.value(0)
	shape := core.Shape(v.shape)
	if d.IsInteger() {
		list := make([]int64, len(v.strings))
		for i, s := range v.strings {
			x, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
			if err != nil {
				f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
				if err != nil {
					n.fail("%q is not a number", s)
				}
				x = int64(f)
			}
			list[i] = x
		}
		return core.Cast(core.FromSlice(list, shape), d)
	}
	list := make([]float64, len(v.strings))
	for i, s := range v.strings {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil && !strings.Contains(err.Error(), "range") {
			n.fail("%q is not a number", s)
		}
		list[i] = x
	}
	return core.Cast(core.FromSlice(list, shape), d)
}

// bitCast is BitCast: the bits as elements of another type of the same width.
func bitCast(n *node) core.Tensor {
	x, d := n.in(0), n.attrType("to", dtype.Invalid)
	switch {
	case x.DType() == d:
		return x
	case x.DType() == dtype.Bool && d.Size() == 1:
		x = core.Cast(x, dtype.U8)
	case d == dtype.Bool && x.DType().Size() == 1:
		return core.NotEqual(core.Bitcast(x, dtype.U8), 0)
	}
	if x.DType() == d {
		return x
	}
	return core.Bitcast(x, d)
}
