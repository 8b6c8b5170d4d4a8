package core

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// printOptions say how much of a tensor is printed, and how many digits.
type printOptions struct {
	elements  int // up to which a tensor is printed whole
	edge      int // of a longer axis, at both ends
	precision int // significant digits of floats; -1 for as many as tell them apart
}

// printing are the options of the environment variable NX_PRINT.
var printing = sync.OnceValue(func() printOptions {
	o, err := readPrintOptions(os.Getenv("NX_PRINT"))
	if err != nil {
		warn("nx: NX_PRINT is ignored", "err", err)
	}
	return o
})

// readPrintOptions reads a list such as elements=50,edge=2,precision=4.
func readPrintOptions(text string) (printOptions, error) {
	o := printOptions{elements: 1000, edge: 3, precision: -1}
	defaults := o
	for field := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		to := map[string]*int{"elements": &o.elements, "edge": &o.edge, "precision": &o.precision}[key]
		least := 0
		if key == "edge" {
			least = 1
		}
		n, err := strconv.Atoi(value)
		switch {
		case field == "" && text == "":
		case to == nil:
			return defaults, fmt.Errorf("the setting must be elements, edge or precision, got %q", key)
		case err != nil || n < least:
			return defaults, fmt.Errorf("%s must be a number, at least %d, got %q", key, least, value)
		default:
			*to = n
		}
	}
	return o, nil
}

// Format implements nx.Tensor.Format.
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
	o := printing()
	if t.p.spec.count() == 0 && emptyRows(t.p.spec.whole()) > maxEmptyRows {
		if verb == 'v' {
			fmt.Fprintln(s, t.p.spec)
		}
		fmt.Fprint(s, "[]")
		return
	}
	p := &printer{spec: t.p.spec, shape: t.p.spec.whole(), edge: o.edge,
		all: s.Flag('+') && verb == 'v' || t.p.spec.count() <= o.elements, element: elementFormat(s, verb, o.precision)}
	p.held = p.shape
	if !p.all && !t.isInHostMemory() {
		t = t.edges(o.edge)
		p.held = t.p.spec.Shape
	}
	lend("Format", t, func(data []byte) {
		p.data = data
		p.collect(0, 0)
	})
	var b strings.Builder
	if verb == 'v' {
		b.WriteString(p.spec.String())
		if len(p.shape) == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	p.write(&b, 0, 0)
	fmt.Fprint(s, b.String())
}

// String implements nx.Tensor.String.
func (t Tensor) String() string { return fmt.Sprintf("%v", t) }

// isInHostMemory reports whether the elements can be read without a copy.
func (t Tensor) isInHostMemory() bool {
	if t.p.buf == nil {
		return true // a constant, made here
	}
	_, ok := t.p.buf.buf.(backend.Lender)
	return ok
}

// edges returns what is printed of a tensor: its axes without what is cut out of them.
func (t Tensor) edges(edge int) Tensor {
	t = devectorized(t)
	t = t.withNames("Format", nil)
	for d, n := range t.p.spec.Shape {
		if n > 2*edge {
			t = Concatenate([]Tensor{cutAxis(t, d, 0, edge, 1), cutAxis(t, d, n-edge, n, 1)}, Axis(d))
		}
	}
	return t
}

// elementFormat returns what writes an element by a verb.
func elementFormat(s fmt.State, verb rune, precision int) func(d DType, data []byte, i int) string {
	width, wide := s.Width()
	digits, precise := s.Precision()
	if verb == 'v' && !precise && precision >= 0 {
		digits, precise = precision, true
	}
	if verb == 'v' && !wide && !precise {
		return formatElement
	}
	floats, others := fmt.FormatString(s, verb), fmt.FormatString(s, verb)
	if verb == 'v' { // whose plus is about how many are shown
		floats, others = fmt.Sprintf("%%%dg", width), fmt.Sprintf("%%%dv", width)
		if precise {
			floats = fmt.Sprintf("%%%d.%dg", width, digits)
		}
	}
	return func(d DType, data []byte, i int) string {
		switch x := weak.Decode(d, data[i*d.Size():]); {
		case x.Kind == dtype.KindComplex:
			return fmt.Sprintf(floats, x.Complex())
		case x.Kind == dtype.KindFloat, strings.ContainsRune("eEfFgG", verb):
			return fmt.Sprintf(floats, x.Float())
		case x.Kind == dtype.KindBool:
			return fmt.Sprintf(others, x.Int != 0)
		case x.Kind == dtype.KindUnsigned:
			return fmt.Sprintf(others, uint64(x.Int))
		default:
			return fmt.Sprintf(others, x.Int)
		}
	}
}

// maxEmptyRows is how many rows without elements are printed.
const maxEmptyRows = 1000

// emptyRows returns how many rows without elements a shape of size 0 has, or a number
// beyond maxEmptyRows: any dimension but one may be as large as it likes.
func emptyRows(s Shape) int {
	rows := 1
	for _, n := range s {
		switch {
		case n == 0:
			return rows
		case n > maxEmptyRows:
			return n
		}
		rows = min(rows*n, maxEmptyRows+1)
	}
	return rows
}

// printer prints the elements of a tensor.
type printer struct {
	spec    *Spec
	shape   Shape // of all axes
	held    Shape // of the axes of data, which may lack what is cut out
	data    []byte
	all     bool
	edge    int
	element func(d DType, data []byte, i int) string
	cells   []string // in the order they are shown
	width   int
}

// shown returns the indices of axis d that are printed; -1 stands for the cut.
func (p *printer) shown(d int) []int {
	n := p.shape[d]
	if p.all || n <= 2*p.edge {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out
	}
	out := []int{}
	for i := range p.edge {
		out = append(out, i)
	}
	out = append(out, -1)
	for i := n - p.edge; i < n; i++ {
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
		if i >= p.edge { // behind what is cut out, where something is
			i -= p.shape[d] - p.held[d]
		}
		if i >= 0 {
			p.collect(d+1, at*p.held[d]+i)
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
	a := math.Abs(v)
	form := byte('f')
	if a != 0 && (a < 1e-4 || a >= 1e7) {
		form = 'e'
	}
	s := shortest(d, v, form)
	if form == 'f' && !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// shortest returns the fewest digits that read back as the same element.
func shortest(d DType, v float64, form byte) string {
	switch d {
	case F64:
		return strconv.FormatFloat(v, form, -1, 64)
	case F32:
		return strconv.FormatFloat(v, form, -1, 32)
	}
	for digits := range 9 { // of a narrow type
		s := strconv.FormatFloat(v, 'e', digits, 64)
		if w, err := strconv.ParseFloat(s, 64); err == nil && d.Float64(d.FromFloat64(w)) == v {
			return strconv.FormatFloat(w, form, -1, 64)
		}
	}
	return strconv.FormatFloat(v, form, -1, 64)
}
