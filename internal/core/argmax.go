package core

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

var (
	argMaxOp = argExtremeOp("ArgMax", greater)
	argMinOp = argExtremeOp("ArgMin", less)
)

// ArgMax implements nx.ArgMax.
func ArgMax(t Tensor, opts ...ReduceOption) Tensor { return reduce(argMaxOp, t, opts) }

// ArgMin implements nx.ArgMin.
func ArgMin(t Tensor, opts ...ReduceOption) Tensor { return reduce(argMinOp, t, opts) }

func argExtremeOp(name string, dir direction) *operation[reduceAttrs] {
	return &operation[reduceAttrs]{name: name,
		describe: func(r *reduction) {
			a, s := r.attrs, r.ins[0]
			if s.DType.IsComplex() {
				r.fail(ErrDType, "take the magnitudes first (nx.Abs)", "complex numbers have no order")
			}
			if n := len(axesOf(r)); !a.all && n != 1 {
				r.fail(ErrAxis, "omit the option to search the whole tensor", "works along one axis, %d are given", n)
			}
			out := a.result(s, argType(r)).strong()
			n := a.countOf(s.Shape)
			if n == 0 && out.Shape.Size() > 0 {
				r.fail(ErrShape, "", "the axis has size 0: there is no largest or smallest element")
			}
			requireIndex(r, n)
			if a.skips(s.DType) && out.DType.IsUnsigned() {
				r.fail(ErrDType, "take a signed type", "the index for NaN only is -1, which %s does not hold",
					out.DType)
			}
			r.returns(out)
		},
		emit: func(r *reduction, e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v, axis, out := in[0], 0, r.outs[0]
			if r.attrs.all {
				v = e.reshape(v, Shape{r.attrs.countOf(r.ins[0].Shape)})
			} else {
				axis = axesOf(r)[0]
			}
			pick := e.argReduce
			if r.attrs.skips(r.ins[0].DType) {
				pick = e.argOfNumbers
			}
			return []*stablehlo.Value{e.reshape(pick(v, dir, axis, out.DType), out.Shape)}
		}}
}

// argType is the type of results that are indices: s32 unless another is given.
func argType(r *reduction) DType {
	d := r.attrs.as
	if d == dtype.Invalid {
		return S32
	}
	if !d.IsInteger() {
		r.fail(ErrDType, "", "indices must be integers, got %s", d)
	}
	return d
}

// requireIndex refuses a type of index that cannot hold those of n elements.
func requireIndex(r *reduction, n int) {
	if d := argType(r); n > 0 && uint64(n-1) > d.MaxInt() {
		r.fail(ErrValue, "choose a wider index type: nx.As(nx.S64)", "the index %d does not fit in %s", n-1, d)
	}
}

// argReduce reduces pairs of an element and its index.
func (e *emitter) argReduce(v *stablehlo.Value, dir direction, axis int, d DType) *stablehlo.Value {
	t := v.Tensor()
	et, it := stablehlo.Tensor(t.DType()), stablehlo.Tensor(d)
	index := e.iota(d, shapeOf(v), axis)
	init := e.scalar(t.DType(), bound(t.DType(), dir == greater))
	start := e.scalar(d, zero)
	return e.Values(stablehlo.OpReduce, []*stablehlo.Value{v, index, init, start}, ints("dimensions", []int{axis}),
		stablehlo.Body{Args: []stablehlo.Type{et, it, et, it},
			Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
				f := emitOn(b.Block(), b.Loc)
				// The left one stays when it is beyond the right one, when only it is
				// NaN, or when they are equal and it comes first.
				left := f.Value(stablehlo.OpOr, []*stablehlo.Value{f.compare(dir, a[0], a[2]),
					f.compare(notEqual, a[0], a[0])})
				same := f.compare(equal, a[0], a[2])
				bothNaN := f.Value(stablehlo.OpAnd,
					[]*stablehlo.Value{f.compare(notEqual, a[0], a[0]), f.compare(notEqual, a[2], a[2])})
				first := f.compare(less, a[1], a[3])
				tie := f.Value(stablehlo.OpOr, []*stablehlo.Value{same, bothNaN})
				pick := f.Value(stablehlo.OpSelect, []*stablehlo.Value{tie, first, left})
				return []*stablehlo.Value{
					f.Value(stablehlo.OpSelect,
						[]*stablehlo.Value{f.Value(stablehlo.OpOr, []*stablehlo.Value{left, tie}), a[0], a[2]}),
					f.Value(stablehlo.OpSelect, []*stablehlo.Value{pick, a[1], a[3]}),
				}, nil
			}})[1]
}

// argOfNumbers appends the index of the first largest or smallest element that is not NaN: -1 if all are NaN.
func (e *emitter) argOfNumbers(v *stablehlo.Value, dir direction, axis int, d DType) *stablehlo.Value {
	code := stablehlo.OpMaximum
	if dir == less {
		code = stablehlo.OpMinimum
	}
	t, shape := v.Tensor().DType(), shapeOf(v)
	init := bound(t, dir == greater)
	kept := make([]int, 0, len(shape))
	for i := range shape {
		if i != axis {
			kept = append(kept, i)
		}
	}
	most := e.reduce(code, elements{v, e.compare(equal, v, v)}.replaceSkipped(e, init), init, []int{axis})
	is := e.compare(equal, v, e.broadcast(most, shape, kept))
	place := func(of Shape, i int) *stablehlo.Value { return e.splat(S64, of, operandOf(i).n) }
	n := shape[axis]
	first := e.Value(stablehlo.OpSelect, []*stablehlo.Value{is, e.iota(S64, shape, axis), place(shape, n)})
	first = e.reduce(stablehlo.OpMinimum, first, operandOf(n).n, []int{axis})
	none := e.compare(equal, first, place(shapeOf(first), n))
	return e.convert(e.Value(stablehlo.OpSelect, []*stablehlo.Value{none, place(shapeOf(first), -1), first}), d)
}
