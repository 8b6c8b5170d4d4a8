package fuse

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// contraction is a dot_general or a convolution whose operands are views of values in memory.
type contraction struct {
	sources [2]*stablehlo.Value
	node    *program.Contraction // without buffers
}

// contractionOf returns the contraction of an op of the block; nil for other ops.
func (p *planner) contractionOf(op *stablehlo.Op) *contraction {
	if !isContractionOp(op) {
		return nil
	}
	if d, ok := p.contractions[op]; ok {
		return d
	}
	var d *contraction
	if op.Code == stablehlo.OpDotGeneral {
		d = p.newDot(op)
	} else {
		d = p.newConvolution(op)
	}
	p.contractions[op] = d
	return d
}

// isContractionOp reports whether an op multiplies operands that may be views.
func isContractionOp(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpDotGeneral || op.Code == stablehlo.OpConvolution
}

// sources returns the values that an op reads from memory: its operands, or the values that these
// are views of.
func (p *planner) sources(op *stablehlo.Op) []*stablehlo.Value {
	if d := p.contractionOf(op); d != nil {
		return d.sources[:]
	}
	if parts := p.indexOf(op); parts != nil {
		return append([]*stablehlo.Value{op.Operands[0]}, parts...)
	}
	return op.Operands
}

func (p *planner) newDot(op *stablehlo.Op) *contraction {
	dims := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	left, right, out := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor()
	acc := program.Accumulation(left.DType(), right.DType(), out.DType())
	freeLeft := free(left, dims.LHSBatching, dims.LHSContracting)
	freeRight := free(right, dims.RHSBatching, dims.RHSContracting)
	n := &program.Contraction{Acc: acc, Op: op}
	d := &contraction{node: n}
	d.sources[0], n.Left = p.viewed(op.Operands[0], op, acc, dims.LHSBatching, freeLeft, dims.LHSContracting)
	d.sources[1], n.Right = p.viewed(op.Operands[1], op, acc, dims.RHSBatching, dims.RHSContracting, freeRight)
	all := make([]int64, out.Rank())
	for i := range all {
		all[i] = int64(i)
	}
	batch, rows := len(dims.LHSBatching), len(dims.LHSBatching)+len(freeLeft)
	n.Out = inMemory(out, all[:batch], all[batch:rows], all[rows:])
	return d
}

// free returns the dimensions of an operand that are neither batch nor contracted.
func free(t *stablehlo.TensorType, batch, contracted []int64) []int64 {
	var out []int64
	for d := range t.Dims {
		if !slices.Contains(batch, int64(d)) && !slices.Contains(contracted, int64(d)) {
			out = append(out, int64(d))
		}
	}
	return out
}

// operandView is a value seen through views: its dimensions, which views may have split, and the
// element at each point.
type operandView struct {
	iterSpace
	of view // the value's own dimensions in those of the space
	at view // the element of the value that has been reached so far
	as *stablehlo.TensorType
}

// dense returns the identity view of a value.
func dense(t *stablehlo.TensorType) *operandView {
	w := &operandView{as: t}
	w.dims = slices.Clone(t.Dims)
	for d := range t.Dims {
		f := w.newForm(0)
		f.k[d] = 1
		w.of = append(w.of, f)
	}
	w.at = slices.Clone(w.of)
	return w
}

// through extends the view to the operand of a view op; ok is false if that is not an affine map.
func (w *operandView) through(op *stablehlo.Op) (ok bool) {
	if op.Code == stablehlo.OpReshape {
		from, ok := w.reshapeView(w.at, op.Result().Tensor().Dims, op.Operands[0].Tensor().Dims)
		if ok {
			w.at, w.as = from, op.Operands[0].Tensor()
		}
		return ok
	}
	from := w.viewOf(op, w.at)
	if from == nil {
		return false
	}
	w.at, w.as = from, op.Operands[0].Tensor()
	return true
}

