package rt

// GemmSteps are the inner steps of matrix products that a tier has; of a type that is nil, plain
// Go computes them.
type GemmSteps struct {
	F32 GemmStep[float32]
	F64 GemmStep[float64]
	// Rounded32 and Rounded64 round products before they add them, as plain Go does. The imaginary part of z·z̄ is 0
	// then, as it is not where only one of two products is rounded.
	Unfused32 BlockStep[float32]
	Unfused64 BlockStep[float64]
	// Int32 sums products of integers of 32 bits modulo 2^32; it moves them as float32s.
	Int32 BlockStep[float32]
	// BF16 is nil where F32 is as fast.
	BF16 Dot2Step
	Int8 Dot4Steps
	// Widen converts n elements of each of some lines to float32s: element (i, j) at src[i*lds+j] to dst[i*ldd+j].
	Widen func(of Narrow, dst []float32, ldd int, src []byte, lds, lines, n int)
	// RoundBF16 rounds n float32s of each of some lines to bf16: element (i, j) at src[i*lds+j] to dst[i*ldd+j].
	RoundBF16 func(dst []uint16, ldd int, src []float32, lds, lines, n int)
}

// Narrow names elements that become float32s.
type Narrow uint8

// The zero value names none.
const (
	NarrowBF16 Narrow = 1 + iota
	NarrowF16
	NarrowS8
	NarrowU8
)

// Narrows returns all of them.
func Narrows() []Narrow { return []Narrow{NarrowBF16, NarrowF16, NarrowS8, NarrowU8} }

// Size returns the bytes of an element.
func (n Narrow) Size() int {
	if n <= NarrowF16 {
		return 2
	}
	return 1
}

// Listing returns the name of the tier that sums products of 32 or 64 bits, and the code of its
// widest tile; "" where that is plain Go.
func (p GemmSteps) Listing(bits int) (tier, listing string) {
	switch {
	case bits == 32 && p.F32 != nil:
		return p.F32.Listing()
	case bits == 64 && p.F64 != nil:
		return p.F64.Listing()
	}
	return "", ""
}

// A BlockStep is what matrix products of elements of type T are made of: whoever cuts a product
// into blocks and shares them among workers calls it for each. It is safe for concurrent use.
//
// A sum of products is formed in the order of k, from 0, and in the same way by all functions of
// a step, so that it does not depend on which of them computes it, nor on where it lies in a block.
//
// Lines are rows of the left operand or columns of the right one. A packed block has them in
// panels of so many lines, one panel after another; how a panel lies is the step's.
type BlockStep[T any] interface {
	// Tile returns how many rows and columns a panel has; both hold products for multiples
	// of depth.
	Tile() (rows, cols, depth int)
	// PackRows packs lines of depth elements, element (i, k) at src[i*ls+k*ks], into panels of
	// rows; strides are not negative. What a panel has beyond the lines is anything, what it has
	// beyond the depth adds nothing to a sum.
	PackRows(dst, src []T, ls, ks, lines, depth int)
	// PackCols packs into panels of columns.
	PackCols(dst, src []T, ls, ks, lines, depth int)
	// Multiply sets rows × cols elements of c, whose rows are ldc apart, to the sums over depth of
	// packed blocks; where first is not set it adds the sums to them.
	Multiply(c []T, ldc, rows, cols, depth int, a, b []T, first bool)
}

// A ProductStep has more: products that are subtracted, and those that need no packing.
type GemmStep[T any] interface {
	BlockStep[T]
	// Subtract is Multiply that subtracts the sums from c.
	Subtract(c []T, ldc, rows, cols, depth int, a, b []T)
	// MultiplyWindows is Multiply for rows that are points of an image, from a on, in lines below each
	// other; they are not packed.
	MultiplyWindows(w *Windows, c, a, b []T, first bool)
	// Dot sets sums to those of as many lines of a, times x, which has at most 256 elements:
	// element (i, k) is a[i*ls+k].
	Dot(sums, a []T, ls int, x []T)
	// Add sets sums to those of as many lines of a, times x: element (i, k) is a[i+k*ks].
	Add(sums, a []T, ks int, x []T)
	// Listing returns the name of the tier and the code of Multiply, for people.
	Listing() (tier, listing string)
}

// A RowStep is a [GemmStep] that reads rows where they are, if their k's are neighbours.
type UnpackedRowStep[T any] interface {
	GemmStep[T]
	// MultiplyRows is Multiply for rows that are not packed: element (i, k) is a[i*lda+k].
	MultiplyRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T, first bool)
	// SubtractRows is Subtract for such rows.
	SubtractRows(c []T, ldc, rows, cols, depth int, a []T, lda int, b []T)
}

// A PairStep sums products of bf16 as float32s, and takes numbers below the smallest normal one for 0. An
// element is two k's, the first of them in the lower half, as they lie in memory; they are added in their
// order, or in the one that the tiles of the processor have: the same for each sum of a depth.
type Dot2Step interface {
	BlockStep[float32]
	// Interleave makes so many elements of each of some lines of numbers that are not neighbours along k,
	// number (i, k) at src[i+k*ks]: element (i, k) is dst[i+k*lines].
	Interleave(dst []float32, src []uint16, ks, lines, depth int)
}

// A QuadStep sums products of integers of 8 bits modulo 2^32. An element is four k's as they lie in memory, a sum the
// bits of an integer of 32; both are moved as float32s.
type Dot4Step interface {
	BlockStep[float32]
	// InterleaveBytes makes so many elements of each of some lines of numbers that are not neighbours along k,
	// number (i, k) at src[i+k*ks]: element (i, k) is dst[i+k*lines].
	InterleaveBytes(dst []float32, src []byte, ks, lines, depth int)
}

// Dot4Steps are those for operands that are signed or not. All are nil where no code is faster than that of float32s.
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

// Of returns the step for operands that are signed or not.
func (s *Dot4Steps) Of(left, right bool) Dot4Step { return s[dot4Index(left, right)] }

// Set sets it.
func (s *Dot4Steps) Set(left, right bool, step Dot4Step) { s[dot4Index(left, right)] = step }

// Windows are the points of lines of an image, each the row of a product. The strides are elements,
// none negative.
type Windows struct {
	Lines, Points           int   // points of a line; there is one at least
	LineStride, PointStride int   // from one to the next in the image
	Offsets                 []int // for each k, elements from a point to what it multiplies; there is one at least
	// Lanes says that column j multiplies what lies j elements further on. There is memory after the
	// image for the columns that a panel has beyond these.
	Depthwise bool
	Cols      int
	// Rows says that b is not packed: for each k, where its first column is. Lanes is not set then.
	RightOffsets []int
	// RightLine is how far the columns of one line are from those of the line before: 0 where all lines have the
	// same, as they do where b is packed.
	RightLineStride               int
	OutLineStride, OutPointStride int // from one to the next in the result
}
