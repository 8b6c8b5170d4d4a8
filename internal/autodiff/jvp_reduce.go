package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// reducer returns the op of a region of one op of its two scalar arguments, or Unregistered.
func reducer(b *stablehlo.Block) stablehlo.OpCode {
	if len(b.Args) != 2 || len(b.Ops) != 2 {
		return stablehlo.Unregistered
	}
	op, ret := b.Ops[0], b.Ops[1]
	args := slices.Equal(op.Operands, b.Args) ||
		len(op.Operands) == 2 && op.Operands[0] == b.Args[1] && op.Operands[1] == b.Args[0] &&
			op.Code.Info().Traits&stablehlo.Commutative != 0
	if !args || len(op.Results) != 1 || len(ret.Operands) != 1 || ret.Operands[0] != op.Result() {
		return stablehlo.Unregistered
	}
	if !stablehlo.SameType(op.Result().Type(), b.Args[0].Type()) {
		return stablehlo.Unregistered
	}
	return op.Code
}

// jvpReduce: a sum is linear, a maximum shares its derivative among the largest elements, and any
// other reduction is expanded to a tree.
func jvpReduce(t *tracer, op *stablehlo.Op) {
	code := stablehlo.Unregistered
	if len(op.Operands) == 2 &&
		stablehlo.SameType(emit.TensorOf(op.Result()).Elem, emit.TensorOf(op.Operands[0]).Elem) {
		code = reducer(op.Regions[0].Block())
	}
	switch {
	case code == stablehlo.OpAdd:
		jvpSum(t, op)
	case (code == stablehlo.OpMaximum || code == stablehlo.OpMinimum) &&
		t.tangent[op.Operands[1]] == nil && !emit.IsComplex(op.Operands[0]):
		jvpExtreme(t, op)
	default:
		t.expand(op, reduceTree)
	}
}

func jvpSum(t *tracer, op *stablehlo.Op) {
	t.append(op)
	var sum value
	if d := t.tangent[op.Operands[0]]; d != nil {
		sum = t.SumOver(d, op.Ints("dimensions")...)
	}
	if d := t.tangent[op.Operands[1]]; d != nil {
		sum = t.Sum(sum, t.Broadcast(d, emit.Sizes(op.Result())))
	}
	t.set(op.Result(), sum)
}

// jvpExtreme: Σ w·d with w = 1/(number of largest elements) at those.
func jvpExtreme(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, y, reduced := op.Operands[0], op.Result(), op.Ints("dimensions")
	kept := simplify.Except(emit.TensorOf(x).Rank(), reduced)
	weight := t.ones(t.Compare("EQ", x, t.Broadcast(y, emit.Sizes(x), kept...)), x)
	// At least 1: the initial value may be the extreme.
	count := t.SumOver(weight, reduced...)
	count = t.Do(stablehlo.OpMaximum, count, t.Fill(count, 1))
	weight = t.Div(weight, t.Broadcast(count, emit.Sizes(x), kept...))
	t.set(y, t.SumOver(t.Mul(t.tangent[x], weight), reduced...))
}

// reduceTree expands a reduction: the dimensions become one, whose neighbours are combined until
// one element is left, which is combined with the initial value.
func reduceTree(e emitter, op *stablehlo.Op) []value {
	n := len(op.Operands) / 2
	body := op.Regions[0].Block()
	reduced := op.Ints("dimensions")
	results := make([]value, 0, n)
	xs := make([]value, n)
	var kept []int64
	for i, x := range op.Operands[:n] {
		dims := emit.Sizes(x)
		keep := simplify.Except(len(dims), reduced)
		inner := simplify.Except(len(dims), keep)
		kept = elementsAt(dims, keep)
		xs[i] = e.Transpose(x, slices.Concat(keep, inner)...)
		xs[i] = e.Reshape(xs[i], append(slices.Clone(kept), product(elementsAt(dims, inner)))...)
		xs[i] = e.Convert(xs[i], emit.DTypeOf(op.Results[i]))
	}
	for i, init := range op.Operands[n:] {
		results = append(results, e.Convert(e.Broadcast(init, kept), emit.DTypeOf(op.Results[i])))
	}
	combined := e.reduceLast(body, xs)
	if combined == nil {
		return results
	}
	return e.lift(body, append(results, combined...))
}

// reduceLast combines neighbours along the last dimension until one is left, and drops that
// dimension; nil if the dimension is empty.
func (e emitter) reduceLast(body *stablehlo.Block, xs []value) []value {
	dim := emit.TensorOf(xs[0]).Rank() - 1
	xs = slices.Clone(xs)
	for n := emit.Sizes(xs[0])[dim]; n != 1; n = (n + 1) / 2 {
		if n == 0 {
			return nil
		}
		even := n / 2 * 2
		args := make([]value, 0, 2*len(xs))
		for _, offset := range []int64{0, 1} {
			for _, x := range xs {
				args = append(args, e.SliceDim(x, dim, offset, even, 2))
			}
		}
		pairs := e.lift(body, args)
		for i, x := range xs {
			if even < n {
				pairs[i] = e.Concat(dim, pairs[i], e.SliceDim(x, dim, n-1, n, 1))
			}
			xs[i] = pairs[i]
		}
	}
	for i, x := range xs {
		xs[i] = e.Reshape(x, emit.Sizes(x)[:dim]...)
	}
	return xs
}

// lift applies a region of scalars to each element of tensors of one shape.
func (e emitter) lift(body *stablehlo.Block, args []value) []value {
	dims := emit.Sizes(args[0])
	m := map[value]value{}
	for i, a := range body.Args {
		m[a] = args[i]
	}
	lifted := func(v value) value {
		if w, ok := m[v]; ok {
			return w
		}
		m[v] = e.Broadcast(v, dims) // captured by the region
		return m[v]
	}
	term := body.Terminator()
	for _, op := range body.Ops[:len(body.Ops)-1] {
		switch {
		case op.Code == stablehlo.OpConstant:
			c := stablehlo.NewOp(op.Code, nil, typesOf(op.Results), op.Attrs...)
			m[op.Result()] = e.Broadcast(e.B.Block().Append(c).Result(), dims)
			continue
		case op.Code == stablehlo.OpReshape, op.Code == stablehlo.OpBroadcastInDim:
			m[op.Result()] = lifted(op.Operands[0])
			continue
		case op.Code.Info().Traits&stablehlo.Elementwise == 0 && op.Code != stablehlo.OpOptimizationBarrier:
			emit.Fail("no derivative of %s: its region has %s, which is not elementwise", body.Parent().Name(), op.Name())
		}
		in := make([]value, len(op.Operands))
		for i, v := range op.Operands {
			in[i] = lifted(v)
		}
		out := make([]stablehlo.Type, len(op.Results))
		for i, r := range op.Results {
			out[i] = emit.TensorOf(r).WithDims(dims...)
		}
		c := stablehlo.NewOp(op.Code, in, out, op.Attrs...)
		c.Loc = op.Loc
		e.B.Block().Append(c)
		for i, r := range op.Results {
			m[r] = c.Results[i]
		}
	}
	out := make([]value, len(term.Operands))
	for i, v := range term.Operands {
		out[i] = lifted(v)
	}
	return out
}

// elementsAt returns the elements of v at the given positions.
func elementsAt(v, at []int64) []int64 {
	out := make([]int64, len(at))
	for i, a := range at {
		out[i] = v[a]
	}
	return out
}

// expandMap applies the region of a map to tensors.
func expandMap(e emitter, op *stablehlo.Op) []value {
	return e.lift(op.Regions[0].Block(), op.Operands)
}
