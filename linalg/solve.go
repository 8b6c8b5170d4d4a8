package linalg

import (
	"slices"

	"github.com/go-nx/nx"
)

var solveBlock = nx.Composite[func(a, b nx.Tensor) nx.Tensor]("nx.solve", nil)

// Solve returns x with a·x = b, by LU factorisation. b holds vectors when it has one
// axis, or the shape of a without its last axis; else matrices.
//
// Shapes: a [..., n, n], b [n], [..., n] or [..., n, k] → that of b; batches broadcast.
// DTypes: those of a and b, promoted; integers become f32.
// Gradient: by a and b, with the factors of a.
// Accuracy: x is exact for a matrix that differs from a by at most 20·n·ε·‖a‖.
// Errors: [nx.ErrShape] for shapes that do not fit. A singular a gives Inf or NaN;
// [TrySolve] returns an error then.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func Solve(a, b nx.Tensor) nx.Tensor {
	return system("Solve", a, b, rightHand, true, func(a, b nx.Tensor) nx.Tensor { return solveBlock(a, b) })
}

// A side is the side of the unknown in a·x = b or x·a = b.
type side bool

const (
	rightHand side = false // a·x = b
	leftHand  side = true  // x·a = b
)

// system prepares a and b, with vectors as matrices, for a solver of one element type. The result has, for the
// axis that a and b share, the columns of a, or its rows.
func system(op string, a, b nx.Tensor, unknown side, byColumns bool,
	solve func(a, b nx.Tensor) nx.Tensor) nx.Tensor {
	present(op, a, b)
	x := square(op, a)
	y := elements(op, b)
	if b.Rank() == 0 {
		fail(op, nx.ErrShape, "divide instead", []nx.Tensor{a, b}, "b is a scalar")
	}
	n, own := rows(x), rowName(a)
	if byColumns {
		own = columnName(a)
	}
	isVector := isVectors(a, b)
	if isVector {
		y = nx.ExpandAxis(y, nx.Axis(-1))
	}
	along := rows(y)
	if unknown == leftHand && !isVector {
		along = columns(y)
	}
	if along != n {
		fail(op, nx.ErrShape, "b is [n] or [..., n, k], or x·a = b is meant: [..., k, n] with LeftOf", []nx.Tensor{a, b},
			"b must have the size of the matrices, %d × %d, got %d", n, n, along)
	}
	d := promoted(x.DType(), y.DType())
	x, y = nx.Cast(x, d), nx.Cast(y, d)
	if isVector && unknown == leftHand {
		y = swap(y)
	}
	x, y = broadcastBatches(op, x, y)
	r := solve(x, y)
	if isVector && unknown == leftHand {
		r = swap(r)
	}
	if isVector {
		r = nx.Squeeze(r, nx.Axis(-1))
	}
	r = nx.Cast(r, promoted(result(a.DType()), result(b.DType())))
	batches, other := systemNames(op, a, b, isVector)
	if unknown == leftHand && !isVector {
		return nameAxes(r, append(batches, rowName(b), own))
	}
	return nameAxes(r, slices.Concat(batches, []string{own}, other))
}

// systemNames returns the names of the batches of a and b, and that of the columns of b unless it holds
// vectors.
func systemNames(op string, a, b nx.Tensor, isVector bool) (batches, column []string) {
	of := b.Names()
	if isVector {
		return mergedNames(op, batchNames(a), of[:len(of)-1], a, b), nil
	}
	return mergedNames(op, batchNames(a), of[:len(of)-2], a, b), of[len(of)-1:]
}

// isVectors reports whether b holds vectors for the matrices a: it has one axis, or the shape of a without its
// last axis.
func isVectors(a, b nx.Tensor) bool {
	s := b.Shape()
	return len(s) == 1 || len(s) == a.Rank()-1 && slices.Equal(s, a.Shape()[:len(s)])
}

// promoted is the element type of results of two operands.
func promoted(x, y nx.DType) nx.DType {
	return nx.Add(nx.Zeros(nx.Shape{}, x), nx.Zeros(nx.Shape{}, y)).DType()
}

// TriangularOption is an option of [TriangularSolve].
type TriangularOption uint8

const (
	// Upper reads the upper triangle; the lower one is read without it.
	Upper TriangularOption = 1 << iota
	// UnitDiagonal assumes ones on the diagonal, whatever its elements are.
	UnitDiagonal
	// Transposed solves with the transpose of a.
	Transposed
	// Adjointed solves with the conjugate transpose of a.
	Adjointed
	// LeftOf solves x·a = b.
	LeftOf
)

var triangularBlocks = func() (t [32]func(a, b nx.Tensor) nx.Tensor) {
	for i := range t {
		o := TriangularOption(i)
		t[i] = nx.Composite[func(a, b nx.Tensor) nx.Tensor]("nx.triangular_solve", nil,
			nx.Attr("left_side", o&LeftOf == 0), nx.Attr("lower", o&Upper == 0),
			nx.Attr("unit_diagonal", o&UnitDiagonal != 0),
			nx.Attr("transpose", o&Transposed != 0), nx.Attr("adjoint", o&Adjointed != 0))
	}
	return t
}()

// TriangularSolve returns x with a·x = b for triangular a; the other triangle is not read. b holds vectors or
// matrices as for [Solve]. Options: [Upper], [UnitDiagonal], [Transposed], [Adjointed], [LeftOf].
//
// Shapes: a [..., n, n], b [n], [..., n] or [..., n, k] ([..., k, n] with LeftOf) → that
// of b; batches broadcast.
// DTypes: those of a and b, promoted; integers become f32.
// Gradient: by b, and by the triangle of a that is read.
// Accuracy: x is exact for a matrix that differs from a by at most 20·n·ε·|a|.
// Errors: [nx.ErrShape] for shapes that do not fit. A zero on the diagonal gives Inf or
// NaN.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.1.
func TriangularSolve(a, b nx.Tensor, opts ...TriangularOption) nx.Tensor {
	var o TriangularOption
	for _, x := range opts {
		o |= x
	}
	switch {
	case int(o) >= len(triangularBlocks):
		fail("TriangularSolve", nx.ErrArgument, "use the constants", []nx.Tensor{a, b}, "unknown option %d", o)
	case o&Transposed != 0 && o&Adjointed != 0:
		fail("TriangularSolve", nx.ErrArgument, "give one of them", []nx.Tensor{a, b},
			"the options linalg.Transposed and linalg.Adjointed contradict")
	}
	transposed := o&(Transposed|Adjointed) != 0
	return system("TriangularSolve", a, b, side(o&LeftOf != 0), transposed == (o&LeftOf != 0), triangularBlocks[o])
}

// Inv returns the inverses of matrices. To solve equations use [Solve]: it is faster and
// more accurate.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: -a⁻¹·ȧ·a⁻¹.
// Accuracy: a·x differs from the identity by at most 20·n·ε·‖a‖·‖x‖.
// Errors: [nx.ErrShape] for matrices that are not square. A singular matrix gives Inf or
// NaN; [TryInv] returns an error then.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func Inv(a nx.Tensor) nx.Tensor {
	x := square("Inv", a)
	return nameLike(castBack(solveBlock(x, identity(x, rows(x))), a), a, columnName(a), rowName(a))
}
