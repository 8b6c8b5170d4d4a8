package interp

// evalReduce reduces the elements of each result in the order of their indices,
// beginning with the initial value.
func evalReduce(f *frame, s *step, args []Value) ([]Value, error) {
	body, inputs, inits, err := f.reductionOperands(s, args)
	if err != nil {
		return nil, err
	}
	reduced := map[int]bool{}
	for _, d := range s.op.Ints("dimensions") {
		reduced[int(d)] = true
	}
	in := inputs[0].dims()
	var dims []int64
	for d, n := range in {
		if !reduced[d] {
			dims = append(dims, n)
		}
	}
	results, err := splats(s, inits, dims)
	if err != nil {
		return nil, err
	}
	// The result steps along each dimension of the input, 0 where it is reduced.
	steps, kept := make([]int, len(in)), rowMajor(dims)
	for d := range in {
		if !reduced[d] {
			steps[d], kept = kept[0], kept[1:]
		}
	}
	c := newCounter(in, steps)
	for i := range inputs[0].numElems() {
		if err := body.add(results, c.at, inputs, i); err != nil {
			return nil, err
		}
		c.next()
	}
	return values(results), nil
}

// reductionOperands splits the operands of a reduction into inputs and initial
// values, in the types of its region.
func (f *frame) reductionOperands(s *step, args []Value) (r *reduction, inputs, inits []*Tensor, err error) {
	x, err := tensors(args)
	if err != nil {
		return nil, nil, nil, err
	}
	if r, err = f.newReduction(s.regions[0]); err != nil {
		return nil, nil, nil, err
	}
	if x, err = r.converted(x); err != nil {
		return nil, nil, nil, err
	}
	inputs, inits = x[:r.n], x[r.n:]
	for _, y := range inputs[1:] {
		if !equalDims(y.dims(), inputs[0].dims()) {
			return nil, nil, nil, faultf(BadShape, "inputs have shapes %v and %v", inputs[0].dims(), y.dims())
		}
	}
	return r, inputs, inits, nil
}

// splats returns a tensor of each result type full of its initial value.
func splats(s *step, inits []*Tensor, dims []int64) ([]*Tensor, error) {
	results := make([]*Tensor, len(inits))
	for i, init := range inits {
		r, err := makeTensor(s.op.Results[i].Tensor().WithElem(init.Type.Elem), dims...)
		if err != nil {
			return nil, err
		}
		fill(r.Data, init.Data)
		results[i] = r
	}
	return results, nil
}

func values(ts []*Tensor) []Value {
	out := make([]Value, len(ts))
	for i, t := range ts {
		out[i] = t
	}
	return out
}

// counter counts through the indices of a shape in row-major order and keeps
// a linear function of the index.
type counter struct {
	dims  []int64
	steps []int
	index []int64
	at    int // Σ index[d]*steps[d]
}

func newCounter(dims []int64, steps []int) *counter {
	return &counter{dims: dims, steps: steps, index: make([]int64, len(dims))}
}

// next moves to the next index; after the last it starts again.
func (c *counter) next() {
	for d := len(c.dims) - 1; d >= 0; d-- {
		c.index[d]++
		c.at += c.steps[d]
		if c.index[d] < c.dims[d] {
			return
		}
		c.at -= int(c.dims[d]) * c.steps[d]
		c.index[d] = 0
	}
}

// evalMap applies the region to each element.
func evalMap(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	body, err := f.scalarBody(s.regions[0])
	if err != nil {
		return nil, err
	}
	for _, y := range x[1:] {
		if !equalDims(x[0].dims(), y.dims()) {
			return nil, faultf(BadShape, "inputs have shapes %v and %v", x[0].dims(), y.dims())
		}
	}
	r, err := makeTensor(s.op.Result().Tensor(), x[0].dims()...)
	if err != nil {
		return nil, err
	}
	for i := range x[0].numElems() {
		for k, y := range x {
			copy(body.args[k].Data, y.elem(i))
		}
		if err := body.call(); err != nil {
			return nil, err
		}
		copy(r.elem(i), body.result(0))
	}
	return []Value{r}, nil
}
