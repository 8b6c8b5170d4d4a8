package conv

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A View is elements in memory with the offset of the first one.
type View[T any] struct {
	Data   []T
	Offset int
}

// An Axis is one spatial dimension of a convolution: its size in the left operand, the kernel and the result, their
// strides in memory, and the movement of the kernel.
type Axis struct {
	In, Kernel, Out                   int
	InStride, KernelStride, OutStride int
	Step                              int // of the kernel between results
	Low                               int // padding before the first element; negative cuts
	Dilation, BaseDilation            int // of the kernel and of the left operand
	Reversed                          bool
}

// A Shape is the shape of a convolution as in StableHLO, of any rank, layout, dilation and grouping. A group combines
// Batch left operands of In features with In × Out kernels. Feature groups differ in their features, batch groups in
// their batch elements.
type Shape struct {
	Groups, Batch, In, Out int // of one group
	Spatial                []Axis

	LhsGroup, LhsBatch, LhsFeature int // strides
	RhsGroup, RhsIn, RhsOut        int
	OutGroup, OutBatch, OutFeature int
}

// rowsArePositions reports whether the result is a matrix with a row for each position (batch, then space) and features
// for columns, rather than its transpose.
func (c *Shape) rowsArePositions() bool { return c.OutFeature == 1 || c.Out == 1 && c.Batch == 1 }

// A Convolution is a [Shape] with everything that does not depend on the operands' elements: its pieces, the algorithm
// of each, and their tables. It is safe for concurrent use.
type Convolution[T gemm.Accumulator] struct {
	full   algorithm[T]
	pieces []algorithmPiece[T] // together equal to full where all elements are finite; usually nil
}

// algorithm computes a convolution.
type algorithm[T gemm.Accumulator] interface {
	run(env *rt.Env, out, lhs, rhs View[T]) error
}

// algorithmPiece is a piece with its algorithm.
type algorithmPiece[T gemm.Accumulator] struct {
	piece
	by algorithm[T]
}

// New prepares a convolution as a GEMM with the steps of a tier. Its left operand is read in place as
// windows of lhs (implicit GEMM), or as patches that are gathered block by block (im2col). An element is summed as in
// [gemm.MatMul], over the kernel's positions and then the input features. Exceptions: kernels as large as the image are
// summed in their order in memory, and where most positions are outside of lhs and all elements are finite, only
// the others are summed.
func New[T float32 | float64](steps rt.GemmSteps, c *Shape) *Convolution[T] {
	return newConvolution(gemm.StepIn[T](steps), c, algorithmOf[T])
}

// NewOfInts is [New] of integers, modulo 2^64. It has no algorithm for kernels as large as the
// image, which occur in gradients.
func NewOfInts(steps rt.GemmSteps, c *Shape) *Convolution[int64] {
	return newConvolution(gemm.StepIn[int64](steps), c, plainAlgorithmOf[int64])
}

