package core

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// ScanOption is nx.ScanOption.
type ScanOption interface{ scanOption(*scanOptions) }

type scanOptions struct {
	reversed bool
	unroll   int
	length   int
	bounded  bool // length is given
}

func readScanOptions(op string, opts []ScanOption) scanOptions {
	o := scanOptions{unroll: 1}
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.scanOption(&o)
		}
	}
	if o.unroll < 1 {
		fail(ErrArgument, op, "", "cannot unroll %d steps into one", o.unroll)
	}
	if o.length < 0 {
		fail(ErrArgument, op, "", "the length %d is negative", o.length)
	}
	return o
}

// reversedOption is the type of [Reversed].
type reversedOption bool

// Reversed is nx.Reversed.
const Reversed reversedOption = true

func (r reversedOption) scanOption(o *scanOptions) { o.reversed = bool(r) }

// unrollOption is the option made by [Unroll].
type unrollOption struct{ n int }

// Unroll implements nx.Unroll.
func Unroll(n int) ScanOption { return unrollOption{n} }

func (u unrollOption) scanOption(o *scanOptions) { o.unroll = u.n }

// LengthOption is the option made by [Length].
type lengthOption struct{ n int }

// Length implements nx.Length.
func Length(n int) ScanOption { return lengthOption{n} }

func (l lengthOption) scanOption(o *scanOptions) { o.length, o.bounded = l.n, true }

// Scan implements nx.Scan.
func Scan[C, X, Y any](init C, xs X, step func(C, X) (C, Y), opts ...ScanOption) (C, Y) {
	notNil("Scan", step == nil)
	return scan("Scan", init, xs, step, opts)
}

// MapRows implements nx.Map.
func MapRows[X, Y any](xs X, f func(X) Y, opts ...ScanOption) Y {
	notNil("Map", f == nil)
	_, ys := scan("Map", struct{}{}, xs, func(c struct{}, x X) (struct{}, Y) { return c, f(x) }, opts)
	return ys
}

func scan[C, X, Y any](op string, init C, xs X, step func(C, X) (C, Y), opts []ScanOption) (C, Y) {
	o := readScanOptions(op, opts)
	in := tensorsIn(leafList(op, "xs", xs))
	n, name := rowsOf(op, in, o)
	row := make([]*Spec, len(in))
	rows := make([]Tensor, len(in))
	for i, l := range in {
		row[i], rows[i] = l.tensor.p.spec.row(), rowsFirst(op, l.tensor)
	}
	l := newLoop(op, "carry", init)
	var ys Y
	b := l.trace(row, pathsOf(in), func(args []Tensor) ([]leaf, []Tensor) {
		k := len(l.init)
		c, y := step(fill(op, init, args[:k]), fill(op, xs, args[k:]))
		ys = y
		return leafList(op, l.name, c), tensorsOf(leafList(op, "y", y))
	})
	defer b.abandon()
	s := &scanner{scanOptions: o, n: n, d: indexType(n), carry: len(l.specs), body: b}
	var results []*Spec
	for _, y := range b.specs()[s.carry:] {
		results = append(results, stacked(op, y, n, name))
		s.ys = append(s.ys, results[len(results)-1].rowsFirst())
	}
	b.finish(l.specs)
	if n == 0 {
		empty := make([]Tensor, len(s.ys))
		for i, y := range s.ys {
			empty[i] = vectorsFirst(op, constant(y, zero), results[i])
		}
		return fill(op, init, l.init), fill(op, ys, empty)
	}
	ins := slices.Concat(l.init, rows)
	out := controlFlow(op, fmt.Sprint(n, o), ins, []*body{b}, slices.Concat(l.specs, s.ys), s.emit)
	for i, y := range results {
		out[s.carry+i] = vectorsFirst(op, out[s.carry+i], y)
	}
	return fill(op, init, out[:s.carry]), fill(op, ys, out[s.carry:])
}

// rowsOf returns the number of rows of tensors, and the name of their first axis.
func rowsOf(op string, in []leaf, o scanOptions) (n int, name string) {
	if len(in) == 0 && !o.bounded {
		fail(ErrArgument, op, "say how many steps to take (nx.Length)",
			"the container must hold a tensor to take rows of")
	}
	n = o.length
	for i, l := range in {
		s := l.tensor.p.spec
		if len(s.Shape) == 0 {
			failOn(ErrShape, op, []Tensor{l.tensor}, "use it from outside of the step instead",
				"%s must have a first axis, but is a scalar", l.path)
		}
		if (i > 0 || o.bounded) && s.Shape[0] != n {
			where := "the length given"
			if i > 0 {
				where = in[0].path
			}
			failOn(ErrShape, op, []Tensor{l.tensor}, "all first axes have the same size", "%s has %s, %s %d", l.path,
				plural(s.Shape[0], "row", "rows"), where, n)
		}
		if n = s.Shape[0]; name == "" {
			name = s.name(0)
		}
	}
	return n, name
}

// row returns the type of a row.
func (s *Spec) row() *Spec {
	c := Spec{DType: s.DType, Shape: s.Shape[1:], Vectors: s.Vectors, weak: s.weak}
	if len(s.Names) > 0 {
		c.Names = s.Names[1:]
	}
	return intern(c)
}

