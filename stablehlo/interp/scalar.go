package interp

import "github.com/go-nx/nx/stablehlo"

// compile translates a region of elementwise ops on scalars into functions that work on fixed buffers, so that
// an element needs no allocation. It reports whether the region is of that kind; the results are the same as
// by steps.
func (r *scalarBody) compile() bool {
	c := scalarCompiler{f: r.f, slot: map[int]*Tensor{}}
	for i, slot := range r.b.args {
		c.slot[slot] = r.args[i]
	}
	for i := range r.b.steps {
		run := c.step(&r.b.steps[i])
		if run == nil {
			return false
		}
		r.run = append(r.run, run)
	}
	for _, slot := range r.b.outs {
		x := c.at(slot)
		if x == nil {
			return false
		}
		r.outs = append(r.outs, x)
	}
	return true
}

// scalarCompiler maps each slot to the position of its value while a region runs.
type scalarCompiler struct {
	f    *frame
	slot map[int]*Tensor
}

// at returns the scalar of a slot, which may be of the region around; nil when
// it is not a scalar.
func (c *scalarCompiler) at(slot int) *Tensor {
	x := c.slot[slot]
	if x == nil {
		x, _ = c.f.slots[slot].(*Tensor)
	}
	if x == nil || x.Type.Rank() != 0 {
		return nil
	}
	return x
}

// step returns the function of an op, or nil when it is not elementwise on
// scalars.
func (c *scalarCompiler) step(s *step) func() error {
	if len(s.outs) != 1 || s.op.Result().Tensor() == nil || s.op.Result().Tensor().Rank() != 0 {
		return nil
	}
	r, err := makeTensor(s.op.Result().Tensor())
	if err != nil {
		return nil
	}
	c.slot[s.outs[0]] = r
	if s.op.Code == stablehlo.OpConstant {
		a, ok := s.op.Attr("value").(*stablehlo.ElementsAttr)
		if !ok || copy(r.Data, a.Data) != len(r.Data) {
			return nil
		}
		return func() error { return nil }
	}
	x := make([]*Tensor, len(s.ins))
	for i, slot := range s.ins {
		if x[i] = c.at(slot); x[i] == nil {
			return nil
		}
	}
	if hasRow(s.op.Code) || len(x) == 0 {
		return nil
	}
	if !hasQuantised(s.op) {
		d := x[0].Type.DType()
		if k := unaryKernel(s.op, d); k != nil && len(x) == 1 {
			return func() error { k(r.Data, x[0].Data, 0); return nil }
		}
		if k := binaryKernel(s.op, d); k != nil && len(x) == 2 {
			return func() error { k(r.Data, x[0].Data, x[1].Data, 0); return nil }
		}
		if s.op.Code == stablehlo.OpSelect {
			return func() error {
				from := x[2]
				if x[0].Data[0] != 0 {
					from = x[1]
				}
				copy(r.Data, from.Data)
				return nil
			}
		}
	}
	return func() error {
		y, err := c.f.elementwise(s.op, x, r.Type)
		if err != nil {
			return c.f.at(s, err)
		}
		copy(r.Data, y.Data)
		return nil
	}
}
