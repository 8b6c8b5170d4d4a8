package autodiff

import (
	"math"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// isCumulativeReduction reports whether op is a prefix reduction along a dimension, with a constant
// idempotent initial value, which may be used as padding.
func (t *tracer) isCumulativeReduction(op *stablehlo.Op) bool {
	if len(op.Operands) != 2 || t.tangent[op.Operands[1]] != nil ||
		!stablehlo.SameType(op.Result().Type(), op.Operands[0].Type()) {
		return false
	}
	_, _, ok := windowsOf(op).cumulativeDim(emit.Sizes(op.Operands[0]))
	init, isConst := constFloat(op.Operands[1])
	if !ok || !isConst {
		return false
	}
	both, ok := evaluate(op.Regions[0].Block(), init, init)
	return ok && both == init
}

// jvpCumulativeReduction: yᵢ = f(yᵢ₋₁, xᵢ), so that ẏᵢ = ∂₁f·ẏᵢ₋₁ + ∂₂f·ẋᵢ, a linear recurrence.
// Its transpose is one from the other end: cᵢ = ctᵢ + ∂₁fᵢ₊₁·cᵢ₊₁.
func jvpCumulativeReduction(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, init, y := op.Operands[0], op.Operands[1], op.Result()
	dim, reverse, _ := windowsOf(op).cumulativeDim(emit.Sizes(x))
	before := t.shift(y, init, dim, !reverse)
	partial := func(of value) value {
		inner := *t
		// It is not a linear part of the derivative.
		inner.tangent, inner.pullbacks = map[value]value{of: t.Fill(y, 1)}, nil
		args := []value{before, x}
		if reverse {
			args = []value{x, before}
		}
		scratch := newScratch()
		last := t.emitter.on(scratch).lift(op.Regions[0].Block(), args)[0]
		inner.run(takeOps(scratch))
		return inner.OrZeros(inner.tangent[inner.now(last)], y)
	}
	slope, added := partial(before), t.Mul(t.tangent[x], partial(x))
	zero := t.Scalar(emit.DTypeOf(y), 0)
	if t.pullbacks == nil {
		slope = t.shift(t.shift(slope, zero, dim, reverse), zero, dim, !reverse) // no element is before the first
		t.set(y, t.recurrence(slope, added, dim, reverse))
		return
	}
	t.set(y, t.standIn([]value{added}, typesOf([]value{y}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		next := tr.shift(slope, zero, dim, reverse)
		tr.accumulate(added, tr.recurrence(next, tr.clean(cts[0]), dim, !reverse))
	})[0])
}

// shift moves x one element up or down along a dimension, and inserts by.
func (e emitter) shift(x, by value, dim int, up bool) value {
	n := len(emit.Sizes(x))
	low, high := emit.Repeat(n, 0), emit.Repeat(n, 0)
	low[dim], high[dim] = 1, -1
	if !up {
		low, high = high, low
	}
	return e.PadWith(x, by, low, high, emit.Repeat(n, 0))
}

// recurrence returns y with yᵢ = aᵢ·yᵢ₋₁ + bᵢ along a dimension, or with yᵢ₊₁ in reverse, as a
// cumulative reduction of pairs: applying (a, b), then (c, d) is applying (ca, cb + d). If b is 0
// and c, a product of many, has overflowed, d is unchanged.
func (e emitter) recurrence(a, b value, dim int, reverse bool) value {
	sizes, d := emit.Sizes(b), emit.DTypeOf(b)
	n := len(sizes)
	w := windows{size: emit.Repeat(n, 1), stride: emit.Repeat(n, 1), baseDilation: emit.Repeat(n, 1),
		dilation: emit.Repeat(n, 1), low: emit.Repeat(n, 0), high: emit.Repeat(n, 0)}
	w.size[dim] = sizes[dim]
	if reverse {
		w.high[dim] = sizes[dim] - 1
	} else {
		w.low[dim] = sizes[dim] - 1
	}
	t := stablehlo.Tensor(d)
	body := stablehlo.Body{
		Args: []stablehlo.Type{t, t, t, t},
		Build: func(builder *stablehlo.Builder, args []value) ([]value, error) {
			e := emitter{emit.Emitter{B: builder}}
			first, then := args[:2], args[2:]
			if reverse {
				first, then = then, first
			}
			moved := e.Mul(then[0], first[1])
			none := e.Do(stablehlo.OpAnd, e.Compare("NE", moved, moved), e.Compare("EQ", first[1], e.Scalar(d, 0)))
			return []value{e.Mul(then[0], first[0]), e.Select(none, then[1], e.Add(moved, then[1]))}, nil
		},
	}
	in := []value{a, b, e.Scalar(d, 1), e.Scalar(d, 0)}
	return e.Op(stablehlo.OpReduceWindow, in, append(w.parts(), body)...).Results[1]
}

// evaluate computes a region on two numbers, if it supports all of its ops.
func evaluate(b *stablehlo.Block, x, y float64) (float64, bool) {
	m := map[value]float64{b.Args[0]: x, b.Args[1]: y}
	for _, op := range b.Ops[:len(b.Ops)-1] {
		var in [3]float64
		for i, v := range op.Operands {
			c, ok := m[v]
			if !ok || i == len(in) {
				return 0, false
			}
			in[i] = c
		}
		f := scalarOps.Get(listScalarOps)[op.Code]
		if f == nil || len(op.Results) != 1 {
			return 0, false
		}
		m[op.Result()] = f(op, in[0], in[1], in[2])
	}
	c, ok := m[b.Terminator().Operands[0]]
	return c, ok
}

// scalarOps evaluates ops in the regions of reductions on numbers; a bool is 1 or 0.
var scalarOps lazy.Value[map[stablehlo.OpCode]func(op *stablehlo.Op, x, y, z float64) float64]

func listScalarOps() map[stablehlo.OpCode]func(op *stablehlo.Op, x, y, z float64) float64 {
	return map[stablehlo.OpCode]func(op *stablehlo.Op, x, y, z float64) float64{
		stablehlo.OpConstant: func(op *stablehlo.Op, _, _, _ float64) float64 {
			if c, ok := constFloat(op.Result()); ok {
				return c
			}
			return math.NaN()
		},
		stablehlo.OpAdd:                 func(_ *stablehlo.Op, x, y, _ float64) float64 { return x + y },
		stablehlo.OpSubtract:            func(_ *stablehlo.Op, x, y, _ float64) float64 { return x - y },
		stablehlo.OpMultiply:            func(_ *stablehlo.Op, x, y, _ float64) float64 { return x * y },
		stablehlo.OpDivide:              func(_ *stablehlo.Op, x, y, _ float64) float64 { return x / y },
		stablehlo.OpMaximum:             func(_ *stablehlo.Op, x, y, _ float64) float64 { return max(x, y) },
		stablehlo.OpMinimum:             func(_ *stablehlo.Op, x, y, _ float64) float64 { return min(x, y) },
		stablehlo.OpAbs:                 func(_ *stablehlo.Op, x, _, _ float64) float64 { return math.Abs(x) },
		stablehlo.OpNegate:              func(_ *stablehlo.Op, x, _, _ float64) float64 { return -x },
		stablehlo.OpExponential:         func(_ *stablehlo.Op, x, _, _ float64) float64 { return math.Exp(x) },
		stablehlo.OpLog:                 func(_ *stablehlo.Op, x, _, _ float64) float64 { return math.Log(x) },
		stablehlo.OpLogPlusOne:          func(_ *stablehlo.Op, x, _, _ float64) float64 { return math.Log1p(x) },
		stablehlo.OpExponentialMinusOne: func(_ *stablehlo.Op, x, _, _ float64) float64 { return math.Expm1(x) },
		stablehlo.OpSelect: func(_ *stablehlo.Op, x, y, z float64) float64 {
			if x != 0 {
				return y
			}
			return z
		},
		stablehlo.OpCompare: func(op *stablehlo.Op, x, y, _ float64) float64 {
			holds := map[string]bool{"EQ": x == y, "NE": x != y, "LT": x < y, "LE": x <= y, "GT": x > y, "GE": x >= y}
			if holds[op.Str("comparison_direction")] {
				return 1
			}
			return 0
		},
	}
}
