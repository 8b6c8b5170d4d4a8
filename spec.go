package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// DType is an element type: see package dtype.
type DType = dtype.Type

// The element types.
const (
	Bool     = core.Bool
	S2       = core.S2
	S4       = core.S4
	S8       = core.S8
	S16      = core.S16
	S32      = core.S32
	S64      = core.S64
	U2       = core.U2
	U4       = core.U4
	U8       = core.U8
	U16      = core.U16
	U32      = core.U32
	U64      = core.U64
	F8E5M2   = core.F8E5M2
	F8E4M3FN = core.F8E4M3FN
	BF16     = core.BF16
	F16      = core.F16
	F32      = core.F32
	F64      = core.F64
	C64      = core.C64
	C128     = core.C128
)

// Shape lists the sizes of the axes, as []int; an empty Shape is that of a scalar.
//
// Methods:
//
//	func (s Shape) Size() int      // the number of elements
//	func (s Shape) String() string // [2][3]
type Shape = core.Shape

// Spec is the type of a tensor: element type, shape and axis names. It prints
// as f32[batch: 2][features: 3] and serves as a template.
//
// Fields:
//
//	DType   DType
//	Shape   Shape        // without the vectorised axes
//	Names   []string     // "" for an axis without a name; nil if no axis has one
//	Vectors []VectorAxis // the vectorised axes, the outermost first: see Vectorize
//
// Methods:
//
//	func (s Spec) Equal(t Spec) bool // equal in all fields
//	func (s Spec) String() string    // f32[batch: 2][features: 3]
type Spec = core.Spec

// VectorAxis is a vectorised axis: see [Vectorize].
//
// Fields:
//
//	Name string
//	Size int
type VectorAxis = core.VectorAxis
