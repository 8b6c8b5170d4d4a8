package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// normed is what a normalisation returns of the last axes from one on: in f32 if x is narrower.
type normed struct{ y, mean, inverse core.Tensor }

// normedBy divides x by its deviation from the mean, or from 0 if it is simplified, along the axes from one on.
func normedBy(x core.Tensor, from int, epsilon float64, simplified bool) normed {
	var axes []int
	for i := from; i < x.Rank(); i++ {
		axes = append(axes, i)
	}
	x = wide(x)
	over := core.Axis(axes...)
	mean := core.Mean(x, over, core.KeepAxes)
	if !simplified {
		x = core.Sub(x, mean)
	}
	inverse := core.Rsqrt(core.Add(core.Mean(core.Square(x), over, core.KeepAxes), epsilon))
	return normed{core.Mul(x, inverse), mean, inverse}
}

// simplifiedLayerNorm is x/√(mean of squares + ε)·scale, an op that ONNX Runtime has in the default domain.
func simplifiedLayerNorm(n *node) []Value {
	x := n.in(0)
	axis := n.axis(n.attrInt("axis", -1), x.Rank())
	r := normedBy(x, axis, n.attrFloat("epsilon", 1e-5), true)
	scale := n.in(1)
	return tensors(sameType(core.Mul(r.y, wide(scale)), scale.DType()), r.inverse)
}

// skipLayerNorm normalises the sum of x, another tensor and a bias along the last axis; the sum is its fourth result.
func skipLayerNorm(simplified bool) func(n *node) []Value {
	return func(n *node) []Value {
		x := n.in(0)
		sum := core.Add(wide(x), wide(n.in(1)))
		bias, beta := 4, 3
		if simplified {
			bias, beta = 3, -1
		}
		if b, ok := n.opt(bias); ok {
			sum = core.Add(sum, wide(b))
		}
		r := normedBy(sum, x.Rank()-1, n.attrFloat("epsilon", 1e-12), simplified)
		y := core.Mul(r.y, wide(n.in(2)))
		if beta >= 0 {
			if b, ok := n.opt(beta); ok {
				y = core.Add(y, wide(b))
			}
		}
		return tensors(sameType(y, x.DType()), r.mean, r.inverse, sameType(sum, x.DType()))
	}
}

// embedLayerNorm is the layer norm of the sum of embeddings of words, positions and segments; the second result is the
// number of words of each row by the mask.
func embedLayerNorm(n *node) []Value {
	ids, words, places := n.in(0), n.in(2), n.in(3)
	if ids.Rank() != 2 {
		n.fail("the words have the shape %v, they must be [batch, sequence]", dims(ids))
	}
	batch, length := dims(ids)[0], dims(ids)[1]
	sum := core.Take(words, ids)
	if at, ok := n.opt(8); ok {
		sum = core.Add(sum, core.Take(places, at))
	} else {
		if length > dims(places)[0] {
			n.fail("a sequence of %d, there are %d positions", length, dims(places)[0])
		}
		sum = core.Add(sum, core.Slice(places, []int{0, 0}, []int{length, dims(places)[1]}))
	}
	if segments, ok := n.opt(4); ok {
		if at, ok := n.opt(1); ok {
			sum = core.Add(sum, core.Take(segments, at))
		}
	}
	r := normedBy(sum, 2, n.attrFloat("epsilon", 1e-12), false)
	y := core.Add(core.Mul(r.y, wide(n.in(5))), wide(n.in(6)))
	count := core.Zeros(core.Shape{batch}, dtype.S32)
	if mask, ok := n.opt(7); ok {
		count = core.Sum(core.Cast(core.Equal(mask, 1), dtype.S32), core.Axis(1))
	}
	return tensors(sameType(y, words.DType()), count, sum)
}

// groupNormLast normalises groups of channels, which are the last axis or the second, and may apply SiLU.
func groupNormLast(n *node, x core.Tensor) core.Tensor {
	groups, last := n.attrInt("groups", 1), n.attrInt("channels_last", 1) != 0
	shape, rank := dims(x), x.Rank()
	axis := 1
	if last {
		axis = rank - 1
	}
	if rank < 3 || groups < 1 || shape[axis]%groups != 0 {
		n.fail("%d groups of channels in the shape %v", groups, shape)
	}
	y := wide(x)
	split := append([]int{}, shape[:axis]...)
	split = append(append(split, groups, shape[axis]/groups), shape[axis+1:]...)
	y = core.Reshape(y, split...)
	var over []int
	for i := 1; i < len(split); i++ {
		if i != axis {
			over = append(over, i)
		}
	}
	along := core.Axis(over...)
	y = core.Sub(y, core.Mean(y, along, core.KeepAxes))
	y = core.Mul(y, core.Rsqrt(core.Add(core.Mean(core.Square(y), along, core.KeepAxes), n.attrFloat("epsilon", 1e-5))))
	y = core.Reshape(y, shape...)
	y = core.Add(core.Mul(y, ofFeatures(wide(n.in(1)), rank, last)), ofFeatures(wide(n.in(2)), rank, last))
	if n.attrInt("activation", 0) == 1 {
		y = core.Silu(y)
	}
	return sameType(y, x.DType())
}

// skipGroupNorm is [groupNormLast] of the sum of x, another tensor and a bias, which is the second result.
func skipGroupNorm(n *node) []Value {
	x, skip := n.in(0), n.in(3)
	if skip.Rank() == 2 {
		skip = core.Reshape(skip, dims(skip)[0], 1, 1, dims(skip)[1])
	}
	sum := core.Add(x, skip)
	if b, ok := n.opt(4); ok {
		sum = core.Add(sum, ofFeatures(b, x.Rank(), n.attrInt("channels_last", 1) != 0))
	}
	return tensors(groupNormLast(n, sum), sum)
}
