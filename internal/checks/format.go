package checks

import (
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
	b.WriteString(t.Type.String())
	b.WriteString(" {")
	if t.Type.Rank() == 0 {
		b.WriteString(FormatElem(t.Type.DType(), t.Data, 0))
	} else {
		t.write(&b, 0, 0, "\n  ")
		b.WriteByte('\n')
	}
	b.WriteByte('}')
	return b.String()
}

// write writes the elements from number at on that share their first d
// indices, each row on a line of its own.
func (t Tensor) write(b *strings.Builder, d, at int, indent string) {
	b.WriteString(indent)
	b.WriteByte('[')
	n := int(t.Type.Dims[d])
	if d == t.Type.Rank()-1 {
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(FormatElem(t.Type.DType(), t.Data, at+i))
		}
		b.WriteByte(']')
		return
	}
	step := 1
	for _, n := range t.Type.Dims[d+1:] {
		step *= int(n)
	}
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		t.write(b, d+1, at+i*step, indent+"  ")
	}
	if n > 0 {
		b.WriteString(indent)
	}
	b.WriteByte(']')
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
