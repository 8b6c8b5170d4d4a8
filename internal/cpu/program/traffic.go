package program

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Traffic is a number of bytes read and written, each element once.
type Traffic struct{ Read, Written int64 }

// Add returns the sum of two.
func (t Traffic) Add(u Traffic) Traffic { return Traffic{t.Read + u.Read, t.Written + u.Written} }

// Traffic returns the traffic of a node, without the nodes inside a loop or a branch. A row loop
// reads the operands of its steps that these do not write, each buffer once, and writes all their
// results except local ones. Scratch memory of algorithms does not count.
func (p *Program) Traffic(n Node) Traffic {
	switch n := n.(type) {
	case *Kernel:
		return p.kernelTraffic(n)
	case *RowLoop:
		var t Traffic
		read, written := map[int]int64{}, []int{}
		for _, s := range n.Steps {
			t.Written += p.Traffic(s).Written
			for i, b := range s.Reads() {
				if b = p.Origin(b); !slices.Contains(written, b) {
					read[b] = max(read[b], p.bytesRead(s, i))
				}
			}
			for _, b := range s.Writes() {
				written = append(written, p.Origin(b))
			}
		}
		for _, bytes := range read {
			t.Read += bytes
		}
		return t
	case *ParallelGroup:
		var t Traffic
		for _, m := range n.Nodes {
			t = t.Add(p.Traffic(m))
		}
		return t
	case *Contraction:
		t := Traffic{Written: p.Buffers[n.Outs[0]].SizeBytes()}
		for i := range n.Ins {
			t.Read += p.bytesRead(n, i)
		}
		if p.Buffers[n.Outs[0]].Local {
			t.Written = 0
		}
		return t
	case *Call:
		return p.callTraffic(n)
	}
	return Traffic{}
}

func (p *Program) kernelTraffic(n *Kernel) Traffic {
	var t Traffic
	for i := range n.Ins {
		t.Read += p.bytesRead(n, i)
	}
	for i, b := range n.Outs {
		if !p.Buffers[b].Local {
			t.Written += bytesTouched(n.Kernel, n.NumIns()+i)
		}
	}
	return t
}

// bytesRead returns the bytes of operand i that a kernel or a contraction reads from memory.
func (p *Program) bytesRead(n Node, i int) int64 {
	switch n := n.(type) {
	case *Kernel:
		switch {
		case p.Buffers[n.Ins[i]].Local || slices.Contains(n.updates(), i):
			return 0
		case i >= n.NumIns():
			return p.Buffers[n.Ins[i]].SizeBytes()
		}
		return bytesTouched(n.Kernel, i)
	case *Contraction:
		if !p.Buffers[n.Ins[i]].Local {
			return p.bytesReached(n.Ins[i], n.matrices()[i], n.Windows != nil)
		}
	}
	return 0
}

// bytesTouched returns the bytes of a parameter that a kernel uses: those of its accesses, at most
// all.
func bytesTouched(k *kernel.Kernel, param int) int64 {
	var seen []*kernel.Access
	elems := int64(0)
	k.Accesses(func(a *kernel.Access, _ dtype.Type, dims []int64) {
		same := func(b *kernel.Access) bool { return a.Offset == b.Offset && slices.Equal(a.Strides, b.Strides) }
		if a.Param != param || a.IsAffine() && slices.ContainsFunc(seen, same) {
			return
		}
		seen = append(seen, a)
		points := int64(1)
		for d, n := range dims {
			if a.Strides[d] != 0 || len(a.Lookups) > 0 {
				points *= n
			}
		}
		elems += points
	})
	return min(elems, k.Params[param].Elems) * int64(k.Params[param].Type.Size())
}

// bytesReached returns the bytes of the elements of matrices in a buffer, all of it if windows
// slide over it.
func (p *Program) bytesReached(b int, m *Matrix, windows bool) int64 {
	elems := int64(1)
	for _, d := range slices.Concat(m.Batch, m.Rows, m.Cols) {
		if d.Stride != 0 {
			elems *= d.Size
		}
	}
	all := p.Buffers[b].SizeBytes()
	if windows {
		return all
	}
	return min(elems*int64(p.Buffers[b].Type.DType().Size()), all)
}

func (p *Program) callTraffic(n *Call) Traffic {
	var t Traffic
	others := int64(0) // of operands that are used in full
	for i, b := range n.Ins {
		if slices.Contains(n.Updates, i) || n.Gathers && i == 0 {
			continue
		}
		others += p.Buffers[b].SizeBytes()
	}
	t.Read = others
	for i, b := range n.Outs {
		bytes := p.Buffers[b].SizeBytes()
		if i < len(n.Updates) && n.Updates[i] >= 0 {
			bytes = min(bytes, others)
			t.Read += bytes
		}
		t.Written += bytes
	}
	if n.Gathers {
		t.Read += min(p.Buffers[n.Ins[0]].SizeBytes(), t.Written)
	}
	return t
}
