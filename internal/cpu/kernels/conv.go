package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A View is elements in memory with the offset of the first one.
type View[T any] struct {
	Data   []T
	Offset int
}

// A ConvAxis is one spatial dimension of a convolution: its size in the left operand, the kernel and the result, their
// strides in memory, and the movement of the kernel.
type ConvAxis struct {
	In, Kernel, Out                   int
	InStride, KernelStride, OutStride int
	Step                              int // of the kernel between results
	Low                               int // padding before the first element; negative cuts
	Dilation, BaseDilation            int // of the kernel and of the left operand
	Reversed                          bool
}

// A Conv is the shape of a convolution as in StableHLO, of any rank, layout, dilation and grouping. A group combines
// Batch left operands of In features with In × Out kernels. Feature groups differ in their features, batch groups in
// their batch elements.
type Conv struct {
	Groups, Batch, In, Out int // of one group
	Spatial                []ConvAxis

	LhsGroup, LhsBatch, LhsFeature int // strides
	RhsGroup, RhsIn, RhsOut        int
	OutGroup, OutBatch, OutFeature int
}

// rowsArePositions reports whether the result is a matrix with a row for each position (batch, then space) and features
// for columns, rather than its transpose.
func (c *Conv) rowsArePositions() bool { return c.OutFeature == 1 || c.Out == 1 && c.Batch == 1 }

// A Convolution is a [Conv] with everything that does not depend on the operands' elements: its pieces, the algorithm
// of each, and their tables. It is safe for concurrent use.
type Convolution[T accumulator] struct {
	full   convAlgorithm[T]
	pieces []convPiece[T] // together equal to full where all elements are finite; usually nil
}

// convAlgorithm computes a convolution.
type convAlgorithm[T accumulator] interface {
	run(env *rt.Env, out, lhs, rhs View[T]) error
}

// convPiece is a piece with its algorithm.
type convPiece[T accumulator] struct {
	piece
	by convAlgorithm[T]
}

// NewConvolution prepares a convolution as a GEMM with the steps of a tier. Its left operand is read in place as
// windows of lhs (implicit GEMM), or as patches that are gathered block by block (im2col). An element is summed as in
// [MatMul], over the kernel's positions and then the input features. Exceptions: kernels as large as the image are
// summed in their order in memory, and where most positions are outside of lhs and all elements are finite, only
// the others are summed.
func NewConvolution[T float32 | float64](steps rt.GemmSteps, c *Conv) *Convolution[T] {
	return newConvolution(gemmStepIn[T](steps), c, algorithmOf[T])
}

// NewConvolutionOfInts is [NewConvolution] of integers, modulo 2^64. It has no algorithm for kernels as large as the
// image, which occur in gradients.
func NewConvolutionOfInts(steps rt.GemmSteps, c *Conv) *Convolution[int64] {
	return newConvolution(gemmStepIn[int64](steps), c, plainAlgorithmOf[int64])
}

func newConvolution[T accumulator](step rt.GemmStep[T], c *Conv,
	by func(step rt.GemmStep[T], c *Conv) convAlgorithm[T]) *Convolution[T] {
	v := &Convolution[T]{full: by(step, c)}
	for _, p := range c.pieces() {
		v.pieces = append(v.pieces, convPiece[T]{p, by(step, p.Conv)})
	}
	return v
}

// Run computes the convolution of operands.
func (v *Convolution[T]) Run(env *rt.Env, out, lhs, rhs View[T]) error {
	if v.pieces == nil || !allFinite(rhs.Data) || v.pieces[0].swapped && !allFinite(lhs.Data) {
		return v.full.run(env, out, lhs, rhs)
	}
	for i := range v.pieces {
		p := &v.pieces[i]
		x, k := View[T]{lhs.Data, lhs.Offset + p.lhs}, View[T]{rhs.Data, rhs.Offset + p.rhs}
		if p.swapped {
			x, k = k, x
		}
		if err := p.by.run(env, View[T]{out.Data, out.Offset + p.out}, x, k); err != nil {
			return err
		}
	}
	return nil
}

