package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Where elements of vectorised axes take different branches, or stop at different steps, all of
// them are computed. The Go functions that a program calls there run for the elements that reach
// it: the mask of the goroutine says which.

// mask lets the Go functions that f calls, or traces, run for the elements for which m holds, of those that
// do already.
func mask(m Tensor, f func()) {
	outer := currentStage()
	if outer.mask.p != nil {
		m = LogicalAnd(outer.mask, m)
	}
	defer push(traceCount.Add(1), goroutine(), stageEntry{outer.t, outer.all, outer.inBody, m, outer.outer})()
	f()
}

// maskFor returns the mask for each element of some vectorised axes: it holds if the current mask
// holds for any element along the other axes. It is absent without a mask.
func maskFor(vectors []VectorAxis) Tensor {
	m := currentStage().mask
	if m.p == nil {
		return m
	}
	var left, gone []string
	for _, v := range m.p.spec.Vectors {
		if slices.Contains(vectors, v) {
			left = append(left, v.Name)
		} else {
			gone = append(gone, v.Name)
		}
	}
	if len(gone) == 0 {
		return m
	}
	m = Devectorize(m)
	for _, name := range gone {
		m = Any(m, Axis(name))
	}
	if len(left) > 0 {
		m = Vectorize(m, left...)
	}
	return m
}

// maskedBy makes a call one that is applied where its last operand, a scalar, holds: elsewhere its results are zeros.
func (c *call) maskedBy(m Tensor) {
	emit, outs, n := c.emit, slices.Clone(c.outs), len(c.ins)
	c.ins = append(c.ins[:n:n], m)
	c.emit = func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		choice := stablehlo.NewOp(stablehlo.OpIf, in[n:], typesOf(outs))
		choice.Loc = e.B.Loc
		region(choice, nil, func(to *stablehlo.Block) []*stablehlo.Value { return emit(emitOn(to, e.B.Loc), in[:n]) })
		region(choice, nil, func(to *stablehlo.Block) (zeros []*stablehlo.Value) {
			for _, s := range outs {
				zeros = append(zeros, emitOn(to, e.B.Loc).splat(s.DType, s.Shape, zero))
			}
			return zeros
		})
		return e.B.Block().Append(choice).Results
	}
}

// isTrue returns whether a tensor is not zero.
func isTrue(t Tensor) Tensor { return wrap(asBool(operand{t: t.p}).t) }
