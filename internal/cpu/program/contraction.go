package program

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// Contraction sums products: Out[b, m, n] = Σₖ Left[b, m, k] · Right[b, k, n], over k in order.
// Operands and result are matrices over the elements of their buffers with arbitrary strides:
// transposes, slices and broadcasts are not copied.
//
// With a prologue, the right operand is computed while it is packed, and never in memory: element
// by element from the matrices Right and PrologueIns, over the operands after the left one.
//
// With windows it is a convolution. Each row of Left and Out is repeated for every position of all
// windows, and each k for every tap, the taps outermost. Elements outside of Left are 0.
type Contraction struct {
	Operands    // the left and the right operand to the result
	Left        Matrix
	Right       Matrix
	Out         Matrix
	Windows     []Window
	Prologue    *Body // with one argument per operand except the left one; nil for none
	PrologueIns []Matrix
	Acc         dtype.Type    // of products and sums
	Op          *stablehlo.Op // for messages
}

// Matrix is a batch of matrices: the strides of their dimensions, and the first element.
type Matrix struct {
	Offset            int64
	Batch, Rows, Cols []Dim
}

// Dim is one dimension of a matrix: its size and stride.
type Dim struct{ Size, Stride int64 }

// Window is a dimension along which a convolution slides its right operand. Tap t at position o
// meets element q / BaseDilation of Left, if q = o·Step + t·Dilation - Low is a multiple of it;
// Reversed reverses the taps in Right.
type Window struct {
	In, Taps, Positions               int64 // sizes in Left, Right and Out
	Left, Right, Out                  int64 // strides there
	Step, Low, Dilation, BaseDilation int64
	Reversed                          bool
}

// Accumulation returns the type of the sums of products: f32 for narrower floats, 32 bits for
// narrower integers.
func Accumulation(a, b, out dtype.Type) dtype.Type {
	switch t := dtype.Promote(dtype.Promote(a, b), out); {
	case t.IsComplex() || t == dtype.F64:
		return t
	case t.IsFloat():
		return dtype.F32
	case t.Bits() == 64:
		return dtype.S64
	}
	return dtype.S32
}

// IsPlainGemm reports whether a contraction is a matrix product of F32 or F64 without windows,
// conversions or a prologue.
func IsPlainGemm(p *Program, n *Contraction) bool {
	return len(n.Windows) == 0 && n.Prologue == nil && isPlain(p, n)
}

// IsBF16Gemm reports whether a contraction is a matrix product of BF16 to BF16 without windows or a
// prologue.
func IsBF16Gemm(p *Program, n *Contraction) bool {
	return len(n.Windows) == 0 && n.Prologue == nil && isOfBF16(p, n) && p.Buffers[n.Outs[0]].Type.DType() == dtype.BF16
}

// isPlain reports whether operands and result of a contraction are F32, or F64.
func isPlain(p *Program, n *Contraction) bool {
	if n.Acc != dtype.F32 && n.Acc != dtype.F64 {
		return false
	}
	for _, b := range slices.Concat(n.Ins, n.Outs) {
		if t := p.Buffers[b].Type; t.DType() != n.Acc || t.Quant() != nil {
			return false
		}
	}
	return true
}

// isOfBF16 reports whether a contraction multiplies bf16 and has a result of bf16 or F32.
func isOfBF16(p *Program, n *Contraction) bool {
	of := func(b int, types ...dtype.Type) bool {
		t := p.Buffers[b].Type
		return t.Quant() == nil && slices.Contains(types, t.DType())
	}
	return n.Acc == dtype.F32 && of(n.Ins[0], dtype.BF16) && of(n.Ins[1], dtype.BF16) &&
		of(n.Outs[0], dtype.BF16, dtype.F32)
}

// Work returns the number of multiplications of a contraction.
func (n *Contraction) Work() int64 {
	work := Size(n.Out.Batch) * Size(n.Out.Rows) * Size(n.Out.Cols) * Size(n.Left.Cols)
	for _, w := range n.Windows {
		work *= w.Taps * w.Positions
	}
	return work
}

