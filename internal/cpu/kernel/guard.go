package kernel

// Inside returns the range lo…hi-1 of the n points whose guard form, first + i·step, is in
// 0…size-1.
func Inside(first, step, size, n int64) (lo, hi int64) {
	switch {
	case step == 0:
		if first < 0 || first >= size {
			return n, n
		}
		return 0, n
	case step < 0: // reversed
		from, to := Inside(first+step*(n-1), -step, size, n)
		return n - to, n - from
	}
	if first < 0 {
		lo = min((step-1-first)/step, n)
	}
	if size > first {
		hi = min((size-first+step-1)/step, n)
	}
	return lo, max(hi, lo)
}
