package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// knownCalls are the custom_call targets of exporters that are more than one op, or
// take as operands what their op takes as attributes.
var knownCalls map[string]evalFunc

// Rows reach the table through the frames that run regions.
func init() {
	knownCalls = map[string]evalFunc{
		"mhlo.topk":                           evalSmallest,
		"ApproxTopK":                          evalApproxTopK,
		"stablehlo.dynamic_approx_top_k":      evalApproxTopK,
		"stablehlo.dynamic_top_k":             evalDynamicTopK,
		"stablehlo.dynamic_reduce_window":     evalDynamicReduceWindow,
		"stablehlo.dynamic_rng_bit_generator": evalDynamicRngBitGenerator,
	}
}

// evalSmallest is @mhlo.topk with largest = false.
func evalSmallest(f *frame, s *step, args []Value) ([]Value, error) {
	attrs, _ := s.op.Attr("mhlo.attributes").(stablehlo.DictAttr)
	k, ok := attrs.Get("k").(stablehlo.IntAttr)
	if !ok || len(args) != 1 || len(s.op.Results) != 2 {
		return nil, faultf(BadArgument, "it takes one tensor and an attribute k, and returns elements and indices")
	}
	return f.topK(s, args[:1], k.Value, func(x *Tensor) func(i, j int) bool {
		greater := totalGreater(x)
		return func(i, j int) bool { return greater(j, i) }
	})
}

func evalDynamicTopK(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	if len(x) != 2 || !x[1].Type.DType().IsInteger() || x[1].numElems() != 1 || len(s.op.Results) != 2 {
		return nil, faultf(BadArgument, "it takes a tensor and a number, and returns elements and indices")
	}
	return f.topK(s, args[:1], x[1].Type.DType().LoadInt(x[1].Data, 0), totalGreater)
}

