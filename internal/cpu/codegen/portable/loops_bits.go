package portable

// The loops of shifts. Those by one count for all elements, the common case, have no tests. Shifts by the width n of
// the element or more, or by a negative count, shift all bits out.

func shiftLeft[T integer](n int) func(d, a, b []T) {
	return func(d, a, b []T) {
		if len(b) == 1 {
			s := lowBits(b[0])
			if s >= uint64(n) {
				clear(d)
				return
			}
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(uint64(x) << (s & 63))
			}
			return
		}
		sa := strideOf(a)
		d = d[:len(b)]
		if n < width[T]() {
			for i, y := range b {
				s := lowBits(y)
				d[i] = T(uint64(a[i*sa]) << s & below(s, n))
			}
			return
		}
		for i, y := range b {
			d[i] = T(uint64(a[i*sa]) << lowBits(y))
		}
	}
}

func shiftRight[T integer](n int) func(d, a, b []T) {
	mask := ^uint64(0) >> (64 - n)
	return func(d, a, b []T) {
		if len(b) == 1 {
			s := lowBits(b[0])
			if s >= uint64(n) {
				clear(d)
				return
			}
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(uint64(x) & mask >> (s & 63))
			}
			return
		}
		sa := strideOf(a)
		d = d[:len(b)]
		for i, y := range b {
			d[i] = T(uint64(a[i*sa]) & mask >> lowBits(y)) // mask has no bits from bit n on
		}
	}
}

// shiftRightSigned shifts in the sign.
func shiftRightSigned[T integer](n int) func(d, a, b []T) {
	up := uint64(64 - n)
	return func(d, a, b []T) {
		if len(b) == 1 {
			s := up + min(lowBits(b[0]), uint64(n-1))
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(int64(x) << (up & 63) >> (s & 63))
			}
			return
		}
		sa := strideOf(a)
		d = d[:len(b)]
		for i, y := range b {
			d[i] = T(int64(a[i*sa]) << (up & 63) >> (up & 63) >> lowBits(y))
		}
	}
}

// below returns all ones if s is less than n, else 0, without a jump: with counts that vary, jumps cost more than the
// shifts.
func below(s uint64, n int) uint64 { return -uint64(b2u(s < uint64(n))) }

// strideOf returns 0 for an operand of one element, else 1.
func strideOf[T any](x []T) int {
	if len(x) == 1 {
		return 0
	}
	return 1
}
