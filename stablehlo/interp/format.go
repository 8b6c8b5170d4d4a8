package interp

import (
	"strings"

	"github.com/go-nx/nx/internal/checks"
)

// String returns the type and the elements, a line for each row:
//
//	tensor<2x2xi8> {
//	  [
//	    [1, 2],
//	    [3, 4]
//	  ]
//	}
func (t *Tensor) String() string {
	var b strings.Builder
	b.WriteString(t.Type.String())
	b.WriteString(" {")
	if t.Type.Rank() == 0 {
		b.WriteString(t.format(0))
	} else {
		t.write(&b, 0, 0, "\n  ")
		b.WriteByte('\n')
	}
	b.WriteByte('}')
	return b.String()
}

// write writes the elements from number at on that share their first d
// indices, each row on a line of its own.
func (t *Tensor) write(b *strings.Builder, d, at int, indent string) {
	b.WriteString(indent)
	b.WriteByte('[')
	n := int(t.dims()[d])
	if d == t.Type.Rank()-1 {
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(t.format(at + i))
		}
		b.WriteByte(']')
		return
	}
	step := product(t.dims()[d+1:])
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

// format returns element i as text.
func (t *Tensor) format(i int) string { return checks.FormatElem(t.Type.DType(), t.Data, i) }
