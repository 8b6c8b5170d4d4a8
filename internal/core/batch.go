package core

import (
	"iter"
	"slices"
)

// PadBatch implements nx.PadBatch.
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
		fail(ErrShape, op, "give a larger size", "there are %s, and the sizes are %v", plural(rows, "row", "rows"),
			sizes)
	}
	return replace(op, p, func(t Tensor) Tensor {
		if t.p == nil || rows == size {
			return t
		}
		s := t.p.spec
		rest := slices.Clone(s.Shape)
		rest[0] = size - rows
		zeros := full(op, rest, zero, s.DType, []NewOption{namesOption{s.Names}})
		return Concatenate([]Tensor{t, zeros})
	}), rows
}

// BatchOption is nx.BatchOption.
type BatchOption interface{ batchOption(*batchOptions) }

type batchOptions struct{ leftover leftoverOption }

// leftoverOption is the treatment of the rows at the end that do not fill a batch.
type leftoverOption uint8

const (
	// KeepShort implements nx.KeepShort.
	KeepShort leftoverOption = iota
	// DropLast implements nx.DropLast.
	DropLast
	// RepeatFirst implements nx.RepeatFirst.
	RepeatFirst
)

func (l leftoverOption) batchOption(o *batchOptions) { o.leftover = l }

func (leftoverOption) label() string { return "the treatment of a short batch" }

// Batches implements nx.Batches.
func Batches(t Tensor, n int, opts ...BatchOption) iter.Seq[Tensor] {
	const op = "Batches"
	s := t.must(op)
	var o batchOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.batchOption(&o)
		}
	}
	switch {
	case len(s.Shape) == 0:
		failOn(ErrShape, op, []Tensor{t}, "", "a scalar has no rows")
	case n < 1:
		failOn(ErrArgument, op, []Tensor{t}, "", "a batch cannot have %d rows", n)
	case o.leftover > RepeatFirst:
		failOn(ErrArgument, op, []Tensor{t}, "", "there is no option %d", o.leftover)
	}
	return func(yield func(Tensor) bool) {
		rows := s.Shape[0]
		for at := 0; at < rows; at += min(n, rows-at) {
			b := t.At(Range(at, min(at+min(n, rows), rows)))
			if left := rows - at; left < n {
				switch o.leftover {
				case DropLast:
					return
				case RepeatFirst:
					index := Remainder(Add(Iota(Shape{n}, S64), at), rows)
					b = Rename(Take(t, index), s.names()...)
				}
			}
			if !yield(b) {
				return
			}
		}
	}
}

// Rows implements nx.Rows.
func Rows(t Tensor, opts ...AxisOption) iter.Seq2[int, Tensor] {
	const op = "Rows"
	s := t.must(op)
	if len(s.Shape) == 0 {
		failOn(ErrShape, op, []Tensor{t}, "", "a scalar has no rows")
	}
	axis := oneAxis(op, t, opts, 0)
	return func(yield func(int, Tensor) bool) {
		for i := range s.Shape[axis] {
			index := make([]any, axis+1)
			for k := range axis {
				index[k] = Whole
			}
			index[axis] = i
			if !yield(i, t.At(index...)) {
				return
			}
		}
	}
}
