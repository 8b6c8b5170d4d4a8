package interp

import (
	"math"
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/refmath"
	"github.com/go-nx/nx/stablehlo"
)

// The generators of J. Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", 2011, doi:10.1145/2063384.2063405.

// threefry2x32 is Threefry-2x32 with 20 rounds.
func threefry2x32(key, counter [2]uint32) [2]uint32 {
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	ks := [3]uint32{key[0], key[1], key[0] ^ key[1] ^ 0x1bd11bda}
	x := [2]uint32{counter[0] + ks[0], counter[1] + ks[1]}
	for i := range 5 {
		for _, r := range rotations[i%2] {
			x[0] += x[1]
			x[1] = bits.RotateLeft32(x[1], r) ^ x[0]
		}
		x[0] += ks[(i+1)%3]
		x[1] += ks[(i+2)%3] + uint32(i+1)
	}
	return x
}

// philox4x32 is Philox-4x32 with 10 rounds.
func philox4x32(key [2]uint32, x [4]uint32) [4]uint32 {
	for range 10 {
		h0, l0 := bits.Mul32(x[0], 0xd2511f53)
		h1, l1 := bits.Mul32(x[2], 0xcd9e8d57)
		x = [4]uint32{h1 ^ x[1] ^ key[0], l1, h0 ^ x[3] ^ key[1], l0}
		key[0] += 0x9e3779b9
		key[1] += 0xbb67ae85
	}
	return x
}

func halves(x uint64) [2]uint32 { return [2]uint32{uint32(x), uint32(x >> 32)} }
func join(lo, hi uint32) uint64 { return uint64(lo) | uint64(hi)<<32 }

// evalRngBitGenerator returns the bits and the states of XLA's two algorithms; DEFAULT is Philox, as in XLA on
// CPUs. Elements of 64 bits take two words of the generator, others the low bits of one word.
func evalRngBitGenerator(f *frame, s *step, args []Value) ([]Value, error) {
	state, ok := args[0].(*Tensor)
	result := s.op.Results[1].Tensor()
	if !ok || state.Type.DType() != dtype.U64 || result == nil {
		return nil, faultf(Unsupported, "the elements of the state must be ui64")
	}
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	words := make([]uint64, state.numElems())
	for i := range words {
		words[i] = dtype.U64.LoadUint(state.Data, i)
	}
	algorithm := s.op.Str("rng_algorithm")
	var fill func(f *frame, r *Tensor, words []uint64) error
	switch n := len(words); {
	case algorithm == "THREE_FRY" && n == 2:
		fill = fillThreefry
	case algorithm != "THREE_FRY" && (n == 2 || n == 3):
		fill = fillPhilox
	default:
		return nil, faultf(Unsupported, "algorithm %s does not support a state of %d elements", algorithm, n)
	}
	if err := fill(f, r, words); err != nil {
		return nil, err
	}
	next, err := makeTensor(state.Type, state.dims()...)
	if err != nil {
		return nil, err
	}
	for i, w := range words {
		dtype.U64.StoreUint(next.Data, i, w)
	}
	return []Value{next, r}, nil
}

// fillThreefry sets the elements of r and advances the state {key, counter}.
// Elements of up to 32 bits come in pairs along the first dimension of even
// size, or else the largest; a pair is the two words of one counter.
func fillThreefry(f *frame, r *Tensor, state []uint64) error {
	d, key := r.Type.DType(), halves(state[0])
	if d.Bits() >= 64 {
		n := r.numElems()
		from := state[1]
		state[1] += uint64(n)
		return f.each(n, func(i int) {
			x := threefry2x32(key, halves(from+uint64(i)))
			d.StoreBits(r.Data, i, join(x[0], x[1]))
		})
	}
	outer, size, inner := stablehlo.PairedDim(r.dims())
	pairs := (size + 1) / 2
	for o := range outer {
		for p := range pairs {
			if err := f.tickN(inner); err != nil {
				return err
			}
			for in := range inner {
				x := threefry2x32(key, halves(state[1]+uint64((o*pairs+p)*inner+in)))
				for k, w := range x {
					if j := 2*p + k; j < size {
						d.StoreBits(r.Data, (o*size+j)*inner+in, uint64(w))
					}
				}
			}
		}
	}
	state[1] += uint64(outer * pairs * inner)
	return nil
}

