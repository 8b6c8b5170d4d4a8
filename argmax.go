package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// ArgMax returns the index of the first largest element along one axis, or in
// the flattened tensor when none is given; of the first NaN where there is one.
// Options: [Axis], [KeepAxes], [As].
//
// DTypes: s32, or the integer type of [As]. Gradient: none.
func ArgMax(t Tensor, opts ...ReduceOption) Tensor { return argExtreme("ArgMax", greater, t, opts) }

// ArgMin returns the index of the first smallest element. As [ArgMax].
func ArgMin(t Tensor, opts ...ReduceOption) Tensor { return argExtreme("ArgMin", less, t, opts) }

func argExtreme(op string, dir direction, t Tensor, opts []ReduceOption) Tensor {
	r := newReduction(op, t, opts)
	if out, ok := r.again(); ok {
		return out
	}
	r.requireOrder()
	if r.opts.set && len(r.opts.axes) != 1 {
		failOn(ErrAxis, op, []Tensor{t}, "leave the option away to search the whole tensor", "works along one axis, %d are given", len(r.opts.axes))
	}
	d := r.opts.dtype
	if d == dtype.Invalid {
		d = S32
	}
	if !d.IsInteger() {
		failOn(ErrDType, op, []Tensor{t}, "", "indices are integers, not %s", d)
	}
	out := r.result(d).strong()
	n := r.count()
	switch {
	case n == 0 && out.Shape.Size() > 0:
		failOn(ErrShape, op, []Tensor{t}, "", "the axis has size 0: there is no largest or smallest element")
	case n > 0 && uint64(n-1) > d.MaxInt():
		failOn(ErrValue, op, []Tensor{t}, "ask for a wider type of index: nx.As(nx.S64)", "the index %d does not fit in %s", n-1, d)
	}
	return apply1(call{op: op, sig: r.sig, ins: []Tensor{t}, outs: []*Spec{out},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v, axis := in[0], 0
			if r.opts.set {
				axis = r.axes()[0]
			} else {
				v = e.reshape(v, Shape{n})
			}
			return []*stablehlo.Value{e.reshape(e.argReduce(v, dir, axis, d), out.Shape)}
		}})
}

// argReduce folds pairs of an element and its index.
func (e *emitter) argReduce(v *stablehlo.Value, dir direction, axis int, d DType) *stablehlo.Value {
	t := v.Tensor()
	et, it := stablehlo.Tensor(t.DType()), stablehlo.Tensor(d)
	index := e.iota(d, shapeOf(v), axis)
	init := e.scalar(t.DType(), bound(t.DType(), dir == greater))
	start := e.scalar(d, zero)
	return e.ops(stablehlo.OpReduce, []*stablehlo.Value{v, index, init, start}, ints("dimensions", []int{axis}),
		stablehlo.Body{Args: []stablehlo.Type{et, it, et, it}, Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			f := &emitter{block: b.Block(), loc: b.Loc}
			// The left one stays when it is beyond the right one, when it alone is
			// NaN, or when they are alike and it comes first.
			left := f.op(stablehlo.OpOr, []*stablehlo.Value{f.compare(dir, a[0], a[2]), f.compare(notEqual, a[0], a[0])})
			same := f.compare(equal, a[0], a[2])
			bothNaN := f.op(stablehlo.OpAnd, []*stablehlo.Value{f.compare(notEqual, a[0], a[0]), f.compare(notEqual, a[2], a[2])})
			first := f.compare(less, a[1], a[3])
			tie := f.op(stablehlo.OpOr, []*stablehlo.Value{same, bothNaN})
			pick := f.op(stablehlo.OpSelect, []*stablehlo.Value{tie, first, left})
			return []*stablehlo.Value{
				f.op(stablehlo.OpSelect, []*stablehlo.Value{f.op(stablehlo.OpOr, []*stablehlo.Value{left, tie}), a[0], a[2]}),
				f.op(stablehlo.OpSelect, []*stablehlo.Value{pick, a[1], a[3]}),
			}, nil
		}})[1]
}
