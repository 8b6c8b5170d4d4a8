package stablehlo

import (
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

func (a IntAttr) String() string               { return string(appendAttr(nil, a)) }
func (a FloatAttr) String() string             { return string(appendAttr(nil, a)) }
func (a BoolAttr) String() string              { return strconv.FormatBool(bool(a)) }
func (a StringAttr) String() string            { return string(appendString(nil, string(a))) }
func (a UnitAttr) String() string              { return "unit" }
func (a TypeAttr) String() string              { return string(appendType(nil, a.Type)) }
func (a SymbolAttr) String() string            { return string(appendAttr(nil, a)) }
func (a ArrayAttr) String() string             { return string(appendAttr(nil, a)) }
func (a DictAttr) String() string              { return string(appendAttr(nil, a)) }
func (a IntsAttr) String() string              { return string(appendAttr(nil, a)) }
func (a FloatsAttr) String() string            { return string(appendAttr(nil, a)) }
func (a *ElementsAttr) String() string         { return string(appendAttr(nil, a)) }
func (a EnumAttr) String() string              { return string(appendAttr(nil, a)) }
func (a OpaqueAttr) String() string            { return string(appendAttr(nil, a)) }
func (a LocationAttr) String() string          { return string(appendAttr(nil, a)) }
func (a *DotDims) String() string              { return string(appendStruct(nil, a)) }
func (a *GatherDims) String() string           { return string(appendStruct(nil, a)) }
func (a *ScatterDims) String() string          { return string(appendStruct(nil, a)) }
func (a *ConvDims) String() string             { return string(appendStruct(nil, a)) }
func (a *DotAlgorithm) String() string         { return string(appendStruct(nil, a)) }
func (a *RaggedDotDims) String() string        { return string(appendStruct(nil, a)) }
func (a *ChannelHandle) String() string        { return string(appendStruct(nil, a)) }
func (a *OutputOperandAlias) String() string   { return string(appendStruct(nil, a)) }
func (a *ResultAccuracy) String() string       { return string(appendStruct(nil, a)) }
func (a *AxisRef) String() string              { return string(appendStruct(nil, a)) }
func (a *MeshAxis) String() string             { return string(appendStruct(nil, a)) }
func (a *Mesh) String() string                 { return string(appendStruct(nil, a)) }
func (a *ReplicaGroupMeshAxes) String() string { return string(appendStruct(nil, a)) }

func appendAttr(b []byte, a Attr) []byte {
	switch a := a.(type) {
	case IntAttr:
		b = appendInt(b, a.Value, a.Type)
		return appendType(append(b, " : "...), a.Type)
	case FloatAttr:
		d := DType(a.Type)
		b = appendFloat(b, d, d.FromFloat64(a.Value))
		return appendType(append(b, " : "...), a.Type)
	case StringAttr:
		return appendString(b, string(a))
	case TypeAttr:
		return appendType(b, a.Type)
	case SymbolAttr:
		b = appendSymbol(b, a.Name)
		for _, s := range a.Nested {
			b = appendSymbol(append(b, "::"...), s)
		}
		return b
	case ArrayAttr:
		return appendAttrs(b, a)
	case DictAttr:
		return appendDict(b, a)
	case IntsAttr:
		return appendIntsAttr(b, a)
	case FloatsAttr:
		b = append(append(b, "array<"...), scalarNames.Get(nameScalars)[a.Elem]...)
		for i, v := range a.Values {
			b = appendFloat(append(b, separator(i)...), a.Elem, a.Elem.FromFloat64(v))
		}
		return append(b, '>')
	case *ElementsAttr:
		return appendElements(b, a)
	case EnumAttr:
		b = append(append(b, '#'), a.Dialect...)
		if a.Kind == "result_accuracy_mode" { // the only one with its own name
			b = append(append(append(b, '.'), a.Kind...), '<')
		} else {
			b = append(append(append(b, '<'), a.Kind...), ' ')
		}
		return append(append(b, a.Value...), '>')
	case HostAttr:
		return appendAttr(b, a.opaque())
	case OpaqueAttr:
		if !isOpaqueWord(a.Text) {
			b = append(b, '#')
		}
		return append(b, a.Text...)
	case LocationAttr:
		return append(appendLocation(append(b, "loc("...), a.Loc), ')')
	case structAttr:
		return appendStruct(b, a)
	case nil:
		return append(b, "<no attribute>"...)
	}
	return append(b, a.String()...)
}

// isOpaqueWord reports whether the text is affine_map<…> or another attribute of
// MLIR itself, which has no "#".
func isOpaqueWord(text string) bool {
	n := strings.IndexAny(text, "<[")
	if n < 0 {
		return false
	}
	switch text[:n] {
	case "affine_map", "affine_set", "strided", "distinct":
		return true
	}
	return false
}

func separator(i int) string {
	if i == 0 {
		return ": "
	}
	return ", "
}

// appendInt appends an integer of type t without the type.
func appendInt(b []byte, v int64, t Type) []byte {
	d := DType(t)
	if d.IsUnsigned() {
		return strconv.AppendUint(b, uint64(v), 10)
	}
	if d == dtype.Bool {
		return strconv.AppendBool(b, v != 0)
	}
	return appendDecimal(b, v)
}

// appendInts appends [1, 2].
func appendInts(b []byte, vals []int64) []byte {
	b = append(b, '[')
	for i, v := range vals {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendDecimal(b, v)
	}
	return append(b, ']')
}

// appendBools appends [true, false].
func appendBools(b []byte, vals []int64) []byte {
	b = append(b, '[')
	for i, v := range vals {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendBool(b, v != 0)
	}
	return append(b, ']')
}

func appendIntsAttr(b []byte, a IntsAttr) []byte {
	b = append(append(b, "array<"...), scalarNames.Get(nameScalars)[a.Elem]...)
	for i, v := range a.Values {
		b = append(b, separator(i)...)
		if a.Elem == dtype.Bool {
			b = strconv.AppendBool(b, v != 0)
		} else {
			b = appendDecimal(b, v)
		}
	}
	return append(b, '>')
}

func appendAttrs(b []byte, list []Attr) []byte {
	b = append(b, '[')
	for i, a := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendAttr(b, a)
	}
	return append(b, ']')
}

