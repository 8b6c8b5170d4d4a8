package core

import (
	"errors"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// unionOfVectors returns the vectorised axes of operands, in the order of their first
// appearance; nil when there are none.
func unionOfVectors(op string, xs []operand) []VectorAxis {
	var out []VectorAxis
	for _, x := range xs {
		if x.t == nil {
			continue
		}
		for _, v := range x.t.spec.Vectors {
			i := slices.IndexFunc(out, func(w VectorAxis) bool { return w.Name == v.Name })
			switch {
			case i < 0:
				out = append(out, v)
			case out[i].Size == 1:
				out[i].Size = v.Size
			case v.Size != 1 && v.Size != out[i].Size:
				failOn(ErrShape, op, operands(xs...), "sizes must be equal or 1",
					"the vectorised axis %q has the sizes %d and %d",
					v.Name, out[i].Size, v.Size)
			}
		}
	}
	for _, x := range xs {
		if x.t == nil || len(out) == 0 {
			continue
		}
		for _, v := range out {
			if slices.Contains(x.t.spec.Names, v.Name) {
				failOn(ErrNames, op, operands(xs...),
					"rename the axis (nx.Rename), or devectorize the other operand (nx.Devectorize)",
					"%q is an axis of one operand and a vectorised axis of another", v.Name)
			}
		}
	}
	return out
}

// vectorize makes an operation one on vectorised operands: the operation for a single
// element becomes a module, which is batched once per axis.
func (c *call) vectorize(union []VectorAxis, ins []*Spec) {
	emit := c.emit
	for i, s := range c.outs {
		c.outs[i] = s.withVectors(union)
	}
	have := make([][]VectorAxis, len(c.ins))
	for i, x := range c.ins {
		have[i] = x.p.spec.Vectors
	}
	op := c.op
	c.emit = func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		t := newTrace(op)
		args, axes := make([]*stablehlo.Value, len(in)), make([][]int, len(in))
		for i, v := range in {
			args[i] = t.arg(plainType(v, len(have[i]), ins[i])).p.val
			in[i], axes[i] = e.orderVectors(v, have[i], union)
		}
		t.finish(emit(emitOn(t.block, e.B.Loc), args))
		m := t.fn.module
		out := make([]int, len(c.outs))
		for k := len(union) - 1; k >= 0; k-- {
			at := make([]int, len(in))
			for i := range in {
				at[i] = axes[i][k]
			}
			var err error
			if m, err = vmap.Batch(m, "main", int64(union[k].Size), at, out); err != nil {
				refuseBatch(op, err)
			}
		}
		f, _ := m.Func("main")
		return graft(e.B.Block(), f, in)
	}
}

// plainType returns the type of an operand for a single element: that of the value, which
// is a number's where the operand is one.
func plainType(v *stablehlo.Value, vectors int, s *Spec) *Spec {
	return intern(Spec{DType: v.Tensor().DType(), Shape: shapeOf(v)[vectors:], weak: s.weak})
}

// refuseVectors refuses tensors with vectorised axes.
func refuseVectors(op, hint string, ts ...Tensor) {
	for _, t := range ts {
		if t.p != nil && t.p.spec.Vectors != nil {
			failOn(ErrShape, op, []Tensor{t}, hint, "vectorised axes are not supported here")
		}
	}
}

// refuseBatch reports an op that cannot be batched as the user's error.
func refuseBatch(op string, err error) {
	where := ""
	var at *emit.Error
	if errors.As(err, &at) {
		if loc := stablehlo.FileOf(at.Op.Loc); loc != nil {
			where = "; the op is that of " + place(loc.File, loc.Line)
		}
	}
	e := newError(ErrBatch, op, nil, "", "%v%s", err, where)
	e.Err = err
	panic(e)
}
