package program

import (
	"bytes"
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/wire"
	"github.com/go-nx/nx/stablehlo"
)

// maxBytes bounds a buffer, so that sums of sizes do not overflow.
const maxBytes = 1 << 48

// maxDepth bounds the nesting of blocks.
const maxDepth = 1000

// Read reads a program that [Program.Append] appended; mistakes are errors of the reader.
// [Program.Verify] checks the meaning.
func Read(r *wire.Reader) *Program {
	n := &nodeReader{Reader: r, p: &Program{}}
	n.p.Buffers = readList(n, 6, n.buffer)
	n.p.Main = n.block(0)
	return n.p
}

// nodeReader holds the types, names of files, ops and kernels that were written once.
type nodeReader struct {
	*wire.Reader
	p       *Program
	types   []*stablehlo.TensorType
	files   []string
	ops     []*stablehlo.Op
	kernels []*kernel.Kernel
}

// readList reads a list whose elements take at least bytesEach bytes.
func readList[T any](r *nodeReader, bytesEach int, read func(*T)) []T {
	n := r.Len(bytesEach)
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		read(&out[i])
	}
	return out
}

// readOnce reads an item that was written once, or its number.
func readOnce[T any](r *nodeReader, known *[]T, read func(text string) (T, error)) (x T) {
	i := r.Below(len(*known) + 1)
	if r.Err() != nil {
		return x
	}
	if i < len(*known) {
		return (*known)[i]
	}
	x, err := read(r.Text())
	if err != nil {
		r.Fail("%w", err)
	}
	*known = append(*known, x)
	return x
}

func (r *nodeReader) buffer(b *Buffer) {
	b.Type = readOnce(r, &r.types, func(text string) (*stablehlo.TensorType, error) {
		t, err := parseType(text)
		if err != nil {
			return nil, err
		}
		n, ok := t.NumElems()
		if !ok || n > maxBytes/int64(max(t.DType().Size(), 1)) {
			return nil, fmt.Errorf("a %s is too large", t)
		}
		return t, nil
	})
	if r.Flag() { // own memory: elements must be aligned for their type
		b.Data = bytes.Clone(r.Bytes())
	}
	b.Alias, b.Local, b.Donated = r.Int(), r.Flag(), r.Flag()
	for range r.Len(5) {
		file := readOnce(r, &r.files, func(text string) (string, error) { return text, nil })
		b.Locs = append(b.Locs,
			&stablehlo.FileLoc{File: file, Line: r.Int(), Col: r.Int(), EndLine: r.Int(), EndCol: r.Int()})
	}
}

func (r *nodeReader) block(depth int) *Block {
	if depth > maxDepth {
		r.Fail("blocks must be nested at most %d deep", depth)
		return &Block{}
	}
	return &Block{Args: r.Ints(), Nodes: r.nodes(depth), Results: r.Ints()}
}

func (r *nodeReader) nodes(depth int) []Node {
	return readList(r, 2, func(n *Node) { *n = r.node(depth + 1) })
}

func (r *nodeReader) operands() Operands { return Operands{r.Ints(), r.Ints()} }

func (r *nodeReader) node(depth int) Node {
	if depth > maxDepth {
		r.Fail("nodes must be nested at most %d deep", depth)
	}
	switch r.Below(numTags) {
	case kernelTag:
		n := &Kernel{Operands: r.operands(), Kernel: r.kernel()}
		n.Slices = readList(r, 3, func(s *Slice) {
			s.Param, s.Array = r.Int(), r.Int()
			s.Starts = readList(r, 3, func(at *Start) {
				at.Index, at.Limit, at.Stride = r.Int(), r.Number(), r.Number()
			})
		})
		return n
	case contractionTag:
		return r.contraction()
	case rowLoopTag:
		return &RowLoop{Rows: r.Numbers(), Steps: r.nodes(depth)}
	case groupTag:
		return &ParallelGroup{r.nodes(depth)}
	case loopTag:
		return &Loop{r.operands(), r.block(depth), r.block(depth)}
	case branchTag:
		return &Branch{r.operands(), readList(r, 3, func(b **Block) { *b = r.block(depth) })}
	}
	return r.call()
}

func (r *nodeReader) kernel() *kernel.Kernel {
	if i := r.Below(len(r.kernels) + 1); i < len(r.kernels) {
		return r.kernels[i]
	}
	name := r.Text()
	k := kernel.ReadKey(r.Reader)
	k.Name = name
	r.kernels = append(r.kernels, k)
	return k
}

func (r *nodeReader) dtype() dtype.Type {
	t := dtype.Type(r.Below(1 << 8))
	if !t.IsValid() {
		r.Fail("unknown element type %d", t)
	}
	return t
}

func (r *nodeReader) contraction() *Contraction {
	n := &Contraction{Operands: r.operands()}
	for _, m := range []*Matrix{&n.Left, &n.Right, &n.Out} {
		r.matrix(m)
	}
	n.Windows = readList(r, 11, func(v *Window) {
		for _, x := range v.numbers() {
			*x = r.Number()
		}
		v.Reversed = r.Flag()
	})
	if r.Flag() {
		n.Prologue = r.body()
	}
	n.PrologueIns = readList(r, 4, r.matrix)
	n.Acc = r.dtype()
	name := r.Text()
	code := stablehlo.LookupOp(name)
	if code == stablehlo.Unregistered {
		r.Fail("unknown op %q", name)
	}
	n.Op = stablehlo.NewOp(code, nil, nil) // for messages
	return n
}

func (r *nodeReader) matrix(m *Matrix) {
	m.Offset = r.Number()
	for _, dims := range []*[]Dim{&m.Batch, &m.Rows, &m.Cols} {
		*dims = readList(r, 2, func(d *Dim) { d.Size, d.Stride = r.Number(), r.Number() })
	}
}

func (r *nodeReader) body() *Body {
	b := &Body{Kernel: r.kernel(), Args: r.Int(), Results: r.Int()}
	if b.Kind = kernel.Op(r.Below(1 << 8)); b.Kind != kernel.Invalid && kernel.OpNamed(b.Kind.String()) != b.Kind {
		r.Fail("unknown operation %d", b.Kind)
	}
	return b
}

func (r *nodeReader) call() *Call {
	n := &Call{Operands: r.operands()}
	n.Op = readOnce(r, &r.ops, func(text string) (*stablehlo.Op, error) {
		op, err := parseOp(text)
		if err != nil {
			return nil, fmt.Errorf("the op of a call: %w", err)
		}
		return op, nil
	})
	n.Bodies = readList(r, 10, func(b **Body) { *b = r.body() })
	n.Keys = readList(r, 5, func(k *SortKey) {
		k.Operand, k.Body, k.Type, k.Total, k.Descending = r.Int(), r.Int(), r.dtype(), r.Flag(), r.Flag()
	})
	if r.Flag() {
		n.Updates = append([]int{}, r.Ints()...)
	}
	n.Gathers, n.Ordered = r.Flag(), r.Flag()
	return n
}
