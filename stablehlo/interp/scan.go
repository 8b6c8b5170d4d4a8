package interp

import "slices"

// evalScan runs the body for each position along a dimension: (inputs there…,
// carries…) → (outputs there…, carries…).
func evalScan(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	d := int(s.op.Int("dimension", 0))
	nIn := len(s.op.OperandGroup(0))
	inputs, carry := x[:nIn], values(x[nIn:])
	n := int64(s.op.Int("scan_dim_size", 0))
	if len(inputs) > 0 {
		n = inputs[0].dims()[d]
	}
	outs := len(s.op.ResultGroup(0))
	results := make([]*Tensor, outs)
	for k := range n {
		i := k
		if s.op.Bool("is_reverse", false) {
			i = n - 1 - k
		}
		now := make([]Value, 0, len(x))
		for _, y := range inputs {
			if y.dims()[d] != n {
				return nil, faultf(BadShape, "inputs have sizes %d and %d in dimension %d", n, y.dims()[d], d)
			}
			line, err := takeAt(f, y, d, i)
			if err != nil {
				return nil, err
			}
			now = append(now, line)
		}
		var r []Value
		err = f.silently(func() (err error) {
			r, err = f.run(s.regions[0], append(now, carry...)...)
			return err
		})
		if err != nil {
			return nil, err
		}
		for j := range outs {
			line := r[j].(*Tensor)
			if results[j] == nil {
				if results[j], err = makeTensor(s.op.Results[j].Tensor(),
					slices.Insert(slices.Clone(line.dims()), d, n)...); err != nil {
					return nil, err
				}
			}
			if err := putAt(f, results[j], d, i, line); err != nil {
				return nil, err
			}
		}
		carry = r[outs:]
	}
	for j := range results { // no position at all: empty results
		if results[j] == nil {
			t := s.op.Results[j].Tensor()
			dims := slices.Clone(t.Dims)
			dims[d] = 0
			if results[j], err = makeTensor(t, dims...); err != nil {
				return nil, err
			}
		}
	}
	return append(values(results), carry...), nil
}

// takeAt returns the slice of x at position i of dimension d, without d.
func takeAt(f *frame, x *Tensor, d int, i int64) (*Tensor, error) {
	steps := rowMajor(x.dims())
	dims := slices.Delete(slices.Clone(x.dims()), d, d+1)
	r, err := makeTensor(x.Type, dims...)
	if err != nil {
		return nil, err
	}
	from := int(i) * steps[d]
	return r, newMover(dims, r.size(), rowMajor(dims), slices.Delete(steps, d, d+1)).run(f, r.Data,
		x.Data, 0, from, r.size())
}

// putAt sets the slice of r at position i of dimension d.
func putAt(f *frame, r *Tensor, d int, i int64, line *Tensor) error {
	steps := rowMajor(r.dims())
	to := int(i) * steps[d]
	return newMover(line.dims(), r.size(), slices.Delete(steps, d, d+1), rowMajor(line.dims())).run(f, r.Data,
		line.Data, to, 0, r.size())
}
