package portable

// The loops of the instructions on bits. Shifts by one amount for all elements,
// which are nearly all shifts, have loops without tests.

func and[T integer](d, a, b []T) {
	if len(a) == 1 {
		a, b = b, a
	}
	if len(b) == 1 {
		y := b[0]
		for i, x := range a {
			d[i] = x & y
		}
		return
	}
	b, d = b[:len(a)], d[:len(a)]
	for i, x := range a {
		d[i] = x & b[i]
	}
}

func or[T integer](d, a, b []T) {
	if len(a) == 1 {
		a, b = b, a
	}
	if len(b) == 1 {
		y := b[0]
		for i, x := range a {
			d[i] = x | y
		}
		return
	}
	b, d = b[:len(a)], d[:len(a)]
	for i, x := range a {
		d[i] = x | b[i]
	}
}

func xor[T integer](d, a, b []T) {
	if len(a) == 1 {
		a, b = b, a
	}
	if len(b) == 1 {
		y := b[0]
		for i, x := range a {
			d[i] = x ^ y
		}
		return
	}
	b, d = b[:len(a)], d[:len(a)]
	for i, x := range a {
		d[i] = x ^ b[i]
	}
}

// Shifts by the width n of the element or more, or by a negative count, shift
// everything out.

func shiftLeft[T integer](n int) func(d, a, b []T) {
	return shiftOut(n, shl[T](n), func(d, a []T, s uint64) {
		for i, x := range a {
			d[i] = T(uint64(x) << (s & 63))
		}
	})
}

func shiftRight[T integer](n int) func(d, a, b []T) {
	mask := ^uint64(0) >> (64 - n)
	return shiftOut(n, shrL[T](n), func(d, a []T, s uint64) {
		for i, x := range a {
			d[i] = T(uint64(x) & mask >> (s & 63))
		}
	})
}

// shiftOut returns the loop of a shift that brings in zeros: by one amount below n,
// the loop all, and else each element by its own.
func shiftOut[T integer](n int, one func(x, y T) T, all func(d, a []T, s uint64)) func(d, a, b []T) {
	return func(d, a, b []T) {
		if len(b) != 1 {
			pairs(d, a, b, one)
			return
		}
		d = d[:len(a)]
		if s := lowBits(b[0]); s < uint64(n) {
			all(d, a, s)
		} else {
			clear(d)
		}
	}
}

func shiftRightSigned[T integer](n int) func(d, a, b []T) {
	return func(d, a, b []T) {
		if len(b) != 1 {
			pairs(d, a, b, shrA[T](n))
			return
		}
		up := uint64(64 - n)
		s := up + min(lowBits(b[0]), uint64(n-1))
		d = d[:len(a)]
		for i, x := range a {
			d[i] = T(int64(x) << (up & 63) >> (s & 63))
		}
	}
}

func shl[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		if lowBits(y) >= uint64(n) {
			return 0
		}
		return x << lowBits(y)
	}
}

func shrA[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		sh := min(lowBits(y), uint64(n-1))
		s := int64(lowBits(x)) << (64 - n) >> (64 - n)
		return T(s >> sh)
	}
}

func shrL[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		if lowBits(y) >= uint64(n) {
			return 0
		}
		return T(lowBits(x) & (^uint64(0) >> (64 - n)) >> lowBits(y))
	}
}
