package program

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/wire"
	"github.com/go-nx/nx/stablehlo"
)

// The first byte of a node.
const (
	kernelTag = iota
	contractionTag
	rowLoopTag
	groupTag
	loopTag
	branchTag
	callTag
	numTags
)

// Append appends the program as bytes that [Read] reads: with the contents of constants and, if
// locs is set, the locations in files, without the names of values.
func (p *Program) Append(b []byte, locs bool) []byte {
	w := &nodeWriter{Writer: wire.Writer{B: b}, locs: locs, types: map[string]int{}, files: map[string]int{},
		ops: map[string]int{}, kernels: map[string]int{}, known: map[*kernel.Kernel]int{}}
	w.Int(len(p.Buffers))
	for i := range p.Buffers {
		w.buffer(&p.Buffers[i])
	}
	w.block(p.Main)
	return w.B
}

// nodeWriter writes types, names of files, ops and kernels once, and their numbers after that.
type nodeWriter struct {
	wire.Writer
	locs                       bool
	types, files, ops, kernels map[string]int
	known                      map[*kernel.Kernel]int
	key                        []byte // of the current kernel
}

// once writes the number of a text; isNew means that the text must follow.
func (w *nodeWriter) once(known map[string]int, text string) (isNew bool) {
	n, ok := known[text]
	if !ok {
		n = len(known)
		known[text] = n
	}
	w.Int(n)
	return !ok
}

// each writes a list of integers without its length.
func (w *nodeWriter) each(list ...int) {
	for _, n := range list {
		w.Int(n)
	}
}

func (w *nodeWriter) buffer(b *Buffer) {
	if text := typeText(b.Type); w.once(w.types, text) {
		w.Text(text)
	}
	if w.Flag(b.Data != nil); b.Data != nil {
		w.Bytes(b.Data)
	}
	w.Int(b.Alias)
	w.Flag(b.Local)
	w.Flag(b.Donated)
	var locs []*stablehlo.FileLoc
	for _, l := range b.Locs {
		if f := stablehlo.FileOf(l); f != nil && w.locs {
			locs = append(locs, f)
		}
	}
	w.Int(len(locs))
	for _, f := range locs {
		if w.once(w.files, f.File) {
			w.Text(f.File)
		}
		w.each(f.Line, f.Col, f.EndLine, f.EndCol)
	}
}

func (w *nodeWriter) block(b *Block) {
	w.Ints(b.Args)
	w.nodes(b.Nodes)
	w.Ints(b.Results)
}

func (w *nodeWriter) nodes(list []Node) {
	w.Int(len(list))
	for _, n := range list {
		w.node(n)
	}
}

func (w *nodeWriter) node(n Node) {
	switch n := n.(type) {
	case *Kernel:
		w.start(kernelTag, &n.Operands)
		w.kernel(n.Kernel)
		w.Int(len(n.Slices))
		for _, s := range n.Slices {
			w.each(s.Param, s.Array)
			w.Int(len(s.Starts))
			for _, at := range s.Starts {
				w.Int(at.Index)
				w.Number(at.Limit)
				w.Number(at.Stride)
			}
		}
	case *Contraction:
		w.start(contractionTag, &n.Operands)
		w.contraction(n)
	case *RowLoop:
		w.Int(rowLoopTag)
		w.Numbers(n.Rows)
		w.nodes(n.Steps)
	case *ParallelGroup:
		w.Int(groupTag)
		w.nodes(n.Nodes)
	case *Loop:
		w.start(loopTag, &n.Operands)
		w.block(n.Cond)
		w.block(n.Body)
	case *Branch:
		w.start(branchTag, &n.Operands)
		w.Int(len(n.Arms))
		for _, b := range n.Arms {
			w.block(b)
		}
	case *Call:
		w.start(callTag, &n.Operands)
		w.call(n)
	}
}

func (w *nodeWriter) start(tag int, o *Operands) {
	w.Int(tag)
	w.Ints(o.Ins)
	w.Ints(o.Outs)
}

// kernel writes equal kernels once: the reader shares them.
func (w *nodeWriter) kernel(k *kernel.Kernel) {
	n, ok := w.known[k]
	if !ok {
		name := wire.Writer{B: w.key[:0]}
		name.Text(k.Name)
		w.key = k.AppendKey(name.B)
		if n, ok = w.kernels[string(w.key)]; !ok {
			n = len(w.kernels)
			w.kernels[string(w.key)] = n
		}
		w.known[k] = n
	}
	if w.Int(n); !ok {
		w.B = append(w.B, w.key...)
	}
}

func (w *nodeWriter) contraction(n *Contraction) {
	for _, m := range []*Matrix{&n.Left, &n.Right, &n.Out} {
		w.matrix(m)
	}
	w.Int(len(n.Windows))
	for _, v := range n.Windows {
		for _, x := range v.numbers() {
			w.Number(*x)
		}
		w.Flag(v.Reversed)
	}
	if w.Flag(n.Prologue != nil); n.Prologue != nil {
		w.body(n.Prologue)
	}
	w.Int(len(n.PrologueIns))
	for i := range n.PrologueIns {
		w.matrix(&n.PrologueIns[i])
	}
	w.Int(int(n.Acc))
	w.Text(n.Op.Name())
}

func (w *nodeWriter) matrix(m *Matrix) {
	w.Number(m.Offset)
	for _, dims := range [][]Dim{m.Batch, m.Rows, m.Cols} {
		w.Int(len(dims))
		for _, d := range dims {
			w.Number(d.Size)
			w.Number(d.Stride)
		}
	}
}

func (w *nodeWriter) body(b *Body) {
	w.kernel(b.Kernel)
	w.each(b.Args, b.Results, int(b.Kind))
}

func (w *nodeWriter) call(n *Call) {
	if text := moduleOf(n.Op).String(); w.once(w.ops, text) {
		w.Text(text)
	}
	w.Int(len(n.Bodies))
	for _, b := range n.Bodies {
		w.body(b)
	}
	w.Int(len(n.Keys))
	for _, k := range n.Keys {
		w.each(k.Operand, k.Body, int(k.Type))
		w.Flag(k.Total)
		w.Flag(k.Descending)
	}
	if w.Flag(n.Updates != nil); n.Updates != nil {
		w.Ints(n.Updates)
	}
	w.Flag(n.Gathers)
	w.Flag(n.Ordered)
}

// numbers returns the integer fields of a window.
func (v *Window) numbers() []*int64 {
	return []*int64{&v.In, &v.Taps, &v.Positions, &v.Left, &v.Right, &v.Out, &v.Step, &v.Low, &v.Dilation,
		&v.BaseDilation}
}
