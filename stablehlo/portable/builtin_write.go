package portable

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func (w *writer) builtin(parts ...part) *node {
	return w.nodes.add(&node{dialect: "builtin", parts: parts})
}

func (w *writer) builtinT(parts ...part) *node {
	return w.nodes.add(&node{dialect: "builtin", isType: true, parts: parts})
}

// builtinAttr returns an attribute of the builtin dialect, or of another dialect as
// text.
func (w *writer) builtinAttr(a stablehlo.Attr) *node {
	switch a := a.(type) {
	case stablehlo.ArrayAttr:
		nodes := make([]*node, len(a))
		for i, e := range a {
			nodes[i] = w.builtinAttr(e)
		}
		return w.builtin(append([]part{uintOf(bArray)}, refsTo(nodes)...)...)
	case stablehlo.BoolAttr:
		v := byte(0)
		if a {
			v = 1
		}
		return w.builtin(uintOf(bInteger), refTo(w.builtinType(stablehlo.Scalar(dtype.Bool))), byteOf(v))
	case stablehlo.DictAttr:
		named := make([]namedNode, len(a))
		for i, n := range a {
			named[i] = namedNode{n.Name, w.builtinAttr(n.Value)}
		}
		return w.dictionary(named)
	case stablehlo.FloatAttr:
		if d := stablehlo.DType(a.Type); d.IsFloat() {
			return w.builtin(uintOf(bFloat), refTo(w.builtinType(a.Type)), bitsOf(d.FromFloat64(a.Value), d.Bits()))
		}
	case stablehlo.IntAttr:
		if d := stablehlo.DType(a.Type); d.IsInteger() {
			return w.builtin(uintOf(bInteger), refTo(w.builtinType(a.Type)), bitsOf(uint64(a.Value), d.Bits()))
		}
	case stablehlo.StringAttr:
		return w.builtin(uintOf(bString), stringOf(string(a)))
	case stablehlo.SymbolAttr:
		root := refTo(w.builtinAttr(stablehlo.StringAttr(a.Name)))
		if len(a.Nested) == 0 {
			return w.builtin(uintOf(bFlatSymbolRef), root)
		}
		nodes := make([]*node, len(a.Nested))
		for i, n := range a.Nested {
			nodes[i] = w.builtinAttr(stablehlo.Symbol(n))
		}
		return w.builtin(append([]part{uintOf(bSymbolRef), root}, refsTo(nodes)...)...)
	case stablehlo.TypeAttr:
		return w.builtin(uintOf(bType), refTo(w.builtinType(a.Type)))
	case stablehlo.UnitAttr:
		return w.builtin(uintOf(bUnit))
	case stablehlo.LocationAttr:
		return w.location(a.Loc)
	case stablehlo.IntsAttr:
		return w.denseArray(a.Elem, len(a.Values), func(data []byte, i int) { a.Elem.StoreInt(data, i, a.Values[i]) })
	case stablehlo.FloatsAttr:
		return w.denseArray(a.Elem, len(a.Values), func(data []byte, i int) { a.Elem.StoreFloat(data, i, a.Values[i]) })
	case *stablehlo.ElementsAttr:
		return w.builtin(uintOf(bDenseElements), refTo(w.builtinType(a.Type)), blobOf(packed(a)))
	case stablehlo.OpaqueAttr:
		if n := w.sdyNode(a.Text); n != nil {
			return n
		}
		return w.nodes.add(&node{dialect: dialectOf(a.Text), text: "#" + a.Text})
	case stablehlo.EnumAttr:
		return w.nodes.add(&node{dialect: a.Dialect, text: a.String()})
	}
	if text := a.String(); len(text) > 1 && text[0] == '#' { // a structured attribute of a dialect
		return w.nodes.add(&node{dialect: dialectOf(text[1:]), text: text})
	}
	w.fail("bytecode has no form for the attribute %s", a)
	return nil
}

func (w *writer) denseArray(d dtype.Type, n int, store func([]byte, int)) *node {
	data := make([]byte, n*d.Size())
	for i := range n {
		store(data, i)
	}
	return w.builtin(uintOf(bDenseArray), refTo(w.builtinType(stablehlo.Scalar(d))), uintOf(uint64(n)), blobOf(data))
}

// namedNode is an attribute to be written with its name.
type namedNode struct {
	name string
	attr *node
}

func (w *writer) dictionary(named []namedNode) *node {
	parts := []part{uintOf(bDictionary), uintOf(uint64(len(named)))}
	for _, n := range named {
		parts = append(parts, refTo(w.builtinAttr(stablehlo.StringAttr(n.name))), refTo(n.attr))
	}
	return w.builtin(parts...)
}

