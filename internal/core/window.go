package core

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// windowAttrs describe how windows move over a tensor.
type windowAttrs struct{ size, strides, dilations, lo, hi intList }

// readWindows reads the options of windows of a size over s.
func readWindows(op string, ts []Tensor, s Shape, size []int, opts []WindowOption) windowAttrs {
	var o windowOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.windowOption(&o)
		}
	}
	if len(size) != len(s) {
		failOn(ErrShape, op, ts, "give a size for every axis, 1 where the window has one element",
			"the window has %s, the tensor has rank %d", plural(len(size), "size", "sizes"), len(s))
	}
	return o.resolve(op, ts, s, size)
}

// resolve finds the numbers for every axis, and checks that there are windows.
func (o *windowOptions) resolve(op string, ts []Tensor, s Shape, size []int) windowAttrs {
	const most = math.MaxInt32
	each := func(what string, given []int) []int {
		if len(given) == 0 {
			given = []int{1}
		}
		if len(given) == 1 {
			given = slices.Repeat(given, len(s))
		}
		if len(given) != len(s) {
			failOn(ErrArgument, op, ts, "", "there are %d %s for %s", len(given), what, plural(len(s), "axis", "axes"))
		}
		for _, n := range given {
			if n < 1 || n > most {
				failOn(ErrArgument, op, ts, "", "%d among the %s is not positive, or too large", n, what)
			}
		}
		return given
	}
	size = each("sizes of the window", size)
	strides, dilations := each("strides", o.strides), each("dilations", o.dilations)
	lo, hi := make([]int, len(s)), make([]int, len(s))
	if o.padding.lohi != nil && len(o.padding.lohi) != len(s) {
		failOn(ErrArgument, op, ts, "give one pair {before, after} per axis", "there are %s of padding for %s",
			plural(len(o.padding.lohi), "pair", "pairs"), plural(len(s), "axis", "axes"))
	}
	for i := range s {
		total := (size[i] - 1) * dilations[i]
		switch {
		case o.padding.same:
			lo[i], hi[i] = total/2, total-total/2
		case o.padding.lohi != nil:
			if lo[i], hi[i] = o.padding.lohi[i][0], o.padding.lohi[i][1]; lo[i] > most || hi[i] > most ||
				lo[i] < -most || hi[i] < -most {
				failOn(ErrArgument, op, ts, "", "the padding %v of axis %d is too large", o.padding.lohi[i], i)
			}
		}
		if room := s[i] + lo[i] + hi[i]; room < total+1 && (room != 0 || total != 0) {
			failOn(ErrShape, op, ts, "pad the tensor, or use smaller windows",
				"a window takes %d elements along axis %d, which has %d with its padding", total+1, i, max(room, 0))
		}
	}
	return windowAttrs{listOf(size), listOf(strides), listOf(dilations), listOf(lo), listOf(hi)}
}

// shape returns how many windows fit along each axis of s.
func (a windowAttrs) shape(s Shape) Shape {
	size, strides, dilations, lo, hi := a.size.ints(), a.strides.ints(), a.dilations.ints(), a.lo.ints(), a.hi.ints()
	out := make(Shape, len(s))
	for i := range s {
		if s[i]+lo[i]+hi[i] > 0 { // else there are no windows of one element, as in a batch without rows
			out[i] = (s[i]+lo[i]+hi[i]-(size[i]-1)*dilations[i]-1)/strides[i] + 1
		}
	}
	return out
}

// within returns the windows for n more axes before the others, of one element.
func (a windowAttrs) within(n int) windowAttrs {
	lead := func(v int, l intList) intList { return listOf(append(slices.Repeat([]int{v}, n), l.ints()...)) }
	return windowAttrs{lead(1, a.size), lead(1, a.strides), lead(1, a.dilations), lead(0, a.lo), lead(0, a.hi)}
}

// padding returns the padding as an attribute.
func (a windowAttrs) padding() stablehlo.NamedAttr { return paddingAttr(a.lo.ints(), a.hi.ints()) }

