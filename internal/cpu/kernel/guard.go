package kernel

// Inside returns which of n points, at the i-th of which the form of a guard is first + i·step, have a form of at
// least 0 and less than size: those from lo to hi-1, if any.
func Inside(first, step, size, n int64) (lo, hi int64) {
	switch {
	case step == 0:
		if first < 0 || first >= size {
			return n, n
		}
		return 0, n
	case step < 0: // the other way round
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
