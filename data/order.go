package data

import "math/bits"

// permutation is a keyed permutation of [0, n), computed element by element: a Feistel network over the smallest even
// number of bits that holds n, and cycle walking, which applies it again until the result is below n.
//
// Source: J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002, doi:10.1007/3-540-45760-7_9.
type permutation struct {
	n    uint64
	half uint // bits of a half
	keys [rounds]uint64
}

// rounds of the network. Four make it indistinguishable from random for an observer of few elements; small domains need
// more for all of their permutations to occur.
const rounds = 8

func newPermutation(n, seed, epoch uint64) permutation {
	p := permutation{n: n, half: uint(max(1, (bits.Len64(max(n, 1)-1)+1)/2))}
	state := mix(seed) ^ mix(epoch+0x9e3779b97f4a7c15)
	for i := range p.keys {
		state = mix(state + 0x9e3779b97f4a7c15)
		p.keys[i] = state
	}
	return p
}

// at returns the element at position i of the order.
func (p *permutation) at(i uint64) uint64 {
	for {
		i = p.encrypt(i)
		if i < p.n {
			return i
		}
	}
}

func (p *permutation) encrypt(x uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	l, r := x>>p.half, x&mask
	for _, k := range p.keys {
		l, r = r, l^mix(r^k)&mask
	}
	return l<<p.half | r
}

// mix is the finalizer of SplitMix64: every bit of the argument changes half of the bits of the result.
//
// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
// doi:10.1145/2660193.2660195.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
