package program

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Traffic is what the nodes of a program move, in bytes: what each reads and writes, from
// memory or from the cache of the one before. A loop counts as one trip and a branch as
// all its arms, so that the figure follows from the program alone.
type Traffic struct {
	Nodes         int // kernels of nests counted one by one
	Read, Written int64
}

// String says it in a line.
func (t Traffic) String() string {
	return fmt.Sprintf("%d nodes read %d bytes and write %d", t.Nodes, t.Read, t.Written)
}

func (t *Traffic) add(u Traffic) {
	t.Nodes, t.Read, t.Written = t.Nodes+u.Nodes, t.Read+u.Read, t.Written+u.Written
}

// Traffic counts what the nodes of the program move.
func (p *Program) Traffic() Traffic { return p.blockTraffic(p.Main) }

func (p *Program) blockTraffic(b *Block) Traffic {
	var sum Traffic
	for _, n := range b.Nodes {
		sum.add(p.NodeTraffic(n))
	}
	return sum
}

// NodeTraffic counts what a node moves, the nodes inside included.
func (p *Program) NodeTraffic(n Node) Traffic {
	switch n := n.(type) {
	case *Kernel:
		return p.kernelTraffic(n)
	case *RowNest:
		var sum Traffic
		for _, k := range n.Kernels {
			sum.add(p.kernelTraffic(k))
		}
		return sum
	}
	t := Traffic{Nodes: 1}
	for _, b := range n.Blocks() {
		t.add(p.blockTraffic(b))
	}
	if len(n.Blocks()) > 0 {
		return t // states and results pass by name
	}
	size := func(b int) int64 { return p.Buffers[b].SizeBytes() }
	for _, b := range n.Reads() {
		t.Read += size(b)
	}
	for _, b := range n.Writes() {
		t.Written += size(b)
	}
	if c, ok := n.(*Call); ok {
		switch c.Op.Code {
		case stablehlo.OpDynamicSlice, stablehlo.OpGather: // what is taken, not what it is taken from
			t.Read += min(size(c.Outs[0])-size(c.Ins[0]), 0)
		case stablehlo.OpDynamicUpdateSlice: // the rest of the operand stays where it is
			t.Read -= size(c.Ins[0])
			t.Written = size(c.Ins[1])
		}
	}
	return t
}

// kernelTraffic counts the places that the accesses of a kernel reach, each once.
func (p *Program) kernelTraffic(n *Kernel) Traffic {
	reached := make([]int64, len(n.Params()))
	n.Kernel.Accesses(func(a *kernel.Access, t dtype.Type, dims []int64) {
		bytes := int64(t.Size())
		for d, size := range dims {
			if len(a.Lookups) > 0 || a.Strides[d] != 0 || size == 0 {
				bytes *= size
			}
		}
		reached[a.Param] += bytes
	})
	t := Traffic{Nodes: 1}
	for i, b := range n.Params() {
		if bytes := min(reached[i], p.Buffers[b].SizeBytes()); i < len(n.Ins) {
			t.Read += bytes
		} else {
			t.Written += bytes
		}
	}
	return t
}
