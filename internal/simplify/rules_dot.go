package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The compiler reads operands of dots with any strides: a transpose only renumbers the dimensions.
func dotRules() []rule {
	return []rule{
		{"dot_transpose", stablehlo.OpDotGeneral, singleResult(dotTranspose)},
		{"dot_broadcast", stablehlo.OpDotGeneral, singleResult(dotBroadcast)},
		{"dot_reshape", stablehlo.OpDotGeneral, singleResult(dotReshape)},
		{"transpose_dot", stablehlo.OpTranspose, singleResult(transposeDot)},
		{"reduce_dot", stablehlo.OpReduce, singleResult(reduceDot)},
	}
}

// namedDot is a dot_general with named dimensions: a name of both operands is a batch dimension if
// the result has it, else a contracted dimension.
type namedDot struct {
	op     *stablehlo.Op
	x      [2]*stablehlo.Value
	names  [2][]int // of the dimensions of the operands
	result []int    // of the dimensions of the result
	summed []int    // in the order of the summation, the outermost first
	next   int      // the next unused name
}

func namedDotOf(op *stablehlo.Op) *namedDot {
	d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok || !isPlain(op) {
		return nil
	}
	p := &namedDot{op: op, x: [2]*stablehlo.Value{op.Operands[0], op.Operands[1]}}
	for i, v := range p.x {
		p.names[i] = slices.Repeat([]int{-1}, v.Tensor().Rank())
	}
	p.result = make([]int, 0, op.Result().Tensor().Rank())
	for i, l := range d.LHSBatching {
		p.names[0][l], p.names[1][d.RHSBatching[i]] = p.next, p.next
		p.result = append(p.result, p.next)
		p.next++
	}
	for i, l := range d.LHSContracting {
		p.names[0][l], p.names[1][d.RHSContracting[i]] = p.next, p.next
		p.summed = append(p.summed, p.next)
		p.next++
	}
	for i := range p.names {
		for j := range p.names[i] {
			if p.names[i][j] < 0 {
				p.names[i][j] = p.next
				p.result = append(p.result, p.next)
				p.next++
			}
		}
	}
	return p
}

// batch returns the names of the batch dimensions, in the order of the result.
func (p *namedDot) batch() []int {
	return slices.DeleteFunc(slices.Clone(p.result), func(n int) bool {
		return !slices.Contains(p.names[0], n) || !slices.Contains(p.names[1], n)
	})
}

