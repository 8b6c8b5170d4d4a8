package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A ConvAxis is one spatial dimension of a convolution: its size in the left operand,
// the kernel and the result, their strides in memory, and how the kernel moves.
type ConvAxis struct {
	In, Kernel, Out                   int
	InStride, KernelStride, OutStride int
	Step                              int // of the kernel between results
	Low                               int // padding before the first element; negative cuts
	Dilation, BaseDilation            int // of the kernel and of the left operand
	Reversed                          bool
}

// A Conv is the shape of a convolution: StableHLO's, of any rank, layout, dilation and
// grouping. A group combines Batch left operands of In features with In × Out kernels;
// feature groups are apart by their features, batch groups by their batches.
type Conv struct {
	Groups, Batch, In, Out int // of one group
	Spatial                []ConvAxis

	LhsGroup, LhsBatch, LhsFeature int // strides
	RhsGroup, RhsIn, RhsOut        int
	OutGroup, OutBatch, OutFeature int
}

// rowsArePositions reports how the result is a matrix: a row for each position
// (batch, then space) with features for columns, or the other way round.
func (c *Conv) rowsArePositions() bool { return c.OutFeature == 1 || c.Out == 1 && c.Batch == 1 }

// Convolve computes a convolution as a matrix product. Its left operand are windows of lhs where
// they are, else patches that are gathered block by block. An element is summed like that of a
// [MatMul], over the kernel's positions and then the input features. Where most
// positions meet no element of lhs and all elements are finite, it is over the others.
func Convolve[T accumulator](env *rt.Env, c *Conv, out, lhs, rhs View[T]) error {
	if done, err := convolvePieces(env, c, out, lhs, rhs); done {
		return err
	}
	return convolveDense(env, c, out, lhs, rhs)
}

// convolveDense is [Convolve] over all positions.
func convolveDense[T accumulator](env *rt.Env, c *Conv, out, lhs, rhs View[T]) error {
	if w := newWindows(env, c, out, lhs, rhs); w != nil {
		return w.run(env)
	}
	if w := newWholeImage(env, c, out, lhs, rhs); w != nil {
		return w.run(env)
	}
	if d := newDepthwise(c, out, lhs, rhs); d != nil {
		d.run(env)
		return nil
	}
	g := convProduct(c, lhs, rhs)
	m := Matrix[T]{out.Data, out.Offset, Dims{{c.Groups, c.OutGroup}}, c.positions(), Dims{{c.Out, c.OutFeature}}}
	if !c.rowsArePositions() {
		m.Rows, m.Cols = m.Cols, m.Rows
	}
	g.setSink(m)
	return g.run(env)
}

// positions returns the dimensions of the result but for the features.
func (c *Conv) positions() Dims {
	d := Dims{{c.Batch, c.OutBatch}}
	for _, a := range c.Spatial {
		d = append(d, Dim{a.Out, a.OutStride})
	}
	return d
}

// kernel returns the dimensions of a kernel that are summed over, in their order, and
// how far its first element is from the beginning.
func (c *Conv) kernel() (d Dims, first int) {
	for _, a := range c.Spatial {
		stride := a.KernelStride
		if a.Reversed {
			first += (a.Kernel - 1) * stride
			stride = -stride
		}
		d = append(d, Dim{a.Kernel, stride})
	}
	return append(d, Dim{c.In, c.RhsIn}), first
}

// convProduct returns the matrix product that is the convolution, without its sink.
func convProduct[T accumulator](c *Conv, lhs, rhs View[T]) *product[T] {
	weights, first := c.kernel()
	g := &product[T]{batch: c.Groups, m: c.positions().Size(), n: c.Out, k: weights.Size()}
	if dims, ok := c.pointwise(); ok {
		g.parts.a = newStrided(lhs.Data, lhs.Offset, Dims{{c.Groups, c.LhsGroup}}, dims, Dims{{c.In, c.LhsFeature}})
		g.a = &g.parts.a
	} else {
		g.a = newPatches(c, lhs)
	}
	g.b = &g.parts.b
	g.parts.b = newStrided(rhs.Data, rhs.Offset+first, Dims{{c.Groups, c.RhsGroup}}, Dims{{c.Out, c.RhsOut}}, weights)
	if !c.rowsArePositions() {
		g.m, g.n, g.a, g.b = g.n, g.m, g.b, g.a
	}
	return g
}

// pointwise returns the positions in the left operand when patches are single elements
// of it and every one is used.
func (c *Conv) pointwise() (Dims, bool) {
	d := Dims{{c.Batch, c.LhsBatch}}
	for _, a := range c.Spatial {
		if a.Kernel != 1 || a.Low != 0 || a.BaseDilation != 1 || a.Out > 0 && (a.Out-1)*a.Step >= a.In {
			return nil, false
		}
		d = append(d, Dim{a.Out, a.InStride * a.Step})
	}
	return d, true
}

// at returns which element of the axis the kernel's element k meets at result o, or -1.
func (a *ConvAxis) at(o, k int) int {
	return a.element(o*a.Step + k*a.Dilation)
}

// element returns which element of the axis is at a position of the padded line, or -1.
func (a *ConvAxis) element(position int) int {
	q := position - a.Low
	if q < 0 || q%a.BaseDilation != 0 || q/a.BaseDilation >= a.In {
		return -1
	}
	return q / a.BaseDilation
}
