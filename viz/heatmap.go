// Package viz shows tensors as pictures made of text.
package viz

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Colors reports how [HeatMap] shows numbers.
type Colors uint8

// The ways of showing numbers. A writer that is not a terminal gets Plain; a terminal gets
// TrueColor where COLORTERM promises it, else Gray, and Plain where NO_COLOR is set or TERM
// is dumb.
const (
	Plain     Colors = iota + 1 // digits from 0 to 9
	Gray                        // 24 grays of the 256 colours of most terminals
	TrueColor                   // from violet to yellow, in 24 bits
)

// Option is an option of [HeatMap].
type Option interface{ heatMapOption(*options) }

type options struct{ colors Colors }

func (c Colors) heatMapOption(o *options) { o.colors = c }

// maxCells is the number of rows and columns up to which all are shown, maxMatrices that of
// matrices.
const (
	maxCells    = 128
	maxMatrices = 8
)

// HeatMap writes a picture of a tensor: a cell per element, from the smallest finite number of each matrix,
// the last two axes, to the largest. Infinities are + and -, NaN is x or red. Long axes are subsampled to
// every second, third, … element, and only the first of many matrices are drawn, with a line that reports it;
// only the drawn elements are copied from a device.
//
// Shapes: any. DTypes: all but complex numbers. Gradient: none. Errors: [nx.ErrDType] for
// complex numbers, [nx.ErrTrace] for traced tensors, those of the writer. Source:
// Nx.to_heatmap.
func HeatMap(w io.Writer, t nx.Tensor, opts ...Option) (err error) {
	defer nx.Catch(&err)
	o := options{colors: colorsOf(w)}
	for _, x := range opts {
		if x != nil {
			x.heatMapOption(&o)
		}
	}
	if t.DType().IsComplex() {
		return diag.New(nx.ErrDType, "HeatMap", "show its size (nx.Abs) or its angle (nx.Phase)",
			"complex numbers have no order")
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", t)
	t = nx.Devectorize(t)
	t = nx.Reshape(t, append(leadingOnes(t.Rank()), t.Shape()...)...)
	lead := t.Rank() - 2
	shape := t.Shape()
	count := nx.Shape(shape[:lead]).Size()
	every := [2]int{(shape[lead] + maxCells - 1) / maxCells, (shape[lead+1] + maxCells - 1) / maxCells}
	for i, what := range [2]string{"row", "column"} {
		if n := every[i]; n > 1 {
			fmt.Fprintf(b, "one %s of %d\n", what, n)
		}
		every[i] = max(every[i], 1)
	}
	if count > maxMatrices {
		fmt.Fprintf(b, "%d matrices of %d\n", maxMatrices, count)
	}
	matrices := nx.Reshape(t, count, shape[lead], shape[lead+1])
	for i := range min(count, maxMatrices) {
		m := matrices.At(i, nx.From(0).Step(every[0]), nx.From(0).Step(every[1]))
		if lead > 0 {
			fmt.Fprintf(b, "%v\n", indices(i, shape[:lead]))
		}
		o.colors.write(b, nx.Data[float64](m), m.Shape()[1])
	}
	return b.Flush()
}

// leadingOnes returns the leading sizes of 1 that extend a shape to two axes.
func leadingOnes(rank int) []int { return [][]int{{1, 1}, {1}, {}}[min(rank, 2)] }

// indices returns the index of the i-th matrix.
func indices(i int, lead []int) []int {
	out := make([]int, len(lead))
	for d := len(lead) - 1; d >= 0; d-- {
		out[d], i = i%lead[d], i/lead[d]
	}
	return out
}

// colorsOf returns the colours that a writer supports.
func colorsOf(w io.Writer) Colors {
	f, ok := w.(*os.File)
	switch {
	case !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb":
		return Plain
	case os.Getenv("COLORTERM") == "truecolor" || os.Getenv("COLORTERM") == "24bit":
		return TrueColor
	}
	return Gray
}

// write writes rows of cells.
func (c Colors) write(w *bufio.Writer, data []float64, columns int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range data {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for i := 0; i < len(data); i += columns {
		for _, v := range data[i : i+columns] {
			x := (v/2 - lo/2) / (hi/2 - lo/2) // halves, whose difference is finite
			if v == lo {
				x = 0 // where all are equal
			}
			w.WriteString(c.cell(v, x))
		}
		if c != Plain {
			w.WriteString("\x1b[0m")
		}
		w.WriteByte('\n')
	}
}

// cell returns the text of a number v, which is at x of the way from the smallest to the
// largest.
func (c Colors) cell(v, x float64) string {
	if c == Plain {
		switch {
		case math.IsNaN(v):
			return "x"
		case math.IsInf(v, 0):
			return "-+"[b2i(v > 0) : b2i(v > 0)+1]
		}
		return string(rune('0' + int(math.Round(9*x))))
	}
	switch {
	case math.IsNaN(v):
		return "\x1b[41m  "
	case math.IsInf(v, 1):
		return "\x1b[30;48;5;255m∞ "
	case math.IsInf(v, -1):
		return "\x1b[97;48;5;232m∞ "
	case c == Gray:
		return fmt.Sprintf("\x1b[48;5;%dm  ", 232+int(math.Round(23*x)))
	}
	at := x * float64(len(viridis)-1)
	i := min(int(at), len(viridis)-2)
	part := at - float64(i)
	var rgb [3]string
	for k := range rgb {
		a, b := float64(viridis[i][k]), float64(viridis[i+1][k])
		rgb[k] = fmt.Sprint(int(math.Round(a + part*(b-a))))
	}
	return "\x1b[48;2;" + strings.Join(rgb[:], ";") + "m  "
}

// viridis is a perceptually uniform colour map, by S. van der Walt and N. Smith; colours in between are
// interpolated.
var viridis = [9][3]uint8{
	{68, 1, 84}, {71, 44, 122}, {59, 81, 139}, {44, 113, 142}, {33, 144, 141},
	{39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37},
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
