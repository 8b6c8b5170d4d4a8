package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// StepOf returns the GEMM step of an environment, plain Go if it has none.
//
//go:noinline
func StepOf[T Accumulator](env *rt.Env) rt.GemmStep[T] {
	if env == nil {
		return goStep[T]{}
	}
	return StepIn[T](env.Gemm)
}

// StepIn is [StepOf] for the steps of a tier.
//
//go:noinline
func StepIn[T Accumulator](steps rt.GemmSteps) rt.GemmStep[T] {
	var found any
	var zero T
	switch any(zero).(type) {
	case float32:
		found = steps.F32
	case float64:
		found = steps.F64
	}
	if s, ok := found.(rt.GemmStep[T]); ok {
		return s
	}
	return goStep[T]{}
}

// HasStep reports whether the tier has a GEMM step for T.
func HasStep[T Accumulator](env *rt.Env) bool { return StepOf[T](env) != goStep[T]{} }

// unpackedStepOf returns the step as one that reads rows in place; nil if it does not.
func unpackedStepOf[T Accumulator](env *rt.Env, step rt.BlockStep[T]) rt.UnpackedRowStep[T] {
	if own, ok := StepOf[T](env).(rt.UnpackedRowStep[T]); ok && rt.BlockStep[T](own) == step {
		return own
	}
	return nil
}

// unfusedStepOf returns the step of an environment that does not fuse multiplications and additions.
func unfusedStepOf[T Accumulator](env *rt.Env) rt.BlockStep[T] {
	if env != nil {
		if s, ok := any(env.Gemm.Unfused32).(rt.BlockStep[T]); ok {
			return s
		}
		if s, ok := any(env.Gemm.Unfused64).(rt.BlockStep[T]); ok {
			return s
		}
	}
	return goStep[T]{}
}

// BelowParallelThreshold is [rt.BelowParallelThreshold] for GEMM operations. Machine code is ten times as fast.
func BelowParallelThreshold[T Accumulator](step rt.BlockStep[T], ops int) bool {
	if step != (goStep[T]{}) {
		ops /= 10
	}
	return rt.BelowParallelThreshold(ops)
}

// goStep is the GEMM step in plain Go: a product is rounded before it is added, and each block of BlockK sums from
// 0.
type goStep[T Accumulator] struct{}

// Tile returns the sizes of a micro-kernel.
func (goStep[T]) Tile() (rows, cols, depth int) { return microM, microN, microK }

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
	macroKernel(c, ldc, rows, cols, rt.CeilDiv(depth, microK), rt.View[panelA[T]](rt.Bytes(a)),
		rt.View[panelB[T]](rt.Bytes(b)), sumModeOf(first))
}

// Subtract subtracts the product of packed blocks.
func (goStep[T]) Subtract(c []T, ldc, rows, cols, depth int, a, b []T) {
	macroKernel(c, ldc, rows, cols, rt.CeilDiv(depth, microK), rt.View[panelA[T]](rt.Bytes(a)),
		rt.View[panelB[T]](rt.Bytes(b)), subtractSums)
}

// Dot sums lines with contiguous k's.
func (goStep[T]) Dot(sums, a []T, ls int, x []T) {
	i := 0
	for ; i+4 <= len(sums); i += 4 {
		sums[i], sums[i+1], sums[i+2], sums[i+3] = dotRow4(a[i*ls:], ls, x)
	}
	for ; i < len(sums); i++ {
		sums[i] = dotRow1(a[i*ls:][:len(x)], x)
	}
}

// Listing returns no code.
func (goStep[T]) Listing() (tier, listing string) { return "portable", "" }

// Add sums lines that are contiguous for each k.
func (goStep[T]) Add(sums, a []T, ks int, x []T) { addColumns(sums, a, ks, x) }

// MultiplyWindows multiplies points of an image by columns.
func (s goStep[T]) MultiplyWindows(w *rt.Windows, c, a, b []T, first bool) {
	if w.RightOffsets != nil {
		multiplyWindowsIndirect(w, c, a, b, first)
		return
	}
	multiplyWindowsPacked(w, c, a, rt.View[panelB[T]](rt.Bytes(b)), first)
}

// multiplyWindowsPacked multiplies points of an image by packed columns; it packs two points at a time.
func multiplyWindowsPacked[T Accumulator](w *rt.Windows, c, a []T, panels []panelB[T], first bool) {
	var buf [BlockK / microK]panelA[T]
	points := buf[:rt.CeilDiv(len(w.Offsets), microK)]
	for line := range w.Lines {
		for p := 0; p < w.Points; p += microM {
			n := min(microM, w.Points-p)
			from, to := a[line*w.LineStride+p*w.PointStride:], c[line*w.OutLineStride+p*w.OutPointStride:]
			if w.Depthwise {
				for i := range n {
					out := to[i*w.OutPointStride:][:w.Cols]
					multiplyDepthwise(out, from[i*w.PointStride:], w.Offsets, panels, first)
				}
				continue
			}
			clear(points[len(points)-1][:])
			if n == microM {
				packPoints(points, from, from[w.PointStride:], w.Offsets)
			} else {
				for k, at := range w.Offsets {
					points[k/microK][k%microK*microM] = from[at]
				}
			}
			macroKernel(to, w.OutPointStride, n, w.Cols, len(points), points, panels, sumModeOf(first))
		}
	}
}