func newConvolution[T gemm.Accumulator](step rt.GemmStep[T], c *Shape,
	by func(step rt.GemmStep[T], c *Shape) algorithm[T]) *Convolution[T] {
	v := &Convolution[T]{full: by(step, c)}
	for _, p := range c.pieces() {
		v.pieces = append(v.pieces, algorithmPiece[T]{p, by(step, p.Shape)})
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
func algorithmOf[T float32 | float64](step rt.GemmStep[T], c *Shape) algorithm[T] {
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
	return newIm2colConv[T](c)
}

// plainAlgorithmOf is algorithmOf without the algorithms for gradients.
func plainAlgorithmOf[T gemm.Accumulator](step rt.GemmStep[T], c *Shape) algorithm[T] {
	if w := newStripConv(step, c); w != nil {
		return w
	}
	if d := newDepthwise[T](c); d != nil {
		return d
	}
	return newIm2colConv[T](c)
}

// positions returns the dimensions of the result without the features.
func (c *Shape) positions() gemm.Dims {
	d := gemm.Dims{{Size: c.Batch, Stride: c.OutBatch}}
	for _, a := range c.Spatial {
		d = append(d, gemm.Dim{Size: a.Out, Stride: a.OutStride})
	}
	return d
}

// kernel returns the summed dimensions of a kernel, in order, and the offset of the first element.
func (c *Shape) kernel() (d gemm.Dims, first int) {
	for _, a := range c.Spatial {
		stride := a.KernelStride
		if a.Reversed {
			first += (a.Kernel - 1) * stride
			stride = -stride
		}
		d = append(d, gemm.Dim{Size: a.Kernel, Stride: stride})
	}
	return append(d, gemm.Dim{Size: c.In, Stride: c.RhsIn}), first
}

// im2colConv is a convolution as a GEMM of patches (im2col), or of the image itself where patches are single elements.
type im2colConv[T gemm.Accumulator] struct {
	k          int
	out        gemm.Matrix[T]  // no elements here or below
	image      gemm.Strided[T] // where patches are single elements
	im2col     *im2col[T]
	weights    gemm.Strided[T]
	transposed bool      // the result is features × positions
	runs       sync.Pool // of *im2colRun
}

// im2colRun has the operands during a run.
type im2colRun[T gemm.Accumulator] struct {
	image, weights gemm.Strided[T]
	im2col         im2col[T]
}

func newIm2colConv[T gemm.Accumulator](c *Shape) *im2colConv[T] {
	weights, first := c.kernel()
	p := &im2colConv[T]{k: weights.Size(), transposed: !c.rowsArePositions()}
	p.out = gemm.Matrix[T]{Batch: gemm.Dims{{Size: c.Groups, Stride: c.OutGroup}}, Rows: c.positions(),
		Cols: gemm.Dims{{Size: c.Out, Stride: c.OutFeature}}}
	if dims, ok := c.pointwise(); ok {
		p.image = gemm.NewStrided[T](nil, 0, gemm.Dims{{Size: c.Groups, Stride: c.LhsGroup}}, dims,
			gemm.Dims{{Size: c.In, Stride: c.LhsFeature}})
	} else {
		p.im2col = newIm2col[T](c)
	}
	p.weights = gemm.NewStrided[T](nil, first, gemm.Dims{{Size: c.Groups, Stride: c.RhsGroup}},
		gemm.Dims{{Size: c.Out, Stride: c.RhsOut}}, weights)
	if p.transposed {
		p.out.Rows, p.out.Cols = p.out.Cols, p.out.Rows
	}
	return p
}

func (p *im2colConv[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	r, ok := p.runs.Get().(*im2colRun[T])
	if !ok {
		r = &im2colRun[T]{}
	}
	defer p.end(r)
	var a gemm.Source[T]
	if p.im2col != nil {
		r.im2col = *p.im2col
		r.im2col.lhs = lhs
		a = &r.im2col
	} else {
		r.image = p.image
		r.image.Data, r.image.Offset = lhs.Data, lhs.Offset
		a = &r.image
	}
	r.weights = p.weights
	r.weights.Data, r.weights.Offset = rhs.Data, p.weights.Offset+rhs.Offset
	b := gemm.Source[T](&r.weights)
	if p.transposed {
		a, b = b, a
	}
	m := p.out
	m.Data, m.Offset = out.Data, out.Offset
	return gemm.MatMulSources(env, m, a, b, p.k)
}

// end keeps a run for reuse, without its operands.
func (p *im2colConv[T]) end(r *im2colRun[T]) {
	*r = im2colRun[T]{}
	p.runs.Put(r)
}

// pointwise returns the positions in the left operand if patches are single elements and all elements are used.
func (c *Shape) pointwise() (gemm.Dims, bool) {
	d := gemm.Dims{{Size: c.Batch, Stride: c.LhsBatch}}
	for _, a := range c.Spatial {
		if a.Kernel != 1 || a.Low != 0 || a.BaseDilation != 1 || a.Out > 0 && (a.Out-1)*a.Step >= a.In {
			return nil, false
		}
		d = append(d, gemm.Dim{Size: a.Out, Stride: a.InStride * a.Step})
	}
	return d, true
}

// at returns the element of the axis that element k of the kernel reads at result o, or -1.
func (a *Axis) at(o, k int) int {
	return a.element(o*a.Step + k*a.Dilation)
}

// element returns the element of the axis at a position of the padded line, or -1.
func (a *Axis) element(position int) int {
	q := position - a.Low
	if q < 0 || q%a.BaseDilation != 0 || q/a.BaseDilation >= a.In {
		return -1
	}
	return q / a.BaseDilation
}
