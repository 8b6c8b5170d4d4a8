package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// normRows are normalizations.
func normRows() []row {
	return []row{
		{op: "BatchNormalization", run: batchNorm},
		single("InstanceNormalization", instanceNorm),
		{op: "LayerNormalization", run: layerNorm},
		single("GroupNormalization", groupNorm),
		single("RMSNormalization", rmsNorm),
		single("LpNormalization", lpNorm),
		single("MeanVarianceNormalization", meanVarianceNorm),
		single("LRN", localResponseNorm),
	}
}

// batchNorm is BatchNormalization: (x - mean)·scale/√(variance + epsilon) + B for each channel. In training, mean and
// variance are those of the batch, and those given are moved towards them. That is so where is_test is not set before
// version 7, where their results are wanted before 14, and by training_mode since then. Before version 9, spatial = 0
// gives each element of an example numbers of its own.
func batchNorm(n *node) []Value {
	x := wideFloat(n.in(0))
	d := x.DType()
	given := [4]core.Tensor{} // scale, bias, mean, variance
	shape, axes := slices.Repeat([]int{1}, x.Rank()), []int{}
	for i, size := range dims(x) {
		switch {
		case i == 0 || i > 1 && (n.version >= 9 || n.attrInt("spatial", 1) != 0):
			axes = append(axes, i)
		default:
			shape[i] = size
		}
	}
	for i := range given {
		t := sameType(n.in(i+1), d)
		if t.Size() != product(shape) {
			n.fail("operand %d has %d elements, not %d", i+1, t.Size(), product(shape))
		}
		given[i] = core.Reshape(t, shape...)
	}
	scale, bias, mean, variance := given[0], given[1], given[2], given[3]
	training := n.attrBool("training_mode")
	switch {
	case n.version < 7:
		training = !n.attrBool("is_test")
	case n.version < 14:
		training = n.wants(1) || n.wants(2) || n.wants(3) || n.wants(4)
	}
	runningMean, runningVariance := mean, variance
	if training {
		momentum := n.attrFloat("momentum", 0.9)
		move := func(from, to core.Tensor) core.Tensor {
			return core.Add(core.Mul(from, momentum), core.Mul(to, 1-momentum))
		}
		old, oldVariance := mean, variance
		mean = core.Mean(x, core.Axis(axes...), core.KeepAxes)
		variance = core.Mean(core.Square(core.Sub(x, mean)), core.Axis(axes...), core.KeepAxes)
		runningMean, runningVariance = move(old, mean), move(oldVariance, variance)
	}
	factor := core.Mul(scale, core.Rsqrt(core.Add(variance, n.attrFloat("epsilon", 1e-5))))
	y := core.Add(core.Mul(core.Sub(x, mean), factor), bias)
	out := tensors(sameType(y, n.in(0).DType()))
	if !training {
		return out
	}
	for i, t := range []core.Tensor{runningMean, runningVariance, mean, variance} {
		like := n.in(3 + i%2)
		out = append(out, Value{t: sameType(core.Reshape(t, dims(like)...), like.DType())})
	}
	return out
}

// standardized is (x - mean)/√(variance + epsilon) along axes, with the mean and the factor.
func standardized(x core.Tensor, epsilon float64, axes []int) (y, mean, factor core.Tensor) {
	mean = core.Mean(x, core.Axis(axes...), core.KeepAxes)
	c := core.Sub(x, mean)
	factor = core.Rsqrt(core.Add(core.Mean(core.Square(c), core.Axis(axes...), core.KeepAxes), epsilon))
	return core.Mul(c, factor), mean, factor
}

// instanceNorm is InstanceNormalization: each channel of each example by itself.
func instanceNorm(n *node) core.Tensor {
	x := wideFloat(n.in(0))
	axes := make([]int, len(n.image(x)))
	for i := range axes {
		axes[i] = i + 2
	}
	y, _, _ := standardized(x, n.attrFloat("epsilon", 1e-5), axes)
	y = core.Add(core.Mul(y, perChannel(sameType(n.in(1), x.DType()), x.Rank())),
		perChannel(sameType(n.in(2), x.DType()), x.Rank()))
	return sameType(y, n.in(0).DType())
}

// stashed returns the operand in the type in which it is normalized, which is stash_type if that is wider, and the
// axes from the attribute axis on.
func (n *node) stashed() (x core.Tensor, stash dtype.Type, axes []int) {
	stash = n.attrType("stash_type", dtype.F32)
	x = wideFloat(n.in(0))
	if stash.IsFloat() && stash.Bits() > x.DType().Bits() {
		x = core.Cast(x, stash)
	}
	for i := n.axis(n.attrInt("axis", -1), x.Rank()); i < x.Rank(); i++ {
		axes = append(axes, i)
	}
	return x, stash, axes
}