// packPoints packs two points, four k's at a time.
func packPoints[T Accumulator](points []panelA[T], x, y []T, at []int) {
	i := 0
	for ; len(at) >= microK; i, at = i+1, at[microK:] {
		to, k := &points[i], (*[microK]int)(at)
		to[0], to[1] = x[k[0]], y[k[0]]
		to[2], to[3] = x[k[1]], y[k[1]]
		to[4], to[5] = x[k[2]], y[k[2]]
		to[6], to[7] = x[k[3]], y[k[3]]
	}
	for k, from := range at {
		points[i][k*microM], points[i][k*microM+1] = x[from], y[from]
	}
}

// multiplyDepthwise multiplies each column by its own element of a point.
func multiplyDepthwise[T Accumulator](c, a []T, at []int, b []panelB[T], first bool) {
	depth := rt.CeilDiv(len(at), microK)
	for j := 0; j < len(c); j += microN {
		panel := b[j/microN*depth:][:depth]
		var sum [microN]T
		n := min(microN, len(c)-j)
		for k, at := range at {
			x, y := a[at+j:][:n], panel[k/microK][k%microK*microN:][:n]
			for i := range x {
				sum[i] += T(x[i] * y[i])
			}
		}
		addOrSet(c[j:], sum, first)
	}
}

// multiplyWindowsIndirect multiplies windows by columns that are not packed: it packs a range of columns for all
// points, and two points for all of these columns.
func multiplyWindowsIndirect[T Accumulator](w *rt.Windows, c, a, b []T, first bool) {
	if w.RightLineStride != 0 || w.Lines*w.Points < minPackPoints {
		multiplyFewPoints(w, c, a, b, first)
		return
	}
	var buf [indirectCols / microN * (BlockK / microK)]panelB[T]
	depth := rt.CeilDiv(len(w.Offsets), microK)
	part := *w
	part.RightOffsets = nil
	for col := 0; col < w.Cols; col += indirectCols {
		part.Cols = min(indirectCols, w.Cols-col)
		panels := buf[:rt.CeilDiv(part.Cols, microN)*depth]
		packIndirect(panels, b, w.RightOffsets, col, part.Cols, depth)
		multiplyWindowsPacked(&part, c[col:], a, panels, first)
	}
}

// packIndirect packs columns from first on, of rows at given offsets.
func packIndirect[T Accumulator](panels []panelB[T], b []T, rows []int, first, cols, depth int) {
	for j := 0; j < cols; j += microN {
		panel := panels[j/microN*depth:][:depth]
		panel[depth-1] = panelB[T]{}
		n := min(microN, cols-j)
		if n < microN {
			clear(panel)
		}
		for k, row := range rows {
			to := (*[microN]T)(panel[k/microK][k%microK*microN:])
			if from := b[row+first+j:]; n == microN {
				*to = [microN]T(from)
			} else {
				copy(to[:], from[:n])
			}
		}
	}
}

// multiplyFewPoints is multiplyWindowsIndirect for few points, or for lines with their own columns: it packs points
// only.
func multiplyFewPoints[T Accumulator](w *rt.Windows, c, a, b []T, first bool) {
	var points [BlockK][microM]T
	for line := range w.Lines {
		for p := 0; p < w.Points; p += microM {
			n := min(microM, w.Points-p)
			from, to := a[line*w.LineStride+p*w.PointStride:], c[line*w.OutLineStride+p*w.OutPointStride:]
			b := b[line*w.RightLineStride:]
			for k, at := range w.Offsets {
				for i := range n {
					points[k][i] = from[at+i*w.PointStride]
				}
			}
			for j := 0; j < w.Cols; j += microN {
				cols := min(microN, w.Cols-j)
				var sums [microM][microN]T
				if cols == microN {
					sums = multiplyPoints(points[:len(w.Offsets)], b[j:], w.RightOffsets)
				} else {
					sums = multiplyEdgePoints(points[:len(w.Offsets)], b[j:], w.RightOffsets, cols)
				}
				for i := range n {
					addOrSet(to[i*w.OutPointStride+j:][:cols], sums[i], first)
				}
			}
		}
	}
}

// multiplyPoints sums the products of points with columns, which are contiguous in b for each k. It is unrolled for two
// k as microKernel is for four.
func multiplyPoints[T Accumulator](points [][microM]T, b []T, rows []int) [microM][microN]T {
	var c00, c01, c02, c03, c10, c11, c12, c13 T
	for ; len(points) >= 2 && len(rows) >= 2; points, rows = points[2:], rows[2:] {
		x, y, z := (*[2][microM]T)(points), (*[microN]T)(b[rows[0]:]), (*[microN]T)(b[rows[1]:])
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
		x, y := &points[k], (*[microN]T)(b[rows[k]:])
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
	return [microM][microN]T{{c00, c01, c02, c03}, {c10, c11, c12, c13}}
}

// multiplyEdgePoints is multiplyPoints for fewer columns.
func multiplyEdgePoints[T Accumulator](points [][microM]T, b []T, rows []int, cols int) (sums [microM][microN]T) {
	for k, x := range points {
		for j, v := range b[rows[k]:][:cols] {
			sums[0][j] += T(x[0] * v)
			sums[1][j] += T(x[1] * v)
		}
	}
	return sums
}

// addOrSet adds sums to results, or sets them.
func addOrSet[T Accumulator](c []T, sums [microN]T, first bool) {
	for i := range min(len(c), microN) {
		if first {
			c[i] = sums[i]
		} else {
			c[i] += sums[i]
		}
	}
}