func paddingAttr(lo, hi []int) stablehlo.NamedAttr {
	pairs := make([]int64, 0, 2*len(lo))
	for i := range lo {
		pairs = append(pairs, int64(lo[i]), int64(hi[i]))
	}
	p, err := stablehlo.Elements(pairs, int64(len(lo)), 2)
	if err != nil {
		panic(err)
	}
	return stablehlo.Named("padding", p)
}

// windowOp reduces the elements of each window.
//
//go:noinline
func windowOp(name string, code stablehlo.OpCode, init func(d DType) number) *operation[windowAttrs] {
	return &operation[windowAttrs]{name: name,
		describe: func(d *description[windowAttrs]) {
			s := d.ins[0]
			if d.in = s.DType; d.in == Bool && (code == stablehlo.OpAdd || code == stablehlo.OpMultiply) {
				d.in = U8
			}
			d.returns(intern(Spec{DType: d.in, Shape: d.attrs.shape(s.Shape), Names: s.Names, weak: s.weak}))
		},
		emit: func(d *description[windowAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v := e.convert(in[0], wide(d.in))
			return []*stablehlo.Value{e.convert(e.windows(code, v, init(d.in), d.attrs), d.in)}
		}}
}

// windows appends a reduction of windows by an op.
func (e *emitter) windows(code stablehlo.OpCode, v *stablehlo.Value, init number, a windowAttrs) *stablehlo.Value {
	d := v.Tensor().DType()
	s := stablehlo.Tensor(d)
	return e.Value(stablehlo.OpReduceWindow, []*stablehlo.Value{v, e.scalar(d, init)},
		ints("window_dimensions", a.size.ints()), ints("window_strides", a.strides.ints()),
		ints("window_dilations", a.dilations.ints()), a.padding(),
		stablehlo.Body{Args: []stablehlo.Type{s, s},
			Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
				r, err := b.Value(code, args)
				return []*stablehlo.Value{r}, err
			}})
}

var (
	windowSumOp  = windowOp("WindowSum", stablehlo.OpAdd, func(DType) number { return zero })
	windowProdOp = windowOp("WindowProd", stablehlo.OpMultiply, func(DType) number { return one })
	windowMaxOp  = windowOp("WindowMax", stablehlo.OpMaximum, func(d DType) number { return bound(d, true) })
	windowMinOp  = windowOp("WindowMin", stablehlo.OpMinimum, func(d DType) number { return bound(d, false) })
)

// WindowSum implements nx.WindowSum.
func WindowSum(t Tensor, size []int, opts ...WindowOption) Tensor {
	s := t.must("WindowSum")
	return windowSumOp.call1(readWindows("WindowSum", []Tensor{t}, s.Shape, size, opts), t)
}

// WindowProd implements nx.WindowProd.
func WindowProd(t Tensor, size []int, opts ...WindowOption) Tensor {
	s := t.must("WindowProd")
	return windowProdOp.call1(readWindows("WindowProd", []Tensor{t}, s.Shape, size, opts), t)
}

// WindowMax implements nx.WindowMax.
func WindowMax(t Tensor, size []int, opts ...WindowOption) Tensor {
	requireOrder("WindowMax", t)
	return windowMaxOp.call1(readWindows("WindowMax", []Tensor{t}, t.p.spec.Shape, size, opts), t)
}

// WindowMin implements nx.WindowMin.
func WindowMin(t Tensor, size []int, opts ...WindowOption) Tensor {
	requireOrder("WindowMin", t)
	return windowMinOp.call1(readWindows("WindowMin", []Tensor{t}, t.p.spec.Shape, size, opts), t)
}

// WindowMean implements nx.WindowMean.
func WindowMean(t Tensor, size []int, opts ...WindowOption) Tensor {
	s := t.must("WindowMean")
	a := readWindows("WindowMean", []Tensor{t}, s.Shape, size, opts)
	d := floating(s.DType, s.weak)
	sum := windowSumOp.call1(a, converted(t, wide(d)))
	return converted(Div(sum, float64(Shape(a.size.ints()).Size())), d)
}

