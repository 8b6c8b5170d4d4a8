package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// stepOf returns the inner step of products that an execution has, plain Go where it has none.
//
//go:noinline
func stepOf[T accumulator](env *rt.Env) rt.ProductStep[T] {
	if env == nil {
		return goStep[T]{}
	}
	return stepIn[T](env.Products)
}

// stepIn is [stepOf] the steps of a tier.
//
//go:noinline
func stepIn[T accumulator](products rt.Products) rt.ProductStep[T] {
	var found any
	var zero T
	switch any(zero).(type) {
	case float32:
		found = products.F32
	case float64:
		found = products.F64
	}
	if s, ok := found.(rt.ProductStep[T]); ok {
		return s
	}
	return goStep[T]{}
}

// rowStepOf returns a step as one that reads rows where they are; nil where it does not.
func rowStepOf[T accumulator](env *rt.Env, step rt.BlockStep[T]) rt.RowStep[T] {
	if own, ok := stepOf[T](env).(rt.RowStep[T]); ok && rt.BlockStep[T](own) == step {
		return own
	}
	return nil
}

// roundedStepOf returns the step of an execution that rounds products before it adds them.
func roundedStepOf[T accumulator](env *rt.Env) rt.BlockStep[T] {
	if env != nil {
		if s, ok := any(env.Products.Rounded32).(rt.BlockStep[T]); ok {
			return s
		}
		if s, ok := any(env.Products.Rounded64).(rt.BlockStep[T]); ok {
			return s
		}
	}
	return goStep[T]{}
}

// isTiny is [tinyWork] for operations of products. Machine code does ten in the time of one.
func isTiny[T accumulator](step rt.BlockStep[T], ops int) bool {
	if step != (goStep[T]{}) {
		ops /= 10
	}
	return tinyWork(ops)
}

// goStep is the inner step of products in plain Go: a product is rounded before it is added, and
// each block of blockK sums from 0.
type goStep[T accumulator] struct{}

// Tile returns the rows and columns of a panel.
func (goStep[T]) Tile() (rows, cols, depth int) { return tileM, tileN, stepK }

// PackRows packs rows of the left operand.
func (goStep[T]) PackRows(dst, src []T, ls, ks, lines, depth int) {
	packA(rt.View[panelA[T]](rt.Bytes(dst)), src, ls, ks, lines, depth)
}

// PackCols packs columns of the right operand.
func (goStep[T]) PackCols(dst, src []T, ls, ks, lines, depth int) {
	packB(rt.View[panelB[T]](rt.Bytes(dst)), src, ks, ls, depth, lines)
}

// Multiply multiplies packed blocks.
func (goStep[T]) Multiply(c []T, ldc, rows, cols, depth int, a, b []T, first bool) {
	multiplyBlock(c, ldc, rows, cols, blocks(depth, stepK), rt.View[panelA[T]](rt.Bytes(a)),
		rt.View[panelB[T]](rt.Bytes(b)), placeOf(first))
}

// Subtract subtracts products of packed blocks.
func (goStep[T]) Subtract(c []T, ldc, rows, cols, depth int, a, b []T) {
	multiplyBlock(c, ldc, rows, cols, blocks(depth, stepK), rt.View[panelA[T]](rt.Bytes(a)),
		rt.View[panelB[T]](rt.Bytes(b)), subtractSums)
}

// Dot sums lines whose k's are neighbours.
func (goStep[T]) Dot(sums, a []T, ls int, x []T) {
	i := 0
	for ; i+4 <= len(sums); i += 4 {
		sums[i], sums[i+1], sums[i+2], sums[i+3] = dot4(a[i*ls:], ls, x)
	}
	for ; i < len(sums); i++ {
		sums[i] = dot1(a[i*ls:][:len(x)], x)
	}
}

// Listing returns no code.
func (goStep[T]) Listing() (tier, listing string) { return "portable", "" }

// Add sums lines that are neighbours.
func (goStep[T]) Add(sums, a []T, ks int, x []T) { addColumns(sums, a, ks, x) }

// MultiplyWindows multiplies points of an image by a packed block.
func (s goStep[T]) MultiplyWindows(w *rt.Windows, c, a, b []T, first bool) {
	if w.Rows != nil {
		multiplyApart(w, c, a, b, first)
		return
	}
	multiplyPacked(w, c, a, rt.View[panelB[T]](rt.Bytes(b)), first)
}

// multiplyPacked multiplies points of an image by packed columns: two points are packed at a time.
func multiplyPacked[T accumulator](w *rt.Windows, c, a []T, panels []panelB[T], first bool) {
	var room [blockK / stepK]panelA[T]
	points := room[:blocks(len(w.At), stepK)]
	for line := range w.Lines {
		for p := 0; p < w.Points; p += tileM {
			n := min(tileM, w.Points-p)
			from, to := a[line*w.Line+p*w.Point:], c[line*w.OutLine+p*w.OutPoint:]
			if w.Lanes {
				for i := range n {
					multiplyLanes(to[i*w.OutPoint:][:w.Cols], from[i*w.Point:], w.At, panels, first)
				}
				continue
			}
			clear(points[len(points)-1][:])
			if n == tileM {
				packPoints(points, from, from[w.Point:], w.At)
			} else {
				for k, at := range w.At {
					points[k/stepK][k%stepK*tileM] = from[at]
				}
			}
			multiplyBlock(to, w.OutPoint, n, w.Cols, len(points), points, panels, placeOf(first))
		}
	}
}

