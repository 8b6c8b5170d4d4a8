package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// callForm lowers a custom_call of a known target; nil if it requires sizes that are not known yet.
type callForm func(r *refiner, e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error)

// callForms holds the targets that lower to several ops, or that have operands in place of the
// attributes of their op. Single ops are listed in stablehlo.KnownCall.
var callForms lazy.Value[map[string]callForm]

func listCallForms() map[string]callForm {
	return map[string]callForm{
		"mhlo.topk":                           (*refiner).bottomK,
		"ApproxTopK":                          (*refiner).approxTopK,
		"stablehlo.dynamic_approx_top_k":      (*refiner).approxTopK,
		"stablehlo.dynamic_top_k":             (*refiner).dynamicTopK,
		"stablehlo.dynamic_reduce_window":     (*refiner).dynamicReduceWindow,
		"stablehlo.dynamic_rng_bit_generator": (*refiner).dynamicRngBitGenerator,
	}
}

// call lowers a custom_call.
func (r *refiner) call(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if stablehlo.IsSilentCallback(op) {
		return e.tokens(op), nil
	}
	row := callForms.Get(listCallForms)[op.Str("call_target_name")]
	if row == nil {
		return nil, nil
	}
	return row(r, e, op)
}

// tokens replaces the results of a Python callback that is dropped.
func (e Emitter) tokens(op *stablehlo.Op) []*stablehlo.Value {
	token := func() *stablehlo.Value {
		for _, x := range op.Operands {
			if stablehlo.SameType(x.Type(), stablehlo.TokenType{}) {
				return x
			}
		}
		return e.Do(stablehlo.OpCreateToken)
	}
	var of func(t stablehlo.Type) *stablehlo.Value
	of = func(t stablehlo.Type) *stablehlo.Value {
		tuple, ok := t.(*stablehlo.TupleType)
		if !ok {
			return token()
		}
		elems := make([]*stablehlo.Value, len(tuple.Elems))
		for i, t := range tuple.Elems {
			elems[i] = of(t)
		}
		return e.Do(stablehlo.OpTuple, elems...)
	}
	out := make([]*stablehlo.Value, len(op.Results))
	for i, v := range op.Results {
		out[i] = of(v.Type())
	}
	return out
}

// bottomK is @mhlo.topk with largest = false: the largest elements after the order is reversed, by
// bitwise not for integers and negation for floats.
func (r *refiner) bottomK(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	attrs, _ := op.Attr("mhlo.attributes").(stablehlo.DictAttr)
	k, ok := attrs.Get("k").(stablehlo.IntAttr)
	x := op.Operands[0].Tensor()
	if !ok || len(op.Operands) != 1 || len(op.Results) != 2 || x == nil || !x.IsStatic() || x.Rank() == 0 {
		return nil, nil
	}
	negate := stablehlo.OpNot
	if x.DType().IsFloat() {
		negate = stablehlo.OpNegate
	}
	top, err := e.topK(e.Do(negate, op.Operands[0]), op.Results, k.Value)
	if err != nil {
		return nil, err
	}
	return []*stablehlo.Value{e.Do(negate, top[0]), top[1]}, nil
}

// topK writes the k largest elements along the last dimension, and their indices.
func (e Emitter) topK(x *stablehlo.Value, like []*stablehlo.Value, k int64) ([]*stablehlo.Value, error) {
	dims := slices.Clone(x.Tensor().Dims)
	n := dims[len(dims)-1]
	if k < 0 || k > n {
		return nil, fmt.Errorf("k must be at most the %[2]d elements of the dimension, got %[1]d", k, n)
	}
	dims[len(dims)-1] = k
	return e.Values(stablehlo.OpChloTopK, []*stablehlo.Value{x}, stablehlo.Named("k", stablehlo.I64(k)),
		stablehlo.Results{x.Tensor().WithDims(dims...), like[1].Tensor().WithDims(dims...)}), nil
}

// dynamicTopK is topK with an operand k.
func (r *refiner) dynamicTopK(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if len(op.Operands) != 2 || len(op.Results) != 2 {
		return nil, nil
	}
	k, ok := r.ints.of(op.Operands[1])
	if x := op.Operands[0].Tensor(); !ok || len(k) != 1 || x == nil || !x.IsStatic() || x.Rank() == 0 {
		return nil, nil
	}
	return e.topK(op.Operands[0], op.Results, k[0])
}

