package simplify

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The compiler reads operands of dots with any strides: a transpose only renumbers the dimensions.
func dotRules() []Rule {
	return []Rule{
		{"dot_transpose", stablehlo.OpDotGeneral, SingleResult(dotTranspose)},
		{"dot_broadcast", stablehlo.OpDotGeneral, SingleResult(dotBroadcast)},
		{"dot_reshape", stablehlo.OpDotGeneral, SingleResult(dotReshape)},
		{"transpose_dot", stablehlo.OpTranspose, SingleResult(transposeDot)},
		{"reduce_dot", stablehlo.OpReduce, SingleResult(reduceDot)},
	}
}

// NamedDot is a dot_general with named dimensions: a name of both operands is a batch dimension if
// the result has it, else a contracted dimension.
type NamedDot struct {
	Op     *stablehlo.Op
	X      [2]*stablehlo.Value
	Names  [2][]int // of the dimensions of the operands
	Result []int    // of the dimensions of the result
	Summed []int    // in the order of the summation, the outermost first
	next   int      // the next unused name
}

func NamedDotOf(op *stablehlo.Op) *NamedDot {
	d, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok || !IsPlain(op) {
		return nil
	}
	p := &NamedDot{Op: op, X: [2]*stablehlo.Value{op.Operands[0], op.Operands[1]}}
	for i, v := range p.X {
		p.Names[i] = slices.Repeat([]int{-1}, v.Tensor().Rank())
	}
	p.Result = make([]int, 0, op.Result().Tensor().Rank())
	for i, l := range d.LHSBatching {
		p.Names[0][l], p.Names[1][d.RHSBatching[i]] = p.next, p.next
		p.Result = append(p.Result, p.next)
		p.next++
	}
	for i, l := range d.LHSContracting {
		p.Names[0][l], p.Names[1][d.RHSContracting[i]] = p.next, p.next
		p.Summed = append(p.Summed, p.next)
		p.next++
	}
	for i := range p.Names {
		for j := range p.Names[i] {
			if p.Names[i][j] < 0 {
				p.Names[i][j] = p.next
				p.Result = append(p.Result, p.next)
				p.next++
			}
		}
	}
	return p
}

// Batch returns the names of the batch dimensions, in the order of the result.
func (p *NamedDot) Batch() []int {
	return slices.DeleteFunc(slices.Clone(p.Result), func(n int) bool {
		return !slices.Contains(p.Names[0], n) || !slices.Contains(p.Names[1], n)
	})
}

