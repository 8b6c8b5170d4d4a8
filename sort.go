package nx

import "github.com/go-nx/nx/internal/core"

// SearchOption is an option of [SearchSorted] and [Digitize].
type SearchOption = core.SearchOption

// Right returns the positions after equal elements, the last where a value can be inserted; without
// it they are those before them. In [Digitize] it makes the right edge of a bin belong to it.
const Right = core.Right

// SearchSorted returns for each value the place in a sorted sequence where it can be inserted so
// that the sequence stays sorted: the number of elements that are smaller or, with [Right], not
// larger. NaN is beyond the largest, as in [Sort], and zeros are equal. The time grows with the
// logarithm of the length of the sequence, and the memory is that of the result. What a sequence
// that is not sorted gives is between 0 and its length. For sequences that belong to the values of
// each row use [Vmap]. Options: [Right], [As].
//
// Shapes: sequence [n], values any → that of the values. DTypes: real, promoted; the result is s32,
// or the integer type of [As]. Gradient: none. Accuracy: exact. Errors: [ErrShape] for a sequence
// that is not a vector, [ErrDType], [ErrValue] where the type of the places cannot hold n. Source:
// binary search, Knuth, The Art of Computer Programming 3, 6.2.1, algorithm U.
func SearchSorted[V Operand](sequence Tensor, values V, opts ...SearchOption) Tensor {
	return Tensor(core.SearchSorted[V](core.Tensor(sequence), values, opts...))
}

// Digitize returns the number of the bin of each value, the edges of which are bins, in rising or in
// falling order: i where bins[i-1] ≤ value < bins[i], or bins[i-1] > value ≥ bins[i]; 0 before the
// first edge, and the number of edges beyond the last. With [Right] the right edge belongs to the
// bin, and not the left: bins[i-1] < value ≤ bins[i]. NaN is beyond the largest. What edges in no
// order give is between 0 and their number. Options: [Right], [As].
//
// Shapes: values any, bins [n] → that of the values. DTypes: real, promoted; the result is s32, or the
// integer type of [As]. Gradient: none. Accuracy: exact. Errors: those of [SearchSorted]. Source:
// numpy.digitize.
func Digitize[V Operand](values V, bins Tensor, opts ...SearchOption) Tensor {
	return Tensor(core.Digitize[V](values, core.Tensor(bins), opts...))
}

// SortOption is an option of [Sort], [ArgSort] and [TopK].
type SortOption = core.SortOption

// Descending sorts from the largest element to the smallest.
const Descending = core.Descending

// Sort sorts the elements along an axis, the last by default, from the smallest to the
// largest. NaN is beyond the largest. Options: [Axis], [Descending].
//
// Shapes: that of t. DTypes: real. Gradient: that of the elements in their new places.
// Accuracy: exact; the order is stable. Errors: [ErrAxis], [ErrDType] for complex numbers.
func Sort(t Tensor, opts ...SortOption) Tensor {
	return Tensor(core.Sort(core.Tensor(t), opts...))
}

// ArgSort returns the indices that sort the elements along an axis, the last by default:
// those of equal elements in order. Options: [Axis], [Descending], [As].
//
// Shapes: that of t. DTypes: real; the result is s32, or the integer type of [As]. Gradient: none.
// Accuracy: exact. Errors: [ErrAxis], [ErrDType] for complex numbers.
func ArgSort(t Tensor, opts ...SortOption) Tensor {
	return Tensor(core.ArgSort(core.Tensor(t), opts...))
}

// TopK returns the k largest elements along an axis, the last by default, the largest
// first, and their indices: those of equal elements in order. NaN is beyond the largest.
// Options: [Axis], [As].
//
// Shapes: [..., n] → [..., k]. DTypes: real; the indices are s32, or the type of [As].
// Gradient: that of the elements taken. Accuracy: exact. Errors: [ErrArgument] for a k
// that is negative or beyond the axis, [ErrAxis], [ErrDType] for complex numbers.
func TopK(t Tensor, k int, opts ...SortOption) (values, indices Tensor) {
	r0, r1 := core.TopK(core.Tensor(t), k, opts...)
	return Tensor(r0), Tensor(r1)
}
