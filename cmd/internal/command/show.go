package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// Tensors of more than maxShown elements are elided: of each dimension the
// first and the last edge indices are shown.
const (
	maxShown = 1000
	edge     = 3
)

// show prints a value with its name: a line "out0 f32[2][3]", then aligned rows.
func show(w io.Writer, name string, v interp.Value) {
	switch v := v.(type) {
	case *interp.Tensor:
		fmt.Fprintf(w, "%s %s\n", name, shortType(v.Type))
		showElements(w, v)
	case interp.Tuple:
		fmt.Fprintf(w, "%s tuple of %d\n", name, len(v))
		for i, e := range v {
			show(w, fmt.Sprintf("%s.%d", name, i), e)
		}
	case interp.Token:
		fmt.Fprintf(w, "%s token\n", name)
	}
}

// shortType is the type as tensors are printed: f32[2][3].
func shortType(t *stablehlo.TensorType) string {
	var b strings.Builder
	if _, plain := t.Elem.(stablehlo.Scalar); plain {
		b.WriteString(t.DType().String())
	} else {
		b.WriteString(t.Elem.String())
	}
	for _, d := range t.Dims {
		if d == stablehlo.Dynamic {
			b.WriteString("[?]")
		} else {
			fmt.Fprintf(&b, "[%d]", d)
		}
	}
	return b.String()
}

func showElements(w io.Writer, t *interp.Tensor) {
	dims := t.Type.Dims
	n, _ := t.Type.NumElems()
	if n == 0 { // other dimensions may have any size
		fmt.Fprintf(w, "  %s\n", "[]")
		return
	}
	s := &shower{w: w, t: t, shown: make([][]int64, len(dims))}
	shown := int64(1)
	for i, d := range dims {
		s.shown[i] = shownIndices(d, n > maxShown)
		shown = min(shown*int64(len(s.shown[i])), 2*maxShown)
	}
	if shown > maxShown { // of very many dimensions
		fmt.Fprintf(w, "  … %d elements in %d dimensions\n", n, len(dims))
		return
	}
	s.measure(0, 0)
	io.WriteString(w, "  ")
	s.print(0, 0)
	io.WriteString(w, "\n")
}

// shownIndices returns the indices of a dimension to show; -1 stands for those left out.
func shownIndices(d int64, elide bool) []int64 {
	var indices []int64
	for i := int64(0); i < d; i++ {
		if elide && d > 2*edge && i == edge {
			indices = append(indices, -1)
			i = d - edge
		}
		indices = append(indices, i)
	}
	return indices
}

// shower prints the elements of a tensor in two walks: the first finds the
// widest element, the second prints.
type shower struct {
	w     io.Writer
	t     *interp.Tensor
	shown [][]int64 // of each dimension
	width int
}

// at returns the offset of index i of dimension axis in the part at offset.
func (s *shower) at(axis int, offset, i int64) int64 { return offset*s.t.Type.Dims[axis] + i }

func (s *shower) measure(axis int, offset int64) {
	if axis == len(s.shown) {
		s.width = max(s.width, len(elementText(s.t, int(offset))))
		return
	}
	for _, i := range s.shown[axis] {
		if i >= 0 {
			s.measure(axis+1, s.at(axis, offset, i))
		}
	}
}

func (s *shower) print(axis int, offset int64) {
	if axis == len(s.shown) {
		fmt.Fprintf(s.w, "%*s", s.width, elementText(s.t, int(offset)))
		return
	}
	separator := ", "
	if axis < len(s.shown)-1 {
		separator = ",\n" + strings.Repeat(" ", axis+3)
	}
	io.WriteString(s.w, "[")
	for n, i := range s.shown[axis] {
		if n > 0 {
			io.WriteString(s.w, separator)
		}
		if i < 0 {
			io.WriteString(s.w, "…")
			continue
		}
		s.print(axis+1, s.at(axis, offset, i))
	}
	io.WriteString(s.w, "]")
}

// elementText returns element i; floats always have a point, an exponent or a
// name, so that they cannot be taken for integers. Of a quantised element it
// is the stored integer.
func elementText(t *interp.Tensor, i int) string {
	d := t.Type.DType()
	switch d.Kind() {
	case dtype.KindBool:
		return strconv.FormatBool(d.LoadInt(t.Data, i) != 0)
	case dtype.KindSigned:
		return strconv.FormatInt(d.LoadInt(t.Data, i), 10)
	case dtype.KindUnsigned:
		return strconv.FormatUint(d.LoadUint(t.Data, i), 10)
	case dtype.KindComplex:
		c := d.LoadComplex(t.Data, i)
		im := floatText(imag(c), d.Real())
		if im[0] != '-' && im[0] != '+' {
			im = "+" + im
		}
		return floatText(real(c), d.Real()) + im + "i"
	}
	return floatText(d.LoadFloat(t.Data, i), d)
}

// floatText prints the fewest digits that are read back as v in f32 or f64; narrower types are printed as
// their exact f32.
func floatText(v float64, d dtype.Type) string {
	bits := 32
	if d == dtype.F64 {
		bits = 64
	}
	s := strconv.FormatFloat(v, 'g', -1, bits)
	if strings.ContainsAny(s, ".eIN") {
		return s
	}
	return s + ".0"
}
