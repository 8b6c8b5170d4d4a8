package interp

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// evalSort sorts the lines along a dimension together, always stably.
func evalSort(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	body, err := f.scalarBody(s.regions[0])
	if err != nil {
		return nil, err
	}
	dims := x[0].dims()
	d := int(s.op.Int("dimension", -1))
	if d < 0 {
		d += len(dims)
	}
	results := make([]*Tensor, len(x))
	for i, y := range x {
		if !equalDims(y.dims(), dims) {
			return nil, faultf(BadShape, "inputs have shapes %v and %v", dims, y.dims())
		}
		if results[i], err = makeTensor(s.op.Results[i].Tensor(), dims...); err != nil {
			return nil, err
		}
	}
	if len(dims) == 0 || len(x[0].Data) == 0 {
		for i, y := range x {
			copy(results[i].Data, y.Data)
		}
		return values(results), nil
	}
	l := newLines(dims, d)
	order, scratch, err := l.orders()
	if err != nil {
		return nil, err
	}
	less := func(i, j int) (bool, error) { return body.less(x, i, j) }
	if one := body.b.compareFirst(); one != nil {
		less = func(i, j int) (bool, error) { return one(x[0].elem(i), x[0].elem(j)), f.tick() }
	}
	for range l.count {
		if err := l.fill(f, order); err != nil {
			return nil, err
		}
		if err := mergeSort(order, scratch, less); err != nil {
			return nil, err
		}
		for i, y := range x {
			if err := f.each(l.n, func(k int) { copy(results[i].elem(l.at(k)), y.elem(order[k])) }); err != nil {
				return nil, err
			}
		}
		l.next()
	}
	return values(results), nil
}

// less runs the comparator on elements i and j of all inputs.
func (r *scalarBody) less(x []*Tensor, i, j int) (bool, error) {
	for k, y := range x {
		copy(r.args[2*k].Data, y.elem(i))
		copy(r.args[2*k+1].Data, y.elem(j))
	}
	if err := r.call(); err != nil {
		return false, err
	}
	return r.result(0)[0] != 0, nil
}

// compareFirst returns the predicate of a block that is one comparison of its
// first two arguments, else nil.
func (b *body) compareFirst() func(x, y []byte) bool {
	first := *b
	if len(first.args) < 2 {
		return nil
	}
	first.args = first.args[:2]
	op := first.binary()
	if op == nil {
		return nil
	}
	var r [1]byte
	return func(x, y []byte) bool { op(r[:], x, y); return r[0] != 0 }
}

// lines are the elements of a tensor taken along one dimension.
type lines struct {
	n, step, count int
	start          *counter
}

func newLines(dims []int64, d int) *lines {
	steps := rowMajor(dims)
	l := &lines{n: int(dims[d]), step: steps[d]}
	others := slices.Delete(slices.Clone(dims), d, d+1)
	l.start = newCounter(others, slices.Delete(steps, d, d+1))
	l.count = numElems(others)
	return l
}

// at returns the number of the k-th element of the current line.
func (l *lines) at(k int) int { return l.start.at + k*l.step }

func (l *lines) next() { l.start.next() }

// orders returns two lists as long as a line.
func (l *lines) orders() (order, scratch []int, err error) {
	if err := checkMemory(2 * 8 * int64(l.n)); err != nil {
		return nil, nil, err
	}
	return make([]int, l.n), make([]int, l.n), nil
}

func (l *lines) fill(f *frame, order []int) error {
	return f.each(len(order), func(k int) { order[k] = l.at(k) })
}

// mergeSort sorts a stably; each comparison runs less once.
func mergeSort(a, scratch []int, less func(i, j int) (bool, error)) error {
	if len(a) < 2 {
		return nil
	}
	m := len(a) / 2
	if err := mergeSort(a[:m], scratch[:m], less); err != nil {
		return err
	}
	if err := mergeSort(a[m:], scratch[m:], less); err != nil {
		return err
	}
	left, right, out := scratch[:m], a[m:], a[:0]
	copy(left, a[:m])
	for len(left) > 0 && len(right) > 0 {
		second, err := less(right[0], left[0])
		if err != nil {
			return err
		}
		if second {
			out, right = append(out, right[0]), right[1:]
		} else {
			out, left = append(out, left[0]), left[1:]
		}
	}
	_ = append(append(out, left...), right...) // in place: out has the capacity of a
	return nil
}

// evalTopK returns the k largest elements of each line of the last dimension,
// in descending order, with their indices; of equal ones the first comes
// first. NaNs count as larger than all numbers.
func evalTopK(f *frame, s *step, args []Value) ([]Value, error) {
	return f.topK(s, args, s.op.Int("k", 0), totalGreater)
}

// topK returns the first k elements of each line, in an order.
func (f *frame) topK(s *step, args []Value, k int64, order func(x *Tensor) func(i, j int) bool) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	dims := x[0].dims()
	d := len(dims) - 1
	if d < 0 || k < 0 || k > dims[d] {
		return nil, faultf(BadShape, "k must be within the last dimension, got %d for an operand of shape %v", k, dims)
	}
	out := append(slices.Clone(dims[:d]), k)
	top, err := makeTensor(s.op.Results[0].Tensor(), out...)
	if err != nil {
		return nil, err
	}
	at, err := makeTensor(s.op.Results[1].Tensor(), out...)
	if err != nil || len(top.Data) == 0 {
		return values([]*Tensor{top, at}), err
	}
	before := order(x[0])
	l := newLines(dims, d)
	indices, scratch, err := l.orders()
	if err != nil {
		return nil, err
	}
	for line := range l.count {
		if err := l.fill(f, indices); err != nil {
			return nil, err
		}
		if err := mergeSort(indices, scratch, func(i, j int) (bool, error) {
			return before(i, j),
				f.tick()
		}); err != nil {
			return nil, err
		}
		for i := range int(k) {
			to := line*int(k) + i
			copy(top.elem(to), x[0].elem(indices[i]))
			at.Type.DType().StoreInt(at.Data, to, int64(indices[i]-l.start.at))
		}
		l.next()
	}
	return values([]*Tensor{top, at}), nil
}

// totalGreater compares elements of x; floats in IEEE total order.
func totalGreater(x *Tensor) func(i, j int) bool {
	d := x.Type.DType()
	switch {
	case d == dtype.U64:
		return func(i, j int) bool { return d.LoadUint(x.Data, i) > d.LoadUint(x.Data, j) }
	case d.IsFloat():
		return func(i, j int) bool { return totalKey(d, x.Data, i) > totalKey(d, x.Data, j) }
	case d.IsComplex():
		return func(i, j int) bool {
			a, b := d.LoadComplex(x.Data, i), d.LoadComplex(x.Data, j)
			return real(a) > real(b) || real(a) == real(b) && imag(a) > imag(b)
		}
	}
	return func(i, j int) bool { return d.LoadInt(x.Data, i) > d.LoadInt(x.Data, j) }
}