// order returns the names of the dimensions of the result of dot_general.
func (p *namedDot) order() []int {
	out := p.batch()
	for i := range p.names {
		for _, n := range p.names[i] {
			if !slices.Contains(p.names[1-i], n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// namedDot appends a dot, whose result has the dimensions order.
func (e emitter) namedDot(p *namedDot) *stablehlo.Value {
	positions := func(i int, names []int) []int64 {
		out := make([]int64, len(names))
		for j, n := range names {
			out[j] = int64(slices.Index(p.names[i], n))
		}
		return out
	}
	batch := p.batch()
	d := &stablehlo.DotDims{LHSBatching: positions(0, batch), RHSBatching: positions(1, batch),
		LHSContracting: positions(0, p.summed), RHSContracting: positions(1, p.summed)}
	return e.dot(p.x[0], p.x[1], d, p.op.Result().Tensor().Elem, emit.Parts(p.op)...)
}

// swap exchanges the operands, except for dots that treat them differently.
func (p *namedDot) swap() bool {
	if !isSymmetric(p.op) {
		return false
	}
	slices.Reverse(p.x[:])
	slices.Reverse(p.names[:])
	return true
}

// isSymmetric reports whether a dot treats its operands alike.
func isSymmetric(op *stablehlo.Op) bool {
	for _, a := range op.Attrs {
		switch v := a.Value.(type) {
		case *stablehlo.DotDims:
		case stablehlo.ArrayAttr:
			if a.Name != "precision_config" || len(v) != 2 || v[0] != v[1] {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// dotTranspose reads an operand untransposed, if that does not transpose the result.
func dotTranspose(e emitter, op *stablehlo.Op) *stablehlo.Value {
	if definedBy(op.Operands[0], stablehlo.OpTranspose) == nil &&
		definedBy(op.Operands[1], stablehlo.OpTranspose) == nil {
		return nil
	}
	p := namedDotOf(op)
	if p == nil {
		return nil
	}
	found := false
	for i := range p.x {
		t := definedBy(p.x[i], stablehlo.OpTranspose)
		if t == nil {
			continue
		}
		before := p.names[i]
		p.names[i] = make([]int, len(before))
		for d, from := range t.Ints("permutation") {
			p.names[i][from] = before[d]
		}
		if !slices.Equal(p.order(), p.result) {
			p.names[i] = before
			continue
		}
		p.x[i] = t.Operands[0]
		found = true
	}
	if !found {
		return nil
	}
	return e.namedDot(p)
}

// dotBroadcast removes broadcasts of an operand: a batch of equal matrices is one matrix times more
// rows or columns, equal rows or columns become one.
func dotBroadcast(e emitter, op *stablehlo.Op) *stablehlo.Value {
	for i := range 2 {
		if v := dotOfCopies(e, op, i); v != nil {
			return v
		}
	}
	return nil
}

func dotOfCopies(e emitter, op *stablehlo.Op, i int) *stablehlo.Value {
	b := definedBy(op.Operands[i], stablehlo.OpBroadcastInDim)
	if b == nil || !slices.IsSorted(b.Ints("broadcast_dimensions")) {
		return nil
	}
	p := namedDotOf(op)
	if p == nil {
		return nil
	}
	from, at, to := b.Operands[0].Tensor().Dims, b.Ints("broadcast_dimensions"), p.x[i].Tensor().Dims
	var names []int // of the remaining operand
	var dims, sizes, positions []int64
	for d, n := range to {
		j := slices.Index(at, int64(d))
		copied := j < 0 || from[j] != n
		if copied && !slices.Contains(p.summed, p.names[i][d]) {
			continue
		}
		if j >= 0 {
			sizes, positions = append(sizes, from[j]), append(positions, int64(len(dims)))
		}
		dims, names = append(dims, n), append(names, p.names[i][d])
	}
	if len(dims) == len(to) {
		return nil
	}
	p.names[i] = names
	have := p.order()
	at = at[:0:0]
	for _, n := range have {
		at = append(at, int64(slices.Index(p.result, n)))
	}
	if !slices.IsSorted(at) {
		return nil // the result would have to be transposed
	}
	result := op.Result().Tensor().Dims
	p.x[i], p.result = e.Broadcast(e.Reshape(b.Operands[0], sizes...), dims, positions...), have
	return e.Broadcast(e.namedDot(p), result, at...)
}

// dotReshape splits dimensions that a reshape of a transposed operand merges, so that the operand
// is read untransposed.
func dotReshape(e emitter, op *stablehlo.Op) *stablehlo.Value {
	for i := range 2 {
		r := definedBy(op.Operands[i], stablehlo.OpReshape)
		if r == nil || definedBy(r.Operands[0], stablehlo.OpTranspose) == nil {
			continue
		}
		p := namedDotOf(op)
		if p == nil {
			return nil
		}
		parts := mergedDims(r.Operands[0].Tensor().Dims, p.x[i].Tensor().Dims)
		if parts == nil {
			continue
		}
		p.x[i] = r.Operands[0]
		for d, sizes := range slices.Backward(parts) {
			if len(sizes) != 1 {
				p.split(e, i, d, sizes)
			}
		}
		return e.Reshape(e.namedDot(p), op.Result().Tensor().Dims...)
	}
	return nil
}

// mergedDims returns for each dimension of a reshape the dimensions that it merges; nil if it
// splits one.
func mergedDims(from, to []int64) [][]int64 {
	out := make([][]int64, len(to))
	for d, n := range to {
		size := int64(1)
		for len(from) > 0 && (len(out[d]) == 0 || size < n || d == len(to)-1) {
			size *= from[0]
			out[d], from = append(out[d], from[0]), from[1:]
		}
		if size != n || len(out[d]) == 0 {
			return nil
		}
	}
	return out
}

// split splits dimension d of operand i into several, which the operand already has. The other
// operand is reshaped if it has that dimension.
func (p *namedDot) split(e emitter, i, d int, sizes []int64) {
	name := p.names[i][d]
	var names []int
	for range sizes {
		names = append(names, p.next)
		p.next++
	}
	replace := func(list []int) []int {
		if at := slices.Index(list, name); at >= 0 {
			return slices.Replace(slices.Clone(list), at, at+1, names...)
		}
		return list
	}
	if other := slices.Index(p.names[1-i], name); other >= 0 {
		dims := slices.Replace(slices.Clone(p.x[1-i].Tensor().Dims), other, other+1, sizes...)
		p.x[1-i] = e.Reshape(p.x[1-i], dims...)
	}
	for j := range p.names {
		p.names[j] = replace(p.names[j])
	}
	p.result, p.summed = replace(p.result), replace(p.summed)
}

// transposeDot exchanges the operands of a dot whose result is transposed.
func transposeDot(e emitter, op *stablehlo.Op) *stablehlo.Value {
	p, parts := e.mergedDot(op.Operands[0])
	if p == nil || !p.swap() {
		return nil
	}
	before := p.result
	p.result = nil
	for _, from := range op.Ints("permutation") {
		p.result = append(p.result, elementsAt(before, parts[from])...)
	}
	if !slices.Equal(p.order(), p.result) {
		return nil
	}
	return e.Reshape(e.namedDot(p), op.Result().Tensor().Dims...)
}

// mergedDot returns the dot that v is, or that v reshapes by merging dimensions, and the dimensions
// of the dot for each dimension of v. The dot must have no other use.
func (e emitter) mergedDot(v *stablehlo.Value) (p *namedDot, parts [][]int) {
	if !e.usedOnce(v) {
		return nil, nil
	}
	dims := v.Tensor().Dims
	if r := definedBy(v, stablehlo.OpReshape); r != nil {
		if v = r.Operands[0]; !e.usedOnce(v) {
			return nil, nil
		}
	}
	d := definedBy(v, stablehlo.OpDotGeneral)
	merged := mergedDims(v.Tensor().Dims, dims)
	if d == nil || merged == nil {
		return nil, nil
	}
	at := 0
	for _, sizes := range merged {
		part := make([]int, len(sizes))
		for i := range part {
			part[i] = at
			at++
		}
		parts = append(parts, part)
	}
	return namedDotOf(d), parts
}

func elementsAt(list, at []int) []int {
	out := make([]int, len(at))
	for i, d := range at {
		out[i] = list[d]
	}
	return out
}

// reduceDot contracts over the batch of a dot, or a part of it, instead of reducing the result: the
// matrices of the batch are never in memory.
func reduceDot(e emitter, op *stablehlo.Op) *stablehlo.Value {
	if !isSum(op) {
		return nil
	}
	v := op.Operands[0]
	dims := v.Tensor().Dims
	perm := emit.UpTo(len(dims)) // the permutation of the dot's result
	if t := definedBy(v, stablehlo.OpTranspose); t != nil && e.usedOnce(v) {
		v, perm = t.Operands[0], t.Ints("permutation")
	}
	p, parts := e.mergedDot(v)
	if p == nil {
		return nil
	}
	batch := p.batch()
	matrices := int64(1)
	var summed []int
	var gone []int64 // dimensions of v
	for _, d := range op.Ints("dimensions") {
		names := elementsAt(p.result, parts[perm[d]])
		if slices.ContainsFunc(names, func(n int) bool { return !slices.Contains(batch, n) }) {
			return nil
		}
		matrices *= dims[d]
		summed, gone = append(summed, names...), append(gone, perm[d])
	}
	if n, _ := op.Result().Tensor().NumElems(); matrices > n {
		return nil // too few sums to distribute to workers
	}
	p.result = slices.DeleteFunc(p.result, func(n int) bool { return slices.Contains(summed, n) })
	p.summed = append(summed, p.summed...)
	kept := Except(len(dims), gone)
	sizes, order := make([]int64, len(kept)), make([]int64, 0, len(kept))
	for i, d := range kept {
		sizes[i] = v.Tensor().Dims[d]
	}
	for _, d := range perm {
		if i := slices.Index(kept, d); i >= 0 {
			order = append(order, int64(i))
		}
	}
	return e.Transpose(e.Reshape(e.namedDot(p), sizes...), order...)
}

// isSum reports whether op sums one tensor from zero.
func isSum(op *stablehlo.Op) bool {
	if len(op.Operands) != 2 || len(op.Ints("dimensions")) == 0 {
		return false
	}
	init, ok := splatOf(op.Operands[1])
	b := op.Regions[0].Block()
	if !ok || !(subtractsNothing(init) || addsNothing(init)) || len(b.Ops) != 2 || b.Ops[0].Code != stablehlo.OpAdd ||
		b.Ops[1].Operands[0] != b.Ops[0].Result() ||
		!stablehlo.SameType(op.Operands[0].Tensor().Elem, op.Result().Tensor().Elem) {
		return false
	}
	in := b.Ops[0].Operands
	return in[0] != in[1] && slices.Contains(b.Args, in[0]) && slices.Contains(b.Args, in[1])
}
