package interp

import "github.com/go-nx/nx/stablehlo"

// window describes the windows of reduce_window and select_and_scatter.
type window struct {
	f                *frame
	in, out          []int64 // shapes of the operand and of the result
	size, stride     []int64
	base, dilation   []int64 // dilations of the operand and of the window
	low              []int64 // padding in front
	steps            []int   // of the operand
	visit            func(at int) error
	padded           func(n int) error // n elements of padding; nil to skip them
	position, volume []int64
}

// newWindow reads the attributes, with their defaults.
func (f *frame) newWindow(op *stablehlo.Op, in []int64) (*window, error) {
	rank := len(in)
	w := &window{f: f, in: in, out: make([]int64, rank), low: make([]int64, rank), steps: rowMajor(in),
		size:     op.Ints("window_dimensions"),
		stride:   intsOr(op, "window_strides", rank, 1),
		base:     intsOr(op, "base_dilations", rank, 1),
		dilation: intsOr(op, "window_dilations", rank, 1),
		position: make([]int64, rank), volume: make([]int64, rank+1)}
	if w.size == nil {
		w.size = intsOr(op, "window_dimensions", rank, 1)
	}
	padding := intsOr(op, "padding", 2*rank, 0)
	w.volume[rank] = 1
	for d := rank - 1; d >= 0; d-- {
		n := in[d]
		if n > 0 {
			n = (n-1)*w.base[d] + 1
		}
		w.low[d] = padding[2*d]
		n += padding[2*d] + padding[2*d+1]
		reach := (w.size[d]-1)*w.dilation[d] + 1
		if n > 0 && reach <= n {
			w.out[d] = (n-reach)/w.stride[d] + 1
		}
		if w.size[d] > 0 && w.volume[d+1] > maxTensorBytes/w.size[d] {
			return nil, faultf(TooLarge, "the window has the invalid shape %v", w.size)
		}
		w.volume[d] = w.volume[d+1] * w.size[d]
	}
	return w, nil
}

// intsOr returns a list attribute, or n times def when it is absent.
func intsOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = def
	}
	return v
}

// walk visits the elements of the window at w.position, in order.
func (w *window) walk(d, at int) error {
	if d == len(w.in) {
		return w.visit(at)
	}
	if err := w.f.tickN(int(w.size[d] / 8)); err != nil {
		return err
	}
	p := w.position[d]*w.stride[d] - w.low[d]
	for range w.size[d] {
		if q := p / w.base[d]; p >= 0 && q < w.in[d] && q*w.base[d] == p {
			if err := w.walk(d+1, at+int(q)*w.steps[d]); err != nil {
				return err
			}
		} else if w.padded != nil {
			if err := w.padded(int(w.volume[d+1])); err != nil {
				return err
			}
		}
		p += w.dilation[d]
	}
	return nil
}

// evalReduceWindow reduces each window in the order of its elements, beginning
// with the initial value; padding is the initial value once more.
func evalReduceWindow(f *frame, s *step, args []Value) ([]Value, error) {
	body, inputs, inits, err := f.reductionOperands(s, args)
	if err != nil {
		return nil, err
	}
	w, err := f.newWindow(s.op, inputs[0].dims())
	if err != nil {
		return nil, err
	}
	results, err := splats(s, inits, w.out)
	if err != nil {
		return nil, err
	}
	out := 0
	w.visit = func(at int) error { return body.add(results, out, inputs, at) }
	w.padded = func(n int) error {
		for range n {
			if err := body.add(results, out, inits, 0); err != nil {
				return err
			}
		}
		return nil
	}
	c := newCounter(w.out, rowMajor(w.out))
	for range results[0].numElems() {
		w.position, out = c.index, c.at
		if err := w.walk(0, 0); err != nil {
			return nil, err
		}
		c.next()
	}
	return values(results), nil
}

// evalSelectAndScatter finds in each window the element that select keeps
// against all others, and reduces the source's element into the result there.
func evalSelectAndScatter(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	operand, source := x[0], x[1]
	choose, err := f.scalarBody(s.regions[0])
	if err != nil {
		return nil, err
	}
	body, err := f.newReduction(s.regions[1])
	if err != nil {
		return nil, err
	}
	w, err := f.newWindow(s.op, operand.dims())
	if err != nil {
		return nil, err
	}
	if !equalDims(w.out, source.dims()) {
		return nil, faultf(BadShape, "the source must have one element per window: got shape %[2]v for %[1]v windows", w.out, source.dims())
	}
	if x, err = body.converted([]*Tensor{source, x[2]}); err != nil {
		return nil, err
	}
	sources := x[:1]
	results, err := splats(s, x[1:], operand.dims())
	if err != nil {
		return nil, err
	}
	selected := -1
	w.visit = func(at int) error {
		if selected < 0 {
			selected = at
			return nil
		}
		keep, err := choose.test(operand.elem(selected), operand.elem(at))
		if !keep {
			selected = at
		}
		return err
	}
	c := newCounter(w.out, rowMajor(w.out))
	for i := range source.numElems() {
		w.position, selected = c.index, -1
		if err := w.walk(0, 0); err != nil {
			return nil, err
		}
		if selected >= 0 {
			if err := body.add(results, selected, sources, i); err != nil {
				return nil, err
			}
		}
		c.next()
	}
	return values(results), nil
}

// test runs a predicate of two elements.
func (r *scalarBody) test(x, y []byte) (bool, error) {
	if r.fast != nil {
		var b [1]byte
		r.fast(b[:], x, y)
		return b[0] != 0, r.f.tick()
	}
	copy(r.args[0].Data, x)
	copy(r.args[1].Data, y)
	if err := r.call(); err != nil {
		return false, err
	}
	return r.result(0)[0] != 0, nil
}