// fillPhilox sets the elements of r in order and advances the state, which is
// {key, 128-bit counter, low half first} or {key, low half} with the key as
// high half.
func fillPhilox(f *frame, r *Tensor, state []uint64) error {
	d, n := r.Type.DType(), r.numElems()
	key, lo, hi := halves(state[0]), state[1], state[0]
	if len(state) == 3 {
		hi = state[2]
	}
	perBlock := 4
	if d.Bits() >= 64 {
		perBlock = 2
	}
	for i := 0; i < n; i += perBlock {
		if err := f.tick(); err != nil {
			return err
		}
		l, h := halves(lo), halves(hi)
		x := philox4x32(key, [4]uint32{l[0], l[1], h[0], h[1]})
		for k := range min(perBlock, n-i) {
			w := uint64(x[k])
			if perBlock == 2 {
				w = join(x[2*k], x[2*k+1])
			}
			d.StoreBits(r.Data, i+k, w)
		}
		var carry uint64
		lo, carry = bits.Add64(lo, 1, 0)
		hi += carry
	}
	state[1] = lo
	if len(state) == 3 {
		state[2] = hi
	}
	return nil
}

// evalRng draws from Philox-4x32-10 with key 0, which makes programs
// repeatable: the high half of the counter numbers the rng ops that a call of
// a function ran, the low half the elements.
func evalRng(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	result, d := s.op.Result().Tensor(), x[0].Type.DType()
	dims := make([]int64, x[2].numElems())
	for i := range dims {
		dims[i] = x[2].Type.DType().LoadInt(x[2].Data, i)
	}
	if err := fits(result, dims); err != nil {
		return nil, err
	}
	r, err := makeTensor(result, dims...)
	if err != nil {
		return nil, err
	}
	f.proc.draws++
	draw := halves(f.proc.draws)
	err = f.each(r.numElems(), func(i int) {
		at := halves(uint64(i))
		w := philox4x32([2]uint32{}, [4]uint32{at[0], at[1], draw[0], draw[1]})
		u, v := join(w[0], w[1]), join(w[2], w[3])
		switch {
		case !d.IsFloat():
			d.StoreInt(r.Data, i, uniformInt(d, d.LoadInt(x[0].Data, 0), d.LoadInt(x[1].Data, 0), u))
		case s.op.Str("rng_distribution") == "NORMAL":
			d.StoreFloat(r.Data, i, d.LoadFloat(x[0].Data, 0)+float64(d.LoadFloat(x[1].Data, 0)*normal(u, v)))
		default:
			d.StoreFloat(r.Data, i, uniformFloat(d, d.LoadFloat(x[0].Data, 0), d.LoadFloat(x[1].Data, 0), u))
		}
	})
	return []Value{r}, err
}

// uniformInt maps random bits to [a, b); a if that is empty.
func uniformInt(d dtype.Type, a, b int64, u uint64) int64 {
	if !lessInt(d, a, b) {
		return a
	}
	hi, _ := bits.Mul64(u, uint64(b)-uint64(a))
	return a + int64(hi)
}

// uniformFloat maps random bits to [a, b); a if that is empty.
func uniformFloat(d dtype.Type, a, b float64, u uint64) float64 {
	if !(a < b) {
		return a
	}
	t := unit(u)
	v := roundTo(d, float64(a*(1-t))+float64(b*t))
	if v >= b { // by rounding
		v = d.NextAfter(b, a)
	}
	return max(v, a)
}

// unit maps random bits to [0, 1).
func unit(u uint64) float64 { return float64(u>>11) * 0x1p-53 }

// normal maps random bits to a standard normal variate (Box and Muller).
func normal(u, v uint64) float64 {
	return math.Sqrt(-2*refmath.Log(1-unit(u))) * refmath.Cos(2*math.Pi*unit(v))
}
