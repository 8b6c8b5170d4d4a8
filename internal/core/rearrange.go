package core

import (
	"math"
	"slices"
)

// Roll implements nx.Roll.
func Roll(t Tensor, shift int, opts ...AxisOption) Tensor {
	s := t.must("Roll")
	axes, given := readAxes("Roll", t, opts)
	if !given {
		return reshaped("Roll", rolled(Flatten(t), 0, shift), s)
	}
	out := t
	for _, i := range axes {
		out = rolled(out, i, shift)
	}
	return out.unshared("Roll", t)
}

// rolled rolls one axis.
func rolled(t Tensor, axis, shift int) Tensor {
	n := t.p.spec.Shape[axis]
	if n == 0 {
		return t
	}
	if shift = ((shift % n) + n) % n; shift == 0 {
		return t.checked("Roll")
	}
	return Concatenate([]Tensor{cutAxis(t, axis, n-shift, n, 1), cutAxis(t, axis, 0, n-shift, 1)}, Axis(axis))
}

// cutAxis takes the elements from start to limit by strides along one axis.
func cutAxis(t Tensor, axis, start, limit, stride int) Tensor {
	s := t.p.spec
	starts, limits, strides := make([]int, len(s.Shape)), slices.Clone(s.Shape), slices.Repeat([]int{1}, len(s.Shape))
	starts[axis], limits[axis], strides[axis] = start, limit, stride
	return sliceOf("At", t, starts, limits, strides)
}

// Repeat implements nx.Repeat.
func Repeat(t Tensor, n int, opts ...AxisOption) Tensor {
	s := t.must("Repeat")
	axis := oneAxis("Repeat", t, opts, 0)
	if n < 0 {
		failOn(ErrArgument, "Repeat", []Tensor{t}, "", "the number of repetitions %d is negative", n)
	}
	if m := s.Shape[axis]; m > 0 && n > math.MaxInt/m {
		failOn(ErrShape, "Repeat", []Tensor{t}, "", "the result does not fit in memory")
	}
	out := *s.withoutVectors()
	out.Shape = slices.Clone(s.Shape)
	out.Shape[axis] *= n
	spec := newSpec("Repeat", out, t)
	spread := slices.Insert(slices.Clone(s.Shape), axis+1, n)
	newSpec("Repeat", Spec{DType: s.DType, Shape: spread}, t)
	return reshaped("Repeat", BroadcastTo(Rename(ExpandAxis(t, Axis(axis+1))), spread...), spec)
}

// Tri implements nx.Tri.
func Tri(rows, columns, k int, d DType) Tensor {
	return Tril(Ones(Shape{rows, columns}, d), k)
}

// Diagonal implements nx.Diagonal.
func Diagonal(t Tensor, k int) Tensor {
	const op = "Diagonal"
	s := t.must(op)
	n := diagonalLength(op, t, k)
	rank := len(s.Shape)
	rows, columns := s.Shape[rank-2], s.Shape[rank-1]
	first := max(k, 0)
	if k < 0 {
		first = -k * columns
	}
	lead := s.Shape[:rank-2]
	flat := Reshape(t, append(slices.Clone(lead), rows*columns)...)
	out := Spec{DType: s.DType, weak: s.weak, Shape: append(slices.Clone(lead), n)}
	out.Names = append(slices.Clone(s.names()[:rank-2]), "")
	d := cutAxis(flat, rank-2, first, first+(n-1)*(columns+1)+1, columns+1)
	return reshaped(op, d, intern(out))
}

// diagonalLength returns how many elements a diagonal has.
func diagonalLength(op string, t Tensor, k int) int {
	s := t.p.spec
	rank := len(s.Shape)
	if rank < 2 {
		failOn(ErrShape, op, []Tensor{t}, "", "the tensor must be a matrix, got rank %d", rank)
	}
	rows, columns := s.Shape[rank-2], s.Shape[rank-1]
	n := min(rows, columns-k)
	if k < 0 {
		n = min(rows+k, columns)
	}
	if k >= columns || k <= -rows {
		failOn(ErrArgument, op, []Tensor{t}, "", "the diagonal %d is beyond the matrix of %d rows and %d columns",
			k, rows, columns)
	}
	return n
}

// Diag implements nx.Diag.
func Diag(t Tensor, k int) Tensor {
	const op = "Diag"
	s := t.must(op)
	rank := len(s.Shape)
	if rank == 0 {
		failOn(ErrShape, op, []Tensor{t}, "", "takes vectors, this is a scalar")
	}
	const most = math.MaxInt32
	if k > most || k < -most {
		failOn(ErrShape, op, []Tensor{t}, "", "the result does not fit in memory: the diagonal is the %d-th", k)
	}
	n := s.Shape[rank-1]
	size := n + max(k, -k)
	out := Spec{DType: s.DType, Shape: append(slices.Clone(s.Shape[:rank-1]), size, size), weak: s.weak}
	newSpec(op, out, t)
	if n == 0 {
		return constantOf(op, intern(out), zero, t)
	}
	// Each element before a row of zeros, in row-major order, is a diagonal.
	lohi := make([][2]int, rank+1)
	spread := padZero(ExpandAxis(Rename(t), Axis(-1)), append(lohi[:rank], [2]int{0, size})...)
	flat := Reshape(spread, append(slices.Clone(s.Shape[:rank-1]), n*(size+1))...)
	first := max(k, -k*size)
	flat = cutAxis(flat, rank-1, 0, (n-1)*(size+1)+1, 1)
	pad := slices.Repeat([][2]int{{}}, rank)
	pad[rank-1] = [2]int{first, size*size - first - (n-1)*(size+1) - 1}
	return reshaped(op, padZero(flat, pad...), intern(out))
}