func appendDict(b []byte, d DictAttr) []byte {
	b = append(b, '{')
	for i, a := range d {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendKey(b, a.Name)
		if _, unit := a.Value.(UnitAttr); !unit {
			b = appendAttr(append(b, " = "...), a.Value)
		}
	}
	return append(b, '}')
}

// appendKey appends the name of an attribute, quoted unless it is an identifier.
func appendKey(b []byte, name string) []byte {
	if isIdent(name) {
		return append(b, name...)
	}
	return appendString(b, name)
}

// isIdent reports whether s is an identifier: a letter or "_" and then letters,
// digits, "_", "$" and ".".
func isIdent(s string) bool {
	if s == "" || byteClass[s[0]]&clsLetter == 0 {
		return false
	}
	for i := range len(s) {
		if byteClass[s[i]]&(clsLetter|clsDigit|clsPunct) == 0 {
			return false
		}
	}
	return true
}

// appendSymbol appends @name or @"any text".
func appendSymbol(b []byte, name string) []byte {
	b = append(b, '@')
	if isIdent(name) {
		return append(b, name...)
	}
	return appendString(b, name)
}

const hexDigits = "0123456789ABCDEF"

// appendString appends a literal with everything but printable ASCII as \XX.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c >= ' ' && c < 0x7F && c != '"':
			b = append(b, c)
		default:
			b = append(b, '\\', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(b, '"')
}

// appendStruct appends #stablehlo.dot<…>.
func appendStruct(b []byte, a structAttr) []byte {
	dialect, name := a.mnemonic()
	b = append(append(b, '#'), dialect...)
	b = append(append(b, '.'), name...)
	return appendFields(b, a)
}

// appendFields appends <field = value, …>.
func appendFields(b []byte, a structAttr) []byte {
	b = append(b, '<')
	if c, ok := a.(*ConvDims); ok {
		mark := len(b)
		if b, ok = appendConvDims(b, c); ok {
			return append(b, '>')
		}
		b = append(b[:mark], "raw "...)
	}
	first := true
	for _, f := range a.fields() {
		if f.optional && f.isZero() {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(append(b, f.name...), " = "...)
		b = f.append(b)
	}
	return append(b, '>')
}

// isZero reports whether the field holds the value that it has when left out.
func (f field) isZero() bool {
	switch at := f.at.(type) {
	case *[]int64:
		return len(*at) == 0
	case *int64:
		return *at == 0
	case *float64:
		return dtype.F64.FromFloat64(*at) == 0
	case *Attr:
		return *at == nil
	case *subAxis:
		return at.Size == 0 && at.PreSize == 0
	}
	return false
}

// append appends the value of the field.
func (f field) append(b []byte) []byte {
	switch at := f.at.(type) {
	case *[]int64:
		b = append(b, '[')
		for i, d := range *at {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendSize(b, d)
		}
		return append(b, ']')
	case *int64:
		return appendDecimal(b, *at)
	case *bool:
		return strconv.AppendBool(b, *at)
	case *float64:
		return appendFloat(b, dtype.F64, dtype.F64.FromFloat64(*at))
	case *string:
		return appendString(b, *at)
	case *Type:
		return appendType(b, *at)
	case *Attr:
		return appendAttr(b, *at)
	case *[]Attr:
		return appendAttrs(b, *at)
	case *EnumAttr:
		return appendAttr(b, *at)
	case *subAxis:
		return appendDecimal(append(appendDecimal(append(b, '('), at.PreSize), ')'), at.Size)
	}
	return b
}
