package gguf

import (
	"encoding/binary"
	"math"

	"github.com/go-nx/nx/dtype"
)

// The functions of this file decode blocks as llama.cpp does, to the bit: each product and each sum is rounded to
// f32, which the conversions say.

// half reads a number of f16.
func half(b []byte) float32 { return float32(dtype.F16.LoadFloat(b, 0)) }

// decodeQ40 decodes a scale and 16 bytes: byte i has element i in its lower and i+16 in its upper 4 bits, 8 added.
func decodeQ40(dst []float32, block []byte) {
	scale := half(block)
	for i, b := range block[2:18] {
		dst[i] = scale * float32(int(b&15)-8)
		dst[i+16] = scale * float32(int(b>>4)-8)
	}
}

// decodeQ41 has an offset behind the scale.
func decodeQ41(dst []float32, block []byte) {
	scale, offset := half(block), half(block[2:])
	for i, b := range block[4:20] {
		dst[i] = float32(scale*float32(b&15)) + offset
		dst[i+16] = float32(scale*float32(b>>4)) + offset
	}
}

// decodeQ50 has the fifth bits of elements before the bytes, and 16 added.
func decodeQ50(dst []float32, block []byte) {
	scale, bits := half(block), binary.LittleEndian.Uint32(block[2:])
	for i, b := range block[6:22] {
		dst[i] = scale * float32(int(b&15)|int(bits>>i&1)<<4-16)
		dst[i+16] = scale * float32(int(b>>4)|int(bits>>(i+16)&1)<<4-16)
	}
}

func decodeQ51(dst []float32, block []byte) {
	scale, offset, bits := half(block), half(block[2:]), binary.LittleEndian.Uint32(block[4:])
	for i, b := range block[8:24] {
		dst[i] = float32(scale*float32(int(b&15)|int(bits>>i&1)<<4)) + offset
		dst[i+16] = float32(scale*float32(int(b>>4)|int(bits>>(i+16)&1)<<4)) + offset
	}
}

func decodeQ80(dst []float32, block []byte) {
	scale := half(block)
	for i, b := range block[2:34] {
		dst[i] = scale * float32(int8(b))
	}
}

// part is the scale and the offset of 32 of the 256 elements of a block, products of two of f16 and 6 bits each.
// Those of parts 4 to 7 have their upper 2 bits in the bytes of parts 0 to 3.
func part(block []byte, j int) (scale, offset float32) {
	d, low, b := half(block), half(block[2:]), block[4:16]
	if j < 4 {
		return d * float32(b[j]&63), low * float32(b[j+4]&63)
	}
	return d * float32(b[j+4]&15|b[j-4]>>6<<4), low * float32(b[j+4]>>4|b[j]>>6<<4)
}

// decodeQ4K decodes four parts of 32 bytes, each with 32 elements in the lower and 32 in the upper bits.
func decodeQ4K(dst []float32, block []byte) {
	for j := range 4 {
		scale, offset := part(block, 2*j)
		scale2, offset2 := part(block, 2*j+1)
		out := dst[64*j : 64*j+64]
		for i, b := range block[16+32*j : 48+32*j] {
			out[i] = float32(scale*float32(b&15)) - offset
			out[i+32] = float32(scale2*float32(b>>4)) - offset2
		}
	}
}

// decodeQ5K has the fifth bits before the bytes: byte i those of the elements i of all parts.
func decodeQ5K(dst []float32, block []byte) {
	bits := block[16:48]
	for j := range 4 {
		scale, offset := part(block, 2*j)
		scale2, offset2 := part(block, 2*j+1)
		out := dst[64*j : 64*j+64]
		for i, b := range block[48+32*j : 80+32*j] {
			out[i] = float32(scale*float32(b&15|bits[i]>>(2*j)&1<<4)) - offset
			out[i+32] = float32(scale2*float32(b>>4|bits[i]>>(2*j+1)&1<<4)) - offset2
		}
	}
}

// decodeQ6K decodes two halves of 128 elements, each with 64 bytes of the lower 4 bits and 32 of the upper 2, and
// then a scale for every 16.
func decodeQ6K(dst []float32, block []byte) {
	scale := half(block[208:])
	for j := range 8 { // 32 elements with two scales
		low, shift := block[64*(j/4)+32*(j%2):], j%4/2*4
		high, shiftHigh := block[128+32*(j/4):], j%4*2
		out := dst[32*j : 32*j+32]
		for k := range 2 {
			d := scale * float32(int8(block[192+2*j+k]))
			for i := 16 * k; i < 16*k+16; i++ {
				out[i] = d * float32(int(low[i]>>shift&15|high[i]>>shiftHigh&3<<4)-32)
			}
		}
	}
}

// decoded turns blocks into elements of f32, little-endian.
func (l *layout) decoded(blocks []byte) []byte {
	out := make([]byte, int64(len(blocks))/l.bytes*l.elems*4)
	row := make([]float32, l.elems)
	for to := out; int64(len(blocks)) >= l.bytes; blocks = blocks[l.bytes:] {
		l.decode(row, blocks[:l.bytes])
		for i, x := range row {
			binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(x))
		}
		to = to[4*len(row):]
	}
	return out
}