// Name returns "contraction".
func (n *Contraction) Name() string { return "contraction" }

// String returns the description of the contraction: the offset of each matrix and its batch, rows
// and columns as size:stride.
func (n *Contraction) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sums %s of left %s, right %s to %s", n.Acc, &n.Left, &n.Right, &n.Out)
	if n.Prologue != nil {
		fmt.Fprintf(&b, "\nright computed by %s", n.Prologue.Kernel.Name)
	}
	for i := range n.PrologueIns {
		fmt.Fprintf(&b, "\nand %s", &n.PrologueIns[i])
	}
	for _, w := range n.Windows {
		fmt.Fprintf(&b, "\nwindow of %d:%d at %d:%d in %d:%d, step %d, low %d", w.Taps, w.Right, w.Positions, w.Out,
			w.In, w.Left, w.Step, w.Low)
		if w.Dilation != 1 || w.BaseDilation != 1 {
			fmt.Fprintf(&b, ", dilations %d and %d", w.Dilation, w.BaseDilation)
		}
		if w.Reversed {
			b.WriteString(", reversed")
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// prologueText returns the prologue as text, "" if there is none.
func (n *Contraction) prologueText() string {
	if n.Prologue == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("prologue\n")
	indented(&b, n.Prologue.Kernel.String())
	return b.String()
}

// String returns the matrix as text: "5 + [8:32 | 4:8 | 8:1]".
func (m *Matrix) String() string {
	var b strings.Builder
	if m.Offset != 0 {
		fmt.Fprintf(&b, "%d + ", m.Offset)
	}
	for i, dims := range [][]Dim{m.Batch, m.Rows, m.Cols} {
		b.WriteString([...]string{"[", " |", " |"}[i])
		for j, d := range dims {
			if i > 0 || j > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%d:%d", d.Size, d.Stride)
		}
	}
	b.WriteByte(']')
	return b.String()
}

// Size returns the number of points of dimensions.
func Size(dims []Dim) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d.Size
	}
	return n
}

// matrices returns the matrices of the operands and the result.
func (n *Contraction) matrices() []*Matrix {
	out := []*Matrix{&n.Left, &n.Right}
	for i := range n.PrologueIns {
		out = append(out, &n.PrologueIns[i])
	}
	return append(out, &n.Out)
}

// rowMatrix returns the result as rows of a fused row loop: the rows of a matrix product, or the
// lines of a convolution along its last window, with features and groups as columns.
func (n *Contraction) rowMatrix() Matrix {
	last := len(n.Windows) - 1
	if last < 0 {
		return n.Out
	}
	m := Matrix{Offset: n.Out.Offset, Rows: slices.Clone(n.Out.Rows)}
	for _, w := range n.Windows[:last] {
		m.Rows = append(m.Rows, Dim{w.Positions, w.Out})
	}
	w := n.Windows[last]
	m.Cols = slices.Concat([]Dim{{w.Positions, w.Out}}, n.Out.Batch, n.Out.Cols)
	return m
}

// RowSizes returns the sizes of the rows of the result in a fused row loop.
func (n *Contraction) RowSizes() []int64 {
	var sizes []int64
	m := n.rowMatrix()
	for _, d := range slices.Concat(m.Batch, m.Rows) {
		sizes = append(sizes, d.Size)
	}
	return sizes
}

// rowLocal reports whether the matrices have rows rows in all, each in its part of a buffer that is
// cut into as many.
func (m *Matrix) rowLocal(rows, elems int64) bool {
	if rows == 0 || elems%rows != 0 || Size(m.Batch)*Size(m.Rows) != rows {
		return false
	}
	next := elems / rows
	dims := slices.Concat(m.Batch, m.Rows)
	for _, d := range slices.Backward(dims) {
		if d.Size > 1 && d.Stride != next {
			return false
		}
		next *= d.Size
	}
	last := m.Offset
	for _, d := range m.Cols {
		if d.Stride < 0 || d.Size == 0 {
			return false
		}
		last += (d.Size - 1) * d.Stride
	}
	return m.Offset >= 0 && last < elems/rows
}

