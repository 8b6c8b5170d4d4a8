package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// rotated are vectors, rows of n elements, that plane rotations turn, two at a time. The
// rotations are kept as sweeps over neighbouring rows and applied when there are enough of them.
//
// Where machine code multiplies matrices, many sweeps become orthogonal matrices of a few rows,
// with which the rows are multiplied. Rotation p of sweep s, which both count from 0, has the key
// p + s + where the sweep begins, counted in its direction: each rotation that must come before
// it has the same key or a lower one, so that all those of a range of keys can be applied
// before the next range. They turn few rows: as many as there are keys and sweeps.
//
// F. Van Zee, R. van de Geijn, G. Quintana-Ortí, doi:10.1145/2535371.
type rotated[R realField] struct {
	rows    []R
	n       int  // elements of a row
	falling bool // sweeps go from high rows to low ones
	todo    []rotation[R]
	sweeps  []int // where each of them begins in todo

	groups []R // the matrices of ranges of keys
	result []R
	err    error // of memory that there was not
}

// A rotation turns rows i and j.
type rotation[R realField] struct {
	i, j int
	c, s R
}

// newRotated returns the rows of the identity, in memory for them.
func newRotated[R realField](rows []R, n int, falling bool) *rotated[R] {
	clear(rows)
	for i := 0; i < len(rows); i += n + 1 {
		rows[i] = 1
	}
	return &rotated[R]{rows: rows, n: n, falling: falling}
}

const (
	sweepsAtOnce  = 32
	keysAtOnce    = 32
	groupRows     = sweepsAtOnce + keysAtOnce
	columnsAtOnce = 128
)

// turn replaces rows x and y, i and j, by c·x - s·y and s·x + c·y.
func (z *rotated[R]) turn(env *rt.Env, i, j int, c, s float64) {
	if z == nil {
		return
	}
	next := rotation[R]{i, j, R(c), R(s)}
	if j != i+1 { // no neighbours
		z.flush(env)
		z.todo, z.sweeps = append(z.todo, next), append(z.sweeps, 0)
		z.apply(env)
		return
	}
	if last := len(z.todo) - 1; last < 0 || i != z.after(z.todo[last].i) {
		if len(z.sweeps) == sweepsAtOnce {
			z.flush(env)
		}
		z.sweeps = append(z.sweeps, len(z.todo))
	}
	z.todo = append(z.todo, next)
}

// after is the row of a sweep that follows row i.
func (z *rotated[R]) after(i int) int {
	if z.falling {
		return i - 1
	}
	return i + 1
}

// negate changes the sign of a row.
func (z *rotated[R]) negate(i int) {
	if z == nil {
		return
	}
	for k := range z.n {
		z.rows[i*z.n+k] = -z.rows[i*z.n+k]
	}
}

// finish applies what is left to do.
func (z *rotated[R]) finish(env *rt.Env) error {
	if z == nil {
		return nil
	}
	z.flush(env)
	return z.err
}

// flush applies the sweeps.
func (z *rotated[R]) flush(env *rt.Env) {
	if !hasProducts[R](env) || z.n < 2*groupRows || len(z.sweeps) < sweepsAtOnce/4 {
		z.apply(env)
		return
	}
	if err := z.multiply(env); err != nil {
		z.err = err
	}
	z.todo, z.sweeps = z.todo[:0], z.sweeps[:0]
}

// apply applies the rotations one by one, to a few columns at a time.
func (z *rotated[R]) apply(env *rt.Env) {
	env.Run(blocks(z.n, columnsAtOnce), z)
	z.todo, z.sweeps = z.todo[:0], z.sweeps[:0]
}

// Do applies the rotations to some columns.
func (z *rotated[R]) Do(_, chunk int) {
	lo := chunk * columnsAtOnce
	width := min(columnsAtOnce, z.n-lo)
	for _, t := range z.todo {
		t.apply(z.rows[t.i*z.n+lo:][:width], z.rows[t.j*z.n+lo:][:width])
	}
}

