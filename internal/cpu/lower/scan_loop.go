package lower

import (
	"bytes"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// ScanLoops writes prefix reductions, forward or reverse, as loops with a step per element:
// doubling takes a number of passes logarithmic in their number. Reductions of a single operation
// have faster implementations. It is for processors on which steps are cheap.
func ScanLoops(f stablehlo.Func, run simplify.Evaluate, checkCancel simplify.CheckCancel) error {
	r := &scanLowerer{checkCancel: checkCancel,
		written: simplify.Emitter{Emitter: emit.Detached()}, values: simplify.Renames{}}
	found := r.find(f.Body())
	if len(found) == 0 {
		return nil
	}
	idempotent, err := areIdempotent(found, run)
	if err != nil {
		return err
	}
	r.loops = idempotent
	return simplify.Rewriting("scan loops", f, func() { r.block(f.Body()) })
}

type scanLowerer struct {
	checkCancel simplify.CheckCancel
	written     simplify.Emitter
	values      simplify.Renames // the replacements of the results of reductions
	loops       map[*stablehlo.Op]bool
}

// find returns the prefix reductions of a block and its regions.
func (r *scanLowerer) find(b *stablehlo.Block) (found []*stablehlo.Op) {
	for _, op := range b.Ops {
		r.checkCancel()
		if _, _, ok := scanDim(op, simplify.MinScan); ok && !isOneOp(op) {
			found = append(found, op)
		}
		for _, region := range op.Regions {
			found = append(found, r.find(region.Block())...)
		}
	}
	return found
}

// isOneOp reports whether a reduction is of one tensor by one operation.
func isOneOp(op *stablehlo.Op) bool {
	return len(op.Results) == 1 && len(op.Regions[0].Block().Ops) == 2
}

// scanDim returns the dimension, of at least minSize elements, along which a reduce_window is a
// prefix reduction from constants, forward or in reverse.
func scanDim(op *stablehlo.Op, minSize int64) (dim int, reverse, ok bool) {
	if op.Code != stablehlo.OpReduceWindow || !simplify.IsStatic(op) {
		return 0, false, false
	}
	n := len(op.Operands) / 2
	x, body := op.Operands[0].Tensor(), op.Regions[0].Block()
	for i, r := range op.Results {
		_, isConstant := simplify.SplatOf(op.Operands[n+i])
		if !isConstant || !stablehlo.SameType(r.Type(), op.Operands[i].Type()) ||
			!stablehlo.SameType(body.Args[i].Type(), op.Operands[n+i].Type()) {
			return 0, false, false
		}
	}
	if !simplify.IsLiftable(body) {
		return 0, false, false
	}
	ones := func(name string) bool {
		return !slices.ContainsFunc(op.Ints(name), func(k int64) bool { return k != 1 })
	}
	if !ones("base_dilations") || !ones("window_dilations") || !ones("window_strides") {
		return 0, false, false
	}
	dim = -1
	padding := simplify.ListOr(op, "padding", 2*x.Rank(), 0)
	for d, k := range simplify.ListOr(op, "window_dimensions", x.Rank(), 1) {
		low, high := padding[2*d], padding[2*d+1]
		switch {
		case k == 1 && low == 0 && high == 0:
		case dim < 0 && k == x.Dims[d] && k >= minSize && (low == k-1 && high == 0 || low == 0 && high == k-1):
			dim, reverse = d, low == 0
		default:
			return 0, false, false
		}
	}
	return dim, reverse, dim >= 0 && !slices.Contains(x.Dims, 0)
}

// areIdempotent reports which scans have initial values that reduce with themselves to themselves:
// padding with several of them then equals a single one.
func areIdempotent(scans []*stablehlo.Op, run simplify.Evaluate) (map[*stablehlo.Op]bool, error) {
	e := simplify.Emitter{Emitter: emit.Detached()}
	t := &stablehlo.FuncType{}
	var out []*stablehlo.Value
	for _, op := range scans {
		n := len(op.Results)
		args := make([]*stablehlo.Value, 2*n)
		for i := range n {
			s, _ := simplify.SplatOf(op.Operands[n+i])
			args[i] = e.B.Constant(s.Elements())
			args[n+i] = args[i]
		}
		out = append(append(out, args[:n]...), e.Lifted(op.Regions[0].Block(), args)...)
	}
	for _, v := range out {
		t.Outs = append(t.Outs, v.Type())
	}
	program := stablehlo.NewModule("").AddFunc("initials", t)
	program.Body().SetOps(append(e.Take(), stablehlo.NewOp(stablehlo.OpFuncReturn, out, nil)))
	data, err := run(program)
	if err != nil {
		return nil, err
	}
	idempotent := map[*stablehlo.Op]bool{}
	for _, op := range scans {
		n := len(op.Results)
		idempotent[op] = slices.EqualFunc(data[:n], data[n:2*n], bytes.Equal)
		data = data[2*n:]
	}
	return idempotent, nil
}

func (r *scanLowerer) block(b *stablehlo.Block) {
	e := emit.To(b)
	for _, op := range e.Take() {
		r.checkCancel()
		r.values.Operands(op)
		if !r.loops[op] {
			e.Append(op)
			for _, region := range op.Regions {
				r.block(region.Block())
			}
			continue
		}
		r.written.B.PlaceAt(op)
		results := scanLoop(r.written, op)
		for _, o := range r.written.Take() {
			e.Append(o)
		}
		for i, v := range op.Results {
			r.values[v] = results[i]
		}
	}
}

// scanLoop writes a prefix reduction as a loop whose state is the step, the results so far and the
// last reduction. In reverse, each element is the first operand of its reduction. The initial
// values before and after the elements are combined afterwards, but none follows those of the first
// window. The dimension becomes the first one, so that a step reads and writes contiguous memory.
func scanLoop(e simplify.Emitter, op *stablehlo.Op) []*stablehlo.Value {
	dim, reverse, _ := scanDim(op, simplify.MinScan)
	n, body := len(op.Results), op.Regions[0].Block()
	xs, size := slices.Clone(op.Operands[:n]), op.Operands[0].Tensor().Dims[dim]
	order := emit.UpTo(op.Operands[0].Tensor().Rank())
	order = slices.Insert(slices.Delete(order, dim, dim+1), 0, int64(dim))
	if dim > 0 {
		for i, x := range xs {
			xs[i] = e.Transpose(x, order...)
		}
	}
	lines := func(e simplify.Emitter, at *stablehlo.Value) (out []*stablehlo.Value) {
		for _, x := range xs {
			out = append(out, e.Line(x, 0, at))
		}
		return out
	}
	inits := func(e simplify.Emitter) (out []*stablehlo.Value) {
		dims := xs[0].Tensor().Dims[1:]
		for _, v := range op.Operands[n:] {
			s, _ := simplify.SplatOf(v)
			out = append(out, e.B.Constant(s.Elements(dims...)))
		}
		return out
	}
	state := []*stablehlo.Value{e.Scalar(dtype.S64, 0)}
	for _, x := range xs {
		state = append(state, e.Full(x.Tensor(), 0))
	}
	if reverse {
		state = append(state, lines(e, e.Scalar(dtype.S64, float64(size-1)))...)
	} else {
		state = append(state, inits(e)...)
	}
	var types []stablehlo.Type
	for _, v := range state {
		types = append(types, v.Type())
	}
	more := func(e simplify.Emitter, args []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Compare("LT", args[0], e.Scalar(dtype.S64, float64(size)))}
	}
	step := func(e simplify.Emitter, args []*stablehlo.Value) []*stablehlo.Value {
		at, outs, last := args[0], args[1:1+n], args[1+n:]
		var now, next []*stablehlo.Value
		if reverse {
			at = e.Minus(float64(size-1), at)
			first := e.Lifted(body, append(inits(e), last...))
			padded := e.Lifted(body, append(slices.Clone(first), inits(e)...))
			isFirst := e.Compare("EQ", at, e.Scalar(dtype.S64, 0))
			for i, v := range first {
				now = append(now, e.Select(isFirst, v, padded[i]))
			}
			next = e.Lifted(body, append(
				lines(e, e.Do(stablehlo.OpMaximum, e.Plus(-1, at), e.Scalar(dtype.S64, 0))), last...))
		} else {
			now = e.Lifted(body, append(slices.Clone(last), lines(e, at)...))
			next = now
		}
		results := []*stablehlo.Value{e.Plus(1, args[0])}
		for i, out := range outs {
			line := e.Reshape(now[i], slices.Insert(slices.Clone(now[i].Tensor().Dims), 0, 1)...)
			results = append(results, e.DynamicUpdate(out, line, e.IndexAt(line.Tensor().Rank(), 0, at)))
		}
		return append(results, next...)
	}
	results := e.Op(stablehlo.OpWhile, state, e.Body(types, more), e.Body(types, step)).Results[1 : 1+n]
	if dim == 0 {
		return results
	}
	back := make([]int64, len(order))
	for i, d := range order {
		back[d] = int64(i)
	}
	transposed := make([]*stablehlo.Value, n)
	for i, r := range results {
		transposed[i] = e.Transpose(r, back...)
	}
	return transposed
}