// IsRowContraction reports whether a contraction can be a step of a fused row loop of rows rows: it
// has no prologue, no conversions except from bf16, and its result is successive rows in memory.
func IsRowContraction(p *Program, n *Contraction, rows int64) bool {
	if n.Prologue != nil || !p.RowLocal(n, len(n.Ins), rows) {
		return false
	}
	if len(n.Windows) > 0 {
		return n.Left.Offset == 0 && n.Right.Offset == 0 && isPlain(p, n) && n.isRowByRow()
	}
	if !isPlain(p, n) && !isOfBF16(p, n) {
		return false
	}
	return Size(n.Left.Batch)*Size(n.Left.Rows) == rows
}

// isRowByRow reports whether a convolution can be computed line by line: its features are
// neighbours in memory, and its windows lie mostly inside the image.
func (n *Contraction) isRowByRow() bool {
	for _, w := range n.Windows {
		if w.BaseDilation != 1 || w.Taps < 1 || w.Positions < 1 || w.Taps*w.Dilation > w.In || w.Left < 0 || w.Out < 0 {
			return false
		}
	}
	groups, in, out := n.Out.Batch[0], n.Left.Cols[0].Size, n.Out.Cols[0]
	switch {
	case n.Out.Rows[0].Size < 1 || in < 1 || out.Size < 1:
		return false
	case groups.Size > 1:
		return in == 1 && out.Size == 1 && n.Left.Batch[0].Stride == 1 && groups.Stride == 1
	}
	return groups.Size == 1 && out.Stride == 1
}

// verify checks that the matrices fit each other and their buffers, and that the result covers its
// buffer once.
func (n *Contraction) verify(p *Program) error {
	if len(n.Ins) != 2+len(n.PrologueIns) || len(n.Outs) != 1 {
		return fmt.Errorf("a contraction must have 2 operands and 1 result, got %d and %d", len(n.Ins), len(n.Outs))
	}
	if !n.Acc.IsValid() || n.Op == nil {
		return errors.New("the type of sums or the op is missing")
	}
	l, r, o := &n.Left, &n.Right, &n.Out
	if b := Size(l.Batch); b != Size(r.Batch) || b != Size(o.Batch) || Size(l.Rows) != Size(o.Rows) ||
		Size(l.Cols) != Size(r.Rows) || Size(r.Cols) != Size(o.Cols) {
		return fmt.Errorf("the matrices do not fit: %s", n)
	}
	if err := n.verifyPrologue(p); err != nil {
		return err
	}
	var in, taps, out []Dim
	for _, w := range n.Windows {
		if w.In < 0 || w.Taps < 0 || w.Positions < 0 || w.Step < 1 || w.Dilation < 1 || w.BaseDilation < 1 {
			return fmt.Errorf("the window is not valid: %+v", w)
		}
		in, taps, out = append(in, Dim{w.In, w.Left}), append(taps, Dim{w.Taps, w.Right}),
			append(out, Dim{w.Positions, w.Out})
	}
	err := errors.Join(l.verify(p, n.Ins[0], in), r.verify(p, n.Ins[1], taps), o.verify(p, n.Outs[0], out),
		o.verifyDense(p, n.Outs[0], out))
	for _, m := range n.matrices() {
		if err == nil && len(n.Windows) > 0 && (len(m.Batch) != 1 || len(m.Rows) != 1 || len(m.Cols) != 1) {
			err = fmt.Errorf("the matrices of a convolution must have one batch, row and column dimension, got %s", m)
		}
	}
	return err
}

