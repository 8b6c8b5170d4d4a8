package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// FeaturesLast lays images out with features last where windows of them are multiplied: a convolution reads the
// features of a position as one line then, instead of gathering each from another place. Images are values with axes
// for a batch, features and space, as PyTorch and ONNX have them. Ops that do not depend on the order of axes, such as
// activations, pools, normalisations, and their gradients, take it over from the convolutions between which they are;
// the others get the image in its old order by a transpose. Arguments and results of the function stay.
func FeaturesLast(f stablehlo.Func, checkCancel ...CheckCancel) error {
	r := &relayout{checkCancel: checkCancelOf(checkCancel)}
	return Rewriting("features last", f, func() { r.block(f.Body()) })
}

type relayout struct {
	checkCancel CheckCancel
}

// block changes the order of images that are computed in a block.
func (r *relayout) block(b *stablehlo.Block) {
	g := &images{b: b, group: map[*stablehlo.Value]*stablehlo.Value{}, wanted: map[*stablehlo.Value]bool{}}
	for _, op := range b.Ops {
		r.checkCancel()
		for _, region := range op.Regions {
			for _, inner := range region.Blocks {
				r.block(inner)
			}
		}
		g.join(op)
	}
	for _, op := range b.Ops {
		g.want(op)
	}
	if len(g.wanted) == 0 {
		return
	}
	w := &imageWriter{Emitter: emit.To(b), change: map[*stablehlo.Value]bool{}, last: map[*stablehlo.Value]bool{},
		first: map[*stablehlo.Value]*stablehlo.Value{}, copies: map[*stablehlo.Value]*stablehlo.Value{}}
	for _, op := range b.Ops {
		for _, v := range op.Results {
			w.change[v] = g.isOpen(v) && g.wanted[g.root(v)]
		}
	}
	for _, op := range w.Take() {
		r.checkCancel()
		w.B.Loc = op.Loc
		w.op(op)
	}
}

// images are the values of a block whose order may change, in groups that change together.
type images struct {
	b      *stablehlo.Block
	group  map[*stablehlo.Value]*stablehlo.Value // parents, in trees
	wanted map[*stablehlo.Value]bool             // roots of the groups that change
}

func (g *images) root(v *stablehlo.Value) *stablehlo.Value {
	for g.group[v] != nil {
		if next := g.group[g.group[v]]; next != nil {
			g.group[v] = next
		}
		v = g.group[v]
	}
	return v
}

// isOpen reports whether the order of a value may change: an op of the block computes it that does so in any order.
func (g *images) isOpen(v *stablehlo.Value) bool {
	op := v.Op()
	if op == nil || op.Block() != g.b || !isImage(v) {
		return false
	}
	_, results := imagesOf(op)
	return results
}

// join makes one group of the open values that an op reads and writes in the same order.
func (g *images) join(op *stablehlo.Op) {
	if op.Code == stablehlo.OpConvolution {
		return
	}
	operands, results := imagesOf(op)
	var all []*stablehlo.Value
	for _, i := range operands {
		all = append(all, op.Operands[i])
	}
	if results {
		all = append(all, op.Results...)
	}
	all = slices.DeleteFunc(all, func(v *stablehlo.Value) bool { return !g.isOpen(v) })
	for i := 1; i < len(all); i++ {
		if x, y := g.root(all[0]), g.root(all[i]); x != y {
			g.group[y] = x
		}
	}
}

// want marks the groups that a convolution of more than one position reads or writes as images.
func (g *images) want(op *stablehlo.Op) {
	if op.Code != stablehlo.OpConvolution || !IsPlain(op) {
		return
	}
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok || !op.Result().Tensor().DType().IsFloat() {
		return
	}
	x, w := op.Operands[0], op.Operands[1]
	taps := int64(1)
	for _, at := range d.KernelSpatial {
		taps *= w.Tensor().Dims[at]
	}
	read := isSpatial(d.InputSpatial) && isImage(x)
	if taps == 1 || !read || !g.isOpen(x) && x.Tensor().Dims[1] >= minImageFeatures {
		return
	}
	var found []*stablehlo.Value
	found = append(found, x)
	if isSpatial(d.OutputSpatial) && d.OutputBatch == 0 {
		found = append(found, op.Result())
	}
	if isSpatial(d.KernelSpatial) && d.InputFeature == 0 { // the gradient of weights sums over the batch
		found = append(found, w)
	}
	for _, v := range found {
		if g.isOpen(v) {
			g.wanted[g.root(v)] = true
		}
	}
}

