package stablehlo

import (
	"strconv"

	"github.com/go-nx/nx/dtype"
)

func (t Scalar) String() string              { return string(appendType(nil, t)) }
func (IndexType) String() string             { return "index" }
func (t *QuantType) String() string          { return string(appendType(nil, t)) }
func (t *TensorType) String() string         { return string(appendType(nil, t)) }
func (t *UnrankedTensorType) String() string { return string(appendType(nil, t)) }
func (TokenType) String() string             { return "!stablehlo.token" }
func (t *TupleType) String() string          { return string(appendType(nil, t)) }
func (t *BufferType) String() string         { return string(appendType(nil, t)) }
func (t *FutureType) String() string         { return string(appendType(nil, t)) }
func (t *FuncType) String() string           { return string(appendType(nil, t)) }
func (NoneType) String() string              { return "none" }
func (t OtherType) String() string           { return t.Text }

func appendType(b []byte, t Type) []byte {
	switch t := t.(type) {
	case Scalar:
		return append(b, scalarNames.Get(nameScalars)[dtype.Type(t)]...)
	case *TensorType:
		b = appendDims(append(b, "tensor<"...), t.Dims)
		b = appendType(b, t.Elem)
		if t.Bounds != nil {
			b = appendBounds(append(b, ", #"...), t.Bounds)
		} else if t.Encoding != nil {
			b = appendAttr(append(b, ", "...), t.Encoding)
		}
		return append(b, '>')
	case *UnrankedTensorType:
		return append(appendType(append(b, "tensor<*x"...), t.Elem), '>')
	case *QuantType:
		return appendQuant(b, t)
	case *TupleType:
		return append(appendTypes(append(b, "tuple<"...), t.Elems), '>')
	case *FutureType:
		return append(appendTypes(append(b, "!stablehlo.future<"...), t.Elems), '>')
	case *BufferType:
		b = appendType(appendDims(append(b, "memref<"...), t.Dims), t.Elem)
		if t.Rest != "" {
			b = append(append(b, ", "...), t.Rest...)
		}
		return append(b, '>')
	case *FuncType:
		b = append(appendTypes(append(b, '('), t.Ins), ") -> "...)
		if len(t.Outs) == 1 && !isFuncType(t.Outs[0]) {
			return appendType(b, t.Outs[0])
		}
		return append(appendTypes(append(b, '('), t.Outs), ')')
	case nil:
		return append(b, "<no type>"...)
	}
	return append(b, t.String()...)
}

func appendTypes(b []byte, types []Type) []byte {
	for i, t := range types {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendType(b, t)
	}
	return b
}

// appendDims appends 2x?x.
func appendDims(b []byte, dims []int64) []byte {
	for _, d := range dims {
		b = append(appendSize(b, d), 'x')
	}
	return b
}

// appendSize appends a size, "?" for an unknown one.
func appendSize(b []byte, d int64) []byte {
	if d == Dynamic {
		return append(b, '?')
	}
	return appendDecimal(b, d)
}

func appendDecimal(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// appendBounds appends stablehlo.bounds<3, ?>.
func appendBounds(b []byte, bounds []int64) []byte {
	b = append(b, "stablehlo.bounds<"...)
	for i, d := range bounds {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendSize(b, d)
	}
	return append(b, '>')
}

// appendQuant appends !quant.uniform<i8<-127:127>:f32:1, {0.1:2, 0.2}>; the storage range is printed only if
// it is not that of the storage type.
func appendQuant(b []byte, q *QuantType) []byte {
	b = append(b, "!quant.uniform<"...)
	if q.Storage.IsUnsigned() {
		b = append(b, 'u')
	} else {
		b = append(b, 'i')
	}
	b = appendDecimal(b, int64(q.Storage.Bits()))
	if lo, hi := intRange(q.Storage); q.Min != lo || q.Max != hi {
		b = appendDecimal(append(b, '<'), q.Min)
		b = append(appendDecimal(append(b, ':'), q.Max), '>')
	}
	b = appendType(append(b, ':'), Scalar(q.Expressed))
	if q.IsPerAxis() {
		b = appendDecimal(append(b, ':'), int64(q.Axis))
		b = append(b, ", {"...)
	} else {
		b = append(b, ", "...)
	}
	for i, scale := range q.Scales {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendFloat(b, dtype.F64, dtype.F64.FromFloat64(scale))
		if i < len(q.ZeroPoints) && q.ZeroPoints[i] != 0 {
			b = appendDecimal(append(b, ':'), q.ZeroPoints[i])
		}
	}
	if q.IsPerAxis() {
		b = append(b, '}')
	}
	return append(b, '>')
}
