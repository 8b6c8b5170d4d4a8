package program

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Node computes buffers from buffers.
type Node interface {
	// Reads and Writes return the buffers that the node uses, without those of the nodes inside a
	// [Loop] or a [Branch].
	Reads() []int
	Writes() []int
	// Blocks returns the lists of nodes inside.
	Blocks() []*Block
	// Name returns the kind of the node, with its op or kernel, for messages.
	Name() string
}

// Operands are the buffers that a node reads and writes.
type Operands struct{ Ins, Outs []int }

// Reads returns the buffers that are read.
func (o *Operands) Reads() []int { return o.Ins }

// Writes returns the buffers that are written.
func (o *Operands) Writes() []int { return o.Outs }

// Blocks returns nil: most nodes have none.
func (o *Operands) Blocks() []*Block { return nil }

// Kernel runs a kernel, whose parameters are Ins, then Outs. The arrays and indices of Slices are
// at the end of Ins.
type Kernel struct {
	Operands
	Kernel *kernel.Kernel
	Slices []Slice
}

// NumIns returns the number of inputs that are parameters of the kernel.
func (n *Kernel) NumIns() int { return len(n.Kernel.Params) - len(n.Outs) }

// Params returns the buffers of the kernel's parameters.
func (n *Kernel) Params() []int { return slices.Concat(n.Ins[:n.NumIns()], n.Outs) }

// Name returns that of the kernel.
func (n *Kernel) Name() string { return "kernel " + n.Kernel.Name }

// RowLoop is a fused row loop: steps that share rows. They are kernels, whose rows are the first
// dimensions of their iteration spaces, and contractions, whose rows are those of the entire batch,
// or of convolutions the lines along the last window.
//
// A step reads the results of others only in the same row. So they may run part by part, a few rows
// through all of them while these are in cache: the passes of a softmax or a layer normalisation,
// the consumers of a matrix product, the two products of attention. Values that no other node uses
// are [Buffer.Local]: they are never in memory in full.
type RowLoop struct {
	Rows  []int64
	Steps []Node // kernels and contractions without a prologue
}

// NumRows returns the number of rows.
func (n *RowLoop) NumRows() int64 { return Points(n.Rows) }

