package program

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Program is a function as nodes. The blocks inside share its buffers.
type Program struct {
	Buffers []Buffer
	Main    *Block
}

// Buffer is the value of a tensor in memory, dense and row-major.
type Buffer struct {
	Type *stablehlo.TensorType
	// Data is the contents of a constant, nil for all else.
	Data []byte
	// Alias is the buffer, no view itself, whose memory this one shares (a reshape), -1
	// when it has its own.
	Alias int
	// Name is the name of the value in the module, for dumps.
	Name string
}

// Block is a list of nodes: the body of the function, of a loop or of a branch.
type Block struct {
	Args    []int // buffers; those of a loop's blocks are its state
	Nodes   []Node
	Results []int
}

// SizeBytes returns the bytes of the buffer.
func (b *Buffer) SizeBytes() int64 {
	n, _ := b.Type.NumElems()
	return n * int64(b.Type.DType().Size())
}

// Origin returns the buffer that b is a view of.
func (p *Program) Origin(b int) int {
	if a := p.Buffers[b].Alias; a >= 0 {
		return a
	}
	return b
}

// NewKernel returns the node of a kernel, which is told what its parameters are.
func (p *Program) NewKernel(k *kernel.Kernel, ins, outs []int) *Kernel {
	n := &Kernel{Operands{ins, outs}, k}
	for _, b := range n.Params() {
		elems, _ := p.Buffers[b].Type.NumElems()
		k.Params = append(k.Params, kernel.Param{Type: p.Buffers[b].Type.DType(), Elems: elems})
	}
	return n
}

// RowLocal reports whether a kernel stays in the row of each point in parameter i.
func (p *Program) RowLocal(n *Kernel, i int, rows []int64) bool {
	elems, _ := p.Buffers[n.Params()[i]].Type.NumElems()
	return n.Kernel.RowLocal(i, rows, elems)
}
