package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// Products of 8-bit integers with zero points are those of signed numbers, summed in s32, with corrections:
//
//	Σ (a - p)(b - q) = Σ ab - q Σ a - p Σ b + n p q
//
// so that operands stay narrow. Unsigned numbers and their zero points are moved by 128 to be signed ones. All is
// exact.

// zeroPoint is a number, or several, that stand for 0.
type zeroPoint struct {
	t      core.Tensor // absent for 0
	values []int       // what it is, if it is known
}

// zeroPoint returns the zero point of an operand.
func (n *node) zeroPoint(i int) zeroPoint {
	t, ok := n.opt(i)
	if !ok {
		return zeroPoint{}
	}
	z := zeroPoint{t: t}
	if n.ins[i].known() {
		z.values = toInts(n.ins[i].t)
	}
	return z
}

// signed returns an operand as signed 8-bit integers, and its zero point in s32, absent if that is 0.
func (n *node) signed(x core.Tensor, z zeroPoint) (_, zero core.Tensor) {
	move := 0
	switch x.DType() {
	case dtype.U8:
		x, move = core.Bitcast(core.BitwiseXor(x, 128), dtype.S8), 128
	case dtype.S8:
	default:
		n.fail("products of integers have elements of 8 bits, not %v", x.DType())
	}
	if z.t.IsZero() {
		z = zeroPoint{core.Zeros(core.Shape{}, dtype.S32), []int{0}}
	}
	zero = core.Sub(core.Cast(z.t, dtype.S32), move)
	for _, v := range z.values {
		if v != move {
			return x, zero
		}
	}
	if z.values == nil {
		return x, zero
	}
	return x, core.Tensor{}
}

// ofRows returns numbers of the rows of a matrix in the shape of a column; one number is a scalar.
func ofRows(t core.Tensor) core.Tensor {
	switch {
	case t.Size() == 1:
		return core.Reshape(t)
	case t.Rank() == 1:
		return core.Reshape(t, -1, 1)
	}
	return t
}

// ofColumns is [ofRows] for columns.
func ofColumns(t core.Tensor) core.Tensor {
	if t.Size() == 1 {
		return core.Reshape(t)
	}
	return t
}

// products is the matrix product of integers (numpy.matmul), with zero points of all, of rows of a, of columns of b.
func (n *node) products(a, b core.Tensor, za, zb zeroPoint) core.Tensor {
	vectorA, vectorB := a.Rank() == 1, b.Rank() == 1
	if vectorA {
		a = core.Reshape(a, 1, -1)
	}
	if vectorB {
		b = core.Reshape(b, -1, 1)
	}
	if a.Rank() < 2 || b.Rank() < 2 {
		n.fail("a product of a scalar")
	}
	a, p := n.signed(a, za)
	b, q := n.signed(b, zb)
	sums := n.narrowDot(a, b)
	if !q.IsZero() {
		sums = core.Sub(sums, core.Mul(core.Sum(core.Cast(a, dtype.S32), core.Axis(-1), core.KeepAxes), ofColumns(q)))
	}
	if !p.IsZero() {
		sums = core.Sub(sums, core.Mul(core.Sum(core.Cast(b, dtype.S32), core.Axis(-2), core.KeepAxes), ofRows(p)))
	}
	if !p.IsZero() && !q.IsZero() {
		sums = core.Add(sums, core.Mul(core.Mul(ofRows(p), ofColumns(q)), dims(a)[a.Rank()-1]))
	}
	switch {
	case vectorA && vectorB:
		return core.Reshape(sums)
	case vectorA:
		return core.Squeeze(sums, core.Axis(-2))
	case vectorB:
		return core.Squeeze(sums, core.Axis(-1))
	}
	return sums
}

// narrowDot is the matrix product of signed 8-bit integers, summed in s32, with leading axes that broadcast.
func (n *node) narrowDot(a, b core.Tensor) core.Tensor {
	ra, rb := a.Rank(), b.Rank()
	if dims(a)[ra-1] != dims(b)[rb-2] {
		n.fail("the contracted sizes differ: %v and %v", dims(a), dims(b))
	}
	if rb == 2 {
		return core.DotIntegers(a, b, core.DotDims{ContractA: []int{ra - 1}, ContractB: []int{0}})
	}
	batch := n.broadcastShape(dims(a)[:ra-2], dims(b)[:rb-2])
	a = core.BroadcastTo(a, append(append([]int{}, batch...), dims(a)[ra-2:]...)...)
	b = core.BroadcastTo(b, append(append([]int{}, batch...), dims(b)[rb-2:]...)...)
	k := len(batch)
	d := core.DotDims{ContractA: []int{k + 1}, ContractB: []int{k}}
	for i := range batch {
		d.BatchA, d.BatchB = append(d.BatchA, i), append(d.BatchB, i)
	}
	return core.DotIntegers(a, b, d)
}