// isSpatial reports whether the spatial axes of a convolution are those from the third on, in order.
func isSpatial(axes []int64) bool {
	for i, a := range axes {
		if a != int64(i+2) {
			return false
		}
	}
	return len(axes) > 0
}

// isImage reports whether a value has axes for a batch, features and space.
func isImage(v *stablehlo.Value) bool { return v.Tensor() != nil && v.Tensor().Rank() >= 3 }

// imagesOf returns which operands of an op have the order of images, and whether its results have; both are empty for
// ops that depend on the order of axes.
func imagesOf(op *stablehlo.Op) (operands []int, results bool) {
	if len(op.Results) == 0 || !IsPlain(op) {
		return nil, false
	}
	isSame := func(v *stablehlo.Value) bool { return v.Tensor().Rank() == op.Results[0].Tensor().Rank() }
	switch op.Code {
	case stablehlo.OpConvolution:
		return nil, true
	case stablehlo.OpReduce:
		if len(op.Results) == 1 && isImage(op.Operands[0]) && !isImage(op.Results[0]) {
			return []int{0}, false
		}
		return nil, false
	case stablehlo.OpReduceWindow:
		return indices(len(op.Operands) / 2), isImage(op.Results[0])
	case stablehlo.OpSelectAndScatter:
		return []int{0, 1}, isImage(op.Results[0])
	case stablehlo.OpPad, stablehlo.OpReverse, stablehlo.OpSlice:
		return []int{0}, isImage(op.Results[0])
	case stablehlo.OpConcatenate:
		return indices(len(op.Operands)), isImage(op.Results[0])
	}
	if !isComputed(op) || len(op.Regions) > 0 || len(op.Results) > 1 || !isImage(op.Results[0]) {
		return nil, false
	}
	for i, v := range op.Operands {
		if isSame(v) {
			operands = append(operands, i)
		}
	}
	return operands, true
}

// imageWriter writes the ops of a block.
type imageWriter struct {
	emit.Emitter
	change        map[*stablehlo.Value]bool             // the values that change
	last          map[*stablehlo.Value]bool             // those that have changed
	first, copies map[*stablehlo.Value]*stablehlo.Value // values in the old order, and in the new one
}

// lastOrder and firstOrder are the permutations to and from features last.
func lastOrder(rank int) []int64 {
	order := emit.UpTo(rank)
	return append(slices.Delete(order, 1, 2), 1)
}

func firstOrder(rank int) []int64 {
	order := emit.UpTo(rank - 1)
	return slices.Insert(order, 1, int64(rank-1))
}

// inFirst returns a value in the old order.
func (w *imageWriter) inFirst(v *stablehlo.Value) *stablehlo.Value {
	if !w.last[v] {
		return v
	}
	if w.first[v] == nil {
		w.first[v] = w.Transpose(v, firstOrder(v.Tensor().Rank())...)
	}
	return w.first[v]
}

// inLast returns a value with features last.
func (w *imageWriter) inLast(v *stablehlo.Value) *stablehlo.Value {
	if w.last[v] {
		return v
	}
	if c := w.copies[v]; c != nil {
		return c
	}
	order := lastOrder(v.Tensor().Rank())
	op := v.Op()
	var c *stablehlo.Value
	if s, ok := SplatOf(v); ok {
		c = w.B.Constant(s.Elements(permuted(v.Tensor().Dims, order)...))
	} else if op != nil && op.Code == stablehlo.OpBroadcastInDim {
		c = w.Broadcast(op.Operands[0], permuted(v.Tensor().Dims, order),
			moved(op.Ints("broadcast_dimensions"), order)...)
	} else {
		c = w.Transpose(v, order...)
	}
	w.copies[v] = c
	return c
}

// permuted returns a list in another order.
func permuted(list, order []int64) []int64 {
	out := make([]int64, len(order))
	for i, d := range order {
		out[i] = list[d]
	}
	return out
}

// moved returns the new positions of axes.
func moved(axes, order []int64) []int64 {
	out := make([]int64, len(axes))
	for i, a := range axes {
		out[i] = int64(slices.Index(order, a))
	}
	return out
}

