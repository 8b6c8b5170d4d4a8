package nx

import "slices"

// PadBatch pads the tensors of a container along their first axis with zeros, to
// the smallest of sizes that holds them, and returns the number of rows there were:
// a function compiled for full batches serves the last, short one, too. Of its
// results t.At(nx.To(rows)) are those that count.
//
// Shapes: [n, …] → [size, …]. Errors: [ErrShape] where the tensors have different
// numbers of rows, or more than every size.
func PadBatch[P any](p P, sizes ...int) (padded P, rows int) {
	const op = "PadBatch"
	list := tensorsIn(leafList(op, "batch", p))
	rows, _ = rowsOf(op, list, scanOptions{})
	size := -1
	for _, s := range sizes {
		if s >= rows && (size < 0 || s < size) {
			size = s
		}
	}
	if size < 0 {
		fail(ErrShape, op, "give a larger size", "there are %s, and the sizes are %v", plural(rows, "row", "rows"), sizes)
	}
	return replace(op, p, func(t Tensor) Tensor {
		if t.p == nil || rows == size {
			return t
		}
		s := t.p.spec
		rest := slices.Clone(s.Shape)
		rest[0] = size - rows
		zeros := full(op, rest, zero, s.DType, []NewOption{NamesOption{s.Names}})
		return Concatenate([]Tensor{t, zeros})
	}), rows
}
