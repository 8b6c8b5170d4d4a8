package arrayfile

import (
	"fmt"
	"math"
	"math/bits"
)

// NumElems returns the number of elements of a shape. It is an error if a product of sizes and of the size of an
// element overflows, even if another size is 0, so that a caller may multiply the sizes without further checks.
func NumElems(shape []int, elemSize int) (int, error) {
	size, empty := uint64(elemSize), false
	for axis, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("dimension %d of the shape %v is negative", axis, shape)
		}
		if d == 0 {
			empty = true
			continue
		}
		hi, lo := bits.Mul64(size, uint64(d))
		if hi != 0 || lo > math.MaxInt {
			return 0, fmt.Errorf("the shape %v is too large", shape)
		}
		size = lo
	}
	if empty {
		return 0, nil
	}
	return int(size) / elemSize, nil
}