// layerNorm is LayerNormalization: the axes from one on, with a scale and a bias that are broadcast. Its other results
// are the mean and the reciprocal of the deviation.
func layerNorm(n *node) []Value {
	x, stash, axes := n.stashed()
	y, mean, factor := standardized(x, n.attrFloat("epsilon", 1e-5), axes)
	y = core.Mul(y, sameType(n.in(1), x.DType()))
	if b, ok := n.opt(2); ok {
		y = core.Add(y, sameType(b, x.DType()))
	}
	return tensors(sameType(y, n.in(0).DType()), sameType(mean, stash), sameType(factor, stash))
}

// rmsNorm is RMSNormalization: x/√(mean of x² + epsilon)·scale.
func rmsNorm(n *node) core.Tensor {
	x, _, axes := n.stashed()
	mean := core.Mean(core.Square(x), core.Axis(axes...), core.KeepAxes)
	y := core.Mul(x, core.Rsqrt(core.Add(mean, n.attrFloat("epsilon", 1e-5))))
	return sameType(core.Mul(y, sameType(n.in(1), x.DType())), n.in(0).DType())
}

// groupNorm is GroupNormalization: groups of channels. Scale and bias are of groups in version 18, of channels since
// 21.
func groupNorm(n *node) core.Tensor {
	x := wideFloat(n.in(0))
	shape := dims(x)
	n.image(x)
	groups := n.attrInt("num_groups", 0)
	if groups < 1 || shape[1]%groups != 0 {
		n.fail("%d channels do not divide into %d groups", shape[1], groups)
	}
	inner := slices.Concat([]int{shape[0], groups, shape[1] / groups}, shape[2:])
	axes := make([]int, len(inner)-2)
	for i := range axes {
		axes[i] = i + 2
	}
	y, _, _ := standardized(core.Reshape(x, inner...), n.attrFloat("epsilon", 1e-5), axes)
	affine := func(y core.Tensor) core.Tensor {
		return core.Add(core.Mul(y, perChannel(sameType(n.in(1), x.DType()), y.Rank())),
			perChannel(sameType(n.in(2), x.DType()), y.Rank()))
	}
	if n.version < 21 {
		y = core.Reshape(affine(y), shape...)
	} else {
		y = affine(core.Reshape(y, shape...))
	}
	return sameType(y, n.in(0).DType())
}

// lpNorm is LpNormalization: x/(Σ|x|^p)^(1/p) along an axis, 0 where that is 0.
func lpNorm(n *node) core.Tensor {
	x := wideFloat(n.in(0))
	p := n.power()
	axis := n.axis(n.attrInt("axis", -1), x.Rank())
	norm := powered(core.Sum(powered(x, p), core.Axis(axis), core.KeepAxes), 1/p)
	zero := core.Equal(norm, 0)
	y := core.Where(zero, 0, core.Div(x, core.Where(zero, 1, norm)))
	return sameType(y, n.in(0).DType())
}

// meanVarianceNorm is MeanVarianceNormalization: (x - mean)/(deviation + 1e-9) along axes.
func meanVarianceNorm(n *node) core.Tensor {
	x := wideFloat(n.in(0))
	axes, ok := n.axes(-1, "axes", x.Rank())
	if !ok {
		axes = []int{0, 2, 3}[:min(max(x.Rank()-1, 1), 3)]
	}
	c := core.Sub(x, core.Mean(x, core.Axis(axes...), core.KeepAxes))
	deviation := core.Sqrt(core.Mean(core.Square(c), core.Axis(axes...), core.KeepAxes))
	return sameType(core.Div(c, core.Add(deviation, 1e-9)), n.in(0).DType())
}

// localResponseNorm is LRN: x/(bias + alpha/size·Σx²)^beta, the sum over the channels around each.
func localResponseNorm(n *node) core.Tensor {
	x := wideFloat(n.in(0))
	size := n.attrInt("size", 0)
	if size < 1 || size > maxPad || x.Rank() < 2 {
		n.fail("the sum of %d channels of a tensor of the rank %d", size, x.Rank())
	}
	window, pads := slices.Repeat([]int{1}, x.Rank()), make([][2]int, x.Rank())
	window[1], pads[1] = size, [2]int{(size - 1) / 2, size / 2}
	sum := core.WindowSum(core.Square(x), window, core.Padding(pads...))
	base := core.Add(core.Mul(sum, n.attrFloat("alpha", 1e-4)/float64(size)), n.attrFloat("bias", 1))
	y := core.Mul(x, core.Pow(base, -n.attrFloat("beta", 0.75)))
	return sameType(y, n.in(0).DType())
}