// packPoints packs two points, four k's at a time.
func packPoints[T accumulator](points []panelA[T], x, y []T, at []int) {
	i := 0
	for ; len(at) >= stepK; i, at = i+1, at[stepK:] {
		to, k := &points[i], (*[stepK]int)(at)
		to[0], to[1] = x[k[0]], y[k[0]]
		to[2], to[3] = x[k[1]], y[k[1]]
		to[4], to[5] = x[k[2]], y[k[2]]
		to[6], to[7] = x[k[3]], y[k[3]]
	}
	for k, from := range at {
		points[i][k*tileM], points[i][k*tileM+1] = x[from], y[from]
	}
}

// multiplyLanes sums the products of the lanes of a point with columns.
func multiplyLanes[T accumulator](c, a []T, at []int, b []panelB[T], first bool) {
	depth := blocks(len(at), stepK)
	for j := 0; j < len(c); j += tileN {
		panel := b[j/tileN*depth:][:depth]
		var sum [tileN]T
		n := min(tileN, len(c)-j)
		for k, at := range at {
			x, y := a[at+j:][:n], panel[k/stepK][k%stepK*tileN:][:n]
			for i := range x {
				sum[i] += T(x[i] * y[i])
			}
		}
		addOrSet(c[j:], sum, first)
	}
}

// apartCols bounds the columns that multiplyApart packs at a time, minApartPoints is the number of points
// from which it packs them: packing takes as long as multiplying by half a point.
const apartCols, minApartPoints = 32, 2 * tileM

// multiplyApart multiplies windows by columns that are not packed: it packs some, which all points
// meet, and two points, which all of these meet.
func multiplyApart[T accumulator](w *rt.Windows, c, a, b []T, first bool) {
	if w.RightLine != 0 || w.Lines*w.Points < minApartPoints {
		multiplyFew(w, c, a, b, first)
		return
	}
	var room [apartCols / tileN * (blockK / stepK)]panelB[T]
	depth := blocks(len(w.At), stepK)
	some := *w
	some.Rows = nil
	for col := 0; col < w.Cols; col += apartCols {
		some.Cols = min(apartCols, w.Cols-col)
		panels := room[:blocks(some.Cols, tileN)*depth]
		packApart(panels, b, w.Rows, col, some.Cols, depth)
		multiplyPacked(&some, c[col:], a, panels, first)
	}
}

// packApart packs columns from the first on, of rows that begin anywhere.
func packApart[T accumulator](panels []panelB[T], b []T, rows []int, first, cols, depth int) {
	for j := 0; j < cols; j += tileN {
		panel := panels[j/tileN*depth:][:depth]
		panel[depth-1] = panelB[T]{}
		n := min(tileN, cols-j)
		if n < tileN {
			clear(panel)
		}
		for k, row := range rows {
			to := (*[tileN]T)(panel[k/stepK][k%stepK*tileN:])
			if from := b[row+first+j:]; n == tileN {
				*to = [tileN]T(from)
			} else {
				copy(to[:], from[:n])
			}
		}
	}
}

// multiplyFew is multiplyApart for few points, or lines with columns of their own: it packs points alone.
func multiplyFew[T accumulator](w *rt.Windows, c, a, b []T, first bool) {
	var points [blockK][tileM]T
	for line := range w.Lines {
		for p := 0; p < w.Points; p += tileM {
			n := min(tileM, w.Points-p)
			from, to := a[line*w.Line+p*w.Point:], c[line*w.OutLine+p*w.OutPoint:]
			b := b[line*w.RightLine:]
			for k, at := range w.At {
				for i := range n {
					points[k][i] = from[at+i*w.Point]
				}
			}
			for j := 0; j < w.Cols; j += tileN {
				cols := min(tileN, w.Cols-j)
				var sums [tileM][tileN]T
				if cols == tileN {
					sums = multiplyPoints(points[:len(w.At)], b[j:], w.Rows)
				} else {
					sums = multiplyEdgePoints(points[:len(w.At)], b[j:], w.Rows, cols)
				}
				for i := range n {
					addOrSet(to[i*w.OutPoint+j:][:cols], sums[i], first)
				}
			}
		}
	}
}

// multiplyPoints sums the products of points with columns: those of each k are neighbours in b.
// It is written out for two k as multiplyTile is for four.
func multiplyPoints[T accumulator](points [][tileM]T, b []T, rows []int) [tileM][tileN]T {
	var c00, c01, c02, c03, c10, c11, c12, c13 T
	for ; len(points) >= 2 && len(rows) >= 2; points, rows = points[2:], rows[2:] {
		x, y, z := (*[2][tileM]T)(points), (*[tileN]T)(b[rows[0]:]), (*[tileN]T)(b[rows[1]:])
		u0, u1 := x[0][0], x[0][1]
		v0, v1, v2, v3 := y[0], y[1], y[2], y[3]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)

		u0, u1 = x[1][0], x[1][1]
		v0, v1, v2, v3 = z[0], z[1], z[2], z[3]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)
	}
	for k := range points {
		x, y := &points[k], (*[tileN]T)(b[rows[k]:])
		u0, u1 := x[0], x[1]
		v0, v1, v2, v3 := y[0], y[1], y[2], y[3]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)
	}
	return [tileM][tileN]T{{c00, c01, c02, c03}, {c10, c11, c12, c13}}
}

// multiplyEdgePoints is multiplyPoints for fewer columns.
func multiplyEdgePoints[T accumulator](points [][tileM]T, b []T, rows []int, cols int) (sums [tileM][tileN]T) {
	for k, x := range points {
		for j, v := range b[rows[k]:][:cols] {
			sums[0][j] += T(x[0] * v)
			sums[1][j] += T(x[1] * v)
		}
	}
	return sums
}

// addOrSet adds sums to results, as many as there are, or sets them.
func addOrSet[T accumulator](c []T, sums [tileN]T, first bool) {
	for i := range min(len(c), tileN) {
		if first {
			c[i] = sums[i]
		} else {
			c[i] += sums[i]
		}
	}
}
