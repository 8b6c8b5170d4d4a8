package core

import (
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// reshaped returns the elements of t as a tensor of type spec, with the vectorised axes
// of t.
func reshaped(op string, t Tensor, spec *Spec) Tensor {
	if v := t.p.spec.Vectors; v != nil {
		return t.as(op, spec.withVectors(v))
	}
	return t.as(op, spec)
}

// as returns the elements as a tensor of another shape, names and vectorised axes: without a copy
// if they are in host memory.
func (t Tensor) as(op string, spec *Spec) Tensor {
	if slices.Equal(spec.whole(), t.p.spec.whole()) {
		return t.retyped(op, spec).unshared(op, t)
	}
	if t.p.buf != nil {
		if b, ok := t.p.buf.take(op).(backend.Reshaper); ok {
			return share(op, t, spec, b)
		}
	}
	return computedAs(op, t, spec)
}

// computedAs is as with a copy of the elements. In the graph a vectorised axis is like any other.
func computedAs(op string, t Tensor, spec *Spec) Tensor {
	x := t.retyped(op, intern(Spec{DType: spec.DType, Shape: t.p.spec.whole(), weak: spec.weak}))
	return reshapeOp.call1(listOf(spec.whole()), x).retyped(op, spec)
}

// copyOf returns a copy of a tensor where it lies.
func copyOf(op string, t Tensor) Tensor { return computedAs(op, t, t.p.spec).mark(t.p.rec != nil) }

var reshapeOp = &operation[intList]{name: "Reshape",
	describe: func(d *description[intList]) {
		d.returns(intern(Spec{DType: d.ins[0].DType, Shape: d.attrs.ints(), weak: d.ins[0].weak}))
	},
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.reshape(in[0], d.outs[0].Shape)}
	}}

// share returns a tensor of type spec in the memory of t, whose buffer is b.
// Each of the two can be released without the other.
func share(op string, t Tensor, spec *Spec, b backend.Reshaper) Tensor {
	r, err := b.Reshape(dims64(spec.whole()))
	if err != nil {
		failRun(op, []Tensor{t}, err)
	}
	return newShared(t, spec, r).mark(t.p.rec != nil)
}

// unnamed returns the tensor without names, as an operand of a following op; it may be t itself.
func (t Tensor) unnamed() Tensor {
	s := *t.p.spec
	s.Names = nil
	return t.retyped("Rename", intern(s))
}

// withNames returns the tensor with other names.
func (t Tensor) withNames(op string, names []string) Tensor {
	s := *t.p.spec
	s.Names = names
	return t.retyped(op, intern(s)).unshared(op, t)
}

// retyped returns the tensor with other names and vectorised axes: all axes together
// have the same sizes.
func (t Tensor) retyped(op string, spec *Spec) Tensor {
	if t.checked(op); spec == t.p.spec {
		return t
	}
	if t.p.buf != nil {
		if b, ok := t.p.buf.buf.(backend.Reshaper); ok {
			return share(op, t, spec, b)
		}
	}
	c := *t.p
	c.spec = spec
	return wrap(&c)
}

// asResult returns the result of an op that leaves t unchanged: a separate tensor.
func (t Tensor) asResult(op string) Tensor { return t.checked(op).unshared(op, t) }

// Identity returns a value that two tensors have in common only if they are one, nil for absent ones.
func Identity(t Tensor) any {
	if t.p == nil {
		return nil
	}
	return t.p
}

// unshared returns t, the result of an op on x, as a separate tensor if the two are one or
// share their payload: releasing or donating one does not affect the other.
func (t Tensor) unshared(op string, x Tensor) Tensor {
	switch {
	case t.p == nil || t.p.tr != nil || t.p.buf != x.p.buf || t.p.buf == nil && t.p.rec != x.p.rec:
		return t
	case t.p.buf == nil:
		return wrap(&tensor{spec: t.p.spec, rec: t.p.rec.separate()})
	}
	if b, ok := t.p.buf.buf.(backend.Reshaper); ok {
		return share(op, t, t.p.spec, b)
	}
	return copyOf(op, t)
}

// checked returns t as an operand of a following op, after the checks that any use has.
func (t Tensor) checked(op string) Tensor {
	if g := t.p.validity(); g != nil {
		g.check(op)
	} else {
		t.p.tr.alive(op)
	}
	return t
}