// matrix returns the elements as matrices, given the dimensions of the value by role.
func (w *operandView) matrix(batch, rows, cols []int64) program.Matrix {
	strides := make([]int64, len(w.dims))
	var m program.Matrix
	for d, stride := range denseStrides(w.as.Dims) {
		m.Offset += w.at[d].c * stride
		for i, k := range w.at[d].k {
			strides[i] += k * stride
		}
	}
	dimsOf := func(which []int64) []program.Dim {
		var out []program.Dim
		for _, d := range which {
			for i, k := range w.of[d].k {
				if k != 0 {
					out = append(out, program.Dim{Size: w.dims[i], Stride: strides[i]})
				}
			}
		}
		return out
	}
	m.Batch, m.Rows, m.Cols = dimsOf(batch), dimsOf(rows), dimsOf(cols)
	return m
}

// inMemory returns the elements of a value in memory as matrices.
func inMemory(t *stablehlo.TensorType, batch, rows, cols []int64) program.Matrix {
	strides := denseStrides(t.Dims)
	dimsOf := func(which []int64) []program.Dim {
		out := make([]program.Dim, 0, len(which))
		for _, d := range which {
			out = append(out, program.Dim{Size: t.Dims[d], Stride: strides[d]})
		}
		return out
	}
	return program.Matrix{Batch: dimsOf(batch), Rows: dimsOf(rows), Cols: dimsOf(cols)}
}

// viewed returns the value that an operand of a contraction is a view of, and its matrices there:
// as far from the operand as rows and columns have one stride each, which contractions read without
// copying, and no farther than a value that is in memory for others. If elements are converted,
// perhaps all before the contraction, the value must have no more of them than the operand.
func (p *planner) viewed(v *stablehlo.Value, op *stablehlo.Op, acc dtype.Type, batch, rows,
	cols []int64) (*stablehlo.Value, program.Matrix) {
	best := inMemory(v.Tensor(), batch, rows, cols)
	source := p.lookThrough(v, op, acc, func(w *operandView) bool {
		m := w.matrix(batch, rows, cols)
		if !isSingleStride(m.Rows) || !isSingleStride(m.Cols) || !isAscending(m.Batch) {
			return false
		}
		best = m
		return true
	})
	return source, best
}

// lookThrough returns the last of the values that an operand of a contraction is a view of and that
// take accepts, else the operand itself.
func (p *planner) lookThrough(v *stablehlo.Value, op *stablehlo.Op, acc dtype.Type,
	take func(w *operandView) bool) *stablehlo.Value {
	source := v
	if d := v.Op(); d == nil || !isView(d) {
		return source
	}
	most, _ := v.Tensor().NumElems()
	w := dense(v.Tensor())
	for at := v; ; {
		view := at.Op()
		if source == at && p.uses.materialised[at] || view == nil || view.Block() != op.Block() || !isView(view) ||
			view.Code == stablehlo.OpOptimizationBarrier || !w.through(view) {
			return source
		}
		at = view.Operands[0]
		if n, _ := at.Tensor().NumElems(); v.Tensor().DType() != acc && n > most {
			continue
		}
		if take(w) {
			source = at
		}
	}
}

// isSingleStride reports whether the elements of dimensions have one stride, which is not negative.
func isSingleStride(dims []program.Dim) bool {
	next := int64(-1)
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		if d.Size == 1 {
			continue
		}
		if d.Stride < 0 || next >= 0 && d.Stride != next {
			return false
		}
		next = d.Stride * d.Size
	}
	return true
}

func isAscending(dims []program.Dim) bool {
	return !slices.ContainsFunc(dims, func(d program.Dim) bool { return d.Stride < 0 })
}

// contract returns the node of a contraction.
func (p *planner) contract(d *contraction, op *stablehlo.Op) program.Node {
	n := *d.node
	n.Ins = []int{p.buffer(d.sources[0]), p.buffer(d.sources[1])}
	n.Outs = []int{p.buffer(op.Result())}
	return &n
}

