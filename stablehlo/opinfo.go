package stablehlo

import "fmt"

// Version is a StableHLO version.
type Version struct{ Major, Minor, Patch int }

// String returns "1.20.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Current returns the version of the specification that the table implements.
func Current() Version { return Version{1, 20, 0} }

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

// Count reports how many operands, results or regions a spec stands for.
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
	Enum     string  // the mnemonic of an enumeration or structured attribute ("precision")
	Optional bool    // may be absent
	Default  Attr    // the meaning of an absent optional attribute; nil when absence itself has a meaning
	Since    Version // the first version with the attribute; zero when it is as old as the op
}

// AttrKind is the form of an attribute.
type AttrKind uint8

// The attribute kinds, with the text of an example.
const (
	AnyAttr          AttrKind = iota
	AttrI32                   // 1 : i32
	AttrI64                   // 1 : i64
	AttrU32                   // 1 : ui32
	AttrU64                   // 1 : ui64
	AttrF32                   // 1.0 : f32
	AttrF64                   // 1.0 : f64
	AttrTyped                 // a number or elements with a type
	AttrBool                  // true
	AttrUnit                  // present or absent; true and false are read as those
	AttrString                // "text"
	AttrSymbol                // @name
	AttrType                  // a type
	AttrInts                  // array<i64: 1, 2>
	AttrInts32                // array<i32: 1, 2>
	AttrBools                 // array<i1: true>
	AttrIntElems              // dense<1> : tensor<2xi64>
	AttrElems                 // dense<1.0> : tensor<2xf32>
	AttrEnum                  // #stablehlo<precision HIGH>
	AttrEnums                 // [#stablehlo<precision HIGH>]
	AttrStruct                // #stablehlo.gather<…>
	AttrStructs               // [#stablehlo.output_operand_alias<…>]
	AttrArray                 // [1, "a"]
	AttrSymbols               // [@a, @b]
	AttrSymbolLists           // [[@a], [@b]]
	AttrLayouts               // [dense<[1, 0]> : tensor<2xindex>]
	AttrTilings               // [[dense<[8, 128]> : tensor<2xindex>]]
	AttrDict                  // {a = 1}
	AttrStringOrDict          // "text" or {a = 1}
	AttrGroups                // dense<0> : tensor<1x1xi64> or #stablehlo.replica_group_mesh_axes<…>
)

// Traits are the properties of an op that need no code.
type Traits uint32

// The traits.
const (
	// result i depends on operands i; operands may be broadcast scalars only where the op says so
	Elementwise    Traits = 1 << iota
	Commutative           // a∘b = b∘a
	Terminator            // ends a block
	SideEffects           // must not be removed, repeated or reordered with others
	Isolated              // regions see no values from outside
	Symbols               // its region holds symbols
	SameTypes             // all operands and results have compatible types
	ShapedByResult        // the operands and attributes do not determine the result types
	// operand and result groups have the sizes in operandSegmentSizes and resultSegmentSizes; otherwise variadic groups
	// are equally long
	Segments
	NotInSpec // an op of the stablehlo dialect without a section in the specification
	// a function of numbers that no few additions and multiplications compute: roots, exponentials, angles
	Transcendental
)
