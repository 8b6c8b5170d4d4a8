package rt

// GemmSteps are the GEMM steps of a tier; plain Go replaces those that are nil.
type GemmSteps struct {
	F32 GemmStep[float32]
	F64 GemmStep[float64]
	// Unfused32 and Unfused64 round products before they add them, as plain Go does, so that the imaginary part of z·z̄
	// is 0. It would not be if only one of two products were rounded.
	Unfused32 BlockStep[float32]
	Unfused64 BlockStep[float64]
	// Int32 sums products of 32-bit integers modulo 2^32; it moves them as float32s.
	Int32 BlockStep[float32]
	// BF16 is nil if F32 is as fast.
	BF16 Dot2Step
	Int8 Dot4Steps
	// Widen converts n elements of each of several lines to float32s: element (i, j) at src[i*lds+j] to dst[i*ldd+j].
	Widen func(of Narrow, dst []float32, ldd int, src []byte, lds, lines, n int)
	// Dequantize multiplies integers of 8 or 4 bits by scales: of each of several lines, groups of [QuantGroup]
	// integers, from src[i*lds] on, by scales[i*lss+group], to dst[i*ldd+j]. Of 4 bits, byte i of the 16 of a group
	// has integers i and 16+i, from the low bits on, both plus 8.
	Dequantize func(fourBits bool, dst []float32, ldd int, src []byte, lds int, scales []float32,
		lss, lines, groups int)
	// QuantDot multiplies rows of x by lines of groups of [QuantGroup] narrow elements: sums[r*lds+i] is that of row r,
	// at x[r*ldx], and line i, at data[i*step]. Each group is multiplied by scales[i*lss+group], if there are scales.
	// Sums are formed in 16 lanes: a sum depends on its row and its line only.
	QuantDot func(of QuantKind, sums []float32, lds int, x []float32, ldx, rows int, data []byte, step int,
		scales []float32, lss, lines, groups int)
	// RoundBF16 rounds n float32s of each of several lines to bf16: element (i, j) at src[i*lds+j] to dst[i*ldd+j].
	RoundBF16 func(dst []uint16, ldd int, src []float32, lds, lines, n int)
}

// QuantGroup is the number of quantised integers of a group.
const QuantGroup = 32

// QuantKind is the form of narrow elements in groups.
type QuantKind uint8

// The forms of narrow elements: integers of 8 bits, those of 4 bits as [GemmSteps] has them, and floats.
const (
	Quant8 QuantKind = iota
	Quant4
	QuantBF16
	QuantF16
)

// QuantKinds returns all forms.
func QuantKinds() []QuantKind { return []QuantKind{Quant8, Quant4, QuantBF16, QuantF16} }

// GroupBytes returns the bytes of a group.
func (k QuantKind) GroupBytes() int {
	return [...]int{QuantGroup, QuantGroup / 2, 2 * QuantGroup, 2 * QuantGroup}[k]
}

// Narrow is a type of elements that are converted to float32s.
type Narrow uint8

// The zero value is none of them.
const (
	NarrowBF16 Narrow = 1 + iota
	NarrowF16
	NarrowS8
	NarrowU8
)

// Narrows returns all narrow types.
func Narrows() []Narrow { return []Narrow{NarrowBF16, NarrowF16, NarrowS8, NarrowU8} }

// Size returns the bytes of an element.
func (n Narrow) Size() int {
	if n <= NarrowF16 {
		return 2
	}
	return 1
}

// Listing returns the tier's name and the code of its widest tile for 32 or 64 bits; "" for plain Go.
func (p GemmSteps) Listing(bits int) (tier, listing string) {
	switch {
	case bits == 32 && p.F32 != nil:
		return p.F32.Listing()
	case bits == 64 && p.F64 != nil:
		return p.F64.Listing()
	}
	return "", ""
}

