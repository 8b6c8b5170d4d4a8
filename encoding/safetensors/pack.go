package safetensors

import "github.com/go-nx/nx/dtype"

// unpack returns the elements of t that are packed in b, one byte each. It reuses b for types that are not
// packed.
func unpack(b []byte, t dtype.Type) []byte {
	if t == dtype.Bool {
		for i, v := range b {
			if v != 0 {
				b[i] = 1
			}
		}
	}
	width := t.Bits()
	if t == dtype.Bool || width >= 8 {
		return b
	}
	out := make([]byte, 0, len(b)*8/width)
	var window uint // bits not yet taken, the next one lowest
	have := 0
	for _, v := range b {
		window |= uint(v) << have
		for have += 8; have >= width; have -= width {
			out = append(out, byte(window&(1<<width-1)))
			window >>= width
		}
	}
	return out
}

// pack is the inverse of unpack, for elements that end at a byte.
func pack(elems []byte, t dtype.Type) []byte {
	width := t.Bits()
	if t == dtype.Bool || width >= 8 {
		return elems
	}
	out := make([]byte, 0, len(elems)*width/8)
	var window uint
	have := 0
	for _, v := range elems {
		window |= uint(v) & (1<<width - 1) << have
		for have += width; have >= 8; have -= 8 {
			out = append(out, byte(window))
			window >>= 8
		}
	}
	return out
}