// WindowReduce implements nx.WindowReduce.
func WindowReduce[V Operand](t Tensor, init V, size []int, f func(acc, x Tensor) Tensor, opts ...WindowOption) Tensor {
	const op = "WindowReduce"
	notNil(op, f == nil)
	s := t.must(op)
	a := readWindows(op, []Tensor{t}, s.Shape, size, opts)
	out := intern(Spec{DType: s.DType, Shape: a.shape(s.Shape), Names: s.Names, Vectors: s.Vectors})
	a = a.within(len(s.Vectors))
	return reduceBy(op, fmt.Sprintf("%q", a), t, operandOf(init), out,
		f, func(e *emitter, v, init *stablehlo.Value, body stablehlo.Body) *stablehlo.Value {
			return e.Value(stablehlo.OpReduceWindow, []*stablehlo.Value{v, init},
				ints("window_dimensions", a.size.ints()),
				ints("window_strides", a.strides.ints()), ints("window_dilations", a.dilations.ints()), a.padding(),
				body)
		})
}

// WindowScatterMax implements nx.WindowScatterMax.
func WindowScatterMax[V Operand](t, source Tensor, init V, size []int, opts ...WindowOption) Tensor {
	return windowScatter("WindowScatterMax", greaterEqual, t, source, operandOf(init), size, opts)
}

// WindowScatterMin implements nx.WindowScatterMin.
func WindowScatterMin[V Operand](t, source Tensor, init V, size []int, opts ...WindowOption) Tensor {
	return windowScatter("WindowScatterMin", lessEqual, t, source, operandOf(init), size, opts)
}

func windowScatter(op string, dir direction, t, source Tensor, init operand, size []int, opts []WindowOption) Tensor {
	present(op, operand{t: t.p}, operand{t: source.p}, init)
	ins := []Tensor{t, source}
	requireOrder(op, t)
	requireOrder(op, source)
	s := t.p.spec
	a := readWindows(op, ins, s.Shape, size, opts)
	if a.dilations != listOf(slices.Repeat([]int{1}, len(s.Shape))) {
		failOn(ErrArgument, op, ins, "", "takes no dilation")
	}
	if x := init.spec(); len(x.Shape) != 0 || x.Vectors != nil {
		failOn(ErrShape, op, operands(operand{t: t.p}, operand{t: source.p}, init), "",
			"the initial element must be a scalar, got %s", init.spec())
	}
	if want := a.shape(s.Shape); !slices.Equal(source.p.spec.Shape, want) {
		failOn(ErrShape, op, ins, "", "the source has the shape %v, there are windows for %v",
			[]int(source.p.spec.Shape), []int(want))
	}
	return windowScatterOp.call(scatterWindowAttrs{a, dir}, operand{t: t.p}, operand{t: source.p}, init)
}

type scatterWindowAttrs struct {
	windowAttrs
	dir direction
}

