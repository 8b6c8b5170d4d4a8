// Package formulas has what defn makes of the definitions in package formulasdefs.
package formulas

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
)

type call = func(in []nx.Tensor) nx.Tensor

func unary(f func(a nx.Tensor) nx.Tensor) call {
	return func(in []nx.Tensor) nx.Tensor { return f(in[0]) }
}

func binary(f func(a, b nx.Tensor) nx.Tensor) call {
	return func(in []nx.Tensor) nx.Tensor { return f(in[0], in[1]) }
}

func ternary(f func(a, b, c nx.Tensor) nx.Tensor) call {
	return func(in []nx.Tensor) nx.Tensor { return f(in[0], in[1], in[2]) }
}

func numbers(list ...float64) []nx.Tensor {
	var ts []nx.Tensor
	for _, x := range list {
		ts = append(ts, nx.New(x))
	}
	return ts
}

var (
	m = nx.New([][]float64{{1, 2, -0.5}, {0.25, -1.5, 3}})
	p = nx.New([][]float64{{2, 0.5}, {0.5, 1}})
)

// formulas are in the order of the table, with the arguments of testdata/formulas.py.
var formulas = []struct {
	title, name string // name is that of the definition
	definition  call
	hand        call
	in          []nx.Tensor
}{
	{"Black–Scholes d₁", "D1", func(in []nx.Tensor) nx.Tensor { return D1(in[0], in[1], in[2], in[3], in[4]) },
		func(in []nx.Tensor) nx.Tensor { return d1(in[0], in[1], in[2], in[3], in[4]) },
		numbers(100, 95, 0.02, 0.3, 0.5)},
	{"softmax", "Softmax", unary(Softmax), unary(softmax), []nx.Tensor{m}},
	{"GELU by tanh", "Gelu", unary(Gelu), unary(gelu), []nx.Tensor{m}},
	{"layer norm", "LayerNorm", ternary(LayerNorm), ternary(layerNorm), []nx.Tensor{m, m.At(0), m.At(1)}},
	{"Kalman gain", "KalmanGain", ternary(KalmanGain), ternary(kalmanGain),
		[]nx.Tensor{p, nx.New([][]float64{{1, -1}}), nx.New([][]float64{{0.5}})}},
	{"Runge–Kutta step from its slopes", "RungeKutta",
		func(in []nx.Tensor) nx.Tensor { return RungeKutta(in[0], in[1], in[2], in[3], in[4], in[5]) },
		func(in []nx.Tensor) nx.Tensor { return rungeKutta(in[0], in[1], in[2], in[3], in[4], in[5]) },
		numbers(1, 0.1, 2, 3, -1, 0.5)},
	{"logistic loss", "LogisticLoss", binary(LogisticLoss), binary(logisticLoss),
		[]nx.Tensor{m.At(0), nx.New([]float64{1, 0, 1})}},
	{"attention, with the softmax above", "Attention", ternary(Attention), ternary(attention),
		[]nx.Tensor{m, nx.Mul(2, m), nx.Add(m, 1)}},
	{"root of a quadratic", "Root", ternary(Root), ternary(root), numbers(2, -3, -4)},
	{"Newton step for x³ − 2x − 5", "NewtonStep", unary(NewtonStep), unary(newtonStep), numbers(2)},
}

func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %v, want %v", name, got, want)
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-13*(1+math.Abs(want[i]))) {
			t.Errorf("%s: got %v, want %v", name, got, want)
			return
		}
	}
}

// TestFormulas compares the values and the derivatives of the definitions with those of the calls by hand, and the
// values with what NumPy printed.
func TestFormulas(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "recorded.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for _, f := range formulas {
		t.Run(f.name, func(t *testing.T) {
			if !lines.Scan() {
				t.Fatal("recorded.txt has fewer lines than there are formulas")
			}
			fields := strings.Fields(lines.Text())
			if fields[0] != snake(f.name) {
				t.Fatalf("recorded.txt has %s", fields[0])
			}
			var recorded []float64
			for _, s := range fields[1:] {
				x, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				recorded = append(recorded, x)
			}
			got := f.definition(f.in)
			near(t, "value beside NumPy", nx.Data[float64](got), recorded)
			near(t, "value by hand", nx.Data[float64](f.hand(f.in)), recorded)
			near(t, "compiled", nx.Data[float64](nx.Jit(f.definition)(f.in)), recorded)

			grad := func(c call) []nx.Tensor { // the squares make the derivatives depend on the values
				return nx.Grad(func(in []nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(c(in))) })(f.in)
			}
			want := grad(f.hand)
			for i, g := range grad(f.definition) {
				near(t, fmt.Sprintf("derivative by argument %d", i), nx.Data[float64](g), nx.Data[float64](want[i]))
			}
		})
	}
	if lines.Scan() {
		t.Errorf("recorded.txt has the line %q too", lines.Text())
	}
}

// language says where a function is in the text of one: after start, which has a name, up to end; what signature
// ends with is not measured.
type language struct {
	title, path           string
	name                  func(string) string
	start, signature, end string
}

func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

func camel(name string) string { return strings.ToLower(name[:1]) + name[1:] }

var languages = []language{
	{"definition", "../formulasdefs/formulas.go", strings.Clone, "\nfunc %s(", " {\n", "\n}\n"},
	{"NumPy", "testdata/formulas.py", snake, "\ndef %s(", ":\n", "\n\n\n"},
	{"Nx", "testdata/formulas.ex", snake, "\n  defn %s(", " do\n", "\n  end\n"},
	{"calls of package nx", "hand_test.go", camel, "\nfunc %s(", " {\n", "\n}\n"},
}

// body returns the statements of a function.
func (l language) body(t *testing.T, text, name string) string {
	t.Helper()
	start := fmt.Sprintf(l.start, l.name(name))
	_, rest, ok := strings.Cut(text, start)
	_, rest, ok2 := strings.Cut(rest, l.signature)
	body, _, ok3 := strings.Cut(rest, l.end)
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no function %q", l.path, start)
	}
	return body
}

// TestTable compares the table of docs/defn.md with the texts of the functions.
func TestTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| |")
	for _, l := range languages {
		fmt.Fprintf(&b, " %s |", l.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(languages)) + "\n")
	texts := make([]string, len(languages))
	for i, l := range languages {
		text, err := os.ReadFile(l.path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	sums := make([][2]int, len(languages))
	for _, f := range formulas {
		fmt.Fprintf(&b, "| %s |", f.title)
		for i, l := range languages {
			body := l.body(t, texts[i], f.name)
			characters := len([]rune(strings.Join(strings.Fields(body), "")))
			parentheses := strings.Count(body, "(") + strings.Count(body, ")")
			fmt.Fprintf(&b, " %d, %d |", characters, parentheses)
			sums[i][0] += characters
			sums[i][1] += parentheses
		}
		b.WriteByte('\n')
	}
	b.WriteString("| all ten |")
	for _, s := range sums {
		fmt.Fprintf(&b, " %d, %d |", s[0], s[1])
	}
	b.WriteByte('\n')

	const from, to = "<!-- lengths -->\n", "<!-- end of lengths -->\n"
	testkit.GoldenPart(t, testkit.Root(t, "docs", "defn.md"), from, to, b.String())
}
