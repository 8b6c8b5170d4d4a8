package portable

// The loops of comparisons, which write 0 or 1. x > y is y < x, and x ≥ y is y ≤ x.

func equal[T comparable](d []uint8, a, b []T) {
	if len(a) == 1 {
		a, b = b, a
	}
	d = d[:len(a)]
	if len(b) == 1 {
		y := b[0]
		for i, x := range a {
			d[i] = b2u(x == y)
		}
		return
	}
	b = b[:len(a)]
	for i, x := range a {
		d[i] = b2u(x == b[i])
	}
}

func notEqual[T comparable](d []uint8, a, b []T) {
	equal(d, a, b)
	not(d, d)
}

// not inverts booleans.
func not(d, a []uint8) {
	d = d[:len(a)]
	for i, x := range a {
		d[i] = x ^ 1
	}
}

func b2u(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
