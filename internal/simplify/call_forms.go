package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// callForm writes what a custom_call of a known target means; nil when that needs
// sizes that are not known.
type callForm func(r *refiner, w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error)

// callForms holds the targets that are more than one op, or take as operands what their
// op takes as attributes. Those that are one op are known to stablehlo.KnownCall.
var callForms map[string]callForm

func init() {
	callForms = map[string]callForm{
		"mhlo.topk":                           (*refiner).smallest,
		"ApproxTopK":                          (*refiner).approxTopK,
		"stablehlo.dynamic_approx_top_k":      (*refiner).approxTopK,
		"stablehlo.dynamic_top_k":             (*refiner).dynamicTopK,
		"stablehlo.dynamic_reduce_window":     (*refiner).dynamicReduceWindow,
		"stablehlo.dynamic_rng_bit_generator": (*refiner).dynamicRngBitGenerator,
	}
}

// call writes what a custom_call means.
func (r *refiner) call(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if stablehlo.IsSilentCallback(op) {
		return w.tokens(op), nil
	}
	row := callForms[op.Str("call_target_name")]
	if row == nil {
		return nil, nil
	}
	return row(r, w, op)
}

// tokens writes the results of a call of Python that is left out.
func (w *writer) tokens(op *stablehlo.Op) []*stablehlo.Value {
	token := func() *stablehlo.Value {
		for _, x := range op.Operands {
			if stablehlo.SameType(x.Type(), stablehlo.TokenType{}) {
				return x
			}
		}
		return w.op(stablehlo.OpCreateToken, stablehlo.TokenType{}, nil)
	}
	var of func(t stablehlo.Type) *stablehlo.Value
	of = func(t stablehlo.Type) *stablehlo.Value {
		tuple, ok := t.(*stablehlo.TupleType)
		if !ok {
			return token()
		}
		elems := make([]*stablehlo.Value, len(tuple.Elems))
		for i, e := range tuple.Elems {
			elems[i] = of(e)
		}
		return w.op(stablehlo.OpTuple, t, elems)
	}
	out := make([]*stablehlo.Value, len(op.Results))
	for i, v := range op.Results {
		out[i] = of(v.Type())
	}
	return out
}

// smallest is @mhlo.topk with largest = false: the largest of what has the opposite
// order, bit by bit for integers and the sign for floats.
func (r *refiner) smallest(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	attrs, _ := op.Attr("mhlo.attributes").(stablehlo.DictAttr)
	k, ok := attrs.Get("k").(stablehlo.IntAttr)
	x := op.Operands[0].Tensor()
	if !ok || len(op.Operands) != 1 || len(op.Results) != 2 || x == nil || !x.IsStatic() || x.Rank() == 0 {
		return nil, nil
	}
	turn := stablehlo.OpNot
	if x.DType().IsFloat() {
		turn = stablehlo.OpNegate
	}
	top, err := w.topK(w.unary(turn, op.Operands[0]), op.Results, k.Value)
	if err != nil {
		return nil, err
	}
	return []*stablehlo.Value{w.unary(turn, top[0]), top[1]}, nil
}

// topK writes the k largest elements along the last dimension, and their places.
func (w *writer) topK(x *stablehlo.Value, like []*stablehlo.Value, k int64) ([]*stablehlo.Value, error) {
	dims := slices.Clone(x.Tensor().Dims)
	n := dims[len(dims)-1]
	if k < 0 || k > n {
		return nil, fmt.Errorf("the %d largest of %d elements", k, n)
	}
	dims[len(dims)-1] = k
	op := w.append(stablehlo.NewOp(stablehlo.OpChloTopK, []*stablehlo.Value{x},
		[]stablehlo.Type{x.Tensor().WithDims(dims...), like[1].Tensor().WithDims(dims...)},
		stablehlo.Named("k", stablehlo.I64(k))))
	return op.Results, nil
}

// dynamicTopK is the k largest elements, k an operand.
func (r *refiner) dynamicTopK(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if len(op.Operands) != 2 || len(op.Results) != 2 {
		return nil, nil
	}
	k, ok := r.ints.of(op.Operands[1])
	if x := op.Operands[0].Tensor(); !ok || len(k) != 1 || x == nil || !x.IsStatic() || x.Rank() == 0 {
		return nil, nil
	}
	return w.topK(op.Operands[0], op.Results, k[0])
}