// Order returns the names of the dimensions of the result of dot_general.
func (p *NamedDot) Order() []int {
	out := p.Batch()
	for i := range p.Names {
		for _, n := range p.Names[i] {
			if !slices.Contains(p.Names[1-i], n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// namedDot appends a dot, whose result has the dimensions order.
func (e Emitter) namedDot(p *NamedDot) *stablehlo.Value {
	positions := func(i int, names []int) []int64 {
		out := make([]int64, len(names))
		for j, n := range names {
			out[j] = int64(slices.Index(p.Names[i], n))
		}
		return out
	}
	batch := p.Batch()
	d := &stablehlo.DotDims{LHSBatching: positions(0, batch), RHSBatching: positions(1, batch),
		LHSContracting: positions(0, p.Summed), RHSContracting: positions(1, p.Summed)}
	return e.dot(p.X[0], p.X[1], d, p.Op.Result().Tensor().Elem, emit.Parts(p.Op)...)
}

// swap exchanges the operands, except for dots that treat them differently.
func (p *NamedDot) swap() bool {
	if !IsSymmetric(p.Op) {
		return false
	}
	slices.Reverse(p.X[:])
	slices.Reverse(p.Names[:])
	return true
}

// IsSymmetric reports whether a dot treats its operands alike.
func IsSymmetric(op *stablehlo.Op) bool {
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
func dotTranspose(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if DefinedBy(op.Operands[0], stablehlo.OpTranspose) == nil &&
		DefinedBy(op.Operands[1], stablehlo.OpTranspose) == nil {
		return nil
	}
	p := NamedDotOf(op)
	if p == nil {
		return nil
	}
	found := false
	for i := range p.X {
		t := DefinedBy(p.X[i], stablehlo.OpTranspose)
		if t == nil {
			continue
		}
		before := p.Names[i]
		p.Names[i] = make([]int, len(before))
		for d, from := range t.Ints("permutation") {
			p.Names[i][from] = before[d]
		}
		if !slices.Equal(p.Order(), p.Result) {
			p.Names[i] = before
			continue
		}
		p.X[i] = t.Operands[0]
		found = true
	}
	if !found {
		return nil
	}
	return e.namedDot(p)
}

// dotBroadcast removes broadcasts of an operand: a batch of equal matrices is one matrix times more
// rows or columns, equal rows or columns become one.
func dotBroadcast(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	for i := range 2 {
		if v := dotOfCopies(e, op, i); v != nil {
			return v
		}
	}
	return nil
}

func dotOfCopies(e Emitter, op *stablehlo.Op, i int) *stablehlo.Value {
	b := DefinedBy(op.Operands[i], stablehlo.OpBroadcastInDim)
	if b == nil || !slices.IsSorted(b.Ints("broadcast_dimensions")) {
		return nil
	}
	p := NamedDotOf(op)
	if p == nil {
		return nil
	}
	from, at, to := b.Operands[0].Tensor().Dims, b.Ints("broadcast_dimensions"), p.X[i].Tensor().Dims
	var names []int // of the remaining operand
	var dims, sizes, positions []int64
	for d, n := range to {
		j := slices.Index(at, int64(d))
		copied := j < 0 || from[j] != n
		if copied && !slices.Contains(p.Summed, p.Names[i][d]) {
			continue
		}
		if j >= 0 {
			sizes, positions = append(sizes, from[j]), append(positions, int64(len(dims)))
		}
		dims, names = append(dims, n), append(names, p.Names[i][d])
	}
	if len(dims) == len(to) {
		return nil
	}
	p.Names[i] = names
	have := p.Order()
	at = at[:0:0]
	for _, n := range have {
		at = append(at, int64(slices.Index(p.Result, n)))
	}
	if !slices.IsSorted(at) {
		return nil // the result would have to be transposed
	}
	result := op.Result().Tensor().Dims
	p.X[i], p.Result = e.Broadcast(e.Reshape(b.Operands[0], sizes...), dims, positions...), have
	return e.Broadcast(e.namedDot(p), result, at...)
}

// dotReshape splits dimensions that a reshape of a transposed operand merges, so that the operand
// is read untransposed.
func dotReshape(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	for i := range 2 {
		r := DefinedBy(op.Operands[i], stablehlo.OpReshape)
		if r == nil || DefinedBy(r.Operands[0], stablehlo.OpTranspose) == nil {
			continue
		}
		p := NamedDotOf(op)
		if p == nil {
			return nil
		}
		parts := mergedDims(r.Operands[0].Tensor().Dims, p.X[i].Tensor().Dims)
		if parts == nil {
			continue
		}
		p.X[i] = r.Operands[0]
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
func (p *NamedDot) split(e Emitter, i, d int, sizes []int64) {
	name := p.Names[i][d]
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
	if other := slices.Index(p.Names[1-i], name); other >= 0 {
		dims := slices.Replace(slices.Clone(p.X[1-i].Tensor().Dims), other, other+1, sizes...)
		p.X[1-i] = e.Reshape(p.X[1-i], dims...)
	}
	for j := range p.Names {
		p.Names[j] = replace(p.Names[j])
	}
	p.Result, p.Summed = replace(p.Result), replace(p.Summed)
}

// transposeDot exchanges the operands of a dot whose result is transposed.
func transposeDot(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	p, parts := e.mergedDot(op.Operands[0])
	if p == nil || !p.swap() {
		return nil
	}
	before := p.Result
	p.Result = nil
	for _, from := range op.Ints("permutation") {
		p.Result = append(p.Result, elementsAt(before, parts[from])...)
	}
	if !slices.Equal(p.Order(), p.Result) {
		return nil
	}
	return e.Reshape(e.namedDot(p), op.Result().Tensor().Dims...)
}

// mergedDot returns the dot that v is, or that v reshapes by merging dimensions, and the dimensions
// of the dot for each dimension of v. The dot must have no other use.
func (e Emitter) mergedDot(v *stablehlo.Value) (p *NamedDot, parts [][]int) {
	if !e.usedOnce(v) {
		return nil, nil
	}
	dims := v.Tensor().Dims
	if r := DefinedBy(v, stablehlo.OpReshape); r != nil {
		if v = r.Operands[0]; !e.usedOnce(v) {
			return nil, nil
		}
	}
	d := DefinedBy(v, stablehlo.OpDotGeneral)
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
	return NamedDotOf(d), parts
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
func reduceDot(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if !isSum(op) {
		return nil
	}
	v := op.Operands[0]
	dims := v.Tensor().Dims
	perm := emit.UpTo(len(dims)) // the permutation of the dot's result
	if t := DefinedBy(v, stablehlo.OpTranspose); t != nil && e.usedOnce(v) {
		v, perm = t.Operands[0], t.Ints("permutation")
	}
	p, parts := e.mergedDot(v)
	if p == nil {
		return nil
	}
	batch := p.Batch()
	matrices := int64(1)
	var summed []int
	var gone []int64 // dimensions of v
	for _, d := range op.Ints("dimensions") {
		names := elementsAt(p.Result, parts[perm[d]])
		if slices.ContainsFunc(names, func(n int) bool { return !slices.Contains(batch, n) }) {
			return nil
		}
		matrices *= dims[d]
		summed, gone = append(summed, names...), append(gone, perm[d])
	}
	if n, _ := op.Result().Tensor().NumElems(); matrices > n {
		return nil // too few sums to distribute to workers
	}
	p.Result = slices.DeleteFunc(p.Result, func(n int) bool { return slices.Contains(summed, n) })
	p.Summed = append(summed, p.Summed...)
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
	init, ok := SplatOf(op.Operands[1])
	b := op.Regions[0].Block()
	if !ok || !(subtractsNothing(init) || addsNothing(init)) || len(b.Ops) != 2 || b.Ops[0].Code != stablehlo.OpAdd ||
		b.Ops[1].Operands[0] != b.Ops[0].Result() ||
		!stablehlo.SameType(op.Operands[0].Tensor().Elem, op.Result().Tensor().Elem) {
		return false
	}
	in := b.Ops[0].Operands
	return in[0] != in[1] && slices.Contains(b.Args, in[0]) && slices.Contains(b.Args, in[1])
}