// Reads returns the buffers that the steps read and did not write before.
func (n *RowLoop) Reads() []int {
	var out, written []int
	for _, s := range n.Steps {
		for _, b := range s.Reads() {
			if !slices.Contains(written, b) && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
		written = append(written, s.Writes()...)
	}
	return out
}

// Writes returns the buffers that the steps write.
func (n *RowLoop) Writes() []int {
	var out []int
	for _, s := range n.Steps {
		out = append(out, s.Writes()...)
	}
	return out
}

// Blocks returns nil.
func (n *RowLoop) Blocks() []*Block { return nil }

// Name returns "row loop".
func (n *RowLoop) Name() string { return "row loop" }

// ParallelGroup runs independent nodes in parallel, as one list of chunks: the updates of an
// optimiser, or independent contractions. The nodes are kernels and contractions.
type ParallelGroup struct{ Nodes []Node }

// Reads returns the buffers that the nodes read, each once.
func (n *ParallelGroup) Reads() []int {
	var out []int
	for _, m := range n.Nodes {
		for _, b := range m.Reads() {
			if !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// Writes returns the buffers that the nodes write.
func (n *ParallelGroup) Writes() []int {
	var out []int
	for _, m := range n.Nodes {
		out = append(out, m.Writes()...)
	}
	return out
}

// Blocks returns nil.
func (n *ParallelGroup) Blocks() []*Block { return nil }

// Name returns "parallel group".
func (n *ParallelGroup) Name() string { return "parallel group" }

// Parts returns the nodes of a row loop or a parallel group, nil for other nodes.
func Parts(n Node) []Node {
	switch n := n.(type) {
	case *RowLoop:
		return n.Steps
	case *ParallelGroup:
		return n.Nodes
	}
	return nil
}

// Loop runs Body while Cond returns true. Both have the state, Outs, as arguments: it is Ins first,
// then the results of the body.
type Loop struct {
	Operands
	Cond, Body *Block
}

// Blocks returns the condition and the body.
func (n *Loop) Blocks() []*Block { return []*Block{n.Cond, n.Body} }

// Name returns "loop".
func (n *Loop) Name() string { return "loop" }

// Branch runs one of several blocks, whose results are Outs. A bool operand selects the first block
// if it is true, else the second; an integer selects by index, the last block if it is out of
// range.
type Branch struct {
	Operands
	Arms []*Block
}

// Index returns the buffer that selects the block.
func (n *Branch) Index() int { return n.Ins[0] }

// IsBool reports whether the index is a bool.
func (n *Branch) IsBool(p *Program) bool { return p.Buffers[n.Index()].Type.DType() == dtype.Bool }

// Blocks returns the arms.
func (n *Branch) Blocks() []*Block { return n.Arms }

// Name returns "branch".
func (n *Branch) Name() string { return "branch" }

// Call runs an op that has its own algorithm. Its operands are those of the op, then the values
// that its regions capture. The algorithm applies Bodies, in the order of the op's regions; a sort
// by keys uses them for the Keys that are not operands.
type Call struct {
	Operands
	Op     *stablehlo.Op
	Bodies []*Body
	Keys   []SortKey // of a sort that compares the bits of keys instead of using a body
	Effects
}

// Body is a function of scalars that a call applies to many elements: the comparator of a sort, the
// combiner of a scatter.
type Body struct {
	// Kernel is over one dimension of any length. Its parameters are the arguments, the results,
	// and the captured scalars, which are the last operands of the call.
	Kernel        *kernel.Kernel
	Args, Results int
	Kind          kernel.Op // the operation that the body is, of its two arguments; else Invalid
}

// IsSecond reports whether a body of two arguments returns the second.
func (b *Body) IsSecond() bool {
	k := b.Kernel
	if b.Args != 2 || b.Results != 1 || len(k.Stores) != 1 {
		return false
	}
	in := &k.Body.Instrs[k.Stores[0].Value]
	if in.Op == kernel.Convert && in.From == in.Type {
		in = &k.Body.Instrs[in.Args[0]]
	}
	return in.Op == kernel.Load && in.At.Param == 1 && in.Type == k.Stores[0].Type
}

// SortKey is a key of a sort, which orders elements by the bits of their keys; earlier keys take precedence.
type SortKey struct {
	Operand    int // whose elements are the key, or -1
	Body       int // that computes the key of the left-hand arguments, if there is no operand
	Type       dtype.Type
	Total      bool // NaNs and zeros as in totalOrder
	Descending bool
}

// Effects are the effects of a call on memory, and its ordering.
type Effects struct {
	// Updates is, for each result, the operand that it is with a part of it changed: the two may
	// share memory. It is -1 for none; nil stands for no updates.
	Updates []int
	// Gathers means that it reads no more of its first operand than it writes.
	Gathers bool
	// Ordered means that such calls happen in program order.
	Ordered bool
}

// Name returns that of the op.
func (n *Call) Name() string { return n.Op.Name() }

// Replaces reports whether a node, run sequentially, reads no element of operand in after it has
// written the element of result out at the same index: the two may share memory.
func Replaces(n Node, in, out int) bool {
	switch n := n.(type) {
	case *Kernel:
		return n.replaces(in, out)
	case *Call:
		return out < len(n.Updates) && n.Updates[out] == in
	}
	return false
}

// Updates returns, for each result of a node, the operand that it is with a part of it changed, -1
// for none; nil stands for no updates.
func Updates(n Node) []int {
	switch n := n.(type) {
	case *Kernel:
		return n.updates()
	case *Call:
		return n.Updates
	}
	return nil
}

// MayReplace reports whether an operand could share the memory of a result.
func MayReplace(n Node) bool {
	switch n := n.(type) {
	case *Kernel:
		return n.Kernel.MayReplace() || n.Slices != nil
	case *Call:
		return n.Updates != nil
	}
	return false
}

// ReplacesAny reports whether operand in may share the memory of a result.
func ReplacesAny(n Node, in int) bool {
	switch n := n.(type) {
	case *Kernel:
		if !MayReplace(n) {
			return false
		}
		for out := range n.Outs {
			if Replaces(n, in, out) {
				return true
			}
		}
	case *Call:
		return slices.Contains(n.Updates, in)
	}
	return false
}