// rowsFirst moves the axis of rows before the vectorised axes, which become axes.
func rowsFirst(op string, t Tensor) Tensor {
	s := t.p.spec
	if s.Vectors == nil {
		return t
	}
	whole := t.as(op, intern(Spec{DType: s.DType, Shape: s.whole(), weak: s.weak}))
	return transposeBlocks(whole, len(s.Vectors), len(s.Vectors)+1)
}

// vectorsFirst is rowsFirst the other way, for stacked rows of a type.
func vectorsFirst(op string, t Tensor, s *Spec) Tensor {
	if s.Vectors == nil {
		return t
	}
	return transposeBlocks(t, 1, len(s.Vectors)+1).as(op, s)
}

// transposeBlocks exchanges the axes before mid with those from mid to end.
func transposeBlocks(t Tensor, mid, end int) Tensor {
	perm := make([]int, 0, t.Rank())
	for i := range t.Rank() {
		if i < end {
			i = (i + mid) % end
		}
		perm = append(perm, i)
	}
	return Transpose(t, Axis(perm...))
}

// rowsFirst returns the type of a tensor of stacked rows inside of a loop.
func (s *Spec) rowsFirst() *Spec {
	if s.Vectors == nil {
		return s
	}
	dims := Shape{s.Shape[0]}
	for _, v := range s.Vectors {
		dims = append(dims, v.Size)
	}
	return intern(Spec{DType: s.DType, Shape: append(dims, s.Shape[1:]...)})
}

// stacked returns the type of n rows.
func stacked(op string, row *Spec, n int, name string) *Spec {
	names := append([]string{name}, row.names()...)
	if slices.Contains(names[1:], name) || vectorIndex(row, name) >= 0 {
		names[0] = ""
	}
	return newSpec(op, Spec{DType: row.DType, Shape: append(Shape{n}, row.Shape...), Vectors: row.Vectors,
		Names: names})
}

// scanner appends the loop of a scan.
type scanner struct {
	scanOptions
	n     int
	d     DType // of the index
	carry int   // the number of tensors carried
	ys    []*Spec
	body  *body
}

func (s *scanner) emit(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value {
	xs := in[s.carry:]
	state := slices.Clone(in[:s.carry])
	for _, y := range s.ys {
		state = append(state, e.splat(y.DType, y.Shape, zero))
	}
	trips := s.n / s.unroll
	if trips > 1 {
		state = e.count(s.d, trips*s.unroll, nil, s.unroll, state,
			func(e *emitter, i *stablehlo.Value, state []*stablehlo.Value) []*stablehlo.Value {
				for k := range s.unroll {
					at := i
					if k > 0 {
						at = e.Value(stablehlo.OpAdd, []*stablehlo.Value{i, e.index(s.d, k)})
					}
					if s.reversed {
						at = e.Value(stablehlo.OpSubtract, []*stablehlo.Value{e.index(s.d, s.n-1), at})
					}
					state = s.step(e, at, state, xs, captured[0])
				}
				return state
			})
	} else {
		trips = 0
	}
	for k := trips * s.unroll; k < s.n; k++ {
		at := k
		if s.reversed {
			at = s.n - 1 - k
		}
		state = s.step(e, e.index(s.d, at), state, xs, captured[0])
	}
	return state
}

// step appends the step for one row.
func (s *scanner) step(e *emitter, at *stablehlo.Value, state, xs, captured []*stablehlo.Value) []*stablehlo.Value {
	args := slices.Clone(state[:s.carry])
	for _, x := range xs {
		args = append(args, e.row(x, at))
	}
	out := slices.Clone(s.body.graft(e.B.Block(), args, captured))
	for k, y := range state[s.carry:] {
		out[s.carry+k] = e.setRow(y, out[s.carry+k], at)
	}
	return out
}

// starts returns the start indices of row i of x.
func (e *emitter) starts(x, i *stablehlo.Value) []*stablehlo.Value {
	at := make([]*stablehlo.Value, x.Tensor().Rank())
	for k := range at {
		if at[k] = i; k > 0 {
			at[k] = e.scalar(i.Tensor().DType(), zero)
		}
	}
	return at
}

// row appends row i of x.
func (e *emitter) row(x, i *stablehlo.Value) *stablehlo.Value {
	dims := slices.Clone(x.Tensor().Dims)
	dims[0] = 1
	r := e.Value(stablehlo.OpDynamicSlice, append([]*stablehlo.Value{x}, e.starts(x, i)...),
		stablehlo.Named("slice_sizes", stablehlo.I64s(dims...)))
	return e.Value(stablehlo.OpReshape, []*stablehlo.Value{r}, stablehlo.Results{x.Tensor().WithDims(dims[1:]...)})
}

// setRow appends x with another row i.
func (e *emitter) setRow(x, row, i *stablehlo.Value) *stablehlo.Value {
	dims := slices.Clone(x.Tensor().Dims)
	dims[0] = 1
	r := e.Value(stablehlo.OpReshape, []*stablehlo.Value{row}, stablehlo.Results{x.Tensor().WithDims(dims...)})
	return e.Value(stablehlo.OpDynamicUpdateSlice, append([]*stablehlo.Value{x, r}, e.starts(x, i)...))
}
