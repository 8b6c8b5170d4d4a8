package portable

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// The codes of the attributes of MLIR's builtin dialect.
const (
	bArray = iota
	bDictionary
	bString
	bStringWithType
	bFlatSymbolRef
	bSymbolRef
	bType
	bUnit
	bInteger
	bFloat
	bCallSiteLoc
	bFileLineColLoc
	bFusedLoc
	bFusedLocWithMetadata
	bNameLoc
	bUnknownLoc
	bDenseResource
	bDenseArray
	bDenseElements
	bDenseStrings
	bSparse
	bDistinct
	bFileLineColRange
)

// builtinAttr reads an attribute of the builtin dialect.
func (r *reader) builtinAttr(c *cursor) stablehlo.Attr {
	switch code := c.varint(); code {
	case bArray:
		return stablehlo.ArrayAttr(c.attrs())
	case bDictionary:
		return c.dictionary()
	case bString:
		return stablehlo.StringAttr(c.str())
	case bFlatSymbolRef:
		return stablehlo.Symbol(c.stringAttr())
	case bSymbolRef:
		s := stablehlo.SymbolAttr{Name: c.stringAttr()}
		for _, a := range c.attrs() {
			n, ok := a.(stablehlo.SymbolAttr)
			if !ok {
				c.fail("a part of a symbol must be a symbol")
			}
			s.Nested = append(s.Nested, n.Name)
		}
		return s
	case bType:
		return stablehlo.TypeAttr{Type: c.typ()}
	case bUnit:
		return stablehlo.UnitAttr{}
	case bInteger:
		return c.number(c.typ())
	case bFloat:
		return c.number(c.typ())
	case bCallSiteLoc:
		l := &stablehlo.CallSiteLoc{Callee: c.location()}
		l.Caller = c.location()
		return stablehlo.LocationAttr{Loc: l}
	case bFileLineColLoc:
		l := &stablehlo.FileLoc{File: c.stringAttr()}
		l.Line, l.Col = c.line(), c.line()
		return stablehlo.LocationAttr{Loc: l}
	case bFileLineColRange:
		return stablehlo.LocationAttr{Loc: c.fileRange()}
	case bFusedLoc, bFusedLocWithMetadata:
		l := &stablehlo.FusedLoc{}
		for range c.count(1, "locations") {
			l.Locs = append(l.Locs, c.location())
		}
		if code == bFusedLocWithMetadata {
			l.Metadata = c.attr()
		}
		return stablehlo.LocationAttr{Loc: l}
	case bNameLoc:
		l := &stablehlo.NameLoc{Name: c.stringAttr()}
		l.Child = c.location()
		return stablehlo.LocationAttr{Loc: l}
	case bUnknownLoc:
		return stablehlo.LocationAttr{}
	case bDenseResource:
		t := c.tensor(c.typ())
		return c.elements(t, r.resources[c.index(len(r.resources), "resource")].blob())
	case bDenseArray:
		return c.denseArray()
	case bDenseElements:
		t := c.tensor(c.typ())
		return c.elements(t, c.blob())
	default:
		c.fail("the attribute with code %d of the builtin dialect is not supported", code)
		return nil
	}
}

// line reads a line or column number.
func (c *cursor) line() int {
	at := c.off
	v := c.varint()
	if v > 1<<31 {
		c.r.failAt(at, "a line or column must be at most 2^31, got %d", v)
	}
	return int(v)
}

// fileRange reads a range in a file: empty, a line, a line and a column, a line and two columns, or two of
// each.
func (c *cursor) fileRange() *stablehlo.FileLoc {
	l := &stablehlo.FileLoc{File: c.stringAttr()}
	n := c.count(1, "numbers")
	v := make([]int, n)
	for i := range v {
		v[i] = c.line()
	}
	switch n {
	case 0:
	case 1:
		l.Line = v[0]
	case 2:
		l.Line, l.Col = v[0], v[1]
	case 3:
		l.Line, l.Col, l.EndLine, l.EndCol = v[0], v[1], v[0], v[2]
	case 4:
		l.Line, l.Col, l.EndLine, l.EndCol = v[0], v[1], v[2], v[3]
	default:
		c.fail("a source range must have at most 4 numbers, got %d", n)
	}
	return l
}