// algorithmOf returns the fastest algorithm for all positions of a convolution.
func algorithmOf[T float32 | float64](step rt.GemmStep[T], c *Conv) convAlgorithm[T] {
	if w := newStripConv(step, c); w != nil {
		return w
	}
	if w := newLargeKernelConv(step, c); w != nil {
		return w
	}
	if d := newDepthwise[T](c); d != nil {
		return d
	}
	if t := newPackedConv(step, c); t != nil {
		return t
	}
	return newConvGemm[T](c)
}

// plainAlgorithmOf is algorithmOf without the algorithms for gradients.
func plainAlgorithmOf[T accumulator](step rt.GemmStep[T], c *Conv) convAlgorithm[T] {
	if w := newStripConv(step, c); w != nil {
		return w
	}
	if d := newDepthwise[T](c); d != nil {
		return d
	}
	return newConvGemm[T](c)
}

// positions returns the dimensions of the result without the features.
func (c *Conv) positions() Dims {
	d := Dims{{c.Batch, c.OutBatch}}
	for _, a := range c.Spatial {
		d = append(d, Dim{a.Out, a.OutStride})
	}
	return d
}

// kernel returns the summed dimensions of a kernel, in order, and the offset of the first element.
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

// convGemm is a convolution as a GEMM of patches (im2col), or of the image itself where patches are single elements.
type convGemm[T accumulator] struct {
	m, n, k    int
	out        Matrix[T]        // no elements here or below
	image      stridedSource[T] // where patches are single elements
	im2col     *im2col[T]
	weights    stridedSource[T]
	transposed bool // the result is features × positions
}

func newConvGemm[T accumulator](c *Conv) *convGemm[T] {
	weights, first := c.kernel()
	p := &convGemm[T]{m: c.positions().Size(), n: c.Out, k: weights.Size(), transposed: !c.rowsArePositions()}
	p.out = Matrix[T]{Batch: Dims{{c.Groups, c.OutGroup}}, Rows: c.positions(), Cols: Dims{{c.Out, c.OutFeature}}}
	if dims, ok := c.pointwise(); ok {
		p.image = newStrided[T](nil, 0, Dims{{c.Groups, c.LhsGroup}}, dims, Dims{{c.In, c.LhsFeature}})
	} else {
		p.im2col = newIm2col[T](c)
	}
	p.weights = newStrided[T](nil, first, Dims{{c.Groups, c.RhsGroup}}, Dims{{c.Out, c.RhsOut}}, weights)
	if p.transposed {
		p.m, p.n = p.n, p.m
		p.out.Rows, p.out.Cols = p.out.Cols, p.out.Rows
	}
	return p
}

func (p *convGemm[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	g := newGemm[T]()
	defer g.release()
	g.batch, g.m, g.n, g.k = p.out.Batch.Size(), p.m, p.n, p.k
	parts := &g.parts
	if p.im2col != nil {
		parts.im2col = *p.im2col
		parts.im2col.lhs = lhs
		g.a = &parts.im2col
	} else {
		parts.a = p.image
		parts.a.data, parts.a.offset = lhs.Data, lhs.Offset
		g.a = &parts.a
	}
	parts.b = p.weights
	parts.b.data, parts.b.offset = rhs.Data, parts.b.offset+rhs.Offset
	g.b = &parts.b
	if p.transposed {
		g.a, g.b = g.b, g.a
	}
	m := p.out
	m.Data, m.Offset = out.Data, out.Offset
	g.setEpilogue(m)
	return g.run(env)
}

// pointwise returns the positions in the left operand if patches are single elements and all elements are used.
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

// at returns the element of the axis that element k of the kernel reads at result o, or -1.
func (a *ConvAxis) at(o, k int) int {
	return a.element(o*a.Step + k*a.Dilation)
}

// element returns the element of the axis at a position of the padded line, or -1.
func (a *ConvAxis) element(position int) int {
	q := position - a.Low
	if q < 0 || q%a.BaseDilation != 0 || q/a.BaseDilation >= a.In {
		return -1
	}
	return q / a.BaseDilation
}
