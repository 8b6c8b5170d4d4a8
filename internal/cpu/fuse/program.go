// Package fuse turns a function into a program: kernels, each fusing a group
// of element-wise ops and reductions, and steps for ops that have an algorithm
// of their own, over buffers that are not placed in memory yet.
package fuse

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Program is a function after fusion. The programs of regions share its buffers.
type Program struct {
	Buffers []Buffer
	Main    *Block
}

// Buffer is the value of a tensor in memory, dense and row-major.
type Buffer struct {
	Type *stablehlo.TensorType
	// Data is the contents of a constant, nil for all else.
	Data []byte
	// Alias is the buffer whose memory this one shares (a reshape, a loop's
	// result), -1 when it has its own.
	Alias int
	// Name is the name of the value in the module, for dumps.
	Name string
}

// Block is a list of steps: the body of the function or of a region.
type Block struct {
	Args    []int // buffers
	Steps   []Step
	Groups  []Group // in the order of their steps
	Results []int
}

// Step computes buffers from buffers: a kernel, or an op of the library or of
// control flow.
type Step struct {
	Kernel *kernel.Kernel // its parameters are Ins then Outs
	Op     *stablehlo.Op  // when Kernel is nil
	Ins    []int
	Outs   []int
	Blocks []*Block // the regions of Op
}

// setParams tells the kernel of a step what its buffers are.
func (p *Program) setParams(s *Step) {
	if s.Kernel == nil {
		return
	}
	for _, b := range s.Params() {
		n, _ := p.Buffers[b].Type.NumElems()
		s.Kernel.Params = append(s.Kernel.Params, kernel.Param{Type: p.Buffers[b].Type.DType(), Elems: n})
	}
}

// SizeBytes returns the bytes of the buffer.
func (b *Buffer) SizeBytes() int64 {
	n, _ := b.Type.NumElems()
	return n * int64(b.Type.DType().Size())
}
