package onnx

import (
	"hash/fnv"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// randomRows draw numbers. A seed gives the same numbers each time, other ones than other implementations'; without
// one, they are those of the node's name.
func randomRows() []row {
	rows := []row{
		single("RandomNormal", func(n *node) core.Tensor {
			return n.normal(n.attrInts("shape"), n.attrType("dtype", dtype.F32))
		}),
		single("RandomUniform", func(n *node) core.Tensor {
			return n.uniform(n.attrInts("shape"), n.attrType("dtype", dtype.F32))
		}),
		single("RandomNormalLike", func(n *node) core.Tensor {
			return n.normal(dims(n.in(0)), n.attrType("dtype", n.in(0).DType()))
		}),
		single("RandomUniformLike", func(n *node) core.Tensor {
			return n.uniform(dims(n.in(0)), n.attrType("dtype", n.in(0).DType()))
		}),
		single("Bernoulli", func(n *node) core.Tensor {
			p := n.in(0)
			return core.Cast(core.Less(n.unit(dims(p)), core.Cast(p, dtype.F32)), n.attrType("dtype", p.DType()))
		}),
		single("Multinomial", multinomial),
	}
	for i := range rows {
		rows[i].traced = true
	}
	return rows
}

// normal draws from the normal distribution: the inverse of its distribution function of uniform numbers.
func (n *node) normal(shape []int, d dtype.Type) core.Tensor {
	u := core.Sub(core.Mul(core.Add(n.unit(shape), math.Ldexp(1, -25)), 2), 1) // within (-1, 1)
	z := core.Mul(core.ErfInv(u), math.Sqrt2)
	return core.Cast(core.Add(core.Mul(z, n.attrFloat("scale", 1)), n.attrFloat("mean", 0)), d)
}

// uniform draws from [low, high).
func (n *node) uniform(shape []int, d dtype.Type) core.Tensor {
	low, high := n.attrFloat("low", 0), n.attrFloat("high", 1)
	return core.Cast(core.Add(core.Mul(n.unit(shape), high-low), low), d)
}

// multinomial draws classes, whose logarithms of probabilities the rows of the operand have up to a constant: the first
// one whose sum of probabilities with those before is larger than a uniform number.
func multinomial(n *node) core.Tensor {
	x := n.in(0)
	if x.Rank() != 2 {
		n.fail("the operand has the rank %d; it has axes of the batch and of classes", x.Rank())
	}
	batch, classes, samples := dims(x)[0], dims(x)[1], n.attrInt("sample_size", 1)
	if samples < 0 || samples > maxSignal || classes == 0 {
		n.fail("%d samples of %d classes", samples, classes)
	}
	sums := core.CumSum(core.Softmax(core.Cast(x, dtype.F32), core.Axis(1)), core.Axis(1))
	u := core.Reshape(n.unit([]int{batch, samples}), batch, samples, 1)
	below := core.GreaterEqual(u, core.Reshape(sums, batch, 1, classes))
	at := core.Minimum(core.Sum(core.Cast(below, dtype.S32), core.Axis(2)), classes-1)
	return core.Cast(at, n.attrType("dtype", dtype.S32))
}

// unit draws floats of 32 bits uniform in [0, 1): bits of Threefry under the exponent of 1, less 1.
func (n *node) unit(shape []int) core.Tensor {
	size := 1
	for _, d := range shape {
		if d < 0 || d > 0 && size > math.MaxInt32/d {
			n.fail("the shape %v", shape)
		}
		size *= d
	}
	var key [2]uint32
	if a := n.attr("seed"); a != nil && !math.IsNaN(float64(a.Float)) {
		key[1] = math.Float32bits(a.Float)
	} else {
		h := fnv.New64a()
		h.Write([]byte(n.label()))
		key[0], key[1] = uint32(h.Sum64()>>32), uint32(h.Sum64())
	}
	half := (size + 1) / 2
	lo := core.Iota(core.Shape{half}, dtype.U32)
	// As an argument of the program, the key makes the numbers a part of that, not of the import.
	words := n.argument(core.FromSlice(key[:], core.Shape{2}))
	x, y := threefry(words.At(0), words.At(1), core.ZerosLike(lo), lo)
	bits := core.Concatenate([]core.Tensor{x, y}).At(core.To(size))
	bits = core.BitwiseOr(core.RightShift(bits, uint32(9)), math.Float32bits(1))
	return core.Reshape(core.Sub(core.Bitcast(bits, dtype.F32), 1), slices.Clone(shape)...)
}

// threefry is Threefry-2x32 with 20 rounds: Salmon, Moraes, Dror, Shaw, doi:10.1145/2063384.2063405.
func threefry(k0, k1, x, y core.Tensor) (core.Tensor, core.Tensor) {
	keys := [3]core.Tensor{k0, k1, core.BitwiseXor(core.BitwiseXor(k0, k1), uint32(0x1BD11BDA))}
	x, y = core.Add(x, keys[0]), core.Add(y, keys[1])
	for g := range 5 {
		for _, r := range [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}[g%2] {
			x = core.Add(x, y)
			y = core.BitwiseXor(x, core.BitwiseOr(core.LeftShift(y, r), core.RightShift(y, 32-r)))
		}
		x, y = core.Add(x, keys[(g+1)%3]), core.Add(core.Add(y, keys[(g+2)%3]), uint32(g+1))
	}
	return x, y
}