// newConvolution returns a convolution; nil without dimension numbers.
func (p *planner) newConvolution(op *stablehlo.Op) *contraction {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		return nil
	}
	left, right, out := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor()
	acc := program.Accumulation(left.DType(), right.DType(), out.DType())
	x, k, ys := left.Dims, right.Dims, denseStrides(out.Dims)
	image, imageAt, xs := p.strided(op.Operands[0], op, acc)
	kernel, kernelAt, ks := p.strided(op.Operands[1], op, acc)
	batchGroups := op.Int("batch_group_count", 1)
	groups := op.Int("feature_group_count", 1) * batchGroups // one of them is 1
	batch, in, features := x[d.InputBatch]/batchGroups, k[d.KernelInputFeature], k[d.KernelOutputFeature]/groups
	perGroup := in * xs[d.InputFeature]
	if batchGroups > 1 {
		perGroup = batch * xs[d.InputBatch]
	}
	n := &program.Contraction{
		Left: program.Matrix{Offset: imageAt, Batch: dim(groups, perGroup), Rows: dim(batch, xs[d.InputBatch]),
			Cols: dim(in, xs[d.InputFeature])},
		Right: program.Matrix{Offset: kernelAt, Batch: dim(groups, features*ks[d.KernelOutputFeature]),
			Rows: dim(in, ks[d.KernelInputFeature]), Cols: dim(features, ks[d.KernelOutputFeature])},
		Out: program.Matrix{Batch: dim(groups, features*ys[d.OutputFeature]), Rows: dim(batch, ys[d.OutputBatch]),
			Cols: dim(features, ys[d.OutputFeature])},
		Acc: acc,
		Op:  op,
	}
	rank := len(d.InputSpatial)
	stride, low := intsOr(op, "window_strides", rank, 1), intsOr(op, "padding", 2*rank, 0)
	base, dilation := intsOr(op, "lhs_dilation", rank, 1), intsOr(op, "rhs_dilation", rank, 1)
	reversed := intsOr(op, "window_reversal", rank, 0)
	for i := range rank {
		a, b, c := d.InputSpatial[i], d.KernelSpatial[i], d.OutputSpatial[i]
		n.Windows = append(n.Windows, program.Window{
			In: x[a], Taps: k[b], Positions: out.Dims[c], Left: xs[a], Right: ks[b], Out: ys[c],
			Step: stride[i], Low: low[2*i], Dilation: dilation[i], BaseDilation: base[i], Reversed: reversed[i] != 0,
		})
	}
	return &contraction{sources: [2]*stablehlo.Value{image, kernel}, node: n}
}

// strided returns the value that an operand of a convolution is a view of, its first element there
// and the stride of each dimension.
func (p *planner) strided(v *stablehlo.Value, op *stablehlo.Op, acc dtype.Type) (source *stablehlo.Value, first int64,
	strides []int64) {
	strides = denseStrides(v.Tensor().Dims)
	source = p.lookThrough(v, op, acc, func(w *operandView) bool {
		var m program.Matrix
		steps := make([]int64, len(strides))
		for d := range strides {
			m = w.matrix([]int64{int64(d)}, nil, nil)
			if !isSingleStride(m.Batch) {
				return false
			}
			for _, part := range m.Batch { // the last of several elements
				if part.Size > 1 {
					steps[d] = part.Stride
				}
			}
			if v.Tensor().Dims[d] > 1 && steps[d] == 0 {
				return false // each element of a broadcast is multiplied often
			}
		}
		first, strides = m.Offset, steps
		return true
	})
	return source, first, strides
}

func dim(size, stride int64) []program.Dim { return []program.Dim{{Size: size, Stride: stride}} }

// intsOr returns a list attribute, or n times def when it is absent.
func intsOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	return slices.Repeat([]int64{def}, n)
}