// op writes an op.
func (w *imageWriter) op(op *stablehlo.Op) {
	operands, results := imagesOf(op)
	switch {
	case op.Code == stablehlo.OpConvolution:
		w.convolution(op)
		return
	case op.Code == stablehlo.OpReduce && len(operands) > 0 && w.last[op.Operands[0]]:
		order := lastOrder(op.Operands[0].Tensor().Rank())
		dims := op.Ints("dimensions")
		kept := Except(len(order), dims)
		op.SetAttr("dimensions", stablehlo.I64s(slices.Sorted(slices.Values(moved(dims, order)))...))
		if !slices.IsSorted(moved(kept, order)) {
			w.reduceInOrder(op, kept, order)
			return
		}
	case results && w.change[op.Results[0]]:
		order := lastOrder(op.Results[0].Tensor().Rank())
		for _, i := range operands {
			op.Operands[i] = w.inLast(op.Operands[i])
		}
		permuteAttributes(op, order)
		w.setLast(op)
	default:
		w.keep(op)
		return
	}
	for i, v := range op.Operands {
		if !slices.Contains(operands, i) {
			op.Operands[i] = w.inFirst(v)
		}
	}
	w.Append(op)
}

// setLast gives the results of an op their types with features last.
func (w *imageWriter) setLast(op *stablehlo.Op) {
	for _, v := range op.Results {
		t := v.Tensor()
		v.SetType(t.WithDims(permuted(t.Dims, lastOrder(t.Rank()))...))
		w.last[v] = true
	}
}

// keep writes an op with operands in the old order, also in its regions.
func (w *imageWriter) keep(op *stablehlo.Op) {
	for x := range op.Walk() {
		for i, v := range x.Operands {
			x.Operands[i] = w.inFirst(v)
		}
	}
	w.Append(op)
}

// reduceInOrder writes a reduction of an image whose other axes change their order.
func (w *imageWriter) reduceInOrder(op *stablehlo.Op, kept, order []int64) {
	v := op.Result()
	old := v.Type()
	now := slices.Sorted(slices.Values(moved(kept, order))) // the axes that are kept, in their new order
	v.SetType(v.Tensor().WithDims(permuted(op.Operands[0].Tensor().Dims, now)...))
	w.Append(op)
	var back []int64
	for _, at := range moved(kept, order) {
		back = append(back, int64(slices.Index(now, at)))
	}
	t := w.Transpose(v, back...)
	if !stablehlo.SameType(t.Type(), old) {
		emit.Fail("a reduction of %v has type %v, want %v", op.Operands[0].Type(), t.Type(), old)
	}
	w.last[v], w.first[v] = true, t
}

// convolution writes a convolution, which reads and writes any order.
func (w *imageWriter) convolution(op *stablehlo.Op) {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		w.keep(op)
		return
	}
	n := *d
	if x := op.Operands[0]; w.last[x] {
		order := lastOrder(x.Tensor().Rank())
		at := moved([]int64{d.InputBatch, d.InputFeature}, order)
		n.InputBatch, n.InputFeature, n.InputSpatial = at[0], at[1], moved(d.InputSpatial, order)
	}
	if x := op.Operands[1]; w.last[x] {
		order := lastOrder(x.Tensor().Rank())
		at := moved([]int64{d.KernelInputFeature, d.KernelOutputFeature}, order)
		n.KernelInputFeature, n.KernelOutputFeature, n.KernelSpatial = at[0], at[1], moved(d.KernelSpatial, order)
	}
	if v := op.Result(); w.change[v] {
		order := lastOrder(v.Tensor().Rank())
		at := moved([]int64{d.OutputBatch, d.OutputFeature}, order)
		n.OutputBatch, n.OutputFeature, n.OutputSpatial = at[0], at[1], moved(d.OutputSpatial, order)
		w.setLast(op)
	}
	op.SetAttr("dimension_numbers", &n)
	w.Append(op)
}

// permuteAttributes changes the order of the attributes with a number for each axis, and of those with axes.
func permuteAttributes(op *stablehlo.Op, order []int64) {
	lists := []string{"window_dimensions", "window_strides", "base_dilations", "window_dilations", "edge_padding_low",
		"edge_padding_high", "interior_padding", "start_indices", "limit_indices", "strides"}
	for _, name := range lists {
		if list := op.Ints(name); op.Attr(name) != nil {
			op.SetAttr(name, stablehlo.I64s(permuted(list, order)...))
		}
	}
	if p := op.Ints("padding"); op.Attr("padding") != nil {
		var pairs []int64
		for _, d := range order {
			pairs = append(pairs, p[2*d], p[2*d+1])
		}
		a, err := stablehlo.Elements(pairs, int64(len(order)), 2)
		if err != nil {
			emit.Fail("%v", err)
		}
		op.SetAttr("padding", a)
	}
	switch op.Code {
	case stablehlo.OpReverse:
		op.SetAttr("dimensions", stablehlo.I64s(moved(op.Ints("dimensions"), order)...))
	case stablehlo.OpConcatenate:
		at := moved([]int64{op.Int("dimension", 0)}, order)
		op.SetAttr("dimension", stablehlo.I64(at[0]))
	}
}
