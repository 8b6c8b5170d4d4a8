package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Recompute recomputes products that are far wider than their operands, such as attention scores,
// at their later uses: in a gradient, the rows of the scores, and their columns. The elementwise
// ops on them are recomputed too; the reductions of each row are kept. Then each consumer can
// process the rows, or the columns, one by one, and no wide value has to be in memory. The bits do
// not change: the products of the columns are those of the rows with exchanged operands.
//
// Products with at least minElems elements are recomputed. Values that another op uses entirely are
// not changed.
func Recompute(f stablehlo.Func, minElems int64, checkCancel ...CheckCancel) error {
	p, effects := checkCancelOf(checkCancel), f.Effects()
	return Rewriting("recompute", f, func() {
		for _, op := range f.Body().Ops {
			for x := range op.Walk() {
				for _, r := range x.Regions {
					recomputeIn(r.Block(), effects, minElems, p)
				}
			}
		}
		recomputeIn(f.Body(), effects, minElems, p)
	})
}

func recomputeIn(b *stablehlo.Block, effects *stablehlo.Effects, minElems int64, checkCancel CheckCancel) {
	var shapes [][]int64
	for _, op := range b.Ops {
		checkCancel()
		if isWideDot(op, minElems) {
			dims := op.Result().Tensor().Dims
			if !slices.ContainsFunc(shapes, func(s []int64) bool { return slices.Equal(s, dims) }) {
				shapes = append(shapes, dims)
			}
		}
	}
	for _, dims := range shapes {
		r := &recomputer{b: b, dims: dims, minElems: minElems, effects: effects, checkCancel: checkCancel,
			before: map[*stablehlo.Op][]*stablehlo.Op{}}
		r.run()
	}
}

// isWideDot reports whether an op multiplies rows by rows, batched or not, with a result that is
// far larger than its operands.
func isWideDot(op *stablehlo.Op, minElems int64) bool {
	if op.Code != stablehlo.OpDotGeneral || !IsPlain(op) || !IsSymmetric(op) {
		return false
	}
	d := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	left, right, out := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor().Dims
	n := len(d.LHSBatching)
	if len(out) != n+2 || left.Rank() != n+1+len(d.LHSContracting) || right.Rank() != n+1+len(d.RHSContracting) {
		return false
	}
	depth := int64(1)
	for _, c := range d.LHSContracting {
		depth *= left.Dims[c]
	}
	rows, cols := out[n], out[n+1]
	return rows > 0 && cols > 0 && rows >= minElems/cols && cost.MinWiden*depth <= min(rows, cols)
}

// recomputer works on the values of one shape in a block: of a batch, rows and columns.
type recomputer struct {
	b           *stablehlo.Block
	dims        []int64
	minElems    int64
	effects     *stablehlo.Effects
	checkCancel CheckCancel
	before      map[*stablehlo.Op][]*stablehlo.Op // ops to be inserted before an op
}

// isWide reports whether a value is computed elementwise from a wide product, or has its shape and
// can be recomputed anywhere.
func (r *recomputer) isWide(v *stablehlo.Value) bool {
	op := v.Op()
	if op == nil || op.Block() != r.b || len(op.Results) != 1 || v.Tensor() == nil ||
		!slices.Equal(v.Tensor().Dims, r.dims) {
		return false
	}
	switch op.Code {
	case stablehlo.OpDotGeneral:
		return isWideDot(op, r.minElems)
	case stablehlo.OpBroadcastInDim, stablehlo.OpIota:
		return IsPlain(op)
	case stablehlo.OpConstant:
		a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
		return ok && a.Splat
	}
	isElementwise := op.Code.Info().Traits&stablehlo.Elementwise != 0 || op.Code == stablehlo.OpSelect
	return isElementwise && len(op.Regions) == 0 && IsPlain(op)
}

// consumer is an op that reads a wide value and has another result: a contraction or a reduction of
// its rows or columns.
type consumer struct {
	op         *stablehlo.Op
	reduces    bool
	transposed bool // sums over the rows, column by column
}