// A BlockStep packs blocks and multiplies packed blocks of type T. The caller cuts a GEMM into blocks and shares them
// among workers. It is safe for concurrent use.
//
// A sum of products is formed in the order of k, from 0, and in the same way by all functions of a step: it does not
// depend on the function, nor on its position in a block.
//
// Lines are rows of the left operand or columns of the right one. A packed block consists of panels of several lines;
// the step defines the layout of a panel.
type BlockStep[T any] interface {
	// Tile returns the rows and columns of a panel; the depth of both is a multiple of depth.
	Tile() (rows, cols, depth int)
	// PackRows packs lines of depth elements, element (i, k) at src[i*ls+k*ks], into panels of rows; strides are not
	// negative. Padding lines are arbitrary; padding in depth adds nothing to a sum.
	PackRows(dst, src []T, ls, ks, lines, depth int)
	// PackCols packs into panels of columns.
	PackCols(dst, src []T, ls, ks, lines, depth int)
	// Multiply sets rows × cols elements of c, with row stride ldc, to the sums over depth of packed blocks; without
	// first it adds the sums.
	Multiply(c []T, ldc, rows, cols, depth int, a, b []T, first bool)
}

// A GemmStep can also subtract products, and multiply without packing.
type GemmStep[T any] interface {
	BlockStep[T]
	// Subtract is Multiply, but subtracts the sums from c.
	Subtract(c []T, ldc, rows, cols, depth int, a, b []T)
	// MultiplyWindows is Multiply with points of an image as rows, which are not packed: lines of points, from a on.
	MultiplyWindows(w *Windows, c, a, b []T, first bool)
	// Dot sets sums to the dot products of the first len(sums) lines of a with x, which has at most 256 elements:
	// element (i, k) is a[i*ls+k].
	Dot(sums, a []T, ls int, x []T)
	// Add sets sums to the dot products of the first len(sums) lines of a with x: element (i, k) is a[i+k*ks].
	Add(sums, a []T, ks int, x []T)
	// Listing returns the tier's name and the code of Multiply as text.
	Listing() (tier, listing string)
}

// An UnpackedRowStep is a [GemmStep] that reads rows in place, if their k's are contiguous.
type UnpackedRowStep[T any] interface {
	GemmStep[T]
	// MultiplyRows is Multiply for rows that are not packed: element (i, k) is a[i*lda+k].
	MultiplyRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T, first bool)
	// SubtractRows is Subtract for unpacked rows.
	SubtractRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T)
}

// An Interleaver packs numbers, several of which are one float32-sized element.
type Interleaver[E uint8 | uint16] interface {
	// Interleave packs groups of lines that are not contiguous along k, number (i, k) at src[i+k*ks]: element (i, k) is
	// dst[i+k*lines].
	Interleave(dst []float32, src []E, ks, lines, depth int)
}

// A Dot2Step sums products of bf16 as float32s (VDPBF16PS layout), and flushes subnormal numbers to 0. An element is
// two consecutive k's, the first in the lower half, as in memory. They are added in order, or in the order of the
// processor's tiles: the same for all sums of one depth.
type Dot2Step interface {
	BlockStep[float32]
	Interleaver[uint16]
}

// A Dot4Step sums products of 8-bit integers modulo 2^32 (VPDPBUSD layout). An element is four consecutive k's as in
// memory, a sum the bits of a 32-bit integer; both are moved as float32s.
type Dot4Step interface {
	BlockStep[float32]
	Interleaver[uint8]
}

// Dot4Steps are the steps for signed and unsigned operands. All are nil if no code is faster than that of float32s.
type Dot4Steps [4]Dot4Step

func dot4Index(left, right bool) (i int) {
	if left {
		i = 2
	}
	if right {
		i++
	}
	return i
}

// Of returns the step for signed or unsigned operands.
func (s *Dot4Steps) Of(left, right bool) Dot4Step { return s[dot4Index(left, right)] }

// Set sets the step for signed or unsigned operands.
func (s *Dot4Steps) Set(left, right bool, step Dot4Step) { s[dot4Index(left, right)] = step }

// Windows are points of an image in lines; each point is the row of a GEMM. Strides count elements, and must
// not be negative.
type Windows struct {
	Lines, Points           int   // lines, and points of a line; at least one
	LineStride, PointStride int   // strides in the image
	Offsets                 []int // for each k, from a point to its factor; at least one
	// Depthwise multiplies column j by the element j further on. The image is followed by memory for the padding
	// columns of a panel.
	Depthwise bool
	Cols      int
	// RightOffsets has, for each k, the first column if b is not packed, else it is nil. Depthwise is not set then.
	RightOffsets []int
	// RightLineStride is the stride of columns from line to line: 0 if all lines have the same, as in packed b.
	RightLineStride               int
	OutLineStride, OutPointStride int // strides in the result
}