// builtinType returns a type of the builtin dialect, or of another one as text.
func (w *writer) builtinType(t stablehlo.Type) *node {
	switch t := t.(type) {
	case stablehlo.Scalar:
		switch d := dtype.Type(t); d {
		case dtype.Bool:
			return w.builtinT(uintOf(bIntegerType), uintOf(1<<2))
		case dtype.BF16:
			return w.builtinT(uintOf(bBF16Type))
		case dtype.F16:
			return w.builtinT(uintOf(bF16Type))
		case dtype.F32:
			return w.builtinT(uintOf(bF32Type))
		case dtype.F64:
			return w.builtinT(uintOf(bF64Type))
		default:
			switch {
			case d.IsSigned():
				return w.builtinT(uintOf(bIntegerType), uintOf(uint64(d.Bits())<<2))
			case d.IsUnsigned():
				return w.builtinT(uintOf(bIntegerType), uintOf(uint64(d.Bits())<<2|2))
			case d.IsComplex():
				return w.builtinT(uintOf(bComplexType), refTo(w.builtinType(stablehlo.Scalar(d.Real()))))
			}
		}
	case stablehlo.IndexType:
		return w.builtinT(uintOf(bIndexType))
	case stablehlo.NoneType:
		return w.builtinT(uintOf(bNoneType))
	case *stablehlo.FuncType:
		ins, outs := w.builtinTypes(t.Ins), w.builtinTypes(t.Outs)
		return w.builtinT(append(append([]part{uintOf(bFunctionType)}, refsTo(ins)...), refsTo(outs)...)...)
	case *stablehlo.TensorType:
		if t.Bounds == nil && t.Encoding == nil {
			elem := w.builtinType(t.Elem)
			return w.builtinT(append(append([]part{uintOf(bTensorType)}, intsOf(unknown(t.Dims))...), refTo(elem))...)
		}
	case *stablehlo.UnrankedTensorType:
		return w.builtinT(uintOf(bUnrankedTensorType), refTo(w.builtinType(t.Elem)))
	case *stablehlo.TupleType:
		return w.builtinT(append([]part{uintOf(bTupleType)}, refsTo(w.builtinTypes(t.Elems))...)...)
	}
	text := t.String()
	dialect := "builtin"
	if text[0] == '!' {
		dialect = dialectOf(text[1:])
	}
	return w.nodes.add(&node{dialect: dialect, isType: true, text: text})
}

func (w *writer) builtinTypes(list []stablehlo.Type) []*node {
	out := make([]*node, len(list))
	for i, t := range list {
		out[i] = w.builtinType(t)
	}
	return out
}

// fileRanges is the first version that supports ranges in a file.
var fileRanges = stablehlo.Version{Major: 1, Minor: 9}

// location returns the attribute of a location. Equal parts are shared, so that a
// location is visited once.
func (w *writer) location(l stablehlo.Location) *node {
	if l == nil || w.noLocations {
		return w.builtin(uintOf(bUnknownLoc))
	}
	if n := w.locs[l]; n != nil {
		return n
	}
	name := func(s string) part { return refTo(w.builtinAttr(stablehlo.StringAttr(s))) }
	var n *node
	switch l := l.(type) {
	case *stablehlo.FileLoc:
		line, col := uintOf(uint64(l.Line)), uintOf(uint64(l.Col))
		end := []part{uintOf(uint64(l.EndLine)), uintOf(uint64(l.EndCol))}
		switch {
		case older(w.target, fileRanges), l.EndLine == 0 && l.EndCol == 0, l.EndLine == l.Line && l.EndCol == l.Col:
			n = w.builtin(uintOf(bFileLineColLoc), name(l.File), line, col)
		case l.EndLine == l.Line:
			n = w.builtin(uintOf(bFileLineColRange), name(l.File), uintOf(3), line, col, end[1])
		default:
			n = w.builtin(uintOf(bFileLineColRange), name(l.File), uintOf(4), line, col, end[0], end[1])
		}
	case *stablehlo.NameLoc:
		n = w.builtin(uintOf(bNameLoc), name(l.Name), refTo(w.location(l.Child)))
	case *stablehlo.CallSiteLoc:
		callee := refTo(w.location(l.Callee))
		n = w.builtin(uintOf(bCallSiteLoc), callee, refTo(w.location(l.Caller)))
	case *stablehlo.FusedLoc:
		nodes := make([]*node, len(l.Locs))
		for i, part := range l.Locs {
			nodes[i] = w.location(part)
		}
		if l.Metadata == nil {
			n = w.builtin(append([]part{uintOf(bFusedLoc)}, refsTo(nodes)...)...)
		} else {
			parts := append([]part{uintOf(bFusedLocWithMetadata)}, refsTo(nodes)...)
			n = w.builtin(append(parts, refTo(w.builtinAttr(l.Metadata)))...)
		}
	default:
		panic(fmt.Sprintf("portable: a location of type %T", l))
	}
	w.locs[l] = n
	return n
}
