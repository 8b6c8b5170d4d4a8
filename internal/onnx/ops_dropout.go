package onnx

import (
	"math/rand/v2"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// dropout is Dropout. It is the identity unless training_mode, an operand from version 12 on, is set: then elements
// become 0 with a probability, and others are divided by that of the rest. Before it is the identity, as is_test and
// the versions without it mean.
func dropout(n *node) []Value {
	shape := n.dims(0)
	mask := func() core.Tensor {
		ones := core.BroadcastTo(n.expanded(knownBool(true), shape), shape...)
		if n.version < 10 {
			return sameType(ones, n.value(0).t.DType())
		}
		return ones
	}
	training := n.version >= 12 && n.has(2) && toInts(n.data(2))[0] != 0
	if !training {
		out := []Value{n.value(0)}
		if n.wants(1) {
			out = append(out, Value{t: mask()})
		}
		return out
	}
	ratio := core.FromSlice([]float32{0.5}, core.Shape{})
	if n.has(1) {
		ratio = core.Reshape(n.in(1))
	}
	x := n.in(0)
	wide := widened(x)
	keep := core.GreaterEqual(n.drawn(shape), sameType(ratio, dtype.F64))
	scale := core.Div(1, core.Sub(1, sameType(ratio, wide.DType())))
	return tensors(sameType(core.Where(keep, core.Mul(wide, scale), 0), x.DType()), keep)
}

// drawn returns random numbers of f64 from 0 to 1: those of NumPy's RandomState if the node has a seed, as in the
// tests of ONNX, and others for each call if it has none.
func (n *node) drawn(shape []int) core.Tensor {
	seed := n.attr("seed")
	return core.RuntimeCall(struct{}{}, core.Zeros(shape, dtype.F64), func(struct{}) (core.Tensor, error) {
		data, next := make([]float64, product(shape)), rand.Float64
		if seed != nil {
			next = newTwister(uint32(seed.Int)).float64
		}
		for i := range data {
			data[i] = next()
		}
		return core.FromSlice(data, shape), nil
	})
}

// twister is the generator MT19937. M. Matsumoto, T. Nishimura, doi:10.1145/272991.272995.
type twister struct {
	state [624]uint32
	at    int
}

func newTwister(seed uint32) *twister {
	t := &twister{at: 624}
	t.state[0] = seed
	for i := 1; i < len(t.state); i++ {
		t.state[i] = 1812433253*(t.state[i-1]^t.state[i-1]>>30) + uint32(i)
	}
	return t
}

func (t *twister) uint32() uint32 {
	if t.at == len(t.state) {
		for i := range t.state {
			y := t.state[i]&0x80000000 | t.state[(i+1)%624]&0x7fffffff
			t.state[i] = t.state[(i+397)%624] ^ y>>1 ^ (y&1)*0x9908b0df
		}
		t.at = 0
	}
	y := t.state[t.at]
	t.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// float64 returns a number from 0 to 1 of 53 random bits.
func (t *twister) float64() float64 {
	a, b := t.uint32()>>5, t.uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}
