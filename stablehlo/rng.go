package stablehlo

// PairedDim returns the dimension of the result of rng_bit_generator along which the two words of a Threefry
// block are neighbours, the first dimension of even size or else the largest: the number of elements before
// it, its size, and the number of elements after it. The specification does not define the positions of the
// words; this is XLA's choice.
func PairedDim(dims []int64) (outer, size, inner int) {
	at := -1
	for i, n := range dims {
		if n%2 == 0 {
			at = i
			break
		}
		if at < 0 || n > dims[at] {
			at = i
		}
	}
	outer, size, inner = 1, 1, 1
	for i, n := range dims {
		switch {
		case i < at:
			outer *= int(n)
		case i == at:
			size = int(n)
		default:
			inner *= int(n)
		}
	}
	return outer, size, inner
}