// approxTopK is the exact result of an approximate top-k: the first elements after sorting all by
// the function that the call names, together with the second operand.
func (r *refiner) approxTopK(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
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
	// With aggregate_to_topk = false the result has more than k elements; its type has the number.
	k := op.Results[0].Tensor().Dims[d.Value]
	if k == stablehlo.Dynamic {
		top, ok := config.Get("top_k").(stablehlo.IntAttr)
		if k = top.Value; !ok {
			return nil, nil
		}
	}
	if x, indices := op.Operands[0], op.Operands[1]; n == 2 && isIndexIota(indices, d.Value) &&
		slices.Equal(x.Tensor().Dims, indices.Tensor().Dims) {
		g, err := stablehlo.CalledComputation(op, r.module)
		if err != nil {
			return nil, err
		}
		if direction := directionOf(g.Body()); direction != "" {
			return e.topOrBottomK(direction, op, k)
		}
	}
	order, err := r.computation(e, op)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(e.Values(stablehlo.OpSort, op.Operands[:n], stablehlo.Named("dimension", d),
		stablehlo.Named("is_stable", stablehlo.BoolAttr(true)), order))
	for i, x := range out {
		if all := x.Tensor().Dims[d.Value]; k < 0 || k > all {
			return nil, fmt.Errorf("k must be at most the %[2]d elements of the dimension, got %[1]d", k, all)
		}
		out[i] = e.SliceDim(x, int(d.Value), 0, k, 1)
	}
	return out, nil
}

// directionOf returns the direction in which a comparator compares the first of several float
// operands, if that is all it does: GT, LT or "".
func directionOf(b *stablehlo.Block) string {
	op := b.Terminator().Operands[0].Op()
	if op == nil || len(b.Args) < 2 || op.Code != stablehlo.OpCompare || !slices.Equal(op.Operands, b.Args[:2]) ||
		!b.Args[0].Tensor().DType().IsFloat() || op.Str("compare_type") == "TOTALORDER" {
		return ""
	}
	if d := op.Str("comparison_direction"); d == "GT" || d == "LT" {
		return d
	}
	return ""
}

// isIndexIota reports whether a value is an iota along the last dimension, which is d.
func isIndexIota(v *stablehlo.Value, d int64) bool {
	op := DefinedBy(v, stablehlo.OpIota)
	return op != nil && op.Int("iota_dimension", -1) == d && d == int64(v.Tensor().Rank()-1) &&
		v.Tensor().DType() == dtype.S32
}

// topOrBottomK writes the k largest or smallest elements of the first operand, the first of equal
// ones, and their indices. Zeros are equal whatever their sign; here those of one sign come first.
func (e Emitter) topOrBottomK(direction string, op *stablehlo.Op, k int64) ([]*stablehlo.Value, error) {
	if direction == "GT" {
		return e.topK(op.Operands[0], op.Operands[:2], k)
	}
	top, err := e.topK(e.Do(stablehlo.OpNegate, op.Operands[0]), op.Operands[:2], k)
	if err != nil {
		return nil, err
	}
	return []*stablehlo.Value{e.Do(stablehlo.OpNegate, top[0]), top[1]}, nil
}

// dynamicReduceWindow is reduce_window with operands in place of its attributes, after the inputs
// and their initial values.
func (r *refiner) dynamicReduceWindow(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	n := len(op.Results)
	if n == 0 || len(op.Operands) != 2*n+len(stablehlo.WindowOperands()) {
		return nil, nil
	}
	x := op.Operands[0].Tensor()
	if x == nil || !x.IsStatic() {
		return nil, nil
	}
	var parts []stablehlo.OpPart
	for i, name := range stablehlo.WindowOperands() {
		v, ok := r.ints.of(op.Operands[2*n+i])
		if !ok {
			return nil, nil
		}
		attr := stablehlo.Attr(stablehlo.I64s(v...))
		if name == "padding" {
			attr = paddingAttr(v)
		}
		parts = append(parts, stablehlo.Named(name, attr))
	}
	reducer, err := r.computation(e, op)
	if err != nil {
		return nil, err
	}
	return e.Values(stablehlo.OpReduceWindow, op.Operands[:2*n], append(parts, reducer)...), nil
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
func (r *refiner) dynamicRngBitGenerator(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if len(op.Operands) != 2 || len(op.Results) != 2 || op.Results[1].Tensor() == nil {
		return nil, nil
	}
	dims, ok := r.ints.of(op.Operands[1])
	if !ok {
		return nil, nil
	}
	state := op.Operands[0]
	return e.Values(stablehlo.OpRngBitGenerator, []*stablehlo.Value{state},
		stablehlo.Named("rng_algorithm", op.Attr("rng_algorithm")),
		stablehlo.Results{state.Type(), op.Results[1].Tensor().WithDims(dims...)}), nil
}

// computation returns the body of the called function as a region.
func (r *refiner) computation(e Emitter, call *stablehlo.Op) (body stablehlo.Body, err error) {
	g, err := stablehlo.CalledComputation(call, r.module)
	if err != nil {
		return body, err
	}
	g = stablehlo.Func{Op: g.Op.Clone(map[*stablehlo.Value]*stablehlo.Value{})}
	if err := Inline(&stablehlo.Module{Op: r.module}, g, r.checkCancel); err != nil {
		return body, err
	}
	return e.Body(g.Type().Ins, func(e Emitter, args []*stablehlo.Value) []*stablehlo.Value {
		return e.Inline(g.Body(), args...)
	}), nil
}
