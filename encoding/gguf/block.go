package gguf

import (
	"encoding/binary"
	"math"

	"github.com/go-nx/nx/dtype"
)

// The functions of this file decode blocks as llama.cpp does, to the bit: each product and each sum is rounded to f32,
// which the conversions say.

// half reads a number of f16.
func half(b []byte) float32 { return float32(dtype.F16.LoadFloat(b, 0)) }

// nibble is element i of blocks of 32 or 64: byte i%n has it in its lower and element i+n in its upper 4 bits.
func nibble(b []byte, i, n int) int { return int(b[i%n] >> (i / n * 4) & 15) }

func decodeQ40(dst []float32, block []byte) {
	scale := half(block)
	for i := range dst {
		dst[i] = scale * float32(nibble(block[2:], i, 16)-8)
	}
}

func decodeQ41(dst []float32, block []byte) {
	scale, offset := half(block), half(block[2:])
	for i := range dst {
		dst[i] = float32(scale*float32(nibble(block[4:], i, 16))) + offset
	}
}

// fifth is the fifth bit of element i, of a number with those of 32 elements.
func fifth(bits uint32, i int) int { return int(bits>>i&1) << 4 }

func decodeQ50(dst []float32, block []byte) {
	scale, bits := half(block), binary.LittleEndian.Uint32(block[2:])
	for i := range dst {
		dst[i] = scale * float32(nibble(block[6:], i, 16)+fifth(bits, i)-16)
	}
}

func decodeQ51(dst []float32, block []byte) {
	scale, offset, bits := half(block), half(block[2:]), binary.LittleEndian.Uint32(block[4:])
	for i := range dst {
		dst[i] = float32(scale*float32(nibble(block[8:], i, 16)+fifth(bits, i))) + offset
	}
}

func decodeQ80(dst []float32, block []byte) {
	scale := half(block)
	for i := range dst {
		dst[i] = scale * float32(int8(block[2+i]))
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

func decodeQ4K(dst []float32, block []byte) {
	for j := range 8 {
		scale, offset := part(block, j)
		for i := range 32 {
			dst[32*j+i] = float32(scale*float32(nibble(block[16+j/2*32:], j%2*32+i, 32))) - offset
		}
	}
}

func decodeQ5K(dst []float32, block []byte) {
	for j := range 8 {
		scale, offset := part(block, j)
		for i := range 32 {
			q := nibble(block[48+j/2*32:], j%2*32+i, 32) + int(block[16+i]>>j&1)<<4
			dst[32*j+i] = float32(scale*float32(q)) - offset
		}
	}
}

// decodeQ6K decodes two halves of 128 elements, each with 64 bytes of the lower 4 bits and 32 of the upper 2, and
// then a scale for every 16.
func decodeQ6K(dst []float32, block []byte) {
	scale := half(block[208:])
	for i := range dst {
		at, k := i/128, i%128
		low, high := block[64*at:], block[128+32*at:]
		q := nibble(low, k, 64) + int(high[k%32]>>(k/32*2)&3)<<4 - 32
		dst[i] = float32(scale*float32(int8(block[192+i/16]))) * float32(q)
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
