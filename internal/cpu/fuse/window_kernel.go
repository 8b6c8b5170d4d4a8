package fuse

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// selectAndScatter returns select_and_scatter of small windows as a kernel over the windows, nil
// for others: it reads the elements of a window, its element of the source and the initial value,
// and writes the new elements of the window. Windows must be disjoint and without padding. Elements
// outside of windows are set to the initial value before.
func (p *planner) selectAndScatter(op *stablehlo.Op) ([]program.Node, error) {
	n, isDisjoint, covers := windowsOf(op)
	t := op.Result().Tensor()
	isOther := func(v *stablehlo.Value) bool { return v.Tensor().DType() != t.DType() }
	if !isDisjoint || n < 2 || n > maxWindow || slices.ContainsFunc(op.Operands, isOther) || len(Captures(op)) > 0 {
		return nil, nil
	}
	x, source, init := op.Operands[0], op.Operands[1], op.Operands[2]
	w := windowKernel{k: &kernel.Kernel{Name: "window", Dims: source.Tensor().Dims}, t: t.DType()}
	w.exprs = &exprs{body: &w.k.Body}
	w.dims = w.k.Dims
	accesses := windowAccesses(op)
	in := make([]kernel.Value, n)
	for i := range in {
		in[i] = w.load(accesses[i])
	}
	added := w.load(kernel.Access{Param: 1, Strides: denseStrides(w.dims)})
	first := w.load(kernel.Access{Param: 2, Strides: make([]int64, len(w.dims))})
	selected, err := w.selected(op.Regions[0].Block(), in)
	if err != nil {
		return nil, err
	}
	sum, err := w.scalars(op.Regions[1].Block(), []kernel.Value{first, added})
	if err != nil {
		return nil, err
	}
	for i, s := range selected {
		at := accesses[i]
		at.Param = 3
		v := w.emit(kernel.Select, w.t, w.t, s, sum[0], first)
		w.k.Stores = append(w.k.Stores, kernel.Store{Value: v, Type: w.t, At: at})
	}
	var nodes []program.Node
	if !covers {
		nodes = append(nodes, p.fill(init, op.Result()))
	}
	ins := []int{p.buffer(x), p.buffer(source), p.buffer(init)}
	return append(nodes, p.prog.NewKernel(w.k, ins, []int{p.buffer(op.Result())})), nil
}

// windowsOf returns the number of elements of a window, at most one more than maxWindow, whether
// windows are disjoint and without padding, and whether they cover the operand.
func windowsOf(op *stablehlo.Op) (n int, isDisjoint, covers bool) {
	padding, strides := op.Ints("padding"), op.Ints("window_strides")
	isDisjoint = !slices.ContainsFunc(padding, func(p int64) bool { return p > 0 })
	covers = !slices.ContainsFunc(padding, func(p int64) bool { return p < 0 })
	in := op.Operands[0].Tensor().Dims
	n = 1
	for d, size := range op.Ints("window_dimensions") {
		stride := int64(1)
		if strides != nil {
			stride = strides[d]
		}
		isDisjoint = isDisjoint && stride >= size
		covers = covers && stride == size && in[d]%size == 0
		n = int(min(int64(n)*size, maxWindow+1))
	}
	return n, isDisjoint, covers
}

// windowAccesses returns the accesses to the elements of windows in the operand, without padding,
// over all windows.
func windowAccesses(op *stablehlo.Op) []kernel.Access {
	steps := denseStrides(op.Operands[0].Tensor().Dims)
	padding, strides := op.Ints("padding"), op.Ints("window_strides")
	first := kernel.Access{Strides: slices.Clone(steps)}
	for d := range steps {
		if strides != nil {
			first.Strides[d] *= strides[d]
		}
		if padding != nil {
			first.Offset -= padding[2*d] * steps[d]
		}
	}
	accesses := []kernel.Access{first}
	for d, size := range op.Ints("window_dimensions") {
		var next []kernel.Access
		for _, at := range accesses {
			for i := range size {
				moved := at
				moved.Offset += i * steps[d]
				next = append(next, moved)
			}
		}
		accesses = next
	}
	return accesses
}

// windowKernel is the kernel of a window under construction.
type windowKernel struct {
	*exprs
	k *kernel.Kernel
	t dtype.Type
}

func (w *windowKernel) load(at kernel.Access) kernel.Value {
	return w.k.Body.Add(kernel.Instr{Op: kernel.Load, Type: w.t, At: &at})
}

// selected returns, for each element, whether the region selects it: it replaces the element
// selected before, and is kept against all elements after it.
func (w *windowKernel) selected(region *stablehlo.Block, in []kernel.Value) ([]kernel.Value, error) {
	kept := make([]kernel.Value, len(in)) // whether element i does not replace the one selected before it
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
	after := kept[last] // whether no element after i replaces it
	for i := last - 1; i > 0; i-- {
		out[i] = both(w.emit(kernel.Not, dtype.Bool, dtype.Bool, kept[i]), after)
		after = both(kept[i], after)
	}
	out[0] = after
	return out, nil
}
