package checks

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// String returns the type and the elements, a line for each row:
//
//	tensor<2x2xi8> {
//	  [
//	    [1, 2],
//	    [3, 4]
//	  ]
//	}
func (t Tensor) String() string {
	var b strings.Builder
	_ = t.Write(&b) // a builder takes everything
	return b.String()
}

// maxEmptyRows is the number of rows up to which rows without elements are written.
const maxEmptyRows = 1000

// Write writes what String returns, piece by piece.
func (t Tensor) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	w.WriteString(t.Type.String())
	w.WriteString(" {")
	switch {
	case t.Type.Rank() == 0:
		w.WriteString(FormatElem(t.Type.DType(), t.Data, 0))
	case len(t.Data) == 0 && t.emptyRows() > maxEmptyRows:
		w.WriteString("\n  []\n")
	default:
		if err := t.rows(w, 0, 0, "\n  "); err != nil {
			return err
		}
		w.WriteByte('\n')
	}
	w.WriteByte('}')
	return w.Flush()
}

// emptyRows returns how many rows a tensor without elements has, or a number beyond
// mostEmptyRows.
func (t Tensor) emptyRows() int64 {
	rows := int64(1)
	for _, n := range t.Type.Dims {
		if n == 0 {
			break
		}
		if n > maxEmptyRows {
			return n
		}
		rows = min(rows*n, maxEmptyRows+1)
	}
	return rows
}

// rows writes the elements from number at on that share their first d indices, one line per row.
func (t Tensor) rows(w *bufio.Writer, d, at int, indent string) error {
	w.WriteString(indent)
	w.WriteByte('[')
	n := int(t.Type.Dims[d])
	if d == t.Type.Rank()-1 {
		for i := range n {
			if i > 0 {
				w.WriteString(", ")
			}
			if _, err := w.WriteString(FormatElem(t.Type.DType(), t.Data, at+i)); err != nil {
				return err
			}
		}
		return w.WriteByte(']')
	}
	step := 1
	for _, n := range t.Type.Dims[d+1:] {
		step *= int(n)
	}
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := t.rows(w, d+1, at+i*step, indent+"  "); err != nil {
			return err
		}
	}
	if n > 0 {
		w.WriteString(indent)
	}
	return w.WriteByte(']')
}

// FormatElem returns element i of data as text.
func FormatElem(d dtype.Type, data []byte, i int) string {
	switch {
	case d == dtype.Bool:
		return strconv.FormatBool(data[i] != 0)
	case d.IsUnsigned():
		return strconv.FormatUint(d.LoadUint(data, i), 10)
	case d.IsSigned():
		return strconv.FormatInt(d.LoadInt(data, i), 10)
	case d.IsComplex():
		v := d.LoadComplex(data, i)
		return "[" + formatFloat(d.Real(), real(v)) + ", " + formatFloat(d.Real(), imag(v)) + "]"
	default:
		return formatFloat(d, d.LoadFloat(data, i))
	}
}

// formatFloat returns v, a value of type d, with six decimals when they are
// enough to read it back, else with as many digits as that takes.
func formatFloat(d dtype.Type, v float64) string {
	s := strconv.FormatFloat(v, 'e', 6, 64)
	if back, err := strconv.ParseFloat(s, 64); err == nil && (d.Float64(d.FromFloat64(back)) == v || v != v) {
		return s
	}
	if d == dtype.F64 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
