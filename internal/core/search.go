package core

import (
	"math"
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// rightOption is the type of [Right].
type rightOption bool

// Right is nx.Right.
const Right rightOption = true

func (r rightOption) searchOption(o *searchOptions) { o.right = bool(r) }
func (d dtypeOption) searchOption(o *searchOptions) { o.dtype = d.t }

// SearchSorted implements nx.SearchSorted.
func SearchSorted[V Operand](sequence Tensor, values V, opts ...SearchOption) Tensor {
	const op = "SearchSorted"
	s := sequence.must(op)
	var o searchOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.searchOption(&o)
		}
	}
	if o.dtype == dtype.Invalid {
		o.dtype = S32
	}
	requireType(op, o.dtype, sequence)
	switch {
	case !o.dtype.IsInteger():
		failOn(ErrDType, op, []Tensor{sequence}, "", "indices must be integers, got %s", o.dtype)
	case len(s.Shape) != 1:
		failOn(ErrShape, op, []Tensor{sequence}, "search in many sequences with nx.Vmap",
			"the sequence must be a vector, got rank %d", len(s.Shape))
	case uint64(s.Shape[0]) > o.dtype.MaxInt():
		failOn(ErrValue, op, []Tensor{sequence}, "choose a wider index type: nx.As(nx.S64)",
			"the index %d does not fit in %s", s.Shape[0], o.dtype)
	}
	return searchOp.call(searchAttrs{o.right, o.dtype}, operand{t: sequence.p}, operandOf(values))
}

// Digitize implements nx.Digitize.
func Digitize[V Operand](values V, bins Tensor, opts ...SearchOption) Tensor {
	const op = "Digitize"
	bins.must(op)
	x := operandOf(values)
	present(op, x, operand{t: bins.p})
	defer calledAs(op, operands(x, operand{t: bins.p})...)
	var o searchOptions
	distinct(op, opts)
	passed := []SearchOption{Right}
	for _, given := range opts {
		if given == nil {
			continue
		}
		given.searchOption(&o)
		if given != Right {
			passed = append(passed, given)
		}
	}
	if o.right { // the edge belongs to the bin that ends there
		passed = passed[1:]
	}
	s := bins.p.spec
	if len(s.Shape) != 1 || s.Shape[0] < 2 {
		return SearchSorted(bins, values, passed...)
	}
	falling := Less(bins.At(-1), bins.At(0))
	place := SearchSorted(Where(falling, Reverse(bins), bins), values, passed...)
	return Where(falling, Sub(s.Shape[0], place), place)
}

type searchAttrs struct {
	right bool
	index DType
}

var searchOp = &operation[searchAttrs]{name: "SearchSorted",
	describe: func(d *description[searchAttrs]) {
		s, v := d.ins[0], d.ins[1]
		d.in = ordered.computeType(d.op, promoted(s, v), false, d.operands...)
		d.returns(intern(Spec{DType: d.attrs.index, Shape: v.Shape, Names: v.Names}))
	},
	emit: func(d *description[searchAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		place := e.search(e.convert(in[0], d.in), e.convert(in[1], d.in), d.attrs.right)
		return []*stablehlo.Value{e.convert(place, d.attrs.index)}
	}}

// search appends a binary search: the steps are powers of two, from the largest that is not beyond
// the sequence to 1, and each is taken where the elements up to it come before the value.
func (e *emitter) search(sequence, v *stablehlo.Value, right bool) *stablehlo.Value {
	n, shape := shapeOf(sequence)[0], shapeOf(v)
	d := indexType(n)
	place := e.splat(d, shape, zero)
	if n == 0 || shape.Size() == 0 {
		return place
	}
	binary := func(code stablehlo.OpCode, a, b *stablehlo.Value) *stablehlo.Value {
		return e.Value(code, []*stablehlo.Value{a, b})
	}
	constant := func(i int) *stablehlo.Value { return e.broadcast(e.index(d, i), shape, nil) }
	g := &stablehlo.GatherDims{CollapsedSliceDims: []int64{0}, StartIndexMap: []int64{0},
		IndexVectorDim: int64(len(shape))}
	for step := 1 << (bits.Len(uint(n)) - 1); step > 0; step /= 2 {
		next := binary(stablehlo.OpAdd, place, constant(step))
		last := binary(stablehlo.OpSubtract, next, constant(1)) // a gather limits it to the sequence
		x := e.Value(stablehlo.OpGather, []*stablehlo.Value{sequence, last}, stablehlo.Named("dimension_numbers", g),
			ints("slice_sizes", []int{1}), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))
		inside := e.compare(lessEqual, next, constant(n))
		taken := binary(stablehlo.OpAnd, inside, e.before(x, v, right))
		place = e.Value(stablehlo.OpSelect, []*stablehlo.Value{taken, next, place})
	}
	return place
}

// before appends whether x precedes v in the order of sorting, or is equal to it where orEqual.
func (e *emitter) before(x, v *stablehlo.Value, orEqual bool) *stablehlo.Value {
	isFloat := x.Tensor().DType().IsFloat()
	if orEqual {
		out := e.compare(lessEqual, x, v)
		if isFloat {
			out = e.Value(stablehlo.OpOr, []*stablehlo.Value{out, e.compare(notEqual, v, v)})
		}
		return out
	}
	if !isFloat {
		return e.compare(less, x, v)
	}
	out := e.Value(stablehlo.OpNot, []*stablehlo.Value{e.compare(greaterEqual, x, v)})
	return e.Value(stablehlo.OpAnd, []*stablehlo.Value{out, e.compare(equal, x, x)})
}

// NonZero implements nx.NonZero.
func NonZero(t Tensor, n int) (positions, count Tensor) {
	const op = "NonZero"
	s := t.must(op)
	if n < 0 || n > math.MaxInt32 {
		failOn(ErrArgument, op, []Tensor{t}, "", "cannot find %d elements", n)
	}
	defer calledAs(op, t)
	size := s.Shape.Size()
	if size > math.MaxInt32 {
		failOn(ErrShape, op, []Tensor{t}, "cut the tensor (Tensor.At)", "positions are s32, and there are %d elements",
			size)
	}
	truths := cast(NotEqual(Rename(Flatten(t)), 0), S32)
	count = Sum(truths)
	if len(s.Shape) == 0 || n == 0 || size == 0 {
		return BroadcastVectors(Zeros(Shape{n, len(s.Shape)}, S32), count)[0], count
	}
	rank := CumSum(truths)
	// The position of the k-th element is where the count first reaches k; the rest is dropped.
	to := Where(Greater(truths, 0), Sub(rank, 1), n)
	flat := SetGather(Zeros(Shape{n}, S32), ExpandAxis(Where(GreaterEqual(to, n), n, to), Axis(-1)),
		Iota(Shape{size}, S32))
	parts := make([]Tensor, len(s.Shape))
	stride := 1
	for i := len(parts) - 1; i >= 0; i-- {
		parts[i] = Remainder(Quotient(flat, stride), s.Shape[i])
		stride *= s.Shape[i]
	}
	return Stack(parts, Axis(-1)), count
}