// padZero pads with zeros of the type of t.
func padZero(t Tensor, lohi ...[2]int) Tensor {
	if t.p.spec.DType == Bool {
		return Pad(t, false, lohi...)
	}
	return Pad(t, 0, lohi...)
}

// SetDiagonal implements nx.SetDiagonal.
func SetDiagonal(t, diagonal Tensor, k int) Tensor {
	const op = "SetDiagonal"
	present(op, operand{t: t.p}, operand{t: diagonal.p})
	n := diagonalLength(op, t, k)
	s, ds := t.p.spec, diagonal.p.spec
	rank := len(s.Shape)
	if want := append(slices.Clone(s.Shape[:rank-2]), n); !slices.Equal(ds.Shape, want) {
		failOn(ErrShape, op, []Tensor{t, diagonal}, "", "the diagonal has the shape %v, not %v", []int(ds.Shape),
			[]int(want))
	}
	rows, columns := s.Shape[rank-2], s.Shape[rank-1]
	full := Diag(Rename(diagonal), k) // of a square matrix that may be smaller or larger
	size := full.p.spec.Shape[rank-1]
	lohi := make([][2]int, rank)
	lohi[rank-2][1], lohi[rank-1][1] = rows-size, columns-size
	row, column := Iota(Shape{rows, 1}, S64), Iota(Shape{1, columns}, S64)
	return reshaped(op, Where(Equal(Add(row, k), column), padZero(full, lohi...), t),
		intern(Spec{DType: promoted(s, ds), Shape: s.Shape, Names: s.Names, weak: s.weak && ds.weak}))
}

// PadMode is nx.PadMode.
type PadMode uint8

const (
	PadEdge      PadMode = iota + 1 // the element at the edge: 1 1 1 | 1 2 3 | 3 3 3
	PadReflect                      // mirrored without the edge: 1 3 2 | 1 2 3 | 2 1 2
	PadSymmetric                    // mirrored with the edge: 3 2 1 | 1 2 3 | 3 2 1
	PadWrap                         // from the other end: 1 2 3 | 1 2 3 | 1 2 3
)

// PadWith implements nx.PadWith.
func PadWith(t Tensor, mode PadMode, lohi ...[2]int) Tensor {
	const op = "PadWith"
	s := t.must(op)
	if mode < PadEdge || mode > PadWrap {
		failOn(ErrArgument, op, []Tensor{t}, "use nx.PadEdge, nx.PadReflect, nx.PadSymmetric or nx.PadWrap",
			"there is no mode %d", mode)
	}
	if len(lohi) != len(s.Shape) {
		failOn(ErrArgument, op, []Tensor{t}, "give one pair {before, after} per axis, {0, 0} for an unpadded one",
			"got %s for %s", plural(len(lohi), "pair", "pairs"), plural(len(s.Shape), "axis", "axes"))
	}
	for axis, p := range lohi {
		n := s.Shape[axis]
		switch {
		case p[0] < 0 || p[1] < 0:
			failOn(ErrArgument, op, []Tensor{t}, "cut with Tensor.At, or pad with a value (nx.Pad)",
				"the padding %v of axis %d is negative", p, axis)
		case p == [2]int{}:
			continue
		case n == 0:
			failOn(ErrShape, op, []Tensor{t}, "", "%s has no elements to pad with", axisLabel(s, axis))
		case p[0] > math.MaxInt32 || p[1] > math.MaxInt32:
			failOn(ErrShape, op, []Tensor{t}, "",
				"the result does not fit in memory: axis %d would grow by %d and %d", axis, p[0], p[1])
		}
		out := *t.p.spec.withoutVectors()
		out.Shape = slices.Clone(out.Shape)
		out.Shape[axis] = n + p[0] + p[1]
		newSpec(op, out, t)
		index := Sub(Iota(Shape{out.Shape[axis]}, S64), p[0])
		t = Rename(Take(t, mode.sourceIndex(index, n), Axis(axis)), t.p.spec.names()...)
	}
	return t.asResult(op)
}

// sourceIndex returns the indices below n for indices beyond them.
func (m PadMode) sourceIndex(index Tensor, n int) Tensor {
	modulo := func(x Tensor, n int) Tensor { return Remainder(Add(Remainder(x, n), n), n) }
	switch m {
	case PadEdge:
		return Clip(index, 0, n-1)
	case PadWrap:
		return modulo(index, n)
	case PadSymmetric:
		x := modulo(index, 2*n)
		return Minimum(x, Sub(2*n-1, x))
	}
	x := modulo(index, max(2*n-2, 1))
	return Minimum(x, Sub(max(2*n-2, 0), x))
}