// consumerOf returns op as a consumer; ok is false for other readers of wide values.
func (r *recomputer) consumerOf(op *stablehlo.Op) (s consumer, ok bool) {
	last := int64(len(r.dims) - 1)
	switch op.Code {
	case stablehlo.OpReduce:
		return consumer{op: op, reduces: true}, slices.Equal(op.Ints("dimensions"), []int64{last})
	case stablehlo.OpDotGeneral:
		d := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		for i, b := range d.LHSBatching {
			if b != int64(i) {
				return s, false
			}
		}
		if r.isWide(op.Operands[1]) || !r.isWide(op.Operands[0]) || int64(len(d.LHSBatching)) != last-1 ||
			len(d.LHSContracting) != 1 {
			return s, false
		}
		return consumer{op: op, transposed: d.LHSContracting[0] == last-1}, true
	}
	return s, false
}

// consumers returns the ops that read rows or columns of wide values, in order; nil if other ops
// read one entirely.
func (r *recomputer) consumers() []consumer {
	var out []consumer
	for _, op := range r.b.Ops {
		r.checkCancel()
		reads := slices.ContainsFunc(op.Operands, r.isWide)
		for _, region := range op.Regions {
			for _, inner := range region.Blocks {
				for _, x := range inner.Ops {
					for y := range x.Walk() {
						if slices.ContainsFunc(y.Operands, r.isWide) {
							return nil
						}
					}
				}
			}
		}
		if !reads || len(op.Results) == 1 && r.isWide(op.Results[0]) {
			continue
		}
		s, ok := r.consumerOf(op)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// run gives each product of rows, with the reductions it uses, and the products of columns separate
// copies of the wide values, except for the first.
func (r *recomputer) run() {
	all := r.consumers()
	var rows, columns []consumer
	for _, s := range all {
		switch {
		case s.transposed:
			columns = append(columns, s)
		case !s.reduces:
			rows = append(rows, s)
		}
	}
	if len(rows)+len(columns) < 2 {
		return
	}
	taken := map[*stablehlo.Op]bool{}
	for i, s := range rows {
		group := r.reductionsOf(s.op, all, taken)
		if i == len(rows)-1 { // those that only columns use
			for _, f := range all {
				if f.reduces && !taken[f.op] {
					taken[f.op] = true
					group = append(group, f.op)
				}
			}
		}
		if i == 0 {
			continue
		}
		c := &copier{r: r, e: emit.Detached(), memo: map[*stablehlo.Value]*stablehlo.Value{}}
		for _, op := range r.b.Ops { // in order
			if slices.Contains(group, op) || op == s.op {
				c.e.B.PlaceAt(op)
				for j, v := range op.Operands {
					if r.isWide(v) {
						op.Operands[j] = c.copy(v)
					}
				}
				r.before[op] = append(r.before[op], c.e.Take()...)
			}
		}
	}
	r.groupColumns(columns, all[len(all)-1].op)
	c := &copier{r: r, e: emit.Detached(), transposed: true, memo: map[*stablehlo.Value]*stablehlo.Value{}}
	for i, s := range columns {
		if i > 0 && !r.adjacent(columns[i-1].op, s.op) {
			c.memo = map[*stablehlo.Value]*stablehlo.Value{}
		}
		c.e.B.PlaceAt(s.op)
		s.op.Operands[0] = c.copy(s.op.Operands[0])
		r.before[s.op] = append(r.before[s.op], c.e.Take()...)
		d := *s.op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		d.LHSContracting = []int64{int64(len(r.dims) - 1)}
		s.op.SetAttr("dot_dimension_numbers", &d)
	}
	var ops []*stablehlo.Op
	for _, op := range r.b.Ops {
		ops = append(append(ops, r.before[op]...), op)
	}
	r.b.SetOps(ops)
	DeadCode(r.b, r.effects, r.checkCancel)
}

// reductionsOf returns the reductions that an op uses, and that no earlier op has taken.
func (r *recomputer) reductionsOf(op *stablehlo.Op, all []consumer, taken map[*stablehlo.Op]bool) []*stablehlo.Op {
	reductions := map[*stablehlo.Op]bool{}
	for _, s := range all {
		reductions[s.op] = s.reduces
	}
	var out []*stablehlo.Op
	seen := map[*stablehlo.Op]bool{}
	var visit func(op *stablehlo.Op)
	visit = func(op *stablehlo.Op) {
		if op == nil || op.Block() != r.b || seen[op] {
			return
		}
		seen[op] = true
		if reductions[op] && !taken[op] {
			taken[op] = true
			out = append(out, op)
		}
		for x := range op.Walk() {
			for _, v := range x.Operands {
				visit(v.Op())
			}
		}
	}
	visit(op)
	return out
}

// groupColumns moves products of columns after the last consumer, if no op between uses them, so
// that they can share the recomputed values.
func (r *recomputer) groupColumns(columns []consumer, last *stablehlo.Op) {
	for _, s := range slices.Backward(columns) {
		ops := r.b.Ops
		from, to := slices.Index(ops, s.op), slices.Index(ops, last)
		for i := from + 1; i <= to; i++ {
			for y := range ops[i].Walk() {
				if slices.Contains(y.Operands, s.op.Result()) {
					return
				}
			}
		}
		if from < to {
			moved := slices.Delete(slices.Clone(ops), from, from+1)
			r.b.SetOps(slices.Insert(moved, to, s.op))
		}
	}
}

// adjacent reports whether an op follows another.
func (r *recomputer) adjacent(a, b *stablehlo.Op) bool {
	return slices.Index(r.b.Ops, a)+1 == slices.Index(r.b.Ops, b)
}

// copier appends copies of wide values, transposed if set.
type copier struct {
	r          *recomputer
	e          emit.Emitter // of the ops to be inserted before an op
	transposed bool
	memo       map[*stablehlo.Value]*stablehlo.Value
}

func (c *copier) copy(v *stablehlo.Value) *stablehlo.Value {
	if w := c.memo[v]; w != nil {
		return w
	}
	c.r.checkCancel()
	op := v.Op()
	switch {
	case c.r.isWide(v):
		c.memo[v] = c.recompute(op)
	case c.transposed && slices.Equal(v.Tensor().Dims, c.r.dims):
		c.memo[v] = c.e.Transpose(v, c.swapLast(emit.UpTo(len(c.r.dims)))...)
	default:
		return v
	}
	return c.memo[v]
}

// recompute appends a copy of the op of a wide value.
func (c *copier) recompute(op *stablehlo.Op) *stablehlo.Value {
	defer emit.Blame(op)
	in := slices.Clone(op.Operands)
	// Other ops read no wide value, or read it as it is.
	if op.Code != stablehlo.OpDotGeneral && op.Code != stablehlo.OpBroadcastInDim {
		for i, v := range in {
			in[i] = c.copy(v)
		}
	}
	parts := append(emit.Parts(op), stablehlo.Results{c.typeOf(op.Result())})
	if c.transposed {
		parts = append(parts, c.transposedParts(op, in)...)
	}
	c.e.B.PlaceAt(op)
	return c.e.Value(op.Code, in, parts...)
}

// typeOf returns the type of the copy of a value.
func (c *copier) typeOf(v *stablehlo.Value) *stablehlo.TensorType {
	t := *v.Tensor()
	if c.transposed {
		t.Dims = c.swapLast(t.Dims)
	}
	return &t
}

// swapLast exchanges the elements of a list for rows and columns.
func (c *copier) swapLast(list []int64) []int64 {
	out, n := slices.Clone(list), len(list)
	out[n-2], out[n-1] = out[n-1], out[n-2]
	return out
}

// transposedParts returns the attributes of the transposed copy of an op, and reorders its
// operands.
func (c *copier) transposedParts(op *stablehlo.Op, in []*stablehlo.Value) []stablehlo.OpPart {
	other := c.swapLast(emit.UpTo(len(c.r.dims)))
	switch op.Code {
	case stablehlo.OpDotGeneral:
		d := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
		slices.Reverse(in)
		return []stablehlo.OpPart{stablehlo.Named("dot_dimension_numbers", &stablehlo.DotDims{
			LHSBatching: d.RHSBatching, RHSBatching: d.LHSBatching,
			LHSContracting: d.RHSContracting, RHSContracting: d.LHSContracting})}
	case stablehlo.OpBroadcastInDim:
		dims := slices.Clone(op.Ints("broadcast_dimensions"))
		for i, d := range dims {
			dims[i] = other[d]
		}
		return []stablehlo.OpPart{stablehlo.Named("broadcast_dimensions", stablehlo.I64s(dims...))}
	case stablehlo.OpIota:
		return []stablehlo.OpPart{stablehlo.Named("iota_dimension", stablehlo.I64(other[op.Int("iota_dimension", 0)]))}
	case stablehlo.OpConstant:
		a := *op.Attr("value").(*stablehlo.ElementsAttr)
		a.Type = c.typeOf(op.Result())
		return []stablehlo.OpPart{stablehlo.Named("value", &a)}
	}
	return nil
}
