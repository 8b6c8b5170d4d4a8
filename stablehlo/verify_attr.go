package stablehlo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// holds reports whether a is of the kind that the spec asks for; dialect is
// that of the op.
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
	return ok && SameType(e.Type.Elem, elem)
}

func isEnum(a Attr, dialect, kind string) bool {
	e, ok := a.(EnumAttr)
	return ok && e.Dialect == dialect && e.Kind == kind && slices.Contains(enumKeywords[kind], e.Value)
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
	return ok && e.Type.Rank() == 1 && SameType(e.Type.Elem, IndexType{})
}

// attrKindTexts says in words what each kind is.
var attrKindTexts = map[AttrKind]string{
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

// KindText says in words what the attribute must be.
func (s *AttrSpec) KindText() string {
	switch s.Kind {
	case AttrEnum:
		return fmt.Sprintf("a %s: %s", s.Enum, orList(enumKeywords[s.Enum]))
	case AttrEnums:
		return fmt.Sprintf("an array of %s: %s", s.Enum, orList(enumKeywords[s.Enum]))
	case AttrStruct:
		return "#" + strings.TrimPrefix(s.Enum, "#") + "<…>"
	case AttrStructs:
		return "an array of #" + s.Enum + "<…>"
	}
	return attrKindTexts[s.Kind]
}

// structured checks the constraints inside a structured attribute.
func (c *check) structured(name string, a Attr) bool {
	switch a := a.(type) {
	case *ResultAccuracy:
		return c.resultAccuracy(a)
	case *DotAlgorithm:
		return c.dotAlgorithm(a)
	case *ElementsAttr:
		return c.require(elementsFit(a), "", "attribute %s: the data do not have the size of %s", name, a.Type)
	}
	return true
}

func (c *check) resultAccuracy(a *ResultAccuracy) bool {
	if a.ATol < 0 || a.RTol < 0 || a.ULPs < 0 || math.IsNaN(a.ATol) || math.IsNaN(a.RTol) {
		c.fail("", "result_accuracy: negative tolerance")
		return false
	}
	none := a.ATol == 0 && a.RTol == 0 && a.ULPs == 0
	return c.require(none || a.Mode.Value == "TOLERANCE", "",
		"result_accuracy: mode %s must have no tolerances", a.Mode.Value)
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
