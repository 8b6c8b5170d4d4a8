package stablehlo

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// holds reports whether a is of the kind of the spec; dialect is that of the op.
func (s *AttrSpec) holds(a Attr, dialect string) bool {
	switch s.Kind {
	case AttrI32:
		return isIntAttr(a, dtype.S32)
	case AttrI64:
		return isIntAttr(a, dtype.S64)
	case AttrU32:
		return isIntAttr(a, dtype.U32)
	case AttrU64:
		return isIntAttr(a, dtype.U64)
	case AttrF32:
		return isFloatAttr(a, dtype.F32)
	case AttrF64:
		return isFloatAttr(a, dtype.F64)
	case AttrInts:
		return isInts(a, dtype.S64)
	case AttrInts32:
		return isInts(a, dtype.S32)
	case AttrBools:
		return isInts(a, dtype.Bool)
	case AttrIntElems:
		return isElems(a, Scalar(dtype.S64))
	case AttrEnum:
		return isEnum(a, dialect, s.Enum)
	case AttrStruct:
		return isStruct(a, dialect, s.Enum)
	case AttrEnums:
		return isArrayOf(a, func(e Attr) bool { return isEnum(e, dialect, s.Enum) })
	case AttrStructs:
		return isArrayOf(a, func(e Attr) bool { return isStruct(e, dialect, s.Enum) })
	case AttrSymbols:
		return isArrayOf(a, isA[SymbolAttr])
	case AttrSymbolLists:
		return isArrayOf(a, func(e Attr) bool { return isArrayOf(e, isA[SymbolAttr]) })
	case AttrLayouts:
		return isArrayOf(a, isIndexVector)
	case AttrTilings:
		return isArrayOf(a, func(e Attr) bool { return isArrayOf(e, isIndexVector) })
	}
	return s.holdsAny(a)
}

// holdsAny is holds for the kinds that a Go type decides.
func (s *AttrSpec) holdsAny(a Attr) bool {
	switch s.Kind {
	case AttrBool:
		return isA[BoolAttr](a)
	case AttrUnit:
		return isA[UnitAttr](a) || isA[BoolAttr](a)
	case AttrString:
		return isA[StringAttr](a)
	case AttrSymbol:
		return isA[SymbolAttr](a)
	case AttrType:
		return isA[TypeAttr](a)
	case AttrElems:
		return isA[*ElementsAttr](a)
	case AttrArray:
		return isA[ArrayAttr](a)
	case AttrDict:
		return isA[DictAttr](a)
	case AttrStringOrDict:
		return isA[StringAttr](a) || isA[DictAttr](a)
	case AttrTyped:
		return isA[IntAttr](a) || isA[FloatAttr](a) || isA[BoolAttr](a) || isA[*ElementsAttr](a)
	case AttrGroups:
		return isElems(a, Scalar(dtype.S64)) || isA[*ReplicaGroupMeshAxes](a)
	}
	return s.Kind == AnyAttr
}

func isA[T Attr](a Attr) bool { _, ok := a.(T); return ok }

func isIntAttr(a Attr, d dtype.Type) bool {
	i, ok := a.(IntAttr)
	return ok && SameType(i.Type, Scalar(d))
}

func isFloatAttr(a Attr, d dtype.Type) bool {
	f, ok := a.(FloatAttr)
	return ok && SameType(f.Type, Scalar(d))
}

func isInts(a Attr, d dtype.Type) bool {
	i, ok := a.(IntsAttr)
	return ok && (i.Elem == d || len(i.Values) == 0)
}

func isElems(a Attr, elem Type) bool {
	e, ok := a.(*ElementsAttr)
	return ok && e.Type != nil && SameType(e.Type.Elem, elem)
}

func isEnum(a Attr, dialect, kind string) bool {
	e, ok := a.(EnumAttr)
	return ok && e.Dialect == dialect && e.Kind == kind && slices.Contains(EnumKeywords(kind), e.Value)
}

func isStruct(a Attr, dialect, kind string) bool {
	s, ok := a.(structAttr)
	if !ok {
		return false
	}
	d, k := s.mnemonic()
	return d == dialect && k == kind
}

func isArrayOf(a Attr, holds func(Attr) bool) bool {
	list, ok := a.(ArrayAttr)
	return ok && !slices.ContainsFunc(list, func(e Attr) bool { return !holds(e) })
}

func isIndexVector(a Attr) bool {
	e, ok := a.(*ElementsAttr)
	return ok && e.Type != nil && e.Type.Rank() == 1 && SameType(e.Type.Elem, IndexType{})
}

