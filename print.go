package nx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/dtype"
)

// maxShown is the number of elements up to which a tensor is printed whole;
// longer axes are cut to edgeShown elements at both ends.
const (
	maxShown  = 1000
	edgeShown = 3
)

// Format prints the type and the elements with %v, aligned by column and cut
// in the middle of long axes, a scalar on one line; with %+v all elements; with %s
// the type alone. The verbs of numbers, such as %.3f, %g, %d and %x, print the
// elements without the type, each by the verb with its flags, width and precision;
// integers are floats to the verbs of floats. A traced tensor prints as its type.
func (t Tensor) Format(s fmt.State, verb rune) {
	switch {
	case t.p == nil:
		fmt.Fprint(s, "absent")
		return
	case verb == 's' || t.p.tr != nil:
		fmt.Fprint(s, t.p.spec)
		if t.p.tr != nil {
			fmt.Fprintf(s, " (traced by %s)", t.p.tr.what)
		}
		return
	case t.p.validity().ended.Load() != nil:
		fmt.Fprintf(s, "%s (%s)", t.p.spec, t.p.validity().ended.Load().how)
		return
	}
	defer func() {
		var err error
		if diag.Recover(recover(), &err); err != nil { // the contents cannot be had
			fmt.Fprintf(s, "%s (%s)", t.p.spec, diag.As(err).Detail)
		}
	}()
	if t.p.spec.count() == 0 && emptyRows(t.p.spec.whole()) > maxShown {
		if verb == 'v' {
			fmt.Fprintln(s, t.p.spec)
		}
		fmt.Fprint(s, "[]")
		return
	}
	p := &printer{spec: t.p.spec, shape: t.p.spec.whole(), all: s.Flag('+') && verb == 'v' || t.p.spec.count() <= maxShown,
		element: elementFormat(s, verb)}
	lend("Format", t, func(data []byte) {
		p.data = data
		p.collect(0, 0)
	})
	var b strings.Builder
	if verb == 'v' {
		b.WriteString(p.spec.String())
		b.WriteByte("\n "[b2i(len(p.shape) == 0)])
	}
	p.write(&b, 0, 0)
	fmt.Fprint(s, b.String())
}

// elementFormat returns what writes an element by a verb.
func elementFormat(s fmt.State, verb rune) func(d DType, data []byte, i int) string {
	width, wide := s.Width()
	_, precise := s.Precision()
	if verb == 'v' && !wide && !precise {
		return formatElement
	}
	floats, others := fmt.FormatString(s, verb), fmt.FormatString(s, verb)
	if verb == 'v' { // whose plus is about how many are shown
		floats = strings.Replace(fmt.FormatString(s, 'g'), "+", "", 1)
		others = fmt.Sprintf("%%%dv", width)
	}
	return func(d DType, data []byte, i int) string {
		switch x := decode(d, data[i*d.Size():]); {
		case x.kind == dtype.KindComplex:
			return fmt.Sprintf(floats, x.complex())
		case x.kind == dtype.KindFloat, strings.ContainsRune("eEfFgG", verb):
			return fmt.Sprintf(floats, x.float())
		case x.kind == dtype.KindBool:
			return fmt.Sprintf(others, x.i != 0)
		case x.kind == dtype.KindUnsigned:
			return fmt.Sprintf(others, uint64(x.i))
		default:
			return fmt.Sprintf(others, x.i)
		}
	}
}

// emptyRows returns how many rows without elements a shape of size 0 has, or a number
// beyond maxShown: any dimension but one may be as large as it likes.
func emptyRows(s Shape) int {
	rows := 1
	for _, n := range s {
		switch {
		case n == 0:
			return rows
		case n > maxShown:
			return n
		}
		rows = min(rows*n, maxShown+1)
	}
	return rows
}

// printer prints the elements of a tensor.
type printer struct {
	spec    *Spec
	shape   Shape // of all axes
	data    []byte
	all     bool
	element func(d DType, data []byte, i int) string
	cells   []string // in the order they are shown
	width   int
}

// shown returns the indices of axis d that are printed; -1 stands for the cut.
func (p *printer) shown(d int) []int {
	n := p.shape[d]
	if p.all || n <= 2*edgeShown {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out
	}
	out := []int{}
	for i := range edgeShown {
		out = append(out, i)
	}
	out = append(out, -1)
	for i := n - edgeShown; i < n; i++ {
		out = append(out, i)
	}
	return out
}

// collect formats the elements that are shown, to learn the column width.
func (p *printer) collect(d, at int) {
	if d == len(p.shape) {
		c := p.element(p.spec.DType, p.data, at)
		p.cells = append(p.cells, c)
		p.width = max(p.width, len(c))
		return
	}
	for _, i := range p.shown(d) {
		if i >= 0 {
			p.collect(d+1, at*p.shape[d]+i)
		}
	}
}

func (p *printer) write(b *strings.Builder, d, depth int) {
	indent := strings.Repeat("  ", depth)
	if d == len(p.shape) {
		b.WriteString(p.cells[0])
		p.cells = p.cells[1:]
		return
	}
	last := d == len(p.shape)-1
	if last {
		b.WriteString(indent + "[")
		for j, i := range p.shown(d) {
			if j > 0 {
				b.WriteString(", ")
			}
			if i < 0 {
				b.WriteString("…")
				continue
			}
			fmt.Fprintf(b, "%*s", p.width, p.cells[0])
			p.cells = p.cells[1:]
		}
		b.WriteString("]")
		return
	}
	if p.shape[d] == 0 {
		b.WriteString(indent + "[]")
		return
	}
	b.WriteString(indent + "[\n")
	for j, i := range p.shown(d) {
		if j > 0 {
			b.WriteString(",\n")
		}
		if i < 0 {
			b.WriteString(indent + "  …")
			continue
		}
		p.write(b, d+1, depth+1)
	}
	b.WriteString("\n" + indent + "]")
}

// formatElement returns an element as Go writes it, floats with a point.
func formatElement(d DType, data []byte, i int) string {
	switch {
	case d == Bool:
		return strconv.FormatBool(d.LoadInt(data, i) != 0)
	case d.IsComplex():
		c := d.LoadComplex(data, i)
		im := formatFloat(d.Real(), imag(c))
		if im[0] != '-' && im[0] != '+' {
			im = "+" + im
		}
		return formatFloat(d.Real(), real(c)) + im + "i"
	case d.IsFloat():
		return formatFloat(d, d.LoadFloat(data, i))
	case d == U64:
		return strconv.FormatUint(d.LoadUint(data, i), 10)
	}
	return strconv.FormatInt(d.LoadInt(data, i), 10)
}

// formatFloat returns the shortest decimal that reads back the same.
func formatFloat(d DType, v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(fmt.Sprint(v), "+")
	}
	bits := 32
	if d == F64 {
		bits = 64
	}
	a := math.Abs(v)
	if a != 0 && (a < 1e-4 || a >= 1e7) {
		return strconv.FormatFloat(v, 'e', -1, bits)
	}
	s := strconv.FormatFloat(v, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
