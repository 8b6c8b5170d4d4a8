package core

// Go functions called for each element of vectorised axes, as they are for each of a batch of Vmap.

// specsOfElements returns the types of tensors for one element of their vectorised axes.
func specsOfElements(ts []Tensor) []*Spec {
	out := specsOf(ts)
	for i, s := range out {
		out[i] = s.withoutVectors()
	}
	return out
}

// traceOfCall returns the trace that the call of a Go function belongs to, nil where it runs at once. In a branch,
// or a step of a loop, it belongs there, on data as well, and whatever function around it is traced.
func traceOfCall(list []Tensor) *trace {
	s := currentStage()
	if s.mask.p != nil {
		list = append(list[:len(list):len(list)], s.mask)
	}
	if t := traceFor(list); t != nil || s.t == nil {
		return t
	}
	if s.t.calls.Store(true); s.inBody {
		return s.t
	}
	return nil
}

// callEach adds the call of a Go function, written for operands of the types specs, for each element of
// vectorised axes.
func (t *trace) callEach(c call, vectors []VectorAxis, specs []*Spec) []Tensor {
	if m := maskFor(vectors); m.p != nil {
		c.maskedBy(m)
		specs = append(specs[:len(specs):len(specs)], scalarSpecs[Bool])
	}
	if vectors != nil {
		c.vectorize(vectors, specs)
	}
	return t.append(&c)
}

// eachElement calls f with the tensors of each element of vectorised axes; with the tensors as they
// are where there are none. It calls skip for the elements that do not reach it.
func eachElement(op string, list []Tensor, vectors []VectorAxis, f func(each []Tensor), skip func()) {
	runs := maskFor(vectors)
	if vectors == nil {
		if runs.p == nil || Item[bool](runs) {
			f(list)
		} else {
			skip()
		}
		return
	}
	n := 1
	for _, v := range vectors {
		n *= v.Size
	}
	rowsOf := func(t Tensor) Tensor {
		return t.alignedTo(op, vectors).as(op, t.p.spec.withoutVectors().withAxis(0, n, ""))
	}
	rows, each := make([]Tensor, len(list)), make([]Tensor, len(list))
	for i, t := range list {
		if each[i] = t; t.p.spec.Vectors != nil {
			rows[i] = rowsOf(t)
		}
	}
	var mask []bool
	if runs.p != nil {
		mask = Data[bool](rowsOf(runs))
	}
	for k := range n {
		if mask != nil && !mask[k] {
			skip()
			continue
		}
		for i, t := range rows {
			if t.p != nil {
				each[i] = t.At(k)
			}
		}
		f(each)
	}
}

// joinElements makes vectorised tensors of the types outs of the results for each element.
func joinElements(op string, vectors []VectorAxis, outs []*Spec, results [][]Tensor) []Tensor {
	joined := make([]Tensor, len(outs))
	for i, s := range outs {
		all := s.withVectors(vectors)
		if len(results[i]) > 0 {
			joined[i] = Stack(results[i]).as(op, all)
		} else {
			joined[i] = Zeros(all.whole(), all.DType).as(op, all)
		}
	}
	return joined
}

// requireVectorsOf refuses vectorised axes of a declared result that no operand has.
func requireVectorsOf(op string, like Tensor, vectors []VectorAxis) {
	for _, v := range like.p.spec.Vectors {
		if i := vectorIndex(&Spec{Vectors: vectors}, v.Name); i < 0 || vectors[i].Size != v.Size {
			failOn(ErrShape, op, []Tensor{like}, "declare the type of the result for one element",
				"a result is declared with the vectorised axis %q of size %d, which no operand has", v.Name, v.Size)
		}
	}
}