// approxTopK is the exact answer to what may be answered approximately: the first of all
// elements sorted by the function that the call names, together with the second operand.
func (r *refiner) approxTopK(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	n := len(op.Results)
	config, _ := op.Attr("mhlo.backend_config").(stablehlo.DictAttr)
	d, ok := config.Get("reduction_dim").(stablehlo.IntAttr)
	if !ok || n == 0 || len(op.Operands) < 2*n {
		return nil, nil
	}
	for i, x := range op.Operands[:n] {
		t := x.Tensor()
		if t == nil || op.Results[i].Tensor() == nil || d.Value < 0 || d.Value >= int64(t.Rank()) {
			return nil, nil
		}
		if !t.IsStatic() {
			return nil, nil
		}
	}
	// With aggregate_to_topk = false more than k are asked for: as many as the type says.
	k := op.Results[0].Tensor().Dims[d.Value]
	if k == stablehlo.Dynamic {
		top, ok := config.Get("top_k").(stablehlo.IntAttr)
		if k = top.Value; !ok {
			return nil, nil
		}
	}
	types := make([]stablehlo.Type, n)
	for i, x := range op.Operands[:n] {
		types[i] = x.Type()
	}
	sort := stablehlo.NewOp(stablehlo.OpSort, op.Operands[:n], types,
		stablehlo.Named("dimension", d), stablehlo.Named("is_stable", stablehlo.BoolAttr(true)))
	if err := r.computation(op, sort); err != nil {
		return nil, err
	}
	w.append(sort)
	out := make([]*stablehlo.Value, n)
	for i, x := range sort.Results {
		limit := slices.Clone(x.Tensor().Dims)
		if k < 0 || k > limit[d.Value] {
			return nil, fmt.Errorf("the %d largest of %d elements", k, limit[d.Value])
		}
		limit[d.Value] = k
		out[i] = w.op(stablehlo.OpSlice, x.Tensor().WithDims(limit...), []*stablehlo.Value{x},
			stablehlo.Named("start_indices", stablehlo.I64s(make([]int64, len(limit))...)),
			stablehlo.Named("limit_indices", stablehlo.I64s(limit...)),
			stablehlo.Named("strides", stablehlo.I64s(slices.Repeat([]int64{1}, len(limit))...)))
	}
	return out, nil
}

// dynamicReduceWindow is reduce_window with operands for its attributes, behind the
// inputs and their initial values.
func (r *refiner) dynamicReduceWindow(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	n := len(op.Results)
	if n == 0 || len(op.Operands) != 2*n+len(stablehlo.WindowOperands()) {
		return nil, nil
	}
	x := op.Operands[0].Tensor()
	if x == nil || !x.IsStatic() {
		return nil, nil
	}
	var attrs []stablehlo.NamedAttr
	for i, name := range stablehlo.WindowOperands() {
		v, ok := r.ints.of(op.Operands[2*n+i])
		if !ok {
			return nil, nil
		}
		attr := stablehlo.Attr(stablehlo.I64s(v...))
		if name == "padding" {
			attr = paddingAttr(v)
		}
		attrs = append(attrs, stablehlo.Named(name, attr))
	}
	reduce := func(types []stablehlo.Type) (*stablehlo.Op, error) {
		window := stablehlo.NewOp(stablehlo.OpReduceWindow, op.Operands[:2*n], types, attrs...)
		return window, r.computation(op, window)
	}
	bare, err := reduce(nil)
	if err != nil {
		return nil, err
	}
	types, err := stablehlo.InferTypes(bare)
	if err != nil {
		return nil, err
	}
	window, err := reduce(types)
	if err != nil {
		return nil, err
	}
	return w.append(window).Results, nil
}

// paddingAttr is the attribute of pairs of low and high padding.
func paddingAttr(v []int64) stablehlo.Attr {
	a := &stablehlo.ElementsAttr{Type: stablehlo.Tensor(dtype.S64, int64(len(v)/2), 2), Data: make([]byte, 8*len(v))}
	for i, x := range v {
		dtype.S64.StoreInt(a.Data, i, x)
	}
	return a
}

// dynamicRngBitGenerator is rng_bit_generator with the shape as an operand.
func (r *refiner) dynamicRngBitGenerator(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if len(op.Operands) != 2 || len(op.Results) != 2 || op.Results[1].Tensor() == nil {
		return nil, nil
	}
	dims, ok := r.ints.of(op.Operands[1])
	if !ok {
		return nil, nil
	}
	state := op.Operands[0]
	return w.append(stablehlo.NewOp(stablehlo.OpRngBitGenerator, []*stablehlo.Value{state},
		[]stablehlo.Type{state.Type(), op.Results[1].Tensor().WithDims(dims...)},
		stablehlo.Named("rng_algorithm", op.Attr("rng_algorithm")))).Results, nil
}

// computation gives an op the body of the function that a call names as a region.
func (r *refiner) computation(call, to *stablehlo.Op) error {
	g, err := stablehlo.CalledComputation(call, r.module)
	if err != nil {
		return err
	}
	g = stablehlo.Func{Op: g.Op.Clone(map[*stablehlo.Value]*stablehlo.Value{})}
	if err := Inline(&stablehlo.Module{Op: r.module}, g, r.pause); err != nil {
		return err
	}
	b, from := to.AddRegion(g.Type().Ins...), &writer{}
	args := append([]*stablehlo.Value(nil), b.Args...)
	results := from.body(g.Body(), args...)
	b.SetOps(append(from.ops, stablehlo.NewOp(stablehlo.OpReturn, results, nil)))
	return nil
}
