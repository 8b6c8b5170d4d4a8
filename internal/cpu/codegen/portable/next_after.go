package portable

import "math"

// nextAfter32 is [dtype.Type.NextAfter] of F32: the bits of magnitudes are in the order of the numbers.
func nextAfter32(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return float32(math.NaN())
	case x == y:
		return y
	case x == 0:
		return math.Float32frombits(math.Float32bits(y)&(1<<31) | 1)
	case (y > x) == (x > 0):
		return math.Float32frombits(math.Float32bits(x) + 1)
	}
	return math.Float32frombits(math.Float32bits(x) - 1)
}

// nextAfter64 is nextAfter32 of F64.
func nextAfter64(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case x == y:
		return y
	case x == 0:
		return math.Float64frombits(math.Float64bits(y)&(1<<63) | 1)
	case (y > x) == (x > 0):
		return math.Float64frombits(math.Float64bits(x) + 1)
	}
	return math.Float64frombits(math.Float64bits(x) - 1)
}