// attrKindTexts describes each kind in words.
var attrKindTexts = [...]string{
	AnyAttr: "any attribute",
	AttrI32: "an i32", AttrI64: "an i64", AttrU32: "a ui32", AttrU64: "a ui64",
	AttrF32: "an f32", AttrF64: "an f64", AttrTyped: "a number or elements",
	AttrBool: "true or false", AttrUnit: "present or absent", AttrString: "a string",
	AttrSymbol: "a symbol (@name)", AttrType: "a type",
	AttrInts: "array<i64: …>", AttrInts32: "array<i32: …>", AttrBools: "array<i1: …>",
	AttrIntElems: "dense elements of i64", AttrElems: "dense elements",
	AttrArray: "an array", AttrSymbols: "an array of symbols", AttrSymbolLists: "an array of arrays of symbols",
	AttrLayouts: "an array of dense vectors of index", AttrTilings: "an array of arrays of dense vectors of index",
	AttrDict: "a dictionary", AttrStringOrDict: "a string or a dictionary",
	AttrGroups: "dense elements of i64 or #stablehlo.replica_group_mesh_axes<…>",
}

// KindText describes in words the required kind of the attribute.
func (s *AttrSpec) KindText() string {
	switch s.Kind {
	case AttrEnum:
		return fmt.Sprintf("a %s: %s", s.Enum, orList(EnumKeywords(s.Enum)))
	case AttrEnums:
		return fmt.Sprintf("an array of %s: %s", s.Enum, orList(EnumKeywords(s.Enum)))
	case AttrStruct:
		return "#" + strings.TrimPrefix(s.Enum, "#") + "<…>"
	case AttrStructs:
		return "an array of #" + s.Enum + "<…>"
	}
	return attrKindTexts[s.Kind]
}

// attrPos returns the source position of an attribute of the current op: that of its name, or that of the op
// when the text does not contain the name.
func (v *verifier) attrPos(op *Op, name string) Pos {
	if v == nil || v.source == nil || op.pos == 0 || v.next < op.pos || len(op.Regions) > 0 {
		return op.pos
	}
	text := v.source.Text[op.pos-1 : v.next-1]
	for at := 0; ; at += len(name) {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return op.pos
		}
		at += i
		starts := at == 0 || bytes.IndexByte([]byte(" {<,\n\t"), text[at-1]) >= 0
		if starts && bytes.HasPrefix(bytes.TrimLeft(text[at+len(name):], " "), []byte("=")) {
			return op.pos + Pos(at)
		}
	}
}

// failAttr reports a violation at the position of an attribute.
func (c *check) failAttr(name, constraint, format string, args ...any) {
	c.failed = true
	c.report(c.Op, Diagnostic{Pos: c.verifier.attrPos(c.Op, name), Loc: c.Loc, Constraint: constraint,
		Message: c.Name() + ": " + fmt.Sprintf(format, args...)})
}

// structured checks the constraints inside a structured attribute.
func (c *check) structured(name string, a Attr) bool {
	switch a := a.(type) {
	case *ResultAccuracy:
		if why := accuracyError(a); why != "" {
			c.failAttr(name, "", "%s: %s", name, why)
			return false
		}
	case *DotAlgorithm:
		if id, why := algorithmError(a); why != "" {
			c.failAttr(name, id, "%s: %s", name, why)
			return false
		}
	case *ElementsAttr:
		if !elementsFit(a) {
			c.failAttr(name, "", "%s: the data do not have the size of the type", name)
			return false
		}
	}
	return true
}

// accuracyError describes the error in the requested accuracy of a function.
func accuracyError(a *ResultAccuracy) string {
	if !(a.ATol >= 0) || !(a.RTol >= 0) || a.ULPs < 0 {
		return "tolerances must not be negative"
	}
	if a.Mode.Value != "TOLERANCE" && (a.ATol != 0 || a.RTol != 0 || a.ULPs != 0) {
		return "only mode TOLERANCE has tolerances"
	}
	return ""
}

// elementsFit reports whether the data of a have the size of its type.
func elementsFit(a *ElementsAttr) bool {
	if a.Type == nil {
		return false
	}
	n, ok := a.Type.NumElems()
	if a.Splat {
		n = 1
	}
	size := int64(a.Type.DType().Size())
	return ok && size > 0 && n <= math.MaxInt64/size && int64(len(a.Data)) == n*size
}
