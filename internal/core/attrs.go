package core

import (
	"encoding/binary"
)

// none are the attributes of an operation without attributes.
type none struct{}

// intList is a list of integers as an attribute: comparable.
type intList string

//go:noinline
func listOf[S ~[]int](v S) intList {
	b := make([]byte, 0, 2*len(v))
	for _, i := range v {
		b = binary.AppendVarint(b, int64(i))
	}
	return intList(b)
}

func (l intList) ints() []int {
	var out []int
	for b := []byte(l); len(b) > 0; {
		v, n := binary.Varint(b)
		out, b = append(out, int(v)), b[n:]
	}
	return out
}
