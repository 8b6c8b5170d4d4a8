package program

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Node computes buffers from buffers.
type Node interface {
	// Reads and Writes return the buffers that the node uses, those of the nodes inside
	// a [Loop] or a [Branch] left out.
	Reads() []int
	Writes() []int
	// Blocks returns the lists of nodes inside.
	Blocks() []*Block
	// Name tells kinds and ops apart in messages.
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

// Kernel runs a kernel, whose parameters are Ins, then Outs. What Slices need beside
// these is at the end of Ins.
type Kernel struct {
	Operands
	Kernel *kernel.Kernel
	Slices []Slice
}

// NumIns returns how many of the operands are parameters of the kernel.
func (n *Kernel) NumIns() int { return len(n.Kernel.Params) - len(n.Outs) }

// Params returns the buffers of the kernel's parameters.
func (n *Kernel) Params() []int { return slices.Concat(n.Ins[:n.NumIns()], n.Outs) }

// Name returns that of the kernel.
func (n *Kernel) Name() string { return "kernel " + n.Kernel.Name }

// RowLoop runs steps that share rows: kernels, whose rows are the first dimensions of their
// iteration spaces, and contractions, whose rows are those of all elements of the batch, of
// convolutions the lines along the last window.
// What one of them writes, the others read in the same row alone, so they may run part by
// part, some rows through all of them while these are in cache: the passes of a softmax
// or a layer normalisation, what happens to the result of a product, the two products of
// attention. Values that no other node uses are [Buffer.Local]: they are never in memory
// as a whole.
type RowLoop struct {
	Rows  []int64
	Steps []Node // kernels and contractions without a prologue
}

// NumRows returns the number of rows.
func (n *RowLoop) NumRows() int64 { return Points(n.Rows) }

// Reads returns what the steps read and did not write before.
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

// Writes returns what the steps write.
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

// ParallelGroup runs nodes that need nothing of each other at the same time, as one list of chunks:
// the updates of an optimiser, products beside each other. The nodes are kernels and
// contractions.
type ParallelGroup struct{ Nodes []Node }

// Reads returns what the nodes read, each buffer once.
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

// Writes returns what the nodes write.
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

// Parts returns the nodes that a nest or a wave is made of, nil for other nodes.
func Parts(n Node) []Node {
	switch n := n.(type) {
	case *RowLoop:
		return n.Steps
	case *ParallelGroup:
		return n.Nodes
	}
	return nil
}

// Loop runs Body as long as Cond leaves true. Both have the state, Outs, as arguments: it
// is Ins first, then what the body leaves.
type Loop struct {
	Operands
	Cond, Body *Block
}

// Blocks returns the condition and the body.
func (n *Loop) Blocks() []*Block { return []*Block{n.Cond, n.Body} }

// Name returns "loop".
func (n *Loop) Name() string { return "loop" }

// Branch runs one of several blocks, whose results are Outs: where the only operand is a
// bool, the first if that is true and the second if not; else that of the number, the last
// for a number without a block.
type Branch struct {
	Operands
	Arms []*Block
}

// Index returns the buffer that picks the block.
func (n *Branch) Index() int { return n.Ins[0] }

// IsBool reports whether the index is a bool.
func (n *Branch) IsBool(p *Program) bool { return p.Buffers[n.Index()].Type.DType() == dtype.Bool }

// Blocks returns the arms.
func (n *Branch) Blocks() []*Block { return n.Arms }

// Name returns "branch".
func (n *Branch) Name() string { return "branch" }

// Call runs an op that has an algorithm of its own. Operands are those of the op, then the
// values that its regions capture. The algorithm applies Bodies, in the order of the op's
// regions; that of a sort by keys computes those of Keys that are no operands.
type Call struct {
	Operands
	Op     *stablehlo.Op
	Bodies []*Body
	Keys   []SortKey // of a sort that compares the bits of keys, not by a body
	Effects
}

// Body is a function of scalars that a call applies to many elements: what a sort
// compares, what a scatter combines.
type Body struct {
	// Kernel is over one dimension, of any length where it runs. Its parameters are so many
	// arguments, results, and the captured scalars, which are the last operands of the call.
	Kernel        *kernel.Kernel
	Args, Results int
	Kind          kernel.Op // the operation of its two arguments that the body is, Invalid for others
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

// SortKey is a key by the bits of which a sort orders its elements; those before it in the
// list decide first.
type SortKey struct {
	Operand    int // whose elements are the key, or -1
	Body       int // that computes the key of the left-hand arguments where there is no operand
	Type       dtype.Type
	Total      bool // NaNs and zeros as in totalOrder
	Descending bool
}

// Effects are what a call does beside computing results of its operands.
type Effects struct {
	// Updates says of each result the operand that it is with a part of it changed: the
	// two may share their memory. It is -1 for none; nil stands for none at all.
	Updates []int
	// Picks says that it reads no more of its first operand than it writes.
	Gathers bool
	// Ordered says that calls of this kind happen in the order of the program.
	Ordered bool
}

// Name returns that of the op.
func (n *Call) Name() string { return n.Op.Name() }

// Replaces reports whether a node, run from its beginning to its end, reads no element of
// operand in after it has written the element of result out in the same place: the two
// may share their memory.
func Replaces(n Node, in, out int) bool {
	switch n := n.(type) {
	case *Kernel:
		return n.replaces(in, out)
	case *Call:
		return out < len(n.Updates) && n.Updates[out] == in
	}
	return false
}

// Updates says of each result of a node the operand that it is with a part of it changed, -1
// for none; nil stands for none at all.
func Updates(n Node) []int {
	switch n := n.(type) {
	case *Kernel:
		return n.updates()
	case *Call:
		return n.Updates
	}
	return nil
}

// MayReplace reports whether an operand may share the memory of a result at all.
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
