package random

import (
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Counter-based generators: block number c of a stream is a function of the key and c, so that workers can compute any
// part of it (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", doi:10.1145/2063384.2063405).

// threefry is Threefry-2x32 with 20 rounds.
func threefry(k0, k1, x0, x1 uint32) (uint32, uint32) {
	k2 := k0 ^ k1 ^ 0x1bd11bda
	x0, x1 = x0+k0, x1+k1
	for i := uint32(1); i <= 5; i++ {
		if i&1 == 1 {
			x0 += x1
			x1 = bits.RotateLeft32(x1, 13) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 15) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 26) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 6) ^ x0
		} else {
			x0 += x1
			x1 = bits.RotateLeft32(x1, 17) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 29) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 16) ^ x0
			x0 += x1
			x1 = bits.RotateLeft32(x1, 24) ^ x0
		}
		k0, k1, k2 = k1, k2, k0
		x0 += k0
		x1 += k1 + i
	}
	return x0, x1
}

// philox is Philox-4x32 with 10 rounds.
func philox(k0, k1, x0, x1, x2, x3 uint32) (uint32, uint32, uint32, uint32) {
	for range 10 {
		h0, l0 := bits.Mul32(x0, 0xd2511f53)
		h1, l1 := bits.Mul32(x2, 0xcd9e8d57)
		x0, x1, x2, x3 = h1^x1^k0, l1, h0^x3^k1, l0
		k0 += 0x9e3779b9
		k1 += 0xbb67ae85
	}
	return x0, x1, x2, x3
}

func split64(x uint64) (lo, hi uint32) { return uint32(x), uint32(x >> 32) }
func join64(lo, hi uint32) uint64      { return uint64(lo) | uint64(hi)<<32 }

// randomChunk is the number of blocks of a chunk.
const randomChunk = 1 << 11

// fillBlocks runs a task over n blocks.
func fillBlocks(env *rt.Env, n int, t rt.Task) {
	if n < 2*randomChunk {
		env = nil
	}
	env.Run(rt.CeilDiv(n, randomChunk), t)
}

// Threefry32 fills dst, viewed as [outer, size, inner], with random words and advances the state {key, counter}. The
// two words of a block are neighbours along the middle dimension; the last one of an odd size is dropped.
func Threefry32(env *rt.Env, dst []uint32, state *[2]uint64, outer, size, inner int) {
	t := &threefryWords{dst: dst, counter: state[1], size: size, inner: inner, pairs: (size + 1) / 2}
	t.k0, t.k1 = split64(state[0])
	t.n = outer * t.pairs * inner
	state[1] += uint64(t.n)
	fillBlocks(env, t.n, t)
}

type threefryWords struct {
	dst                   []uint32
	k0, k1                uint32
	counter               uint64
	n, size, pairs, inner int
}

func (t *threefryWords) Do(_ rt.Worker, chunk int) {
	first := chunk * randomChunk
	in, o := first%t.inner, first/t.inner
	o, p := o/t.pairs, o%t.pairs
	for i := first; i < min(first+randomChunk, t.n); i++ {
		c0, c1 := split64(t.counter + uint64(i))
		w0, w1 := threefry(t.k0, t.k1, c0, c1)
		at := (o*t.size+2*p)*t.inner + in
		t.dst[at] = w0
		if 2*p+1 < t.size {
			t.dst[at+t.inner] = w1
		}
		if in++; in == t.inner {
			in = 0
			if p++; p == t.pairs {
				p, o = 0, o+1
			}
		}
	}
}

// Threefry64 fills dst with 64-bit random numbers, one block each, and advances the state {key, counter}.
func Threefry64(env *rt.Env, dst []uint64, state *[2]uint64) {
	t := &threefryLongs{dst: dst, counter: state[1]}
	t.k0, t.k1 = split64(state[0])
	state[1] += uint64(len(dst))
	fillBlocks(env, len(dst), t)
}

type threefryLongs struct {
	dst     []uint64
	k0, k1  uint32
	counter uint64
}

func (t *threefryLongs) Do(_ rt.Worker, chunk int) {
	for i := chunk * randomChunk; i < min((chunk+1)*randomChunk, len(t.dst)); i++ {
		c0, c1 := split64(t.counter + uint64(i))
		t.dst[i] = join64(threefry(t.k0, t.k1, c0, c1))
	}
}

// Philox fills dst with random words, four per block, or with 64-bit numbers, two per block. The state is {key,
// counter, high half of the counter}, or {key, counter} with the key as high half, and is advanced.
func Philox[T uint32 | uint64](env *rt.Env, dst []T, state []uint64) {
	p := &philoxTask[T]{dst: dst, key: state[0], lo: state[1], hi: state[0]}
	if len(state) == 3 {
		p.hi = state[2]
	}
	p.per = 16 / rt.SizeOf[T]()
	n := rt.CeilDiv(len(dst), p.per)
	var carry uint64
	state[1], carry = bits.Add64(p.lo, uint64(n), 0)
	if len(state) == 3 {
		state[2] += carry
	}
	fillBlocks(env, n, p)
}

type philoxTask[T uint32 | uint64] struct {
	dst         []T
	key, lo, hi uint64
	per         int // elements of a block
}

func (p *philoxTask[T]) Do(_ rt.Worker, chunk int) {
	k0, k1 := split64(p.key)
	first := chunk * randomChunk
	lo, carry := bits.Add64(p.lo, uint64(first), 0)
	hi := p.hi + carry
	dst := p.dst[first*p.per:]
	dst = dst[:min(len(dst), randomChunk*p.per)]
	for ; len(dst) > 0; dst = dst[min(len(dst), p.per):] {
		c0, c1 := split64(lo)
		c2, c3 := split64(hi)
		w0, w1, w2, w3 := philox(k0, k1, c0, c1, c2, c3)
		var block [4]T
		if p.per == 4 {
			block = [4]T{T(w0), T(w1), T(w2), T(w3)}
		} else {
			block = [4]T{T(join64(w0, w1)), T(join64(w2, w3))}
		}
		copy(dst, block[:p.per])
		lo, carry = bits.Add64(lo, 1, 0)
		hi += carry
	}
}
