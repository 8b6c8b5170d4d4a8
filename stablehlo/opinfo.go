package stablehlo

import "fmt"

// Version is a StableHLO version.
type Version struct{ Major, Minor, Patch int }

// String returns "1.20.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Current is the version of the specification that the table holds.
var Current = Version{1, 20, 0}

// OpInfo is the row of an op: all facts about its form. Its constraints and
// its type inference are the functions of check_*.go; the table and those are
// the source of docs/ops.md.
type OpInfo struct {
	Name     string
	Since    Version // the first version with the op; zero outside the stablehlo dialect
	Operands []ValueSpec
	Results  []ValueSpec
	Attrs    []AttrSpec // the inherent attributes, by name
	Regions  []RegionSpec
	Traits   Traits
	Format   Format // the pretty form
	Doc      string // one sentence with the formula
}

// ValueSpec describes an operand or result.
type ValueSpec struct {
	Name  string
	Types TypeSet
	Count Count
}

// RegionSpec describes a region.
type RegionSpec struct {
	Name  string
	Count Count
}

// Count says how many operands, results or regions a spec stands for.
type Count uint8

// The counts.
const (
	One Count = iota
	Optional
	Variadic
)

// AttrSpec describes an inherent attribute.
type AttrSpec struct {
	Name     string
	Kind     AttrKind
	Enum     string // the mnemonic of an enumeration or structured attribute ("precision")
	Optional bool   // may be absent
	Default  Attr   // the meaning of an absent optional attribute; nil when absence is a meaning of its own
	Since    Version
}

// AttrKind is the form of an attribute.
type AttrKind uint8

// The attribute kinds.
const (
	AnyAttr      AttrKind = iota
	AttrI32               // 1 : i32
	AttrI64               // 1 : i64
	AttrF32               // 1.0 : f32
	AttrBool              // true
	AttrString            // "text"
	AttrSymbol            // @name
	AttrType              // a type
	AttrInts              // array<i64: …>
	AttrBools             // array<i1: …>
	AttrIntElems          // dense<…> : tensor<…xi64>
	AttrElems             // dense<…> : tensor<…>
	AttrEnum              // #stablehlo<kind VALUE>
	AttrEnums             // [#stablehlo<kind VALUE>, …]
	AttrStruct            // #stablehlo.kind<…>
	AttrArray             // […]
	AttrDict              // {…}
	AttrGroups            // dense<…> : tensor<…xi64> or #stablehlo.replica_group_mesh_axes<…>
)

// Traits are the properties of an op that need no code.
type Traits uint32

// The traits.
const (
	Elementwise    Traits = 1 << iota // result i depends on operands i; operands may be broadcast scalars only where the op says so
	Commutative                       // a∘b = b∘a
	Terminator                        // ends a block
	SideEffects                       // must not be removed, repeated or reordered with others
	Isolated                          // regions see no values from outside
	Symbols                           // its region holds symbols
	SameTypes                         // all operands and results have compatible types
	ShapedByResult                    // the result type is not determined by the operands
)

// TypeSet is a set of value types that a spec allows.
type TypeSet uint32

// The members and the unions of the specification's tables.
const (
	TBool TypeSet = 1 << iota
	TSigned
	TUnsigned
	TFloat
	TComplex
	TQuant        // per-tensor quantised
	TQuantPerAxis // per-axis quantised
	TIndex
	TToken
	TTuple
	TBuffer
	TFuture
	TScalarOnly // rank 0
	TRank1Only  // rank 1
	TStaticOnly // static shape
	TF32F64     // with TFloat: only f32 and f64
	TAnyType    // anything

	TInt       = TSigned | TUnsigned
	TTensor    = TBool | TInt | TFloat | TComplex | TQuant
	TTensorAll = TTensor | TQuantPerAxis
)
