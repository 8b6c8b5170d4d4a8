package program

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Program is a function as nodes. All blocks share its buffers.
type Program struct {
	Buffers []Buffer
	Main    *Block
}

// Buffer is the value of a tensor in memory, dense and row-major.
type Buffer struct {
	Type *stablehlo.TensorType
	// Data is the contents of a constant, else nil.
	Data []byte
	// Alias is the buffer, which is not a view itself, whose memory this one shares (a reshape), -1
	// if it has its own.
	Alias int
	// Local means that only the steps of one [RowLoop] use it, so that it only has memory for the
	// rows that a worker computes at a time.
	Local bool
	// Donated means that it is an argument whose memory others may take.
	Donated bool
	// Name is the name of the value in the module, for dumps.
	Name string
	// Locs are the locations of the ops that compute the value, for profiles.
	Locs []stablehlo.Location
}

// AddLoc adds a location to a list that does not have it.
func AddLoc(list []stablehlo.Location, loc stablehlo.Location) []stablehlo.Location {
	if f := stablehlo.FileOf(loc); f != nil {
		loc = f
	}
	for _, l := range list {
		if a, ok := l.(*stablehlo.FileLoc); ok {
			if b, ok := loc.(*stablehlo.FileLoc); ok && *a == *b {
				return list
			}
		}
	}
	if loc == nil {
		return list
	}
	return append(list, loc)
}

// Block is a list of nodes: the body of the function, of a loop or of a branch.
type Block struct {
	Args    []int // buffers; those of a loop's blocks are its state
	Nodes   []Node
	Results []int
}

// SizeBytes returns the size of the buffer.
func (b *Buffer) SizeBytes() int64 {
	n, _ := b.Type.NumElems()
	return n * int64(b.Type.DType().Size())
}

// Origin returns the buffer that b is a view of, or b.
func (p *Program) Origin(b int) int {
	if a := p.Buffers[b].Alias; a >= 0 {
		return a
	}
	return b
}

// NewKernel returns the node of a kernel, and sets the kernel's parameters.
func (p *Program) NewKernel(k *kernel.Kernel, ins, outs []int) *Kernel {
	n := &Kernel{Operands: Operands{ins, outs}, Kernel: k}
	for _, b := range slices.Concat(ins, outs) {
		elems, _ := p.Buffers[b].Type.NumElems()
		k.Params = append(k.Params, kernel.Param{Type: p.Buffers[b].Type.DType(), Elems: elems})
	}
	return n
}

// RowLocal reports whether a step of a row loop of rows rows uses buffer i of those that it reads,
// then writes, row by row.
func (p *Program) RowLocal(n Node, i int, rows int64) bool {
	switch n := n.(type) {
	case *Kernel:
		param := i
		if i >= n.NumIns() {
			param = n.NumIns() + i - len(n.Ins)
		}
		if i >= n.NumIns() && i < len(n.Ins) || n.Slice(param) != nil {
			return false
		}
		dims, ok := RowDims(n.Kernel, rows)
		return ok && n.Kernel.RowLocal(param, dims, n.Kernel.Params[param].Elems)
	case *Contraction:
		elems, _ := p.Buffers[slices.Concat(n.Ins, n.Outs)[i]].Type.NumElems()
		switch {
		case i == len(n.Ins):
			m := n.rowMatrix()
			return m.rowLocal(rows, elems)
		case i == 0 && len(n.Windows) == 0:
			return n.Left.rowLocal(rows, elems)
		}
	}
	return false
}

// RowDims returns the first dimensions of a kernel's iteration space that have rows points: all
// kept dimensions for a reduction; ok is false if there are none.
func RowDims(k *kernel.Kernel, rows int64) (dims []int64, ok bool) {
	kept := k.Dims[:len(k.Dims)-k.NumReduced]
	if k.NumReduced > 0 || len(k.Reduces) > 0 {
		return kept, Points(kept) == rows
	}
	for n := range len(kept) + 1 {
		if Points(kept[:n]) == rows {
			return kept[:n], true
		}
	}
	return nil, false
}

// SplitToRows returns a kernel without reductions with one of its dimensions split, so that the
// first dimensions have rows points; nil if no split does that.
func SplitToRows(k *kernel.Kernel, rows int64) *kernel.Kernel {
	if len(k.Reduces) > 0 || rows <= 0 {
		return nil
	}
	before := int64(1) // points of the dimensions before d
	for d, n := range k.Dims {
		if n == 0 || rows%before != 0 {
			return nil
		}
		if outer := rows / before; outer < n {
			if n%outer != 0 {
				return nil
			}
			return k.Split(d, n/outer)
		}
		before *= n
	}
	return nil
}

// Points returns the number of points of a space.
func Points(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}