var windowScatterOp = &operation[scatterWindowAttrs]{name: "WindowScatter",
	describe: func(d *description[scatterWindowAttrs]) {
		s := d.ins[0]
		source := *d.ins[1]
		source.DType = promoted(d.ins[1], d.ins[2])
		source.weak = d.ins[1].weak && d.ins[2].weak
		d.in = promoted(s, &source) // to compare and to move in
		d.returns(intern(Spec{DType: source.DType, Shape: s.Shape, Names: s.Names, weak: source.weak}))
	},
	emit: func(d *description[scatterWindowAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		s, a := stablehlo.Tensor(d.in), d.attrs
		body := func(build func(f *emitter, x []*stablehlo.Value) *stablehlo.Value) stablehlo.Body {
			return stablehlo.Body{Args: []stablehlo.Type{s, s},
				Build: func(b *stablehlo.Builder, x []*stablehlo.Value) ([]*stablehlo.Value, error) {
					return []*stablehlo.Value{build(emitOn(b.Block(), b.Loc), x)}, nil
				}}
		}
		v := e.Value(stablehlo.OpSelectAndScatter,
			[]*stablehlo.Value{e.convert(in[0], d.in), e.convert(in[1], d.in), e.convert(in[2], d.in)},
			ints("window_dimensions", a.size.ints()), ints("window_strides", a.strides.ints()), a.padding(),
			body(func(f *emitter, x []*stablehlo.Value) *stablehlo.Value { return f.compare(a.dir, x[0], x[1]) }),
			body(func(f *emitter, x []*stablehlo.Value) *stablehlo.Value { return f.Value(stablehlo.OpAdd, x) }))
		return []*stablehlo.Value{e.convert(v, d.outs[0].DType)}
	}}

// Reduce implements nx.Reduce.
func Reduce[V Operand](t Tensor, init V, f func(acc, x Tensor) Tensor, opts ...ReduceOption) Tensor {
	const op = "Reduce"
	notNil(op, f == nil)
	a := readReduction(op, t, opts)
	if a.as != dtype.Invalid {
		failOn(ErrArgument, op, []Tensor{t}, "cast the result (nx.Cast)",
			"takes no element type: the result has that of the operand")
	}
	s := t.p.spec
	out := a.result(s, s.DType).strong().withVectors(s.Vectors)
	axes := a.axesOf(s.Shape)
	for i := range axes {
		axes[i] += len(s.Vectors)
	}
	return reduceBy(op, fmt.Sprint(axes, a.skip), t, operandOf(init), out,
		f, func(e *emitter, v, init *stablehlo.Value, body stablehlo.Body) *stablehlo.Value {
			if counts := e.counted(v, a.skip); counts != nil {
				v = e.Value(stablehlo.OpSelect, []*stablehlo.Value{counts, v, e.broadcast(init, shapeOf(v), nil)})
			}
			r := e.Value(stablehlo.OpReduce, []*stablehlo.Value{v, init}, ints("dimensions", axes), body)
			return e.reshape(r, out.whole())
		})
}

// reduceBy applies an op whose region is a function of two scalars; key says what else it
// depends on.
func reduceBy(op, key string, t Tensor, init operand, out *Spec, f func(acc, x Tensor) Tensor,
	emit func(e *emitter, v, init *stablehlo.Value, body stablehlo.Body) *stablehlo.Value) Tensor {
	present(op, operand{t: t.p}, init)
	d := t.p.spec.DType
	if x := init.spec(); len(x.Shape) != 0 || x.Vectors != nil || promoted(t.p.spec.strong(), x) != d {
		failOn(ErrArgument, op, operands(operand{t: t.p}, init), "",
			"the initial element must be a scalar of %s, got %s", d, x)
	}
	checkFits(op, d, operand{t: t.p}, init)
	scalar := scalarSpecs[d]
	b := traceBody(op, []*Spec{scalar, scalar}, nil, func(args []Tensor) []Tensor {
		r := f(args[0], args[1])
		if s := r.must(op); len(s.Shape) != 0 || s.Vectors != nil || promoted(scalar, s) != d {
			failOn(ErrState, op, []Tensor{r}, "", "the function makes %s of scalars of %s", s, d)
		}
		return []Tensor{r}
	})
	defer b.abandon()
	b.finish([]*Spec{scalar})
	if n := len(b.captured()); n > 0 {
		failOn(ErrTrace, op, []Tensor{t}, "use numbers, which become constants of the function",
			"the function uses %s from outside", plural(n, "tensor", "tensors"))
	}
	return controlFlow(op, out.key()+" "+key, []Tensor{t, init.tensor(d)}, []*body{b}, []*Spec{out},
		func(e *emitter, in []*stablehlo.Value, _ [][]*stablehlo.Value) []*stablehlo.Value {
			st := stablehlo.Tensor(d)
			region := stablehlo.Body{Args: []stablehlo.Type{st, st},
				Build: func(to *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
					return b.graft(to.Block(), args, nil), nil
				}}
			return []*stablehlo.Value{emit(e, in[0], e.convert(in[1], d), region)}
		})[0]
}
