package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Contract sums products: Out[b, m, n] = Σₖ Left[b, m, k] · Right[b, k, n], the k in
// order. Operands and result are matrices over the elements of their buffers by any
// strides: transposes, slices and broadcasts of what lies in memory are not copied.
//
// With windows it is a convolution. Each row of Left and Out stands for one at each
// position of all windows, inside the row in their order, and each k for one at each of
// their taps, the taps outside. Elements outside of Left are 0.
type Contract struct {
	Operands // the left and the right operand to the result
	Left     Matrix
	Right    Matrix
	Out      Matrix
	Windows  []Window
	Acc      dtype.Type    // in which products are formed and summed
	Op       *stablehlo.Op // for messages
}

// Matrix is a batch of matrices: the strides of their dimensions, and the first element.
type Matrix struct {
	Offset            int64
	Batch, Rows, Cols []Dim
}

// Dim is one dimension of a matrix: its size, and how far its elements are apart.
type Dim struct{ Size, Stride int64 }

// Window is a dimension along which a convolution slides its right operand. Tap t at
// position o meets element q / BaseDilation of Left, where q = o·Step + t·Dilation - Low is
// a multiple of it; the taps of a reversed one lie in Right the other way round.
type Window struct {
	In, Taps, Positions               int64 // sizes in Left, Right and Out
	Left, Right, Out                  int64 // strides there
	Step, Low, Dilation, BaseDilation int64
	Reversed                          bool
}

// Accumulation returns the type in which products are summed: f32 for narrower floats, 32
// bits for narrower integers.
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

// IsPlainProduct reports whether a contraction is a product of F32 or F64 without windows
// or conversions.
func IsPlainProduct(p *Program, n *Contract) bool {
	if n.Windows != nil || n.Acc != dtype.F32 && n.Acc != dtype.F64 {
		return false
	}
	for _, b := range slices.Concat(n.Ins, n.Outs) {
		if t := p.Buffers[b].Type; t.DType() != n.Acc || t.Quant() != nil {
			return false
		}
	}
	return true
}

// Work returns the multiplications of a contraction.
func (n *Contract) Work() int64 {
	work := Size(n.Out.Batch) * Size(n.Out.Rows) * Size(n.Out.Cols) * Size(n.Left.Cols)
	for _, w := range n.Windows {
		work *= w.Taps * w.Positions
	}
	return work
}

// Name returns "contract".
func (n *Contract) Name() string { return "contract" }

// String returns the description of the product: of each matrix its offset and its batch,
// rows and columns as size:stride.
func (n *Contract) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sums %s of left %s, right %s to %s", n.Acc, &n.Left, &n.Right, &n.Out)
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

// matrices returns those of the operands and the result.
func (n *Contract) matrices() []*Matrix { return []*Matrix{&n.Left, &n.Right, &n.Out} }

// rowLocal reports whether the matrices have so many rows in all, each in its part of a
// buffer that is cut into as many.
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

// IsRowProduct reports whether a contraction can be a step of a nest of so many rows: a
// plain product whose result is rows in memory, one after another.
func IsRowProduct(p *Program, n *Contract, rows int64) bool {
	return IsPlainProduct(p, n) && p.RowLocal(n, len(n.Ins), rows) && Size(n.Left.Batch)*Size(n.Left.Rows) == rows
}

// verify checks that the matrices fit each other and their buffers, and that the result
// has each element once.
func (n *Contract) verify(p *Program) error {
	if len(n.Ins) != 2 || len(n.Outs) != 1 {
		return fmt.Errorf("%d operands to %d results", len(n.Ins), len(n.Outs))
	}
	if !n.Acc.IsValid() || n.Op == nil {
		return errors.New("no type of sums, or no op")
	}
	l, r, o := &n.Left, &n.Right, &n.Out
	if b := Size(l.Batch); b != Size(r.Batch) || b != Size(o.Batch) || Size(l.Rows) != Size(o.Rows) ||
		Size(l.Cols) != Size(r.Rows) || Size(r.Cols) != Size(o.Cols) {
		return fmt.Errorf("the matrices do not fit: %s", n)
	}
	var in, taps, out []Dim
	for _, w := range n.Windows {
		if w.In < 0 || w.Taps < 0 || w.Positions < 0 || w.Step < 1 || w.Dilation < 1 || w.BaseDilation < 1 {
			return fmt.Errorf("a window of %+v", w)
		}
		in, taps, out = append(in, Dim{w.In, w.Left}), append(taps, Dim{w.Taps, w.Right}),
			append(out, Dim{w.Positions, w.Out})
	}
	return errors.Join(l.verify(p, n.Ins[0], in), r.verify(p, n.Ins[1], taps), o.verify(p, n.Outs[0], out),
		o.verifyDense(p, n.Outs[0], out))
}

// verify checks that a matrix, with more dimensions of windows, is inside its buffer.
func (m *Matrix) verify(p *Program, buf int, windows []Dim) error {
	elems, _ := p.Buffers[buf].Type.NumElems()
	lo, hi := m.Offset, m.Offset
	dims := slices.Concat(m.Batch, m.Rows, m.Cols, windows)
	if slices.ContainsFunc(dims, func(d Dim) bool { return d.Size < 0 }) {
		return fmt.Errorf("negative size in %s", m)
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
	slices.SortFunc(dims, func(a, b Dim) int { return int(min(max(a.Stride-b.Stride, -1), 1)) })
	next := int64(1)
	for _, d := range dims {
		if d.Size != 1 && d.Stride != next && Size(dims) != 0 {
			return fmt.Errorf("result %s does not have each element once", m)
		}
		next *= d.Size
	}
	if elems, _ := p.Buffers[buf].Type.NumElems(); m.Offset != 0 || Size(dims) != elems {
		return fmt.Errorf("result %s is not all of b%d, which has %d elements", m, buf, elems)
	}
	return nil
}
