package npy

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/atomicfile"
)

// Write writes a in format version 1, byte for byte as NumPy does. Types that NumPy does not have are written
// as their bits, see the package comment.
func Write(w io.Writer, a Array) error {
	header, err := a.encodeHeader()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	_, err = w.Write(a.Data)
	return err
}

// WriteFile writes a to the named file, which is complete or, if an error is
// returned, as it was before.
func WriteFile(name string, a Array) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Write(w, a) })
}

// encodeHeader returns all that comes before the data.
func (a Array) encodeHeader() (string, error) {
	size, err := a.sizeBytes()
	if err != nil {
		return "", err
	}
	if size != len(a.Data) {
		return "", fmt.Errorf("npy: an array %s%v has %d bytes of data, not %d", a.ItemType(), a.Shape,
			len(a.Data), size)
	}
	// The data starts at a multiple of 64. Padding reserves space for the first size to grow to that many
	// digits, so that items can be appended in place.
	const align, growDigits = 64, 21
	var b strings.Builder
	fmt.Fprintf(&b, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", a.descr(), shapeText(a.Shape))
	if len(a.Shape) > 0 {
		b.WriteString(strings.Repeat(" ", max(0, growDigits-len(strconv.Itoa(a.Shape[0])))))
	}
	const before = len(magic) + 2 + 2
	b.WriteString(strings.Repeat(" ", align-(before+b.Len()+1)%align))
	b.WriteByte('\n')
	n := b.Len() // at most maxRank sizes: two bytes are enough
	return magic + "\x01\x00" + string([]byte{byte(n), byte(n >> 8)}) + b.String(), nil
}

// shapeText returns a shape as Python prints a tuple.
func shapeText(shape []int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, d := range shape {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(d))
	}
	if len(shape) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}