// broadcastShape is the shape to which two broadcast.
func (n *node) broadcastShape(a, b []int) []int {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		x, y := 1, 1
		if j := i - len(out) + len(a); j >= 0 {
			x = a[j]
		}
		if j := i - len(out) + len(b); j >= 0 {
			y = b[j]
		}
		if x != y && x != 1 && y != 1 {
			n.fail("the shapes %v and %v do not broadcast", a, b)
		}
		if out[i] = x; x == 1 {
			out[i] = y
		}
	}
	return out
}

// ofFeatures returns numbers of the features of a convolution in a shape that broadcasts to its result.
func ofFeatures(t core.Tensor, rank int, last bool) core.Tensor {
	if t.Size() == 1 {
		return core.Reshape(t)
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[1] = -1
	if last {
		shape[1], shape[rank-1] = 1, -1
	}
	return core.Reshape(t, shape...)
}

// convolved is the convolution of integers with zero points of all, and of the features of the kernel. The padding is
// the zero point. The layout of the input is that of channels in the second axis, or last; that of kernels is OIHW.
func (n *node) convolved(x, w core.Tensor, zx, zw zeroPoint, last bool) core.Tensor {
	rank := x.Rank()
	if rank < 3 || w.Rank() != rank {
		n.fail("the input has rank %d, the kernel %d", rank, w.Rank())
	}
	if !zx.t.IsZero() && zx.t.Size() > 1 {
		n.fail("the zero point of the input must be one number")
	}
	x, p := n.signed(x, zx)
	w, q := n.signed(w, zw)
	if !p.IsZero() {
		p = core.Reshape(p)
	}
	spatial := dims(x)[2:]
	if last {
		spatial = dims(x)[1 : rank-1]
	}
	groups := n.attrInt("group", 1)
	at := n.windowsOf(spatial, dims(w)[2:]).same(spatial)
	var opts []core.ConvOption
	if p.IsZero() {
		opts = append(opts, core.Padding(at.pads...))
	} else {
		pads := make([][2]int, rank)
		copy(pads[2:], at.pads)
		if last {
			copy(pads[1:], at.pads)
			pads[rank-1] = [2]int{}
		}
		x = core.Pad(x, core.Cast(p, dtype.S8), pads...)
	}
	opts = append(opts, core.Strides(at.strides...), core.Dilation(at.dilations...), core.Integers)
	if last {
		opts = append(opts, channelsLast(rank))
	}
	sums := core.Conv(x, w, append(opts, core.FeatureGroups(groups))...)
	features := dims(w)[0]
	if !q.IsZero() {
		shape := dims(w)
		shape[0] = groups
		inputs := core.Conv(x, core.Ones(core.Shape(shape), dtype.S8), append(opts, core.FeatureGroups(groups))...)
		axis := 1
		if last {
			axis = rank - 1
		}
		if groups > 1 {
			inputs = core.Repeat(inputs, features/groups, core.Axis(axis))
		}
		sums = core.Sub(sums, core.Mul(inputs, ofFeatures(q, rank, last)))
	}
	if !p.IsZero() {
		weights := core.Sum(core.Cast(core.Reshape(w, features, -1), dtype.S32), core.Axis(1))
		sums = core.Sub(sums, core.Mul(ofFeatures(weights, rank, last), p))
	}
	if !p.IsZero() && !q.IsZero() {
		sums = core.Add(sums, core.Mul(core.Mul(ofFeatures(q, rank, last), p), w.Size()/max(features, 1)))
	}
	return sums
}

// channelsLast is the layout of a convolution of [batch, spatial…, channels] by kernels [out, in, spatial…].
func channelsLast(rank int) core.ConvOption {
	outer, kernel := []int{0, rank - 1}, []int{0, 1}
	for i := range rank - 2 {
		outer, kernel = append(outer, i+1), append(kernel, i+2)
	}
	return core.Layout(outer, kernel, outer)
}
