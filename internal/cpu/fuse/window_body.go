package fuse

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// maxWindow bounds the elements of the windows that one kernel selects in: it reads and writes each.
const maxWindow = 9

// windowBody returns the third body of a select_and_scatter of small windows, nil for others: a function
// of the elements of a window, of its element of the source and of the initial value, that returns what the
// elements of the window become. It serves where windows have no element in common and none is padding.
func windowBody(op *stablehlo.Op) (*program.Body, error) {
	n := windowElems(op)
	isOwn := !slices.ContainsFunc(op.Ints("padding"), func(p int64) bool { return p > 0 })
	strides := op.Ints("window_strides")
	for d, size := range op.Ints("window_dimensions") {
		isOwn = isOwn && (size == 1 || strides != nil && strides[d] >= size)
	}
	t := op.Result().Tensor().DType()
	isOther := func(v *stablehlo.Value) bool { return v.Tensor().DType() != t }
	if !isOwn || n < 2 || n > maxWindow || slices.ContainsFunc(op.Operands, isOther) {
		return nil, nil
	}
	w := windowKernel{k: &kernel.Kernel{Name: "window", Dims: []int64{bodyLength}}, t: t}
	w.exprs = &exprs{body: &w.k.Body}
	w.dims = w.k.Dims
	in := make([]kernel.Value, n)
	for i := range in {
		in[i] = w.load(t, bodyLength)
	}
	source, init := w.load(t, bodyLength), w.load(t, 1)
	selected, err := w.selected(op.Regions[0].Block(), in)
	if err != nil {
		return nil, err
	}
	sum, err := w.scalars(op.Regions[1].Block(), []kernel.Value{init, source})
	if err != nil {
		return nil, err
	}
	for _, s := range selected {
		at := kernel.Access{Param: len(w.k.Params), Strides: []int64{1}}
		w.k.Params = append(w.k.Params, kernel.Param{Type: t, Elems: bodyLength})
		x := w.emit(kernel.Select, t, t, s, sum[0], init)
		w.k.Stores = append(w.k.Stores, kernel.Store{Value: x, Type: t, At: at})
	}
	return &program.Body{Kernel: w.k, Args: n + 2, Results: n}, nil
}

// windowElems returns the number of elements of a window.
func windowElems(op *stablehlo.Op) int {
	n := int64(1)
	for _, k := range op.Ints("window_dimensions") {
		if n *= k; n > maxWindow {
			break
		}
	}
	return int(n)
}

// windowKernel is the kernel of a window being made.
type windowKernel struct {
	*exprs
	k *kernel.Kernel
	t dtype.Type
}

// load adds a parameter of so many elements, and returns its element.
func (w *windowKernel) load(t dtype.Type, elems int64) kernel.Value {
	at := &kernel.Access{Param: len(w.k.Params), Strides: []int64{min(elems-1, 1)}}
	w.k.Params = append(w.k.Params, kernel.Param{Type: t, Elems: elems})
	return w.k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: at})
}

// selected returns of each element whether it is the one that the region keeps: it takes the place of the
// one before, and is kept against all after it.
func (w *windowKernel) selected(region *stablehlo.Block, in []kernel.Value) ([]kernel.Value, error) {
	kept := make([]kernel.Value, len(in)) // whether the one before element i stays
	best := in[0]
	for i := 1; i < len(in); i++ {
		keeps, err := w.scalars(region, []kernel.Value{best, in[i]})
		if err != nil {
			return nil, err
		}
		kept[i] = keeps[0]
		best = w.emit(kernel.Select, w.t, w.t, kept[i], best, in[i])
	}
	both := func(a, b kernel.Value) kernel.Value { return w.emit(kernel.And, dtype.Bool, dtype.Bool, a, b) }
	out := make([]kernel.Value, len(in))
	last := len(in) - 1
	out[last] = w.emit(kernel.Not, dtype.Bool, dtype.Bool, kept[last])
	after := kept[last] // whether none after element i takes its place
	for i := last - 1; i > 0; i-- {
		out[i] = both(w.emit(kernel.Not, dtype.Bool, dtype.Bool, kept[i]), after)
		after = both(kept[i], after)
	}
	out[0] = after
	return out, nil
}
