package lapack

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// rotatedRows are vectors, rows of n elements, to which Givens rotations are applied.
type rotatedRows[R realField] struct {
	rows []R
	n    int
}

// newRotatedRows returns the rows of the identity in the given memory.
func newRotatedRows[R realField](rows []R, n int) *rotatedRows[R] {
	clear(rows)
	for i := 0; i < len(rows); i += n + 1 {
		rows[i] = 1
	}
	return &rotatedRows[R]{rows: rows, n: n}
}

// rotateRows replaces rows i and j, x and y, by c·x - s·y and s·x + c·y.
func (z *rotatedRows[R]) rotateRows(i, j int, c, s float64) {
	if z == nil {
		return
	}
	t := rotation[R]{R(c), R(s)}
	t.apply(z.rows[i*z.n:][:z.n], z.rows[j*z.n:][:z.n])
}

// negate changes the sign of a row.
func (z *rotatedRows[R]) negate(i int) {
	if z == nil {
		return
	}
	for k := range z.n {
		z.rows[i*z.n+k] = -z.rows[i*z.n+k]
	}
}

// A rotation is a Givens rotation.
type rotation[R realField] struct{ c, s R }

// apply rotates two rows, parts of unit vectors. Products of many sines soon become subnormal, on which processors are
// a hundred times slower. Adding and subtracting a small number flushes values far below the rounding errors of the
// vectors.
func (t *rotation[R]) apply(x, y []R) {
	y = y[:len(x)]
	small := flushUnit[R]()
	c, s := R(t.c+small)-small, R(t.s+small)-small
	for k, a := range x {
		b := y[k]
		x[k] = R(R(c*a)-R(s*b)+small) - small
		y[k] = R(R(s*a)+R(c*b)+small) - small
	}
}

// flushUnit returns the least power of two for which the square of the unit in the last place is not subnormal.
func flushUnit[R realField]() R {
	if rt.SizeOf[R]() == 4 {
		return R(0x1p-40)
	}
	small := 0x1p-459
	return R(small)
}

// givens returns the rotation that maps (f, g) to (r, 0).
func givens(f, g float64) (c, s, r float64) {
	if r = math.Hypot(f, g); r == 0 {
		return 1, 0, 0
	}
	return f / r, g / r, r
}
