package gguf

import (
	"encoding/binary"
	"math"

	"github.com/go-nx/nx/dtype"
)

// The functions of this file decode blocks as llama.cpp does, to the bit: each product is rounded to f32.

// half reads a number of f16.
func half(b []byte) float32 { return float32(dtype.F16.LoadFloat(b, 0)) }

// decodeQ4 decodes a scale and 16 bytes: byte i has element i in its lower and i+16 in its upper 4 bits, 8 added.
func decodeQ4(dst []float32, block []byte) {
	scale := half(block)
	for i, b := range block[2:18] {
		dst[i] = scale * float32(int(b&15)-8)
		dst[i+16] = scale * float32(int(b>>4)-8)
	}
}

// decodeQ8 decodes a scale and 32 bytes.
func decodeQ8(dst []float32, block []byte) {
	scale := half(block)
	for i, b := range block[2:34] {
		dst[i] = scale * float32(int8(b))
	}
}

// decoded turns blocks into elements of f32, little-endian.
func (l *layout) decoded(blocks []byte) []byte {
	out := make([]byte, 0, int64(len(blocks))/l.bytes*l.elems*4)
	row := make([]float32, l.elems)
	for ; int64(len(blocks)) >= l.bytes; blocks = blocks[l.bytes:] {
		l.decode(row, blocks[:l.bytes])
		for _, x := range row {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out
}
