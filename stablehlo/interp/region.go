package interp

import "github.com/go-nx/nx/stablehlo"

// scalarBody runs a region of rank-0 tensors once for each element. Its arguments are in tensors that are
// overwritten from call to call, so that an element needs no frame; a region of a single binary op runs as
// that op.
type scalarBody struct {
	f    *frame
	b    *body
	args []*Tensor
	fast binaryFunc     // of a region that is one binary op, else nil
	run  []func() error // of a region of elementwise ops, else nil
	outs []*Tensor      // where run leaves the results
}

func (f *frame) scalarBody(b *body) (*scalarBody, error) {
	r := &scalarBody{f: f, b: b, fast: b.binary()}
	for _, a := range b.block.Args {
		t := a.Tensor()
		if t == nil || t.Rank() != 0 {
			return nil, faultf(Unsupported, "a region must have scalar arguments")
		}
		x, err := makeTensor(t)
		if err != nil {
			return nil, err
		}
		r.args = append(r.args, x)
	}
	if r.fast == nil && !r.compile() {
		r.run, r.outs = nil, nil
	}
	return r, nil
}

// elem returns the element type of argument i.
func (r *scalarBody) elem(i int) stablehlo.Type { return r.args[i].Type.Elem }

// call runs the region on the arguments' data; result i is then at r.result(i).
func (r *scalarBody) call() error {
	if r.outs != nil {
		for _, f := range r.run {
			if err := f(); err != nil {
				return err
			}
		}
		return r.f.tickN(len(r.run))
	}
	for i, slot := range r.b.args {
		r.f.slots[slot] = r.args[i]
	}
	return r.f.silently(func() error { return r.f.steps(r.b) })
}

// result returns the bytes of a result of the last call.
func (r *scalarBody) result(i int) []byte {
	if r.outs != nil {
		return r.outs[i].Data
	}
	return r.f.slots[r.b.outs[i]].(*Tensor).Data
}

// binary returns the function of a block that is one binary op of its two
// arguments, else nil.
func (b *body) binary() binaryFunc {
	if len(b.args) != 2 || len(b.steps) != 1 || len(b.outs) != 1 {
		return nil
	}
	s := &b.steps[0]
	if len(s.ins) != 2 || len(s.outs) != 1 || b.outs[0] != s.outs[0] {
		return nil
	}
	op := binaries(s.op)
	switch {
	case op == nil:
		return nil
	case s.ins[0] == b.args[0] && s.ins[1] == b.args[1]:
		return op
	case s.ins[0] == b.args[1] && s.ins[1] == b.args[0]:
		return func(dst, x, y []byte) { op(dst, y, x) }
	}
	return nil
}

// reduction is a reduction in progress: body(accumulated..., next...) → accumulated.
type reduction struct {
	*scalarBody
	n     int   // values per reduction
	sizes []int // bytes of an element of each
}

// newReduction prepares a reduction whose region takes n accumulated values and n
// next ones, of the same types.
func (f *frame) newReduction(b *body) (*reduction, error) {
	body, err := f.scalarBody(b)
	if err != nil {
		return nil, err
	}
	r := &reduction{scalarBody: body, n: len(body.args) / 2}
	for _, a := range body.args[:r.n] {
		r.sizes = append(r.sizes, len(a.Data))
	}
	return r, nil
}

// add reduces element from of each input into element to of each result.
func (r *reduction) add(results []*Tensor, to int, inputs []*Tensor, from int) error {
	if r.fast != nil {
		n := r.sizes[0]
		acc := results[0].Data[to*n : to*n+n]
		r.fast(acc, acc, inputs[0].Data[from*n:from*n+n])
		return r.f.tick()
	}
	for i, n := range r.sizes {
		copy(r.args[i].Data, results[i].Data[to*n:to*n+n])
		copy(r.args[r.n+i].Data, inputs[i].Data[from*n:from*n+n])
	}
	if err := r.call(); err != nil {
		return err
	}
	for i, n := range r.sizes {
		copy(results[i].Data[to*n:], r.result(i))
	}
	return nil
}

// converted returns the inputs and initial values in the element types of the
// region, which may be wider than theirs.
func (r *reduction) converted(inputs []*Tensor) ([]*Tensor, error) {
	out := make([]*Tensor, len(inputs))
	for i, x := range inputs {
		var err error
		if out[i], err = convert(r.f, x, r.elem(i%r.n)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