// evalApproxTopK returns the exact answer: the first elements of all operands, sorted by the called function.
func evalApproxTopK(f *frame, s *step, args []Value) ([]Value, error) {
	n := len(s.op.Results)
	config, _ := s.op.Attr("mhlo.backend_config").(stablehlo.DictAttr)
	along, ok := config.Get("reduction_dim").(stablehlo.IntAttr)
	top, ok2 := config.Get("top_k").(stablehlo.IntAttr)
	if !ok || !ok2 || n == 0 || len(args) < 2*n {
		return nil, faultf(BadArgument, "it needs reduction_dim, top_k and two operands for each result")
	}
	x, err := tensors(args[:n])
	if err != nil {
		return nil, err
	}
	dims, d := slices.Clone(x[0].dims()), along.Value
	if d < 0 || d >= int64(len(dims)) {
		return nil, faultf(BadArgument, "an operand of %d dimensions has no dimension %d", len(dims), d)
	}
	computation, err := f.computation(s.op)
	if err != nil {
		return nil, err
	}
	sorting := &step{op: stablehlo.NewOp(stablehlo.OpSort, s.op.Operands[:n], typesOf(x),
		stablehlo.Named("dimension", along)),
		regions: []*body{computation.plan.body}}
	sorted, err := evalSort(computation, sorting, args[:n])
	if err != nil {
		return nil, err
	}
	k := top.Value
	if t := s.op.Results[0].Tensor(); t != nil && t.Dims[d] != stablehlo.Dynamic {
		k = t.Dims[d]
	}
	if k < 0 || k > dims[d] {
		return nil, faultf(BadShape, "k must be from 0 to the number of elements, got %d for %d", k, dims[d])
	}
	limit, zero, one := slices.Clone(dims), make([]int64, len(dims)), slices.Repeat([]int64{1}, len(dims))
	limit[d] = k
	for i, v := range sorted {
		t := v.(*Tensor)
		cut := stablehlo.NewOp(stablehlo.OpSlice, s.op.Operands[i:i+1], []stablehlo.Type{t.Type.WithDims(limit...)},
			stablehlo.Named("start_indices", stablehlo.I64s(zero...)),
			stablehlo.Named("limit_indices", stablehlo.I64s(limit...)),
			stablehlo.Named("strides", stablehlo.I64s(one...)))
		if sorted[i], err = evalSlice(f, cut, []*Tensor{t}); err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// evalDynamicReduceWindow is reduce_window with operands for its attributes.
func evalDynamicReduceWindow(f *frame, s *step, args []Value) ([]Value, error) {
	n := len(s.op.Results)
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	if n == 0 || len(x) != 2*n+len(stablehlo.WindowOperands()) {
		return nil, faultf(BadArgument, "it takes inputs, initial values and %d lists", len(stablehlo.WindowOperands()))
	}
	rank := len(x[0].dims())
	var attrs []stablehlo.NamedAttr
	for i, name := range stablehlo.WindowOperands() {
		list := x[2*n+i]
		want := rank
		if name == "padding" {
			want = 2 * rank
		}
		if !list.Type.DType().IsInteger() || list.numElems() != want {
			return nil, faultf(BadArgument, "%s has type %s for an operand of %d dimensions", name, list.Type, rank)
		}
		v := make([]int64, want)
		for k := range v {
			v[k] = list.Type.DType().LoadInt(list.Data, k)
			if name != "padding" && v[k] < 1 || v[k] > maxTensorBytes || v[k] < -maxTensorBytes {
				return nil, faultf(BadArgument, "%s of %d", name, v[k])
			}
		}
		attrs = append(attrs, stablehlo.Named(name, stablehlo.I64s(v...)))
	}
	computation, err := f.computation(s.op)
	if err != nil {
		return nil, err
	}
	types := make([]stablehlo.Type, n)
	for i := range types {
		types[i] = s.op.Results[i].Type()
	}
	window := &step{op: stablehlo.NewOp(stablehlo.OpReduceWindow, s.op.Operands[:2*n], types, attrs...),
		regions: []*body{computation.plan.body}}
	return evalReduceWindow(computation, window, args[:2*n])
}

func evalDynamicRngBitGenerator(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	if len(x) != 2 || len(s.op.Results) != 2 || s.op.Results[1].Tensor() == nil || !x[1].Type.DType().IsInteger() {
		return nil, faultf(BadArgument, "it takes a state and a shape, and returns a state and bits")
	}
	dims := make([]int64, x[1].numElems())
	for i := range dims {
		dims[i] = x[1].Type.DType().LoadInt(x[1].Data, i)
	}
	t := s.op.Results[1].Tensor().WithDims(dims...)
	if _, err := makeTensor(t, dims...); err != nil {
		return nil, err
	}
	static := &step{op: stablehlo.NewOp(stablehlo.OpRngBitGenerator, s.op.Operands[:1],
		[]stablehlo.Type{x[0].Type, t}, stablehlo.Named("rng_algorithm", s.op.Attr("rng_algorithm")))}
	return evalRngBitGenerator(f, static, args[:1])
}

// computation returns a frame for the function that a call names, whose body runs in it
// as a region would.
func (f *frame) computation(call *stablehlo.Op) (*frame, error) {
	g, err := stablehlo.CalledComputation(call, f.it.module.Op)
	if err != nil {
		return nil, faultf(NoFunction, "%v", err)
	}
	p := f.it.plans[g.Name()]
	return &frame{it: f.it, ctx: f.ctx, proc: f.proc, session: f.session, plan: p, slots: make([]Value, p.slots)}, nil
}

func typesOf(x []*Tensor) []stablehlo.Type {
	types := make([]stablehlo.Type, len(x))
	for i, t := range x {
		types[i] = t.Type
	}
	return types
}

// evalSilentCallback returns the tokens of a call of Python that is left out.
func evalSilentCallback(_ *frame, s *step, _ []Value) ([]Value, error) {
	var of func(t stablehlo.Type) Value
	of = func(t stablehlo.Type) Value {
		tuple, ok := t.(*stablehlo.TupleType)
		if !ok {
			return Token{}
		}
		out := make(Tuple, len(tuple.Elems))
		for i, e := range tuple.Elems {
			out[i] = of(e)
		}
		return out
	}
	out := make([]Value, len(s.op.Results))
	for i, v := range s.op.Results {
		out[i] = of(v.Type())
	}
	return out, nil
}