// apply turns two rows, parts of unit vectors. Products of many sines are soon subnormal numbers,
// with each of which processors take a hundred times as long: adding and subtracting a small number
// leaves out what is far below the rounding errors of the vectors.
func (t *rotation[R]) apply(x, y []R) {
	y = y[:len(x)]
	small := smallOf[R]()
	c, s := R(t.c+small)-small, R(t.s+small)-small
	for k, a := range x {
		b := y[k]
		x[k] = R(R(c*a)-R(s*b)+small) - small
		y[k] = R(R(s*a)+R(c*b)+small) - small
	}
}

// smallOf returns the least power of two of whose unit in the last place the square is not
// subnormal.
func smallOf[R realField]() R {
	if sizeOf[R]() == 4 {
		return R(0x1p-40)
	}
	small := 0x1p-459
	return R(small)
}

// key returns that of the first rotation of a sweep.
func (z *rotated[R]) key(sweep int) int {
	i := z.todo[z.sweeps[sweep]].i
	if z.falling {
		i = z.n - 2 - i
	}
	return i + sweep
}

// sweep returns the rotations of one.
func (z *rotated[R]) sweep(s int) []rotation[R] {
	if s+1 < len(z.sweeps) {
		return z.todo[z.sweeps[s]:z.sweeps[s+1]]
	}
	return z.todo[z.sweeps[s]:]
}

// rowsOf returns the rows that rotations of a range of keys turn, from and to.
func (z *rotated[R]) rowsOf(group int) (from, to int) {
	first := group * keysAtOnce
	from, to = first-sweepsAtOnce+1, first+keysAtOnce+1
	if z.falling {
		from, to = z.n-to, z.n-from
	}
	return max(from, 0), min(to, z.n)
}

// multiply makes matrices of the rotations and multiplies the rows by them.
func (z *rotated[R]) multiply(env *rt.Env) error {
	first, last := z.key(0), 0
	for s := range z.sweeps {
		first = min(first, z.key(s))
		last = max(last, z.key(s)+len(z.sweep(s))-1)
	}
	begin, end := first/keysAtOnce, last/keysAtOnce+1
	buf, err := env.Scratch(((end-begin)*groupRows*groupRows + groupRows*z.n) * sizeOf[R]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	work := rt.View[R](buf)
	z.groups, z.result = work[:(end-begin)*groupRows*groupRows], work[(end-begin)*groupRows*groupRows:]
	env.Run(end-begin, &rotationGroups[R]{z, begin})
	for g := begin; g < end; g++ {
		env.Check()
		from, to := z.rowsOf(g)
		size := to - from
		rows, result := z.rows[from*z.n:to*z.n], z.result[:size*z.n]
		q := z.groups[(g-begin)*groupRows*groupRows:][:size*size]
		c, a, b := denseMatrix(result, size, z.n), denseMatrix(q, size, size), denseMatrix(rows, size, z.n)
		if err := multiply(env, c, a, b); err != nil {
			return err
		}
		copy(rows, result)
	}
	return nil
}

// rotationGroups makes the matrices of ranges of keys.
type rotationGroups[R realField] struct {
	*rotated[R]
	first int
}

// Do applies the rotations of one range to the identity, to what can be other than zero.
func (z *rotationGroups[R]) Do(_, chunk int) {
	group := z.first + chunk
	from, to := z.rowsOf(group)
	size := to - from
	q := z.groups[chunk*groupRows*groupRows:][:size*size]
	clear(q)
	var lows, highs [groupRows]int // of each row, where elements other than zero begin and end
	for i := range size {
		q[i*size+i] = 1
		lows[i], highs[i] = i, i+1
	}
	for s := range z.sweeps {
		all, key := z.sweep(s), z.key(s)
		lo := min(max(group*keysAtOnce-key, 0), len(all))
		hi := max(min((group+1)*keysAtOnce-key, len(all)), lo)
		for _, t := range all[lo:hi] {
			x, y := t.i-from, t.j-from
			low, high := min(lows[x], lows[y]), max(highs[x], highs[y])
			lows[x], lows[y], highs[x], highs[y] = low, low, high, high
			t.apply(q[x*size+low:x*size+high], q[y*size+low:y*size+high])
		}
	}
}

// givens returns the rotation that makes (f, g) to (r, 0).
func givens(f, g float64) (c, s, r float64) {
	if r = math.Hypot(f, g); r == 0 {
		return 1, 0, 0
	}
	return f / r, g / r, r
}
