package special

import "math"

// The remainder x − y·trunc(x/y) is exact. Where the rounded quotient is below 2^53, it is trunc(x/y) or, rounded up to
// an integer, one more. The difference is a multiple of the last place of y, and less than y. Package math subtracts
// bit by bit, with as many steps as the quotient has bits.

// RemF32 computes the remainder of x/y with the sign of x. Either operand may be a slice of one element, which is
// broadcast.
func RemF32(dst, x, y []float32) {
	sx, sy := strideOf(x), strideOf(y)
	for i := range dst {
		a, b := float64(x[i*sx]), math.Abs(float64(y[i*sy]))
		q := math.Abs(a) / b
		if !(q < 1<<29) || b > math.MaxFloat64 { // q·b is exact below; 0, ∞ and NaN
			dst[i] = float32(math.Mod(a, b))
			continue
		}
		r := math.Abs(a) - float64(float64(int64(q))*b)
		if r < 0 {
			r += b
		}
		dst[i] = float32(math.Copysign(r, a))
	}
}

// RemF64 is RemF32 for float64.
func RemF64(dst, x, y []float64) {
	sx, sy := strideOf(x), strideOf(y)
	for i := range dst {
		dst[i] = rem64(x[i*sx], y[i*sy])
	}
}

func rem64(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	q := a / b
	if !(q < 1<<53) || b > math.MaxFloat64 {
		return math.Mod(x, y)
	}
	r := math.FMA(-float64(int64(q)), b, a)
	if r < 0 {
		r += b
	}
	return math.Copysign(r, x)
}

// strideOf returns 0 for a slice of one element, which is broadcast, else 1.
func strideOf[T any](x []T) int {
	if len(x) == 1 {
		return 0
	}
	return 1
}