// verifyPrologue checks the operands of a prologue, and that they fit the right one.
func (n *Contraction) verifyPrologue(p *Program) error {
	if n.Prologue == nil {
		if len(n.PrologueIns) > 0 {
			return errors.New("a contraction without a prologue must have 2 operands")
		}
		return nil
	}
	if len(n.Windows) > 0 {
		return errors.New("a prologue is not supported with windows")
	}
	if err := n.Prologue.verify(0); err != nil {
		return fmt.Errorf("prologue: %w\n%s", err, n.Prologue.Kernel)
	}
	if n.Prologue.Args != len(n.Ins)-1 || n.Prologue.Results != 1 {
		return fmt.Errorf("a prologue with %d arguments and %d results is not valid for %d operands", n.Prologue.Args,
			n.Prologue.Results, len(n.Ins)-1)
	}
	for i := range n.Prologue.Kernel.Body.Instrs {
		if in := &n.Prologue.Kernel.Body.Instrs[i]; in.Op == kernel.Load &&
			(in.At.Offset != 0 || !slices.Equal(in.At.Strides, []int64{1}) || !in.At.IsAffine()) {
			return fmt.Errorf("prologue: argument %d must be loaded element by element", in.At.Param)
		}
	}
	for i, param := range n.Prologue.Kernel.Params {
		want := n.Acc
		if i < n.Prologue.Args {
			want = p.Buffers[n.Ins[1+i]].Type.DType()
		}
		if param.Type != want {
			return fmt.Errorf("p%d of the prologue must be %s, got %s", i, want, param.Type)
		}
	}
	for i := range n.PrologueIns {
		m := &n.PrologueIns[i]
		if Size(m.Batch) != Size(n.Right.Batch) || Size(m.Rows) != Size(n.Right.Rows) ||
			Size(m.Cols) != Size(n.Right.Cols) {
			return fmt.Errorf("%s does not fit the right operand %s", m, &n.Right)
		}
		if err := m.verify(p, n.Ins[2+i], nil); err != nil {
			return err
		}
	}
	if t := p.Buffers[n.Outs[0]].Type; t.DType() != n.Acc || p.Buffers[n.Ins[0]].Type.DType() != n.Acc {
		return fmt.Errorf("a prologue is not supported with conversions to %s", n.Acc)
	}
	return nil
}

// verify checks that a matrix, with additional window dimensions, is inside its buffer.
func (m *Matrix) verify(p *Program, buf int, windows []Dim) error {
	elems, _ := p.Buffers[buf].Type.NumElems()
	lo, hi := m.Offset, m.Offset
	dims := slices.Concat(m.Batch, m.Rows, m.Cols, windows)
	if slices.ContainsFunc(dims, func(d Dim) bool { return d.Size < 0 }) {
		return fmt.Errorf("sizes must not be negative, got %s", m)
	}
	if slices.ContainsFunc(dims, func(d Dim) bool { return d.Size == 0 }) {
		return nil // no element is read
	}
	for _, d := range dims {
		switch reach := (d.Size - 1) * d.Stride; {
		case d.Stride != 0 && d.Size-1 > elems/max(d.Stride, -d.Stride):
			return fmt.Errorf("%s leaves b%d, which has %d elements", m, buf, elems)
		case reach < 0:
			lo += reach
		default:
			hi += reach
		}
	}
	if lo < 0 || hi >= elems {
		return fmt.Errorf("%s reaches elements %d to %d of b%d, which has %d", m, lo, hi, buf, elems)
	}
	return nil
}

// verifyDense checks that a result has each element of its buffer once.
func (m *Matrix) verifyDense(p *Program, buf int, windows []Dim) error {
	dims := slices.Concat(m.Batch, m.Rows, m.Cols, windows)
	sort.Slice(dims, func(i, j int) bool { return dims[i].Stride < dims[j].Stride })
	next := int64(1)
	for _, d := range dims {
		if d.Size != 1 && d.Stride != next && Size(dims) != 0 {
			return fmt.Errorf("result %s must have each element once", m)
		}
		next *= d.Size
	}
	if elems, _ := p.Buffers[buf].Type.NumElems(); m.Offset != 0 || Size(dims) != elems {
		return fmt.Errorf("result %s must be all of b%d, which has %d elements", m, buf, elems)
	}
	return nil
}
