package gemm

// The micro-kernel computes microM rows by microN columns of C, over microK values of k per iteration. SSE2 has 16
// registers, and Go's code for wider tiles spills; 2×4 with the loop unrolled four times is the fastest of the shapes
// from 1×8 to 4×4 (7.4 GF/s per core; 2×3 without unrolling gets 6.6 and 4×4 3.3). Unrolling matters because the
// compiler schedules additions whose result the block does not use again after all products of the block.
const (
	microM = 2
	microN = 4
	microK = 4
)

// Accumulator is a type of sums of products.
type Accumulator interface {
	float32 | float64 | int32 | int64
}

// panelA holds microM rows and panelB microN columns, both for microK values of k, with k the slower index.
type (
	panelA[T Accumulator] [microM * microK]T
	panelB[T Accumulator] [microN * microK]T
)

// A sumMode is the effect of sums on C.
type sumMode uint8

const (
	storeSums sumMode = iota
	addSums
	subtractSums
)

// sumModeOf returns the mode for the first sums, or for later ones.
func sumModeOf(first bool) sumMode {
	if first {
		return storeSums
	}
	return addSums
}

// microKernel sums the products of two panels for a tile of C. Each element is summed in the order of k.
func microKernel[T Accumulator](c []T, ldc int, a []panelA[T], b []panelB[T], mode sumMode) {
	var c00, c01, c02, c03, c10, c11, c12, c13 T
	b = b[:len(a)]
	for p := range a {
		x, y := &a[p], &b[p]
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

		u0, u1 = x[2], x[3]
		v0, v1, v2, v3 = y[4], y[5], y[6], y[7]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)

		u0, u1 = x[4], x[5]
		v0, v1, v2, v3 = y[8], y[9], y[10], y[11]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)

		u0, u1 = x[6], x[7]
		v0, v1, v2, v3 = y[12], y[13], y[14], y[15]
		c00 += T(u0 * v0)
		c01 += T(u0 * v1)
		c02 += T(u0 * v2)
		c03 += T(u0 * v3)
		c10 += T(u1 * v0)
		c11 += T(u1 * v1)
		c12 += T(u1 * v2)
		c13 += T(u1 * v3)
	}
	r0 := c[:microN]
	r1 := c[ldc:][:microN]
	switch mode {
	case storeSums:
		r0[0], r0[1], r0[2], r0[3] = c00, c01, c02, c03
		r1[0], r1[1], r1[2], r1[3] = c10, c11, c12, c13
		return
	case subtractSums: // adding the negated sum is the same
		c00, c01, c02, c03 = -c00, -c01, -c02, -c03
		c10, c11, c12, c13 = -c10, -c11, -c12, -c13
	}
	r0[0] += c00
	r0[1] += c01
	r0[2] += c02
	r0[3] += c03
	r1[0] += c10
	r1[1] += c11
	r1[2] += c12
	r1[3] += c13
}

// microKernelEdge is microKernel for a tile with only rows × cols elements inside C. The panels are padded, so every
// element is the same sum as inside.
func microKernelEdge[T Accumulator](c []T, ldc, rows, cols int, a []panelA[T], b []panelB[T], mode sumMode) {
	var tile [microM * microN]T
	microKernel(tile[:], microN, a, b, storeSums)
	for i := range rows {
		row := c[i*ldc:][:cols]
		for j := range row {
			switch sum := tile[i*microN+j]; mode {
			case storeSums:
				row[j] = sum
			case addSums:
				row[j] += sum
			case subtractSums:
				row[j] -= sum
			}
		}
	}
}

// macroKernel multiplies a packed block of A by a packed block of B, with the given number of panels along k.
func macroKernel[T Accumulator](c []T, ldc, rows, cols, panels int, a []panelA[T], b []panelB[T], mode sumMode) {
	for j := 0; j < cols; j += microN {
		bp := b[j/microN*panels:][:panels]
		for i := 0; i < rows; i += microM {
			ap := a[i/microM*panels:][:panels]
			if rows-i >= microM && cols-j >= microN {
				microKernel(c[i*ldc+j:], ldc, ap, bp, mode)
			} else {
				microKernelEdge(c[i*ldc+j:], ldc, min(microM, rows-i), min(microN, cols-j), ap, bp, mode)
			}
		}
	}
}