// dictionary reads names and attributes; the names are references to strings.
func (c *cursor) dictionary() stablehlo.DictAttr {
	d := make(stablehlo.DictAttr, c.count(2, "attributes"))
	for i := range d {
		d[i].Name = c.stringAttr()
		d[i].Value = c.attr()
	}
	sortByName(d)
	for i := 1; i < len(d); i++ {
		if d[i].Name == d[i-1].Name {
			c.fail("attribute %q occurs twice", d[i].Name)
		}
	}
	return d
}

// number reads an integer or a float of the type.
func (c *cursor) number(t stablehlo.Type) stablehlo.Attr {
	if _, ok := t.(stablehlo.IndexType); ok {
		return stablehlo.IntAttr{Value: int64(c.integer(64)), Type: t}
	}
	s, ok := t.(stablehlo.Scalar)
	d := dtype.Type(s)
	switch {
	case !ok:
	case d == dtype.Bool:
		return stablehlo.BoolAttr(c.integer(1) != 0)
	case d.IsInteger():
		v := int64(c.integer(d.Bits()))
		if shift := 64 - d.Bits(); d.IsSigned() {
			v = v << shift >> shift
		}
		return stablehlo.IntAttr{Value: v, Type: t}
	case d.IsFloat():
		return stablehlo.FloatAttr{Value: d.Float64(c.integer(d.Bits())), Type: t}
	}
	c.fail("a number of type %s", t)
	return nil
}

// denseArray reads array<i64: 1, 2>.
func (c *cursor) denseArray() stablehlo.Attr {
	t := c.typ()
	n := c.varint()
	data := c.blob()
	s, ok := t.(stablehlo.Scalar)
	d := dtype.Type(s)
	if !ok || d.Size() == 0 || n != uint64(len(data)/d.Size()) || len(data)%d.Size() != 0 {
		c.fail("%d bytes do not hold an array of %d elements of type %s", len(data), n, t)
	}
	if d.IsFloat() {
		a := stablehlo.FloatsAttr{Elem: d, Values: make([]float64, n)}
		for i := range a.Values {
			a.Values[i] = d.LoadFloat(data, i)
		}
		return a
	}
	if d != dtype.Bool && !d.IsInteger() {
		c.fail("an array of elements of type %s", t)
	}
	a := stablehlo.IntsAttr{Elem: d, Values: make([]int64, n)}
	for i := range a.Values {
		a.Values[i] = d.LoadInt(data, i)
	}
	return a
}

// tensor requires a tensor type.
func (c *cursor) tensor(t stablehlo.Type) *stablehlo.TensorType {
	tensor, ok := t.(*stablehlo.TensorType)
	if !ok {
		c.fail("a constant of type %s", t)
	}
	return tensor
}

// elements returns a constant. Its bytes stay those of the file, except that bools,
// which are packed eight to a byte, and integers below a byte take one each.
func (c *cursor) elements(t *stablehlo.TensorType, data []byte) stablehlo.Attr {
	n, ok := t.NumElems()
	if !ok {
		c.fail("a constant of type %s", t)
	}
	if t.DType() == dtype.Bool {
		switch {
		case len(data) == 1 && (data[0] == 0xFF || data[0] == 0 && n > 8): // stands for all
			data = []byte{data[0] & 1}
		case n > 0 && int64(len(data)) == (n-1)/8+1 && int64(len(data)) != n, n == 1 && len(data) == 1:
			packed := data
			data = make([]byte, n)
			for i := range data {
				data[i] = packed[i/8] >> (i % 8) & 1
			}
		}
	}
	a, err := stablehlo.RawElements(t, data)
	if err != nil {
		c.fail("%v", err)
	}
	return a
}

