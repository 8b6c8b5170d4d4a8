package fuse

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
)

// fusePrologues lets contractions compute their right operands while they pack them, if a kernel
// computes these element by element and they have no other reader: the operand is never in memory.
// first is the first buffer that was made for the block.
func (p *planner) fusePrologues(b *program.Block, first int) {
	readers := p.readers(b)
	writers := map[int]*program.Kernel{}
	fused := map[program.Node]bool{}
	for _, n := range b.Nodes {
		if c, ok := n.(*program.Contraction); ok && c.Ins[1] >= first {
			o := p.prog.Origin(c.Ins[1])
			if k := writers[o]; k != nil && readers[o] == 1 && p.fusePrologue(c, k) {
				fused[k] = true
			}
		}
		for _, w := range n.Writes() {
			k, _ := n.(*program.Kernel)
			if _, ok := writers[w]; ok {
				k = nil // written in several parts
			}
			writers[w] = k
		}
	}
	b.Nodes = slices.DeleteFunc(b.Nodes, func(n program.Node) bool { return fused[n] })
}

// readers returns the number of reads of each buffer that is not a view, by the nodes of a block,
// by blocks inside, and by its results.
func (p *planner) readers(b *program.Block) map[int]int {
	count := map[int]int{}
	var walk func(b *program.Block)
	read := func(bufs []int) {
		for _, x := range bufs {
			count[p.prog.Origin(x)]++
		}
	}
	walk = func(b *program.Block) {
		read(b.Results)
		for _, n := range b.Nodes {
			read(n.Reads())
			for _, inner := range n.Blocks() {
				walk(inner)
			}
		}
	}
	walk(b)
	return count
}

// fusePrologue makes a kernel the prologue of a contraction, if that pays.
func (p *planner) fusePrologue(c *program.Contraction, k *program.Kernel) bool {
	if !program.IsPlainGemm(p.prog, c) || len(k.Outs) != 1 || k.Outs[0] != p.prog.Origin(c.Ins[1]) ||
		k.Kernel.NumElems() < minPrologue || program.Size(c.Out.Rows) < minPrologueRows ||
		!isPointwise(k.Kernel, c.Acc) ||
		program.Size(c.Out.Rows) > maxPrologueRows && costOf(&k.Kernel.Body) > maxPrologue {
		return false
	}
	body := &program.Body{Kernel: &kernel.Kernel{Name: k.Kernel.Name, Dims: []int64{bodyLength}, Flush: k.Kernel.Flush},
		Results: 1}
	ins, matrices := c.Ins[:1:1], []program.Matrix(nil)
	for _, in := range k.Kernel.Body.Instrs {
		if in.Op == kernel.Load {
			m, ok := composeMatrix(&c.Right, k.Kernel, in.At)
			if !ok {
				return false
			}
			buf := k.Ins[in.At.Param]
			in.At = &kernel.Access{Param: body.Args, Strides: []int64{1}}
			body.Args++
			ins, matrices = append(ins, buf), append(matrices, m)
			body.Kernel.Params = append(body.Kernel.Params, kernel.Param{Type: in.Type, Elems: bodyLength})
		}
		body.Kernel.Body.Add(in)
	}
	if body.Args == 0 {
		return false
	}
	body.Kernel.Params = append(body.Kernel.Params, kernel.Param{Type: c.Acc, Elems: bodyLength})
	body.Kernel.Stores = []kernel.Store{{Value: k.Kernel.Stores[0].Value, Type: c.Acc,
		At: kernel.Access{Param: body.Args, Strides: []int64{1}}}}
	c.Ins, c.Prologue, c.Right, c.PrologueIns = ins, body, matrices[0], matrices[1:]
	return true
}

// isPointwise reports whether a kernel only computes a dense result of type t, each element from
// elements at affine indices.
func isPointwise(k *kernel.Kernel, t dtype.Type) bool {
	if len(k.Reduces) > 0 || len(k.Stores) != 1 || k.Stores[0].Type != t || k.Stores[0].At.Offset != 0 ||
		!k.Stores[0].At.IsAffine() || k.NumElems() != k.Params[k.Stores[0].At.Param].Elems {
		return false
	}
	return !slices.ContainsFunc(k.Body.Instrs, func(in kernel.Instr) bool {
		return in.Op == kernel.Index || in.Op == kernel.Load && !in.At.IsAffine()
	})
}

// costOf returns the cost of an element, in simple operations.
func costOf(b *kernel.Body) int {
	cost := 0
	for i := range b.Instrs {
		switch op := b.Instrs[i].Op; {
		case op == kernel.Load || op == kernel.Const:
		case op.IsExpensive():
			cost += 2 * maxPrologue
		default:
			cost++
		}
	}
	return cost
}

// composeMatrix composes a matrix over the result of a kernel with one of its accesses: it returns
// the matrix over the buffer that the access loads from.
func composeMatrix(m *program.Matrix, k *kernel.Kernel, at *kernel.Access) (program.Matrix, bool) {
	out := program.Matrix{Offset: at.Offset}
	if m.Offset != 0 {
		return out, false
	}
	to := k.Stores[0].At.Strides
	for i, dims := range [][]program.Dim{m.Batch, m.Rows, m.Cols} {
		list := []*[]program.Dim{&out.Batch, &out.Rows, &out.Cols}[i]
		for _, d := range dims {
			split, ok := splitDim(d, k.Dims, to, at.Strides)
			if !ok {
				return out, false
			}
			*list = append(*list, split...)
		}
	}
	return out, true
}

// splitDim returns a dimension over the result of a kernel as dimensions over a loaded buffer,
// given the strides of the kernel's dimensions in both.
func splitDim(d program.Dim, dims, result, from []int64) (out []program.Dim, ok bool) {
	if d.Size == 1 || d.Stride == 0 {
		return []program.Dim{{Size: d.Size}}, true
	}
	for left := d.Size; left > 1; { // from the innermost on
		stride := d.Stride * (d.Size / left)
		i := -1
		for j, n := range dims {
			if n > 1 && result[j] <= stride && stride < result[j]*n {
				i = j
			}
		}
		if i < 0 || stride%result[i] != 0 {
			return nil, false
		}
		step := stride / result[i]
		if dims[i]%step != 0 {
			return nil, false
		}
		n := min(left, dims[i]/step)
		if left%n != 0 {
			return nil, false
		}
		out = append(out, program.Dim{Size: n, Stride: from[i] * step})
		left /= n
	}
	slices.Reverse(out)
	return out, true
}
