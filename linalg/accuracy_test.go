package linalg_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/linalg"
)

// kinds are matrices of n × n elements that factorisations find hard.
var kinds = []struct {
	name string
	make func(d nx.DType, n int) nx.Tensor
}{
	{"random", func(d nx.DType, n int) nx.Tensor { return random(1, d, n, n) }},
	{"graded", func(d nx.DType, n int) nx.Tensor { // rows and columns from 1 down to ε
		scale := make([]float64, n)
		for i := range scale {
			scale[i] = math.Pow(eps(d), float64(i)/float64(max(1, n-1)))
		}
		s := nx.Cast(nx.New(scale), d)
		return nx.Mul(nx.Mul(random(2, d, n, n), s), nx.ExpandAxis(s, nx.Axis(1)))
	}},
	{"clustered", func(d nx.DType, n int) nx.Tensor { // singular values around 1 and 1e-3
		return spectrum(d, n, func(i int) float64 { return math.Pow(1e-3, float64(i%2)) * (1 + 10*eps(d)*float64(i)) })
	}},
	{"deficient", func(d nx.DType, n int) nx.Tensor { // half the rank
		return nx.Dot(random(3, d, n, n/2), random(4, d, n/2, n))
	}},
}

func spectrum(d nx.DType, n int, f func(i int) float64) nx.Tensor {
	q, _ := linalg.QR(random(5, d, n, n))
	p, _ := linalg.QR(random(6, d, n, n))
	s := make([]float64, n)
	for i := range s {
		s[i] = f(i)
	}
	return nx.Dot(nx.Mul(q, nx.Cast(nx.New(s), d)), p)
}

// methods are the measured methods, in the order of docs/accuracy.md: backward errors, relative to the norm of
// the operand, and the deviation of vectors from orthonormality, in units of n·ε.
var methods = []struct {
	name string
	off  func(m *measured) float64
}{
	{"LU", func(m *measured) float64 {
		p, l, u := linalg.LU(m.a)
		return m.off(m.a, nx.Dot(p, nx.Dot(l, u)))
	}},
	{"Cholesky", func(m *measured) float64 {
		gram := nx.Add(nx.Dot(m.a, adjoint(m.a)), nx.Mul(m.one, norm(m.a)*norm(m.a)*m.unit))
		c := linalg.Cholesky(gram)
		return m.off(gram, nx.Dot(c, adjoint(c)))
	}},
	{"QR", func(m *measured) float64 {
		q, r := linalg.QR(m.a)
		m.vectors(q)
		return m.off(m.a, nx.Dot(q, r))
	}},
	{"Solve", func(m *measured) float64 {
		a, b := nx.Add(m.a, nx.Mul(m.one, norm(m.a)/4)), random(9, m.a.DType(), nx.AxisSize(m.a, 0), 2)
		x := linalg.Solve(a, b)
		return norm(nx.Sub(nx.Dot(a, x), b)) / (m.unit * (norm(m.a)*norm(x) + norm(b)))
	}},
	{"Eigh", func(m *measured) float64 {
		h := nx.Mul(nx.Add(m.a, adjoint(m.a)), 0.5)
		w, v := linalg.Eigh(h)
		m.vectors(v)
		return m.off(h, compose(w, v))
	}},
	{"SVD", func(m *measured) float64 {
		u, s, vt := linalg.SVD(m.a)
		m.vectors(u)
		m.vectors(adjoint(vt))
		return m.off(m.a, mulAll(u, s, vt))
	}},
	{"Eig", func(m *measured) float64 {
		w, v := linalg.Eig(m.a)
		a := nx.Cast(m.a, w.DType())
		return norm(nx.Sub(nx.Dot(a, v), nx.Mul(v, nx.ExpandAxis(w, nx.Axis(0))))) / (m.unit * norm(m.a))
	}},
	{"orthogonality", func(m *measured) float64 { return m.skew }},
}

// measured is a matrix and the measured errors of its factors.
type measured struct {
	a, one nx.Tensor
	unit   float64 // n·ε
	skew   float64 // the largest of Q, U and V
}

func (m *measured) off(x, y nx.Tensor) float64 { return norm(nx.Sub(x, y)) / (m.unit * norm(x)) }

func (m *measured) vectors(q nx.Tensor) {
	m.skew = max(m.skew, m.off(m.one, nx.Dot(adjoint(q), q)))
}

// TestAccuracy: errors are at most 20 n·ε, as LAPACK's are, and at most 1.5 times those of docs/accuracy.md,
// or 0.1.
func TestAccuracy(t *testing.T) {
	const page = "../docs/accuracy.md"
	const begin, end = "<!-- begin: written by go test ./linalg -run TestAccuracy -update -->\n", "<!-- end of linalg -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	table, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines %q and %q", page, begin, end)
	}
	stated := statedErrors(table)
	var out strings.Builder
	out.WriteString("| matrix | type | n |")
	for _, m := range methods {
		fmt.Fprintf(&out, " %s |", m.name)
	}
	out.WriteString("\n|---|---|---:|" + strings.Repeat("---:|", len(methods)) + "\n")
	for _, kind := range kinds {
		for _, d := range types {
			for _, n := range []int{10, 100} {
				one := nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d)
				m := &measured{a: kind.make(d, n), one: one, unit: float64(n) * eps(d)}
				row := fmt.Sprintf("| %s | %s | %d |", kind.name, d, n)
				out.WriteString(row)
				for i, method := range methods {
					off := method.off(m)
					fmt.Fprintf(&out, " %.2f |", off)
					limit := 20.0
					if len(stated[row]) == len(methods) && !testkit.Update() {
						limit = stated[row][i]*1.5 + 0.1
					}
					if !(off <= limit) {
						t.Errorf("%s %s: %.3g n·ε, above %.3g", row, method.name, off, limit)
					}
				}
				out.WriteString("\n")
				if len(stated[row]) != len(methods) && !testkit.Update() {
					t.Errorf("%s has no row %s", page, row)
				}
			}
		}
	}
	if testkit.Update() {
		if err := os.WriteFile(page, []byte(head+begin+out.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// statedErrors reads the table: the errors of a row by its first three cells.
func statedErrors(table string) map[string][]float64 {
	out := map[string][]float64{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != len(methods)+5 {
			continue
		}
		var errors []float64
		for _, c := range cells[4 : len(cells)-1] {
			if v, err := strconv.ParseFloat(strings.TrimSpace(c), 64); err == nil {
				errors = append(errors, v)
			}
		}
		out[strings.Join(cells[:4], "|")+"|"] = errors
	}
	return out
}

// TestLargeAccuracy: where divide and conquer joins parts more than once, too.
func TestLargeAccuracy(t *testing.T) {
	const n = 200
	for _, kind := range kinds {
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.C128} {
			one := nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d)
			m := &measured{a: kind.make(d, n), one: one, unit: float64(n) * eps(d)}
			for _, method := range methods {
				if method.name != "Eigh" && method.name != "SVD" {
					continue
				}
				if off := method.off(m); !(off <= 1) || !(m.skew <= 1) {
					t.Errorf("%s %s %s: %.3g n·ε, %.3g from orthonormal", kind.name, d, method.name, off, m.skew)
				} else {
					t.Logf("%s %s %s: %.2f n·ε, %.2f from orthonormal", kind.name, d, method.name, off, m.skew)
				}
			}
		}
	}
}