// The codes of the types of MLIR's builtin dialect.
const (
	bIntegerType = iota
	bIndexType
	bFunctionType
	bBF16Type
	bF16Type
	bF32Type
	bF64Type
	bF80Type
	bF128Type
	bComplexType
	bMemRefType
	bMemRefSpaceType
	bNoneType
	bTensorType
	bTensorEncodingType
	bTupleType
	bUnrankedMemRefType
	bUnrankedMemRefSpaceType
	bUnrankedTensorType
)

// builtinType reads a type of the builtin dialect.
func (r *reader) builtinType(c *cursor) stablehlo.Type {
	switch code := c.varint(); code {
	case bIntegerType:
		return c.integerType()
	case bIndexType:
		return stablehlo.IndexType{}
	case bFunctionType:
		f := &stablehlo.FuncType{Ins: c.types()}
		f.Outs = c.types()
		return f
	case bBF16Type:
		return stablehlo.Scalar(dtype.BF16)
	case bF16Type:
		return stablehlo.Scalar(dtype.F16)
	case bF32Type:
		return stablehlo.Scalar(dtype.F32)
	case bF64Type:
		return stablehlo.Scalar(dtype.F64)
	case bComplexType:
		return c.complexOf(c.typ())
	case bNoneType:
		return stablehlo.NoneType{}
	case bTensorType:
		return c.tensorType(nil)
	case bTensorEncodingType:
		return c.tensorType(c.attr())
	case bTupleType:
		return &stablehlo.TupleType{Elems: c.types()}
	case bUnrankedTensorType:
		return &stablehlo.UnrankedTensorType{Elem: c.typ()}
	default:
		c.fail("the type with code %d of the builtin dialect is not supported", code)
		return nil
	}
}

// integerType reads the width and the signedness of an integer type.
func (c *cursor) integerType() stablehlo.Type {
	at := c.off
	v := c.varint()
	prefix := map[uint64]string{0: "i", 1: "si", 2: "ui"}[v&3]
	if v>>2 == 0 || v>>2 > 1<<24 || prefix == "" {
		c.r.failAt(at, "there is no integer type of %d bits", v>>2)
	}
	var text [24]byte
	t, err := stablehlo.ParseType(string(appendUint(append(text[:0], prefix...), v>>2)))
	if err != nil {
		c.r.failAt(at, "%v", err)
	}
	return t
}

// complexOf returns the complex type of a float type.
func (c *cursor) complexOf(t stablehlo.Type) stablehlo.Type {
	switch t {
	case stablehlo.Scalar(dtype.F32):
		return stablehlo.Scalar(dtype.C64)
	case stablehlo.Scalar(dtype.F64):
		return stablehlo.Scalar(dtype.C128)
	}
	return stablehlo.OtherType{Text: "complex<" + t.String() + ">"}
}

// unknownSize is an unknown dimension in bytecode.
const unknownSize = -1 << 63

// dims reads the sizes of a shape.
func (c *cursor) dims() []int64 {
	at := c.off
	dims := c.svarints()
	for i, d := range dims {
		switch {
		case d == unknownSize || d == -1: // -1 was written before LLVM 16
			dims[i] = stablehlo.Dynamic
		case d < 0:
			c.r.failAt(at, "a dimension has the invalid size %d", d)
		}
	}
	return dims
}

// tensorType reads shape and element type of a tensor.
func (c *cursor) tensorType(encoding stablehlo.Attr) stablehlo.Type {
	t := &stablehlo.TensorType{Dims: c.dims()}
	t.Elem = c.typ()
	bounds, ok := encoding.(stablehlo.IntsAttr) // as the type extensions of VHLO are read
	if !ok {
		t.Encoding = encoding
		return t
	}
	if len(bounds.Values) != len(t.Dims) {
		c.fail("there are %d bounds for %d dimensions", len(bounds.Values), len(t.Dims))
	}
	t.Bounds = bounds.Values
	return t
}

func (c *cursor) bounds() stablehlo.Attr {
	return stablehlo.I64s(c.dims()...)
}
