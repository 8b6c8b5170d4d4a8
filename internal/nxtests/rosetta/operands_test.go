package rosetta_test

import (
	"math"
	"os"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// The operands of all pairs, by their names in Python.
var (
	nan = math.NaN()
	inf = math.Inf(1)
	a   = nx.New([][]float64{{0.5, -1.25, 2, 3}, {-0.75, 4, 1.5, -2}, {6, 0.125, -3.5, 1}})
	b   = nx.New([][]float64{{1, 2, 0.5, 4}, {3, 0.25, 2.5, 1.5}, {0.75, 5, 1.25, 2.25}})
	c   = nx.New([][]float64{{0.5, nan, 2, 3}, {nan, 4, 1.5, -2}, {6, 0.125, -3.5, 1}})
	s   = nx.New([][]float64{{2, 1, -1}, {0.5, 3, 1}, {-2, 0.25, 4}})      // square
	e   = nx.New([][]float64{{4, 1, 0.5}, {1, 3, -0.25}, {0.5, -0.25, 2}}) // symmetric, positive definite
	u   = nx.New([]float64{0.3, -0.6, 0.9, 0.1, -0.2})                     // in (-1, 1)
	v   = nx.New([]float64{3, -1, 2, 2, 0.5})
	w   = nx.New([]float64{1, 2, 0.5, 3, 1.5})
	h   = nx.New([]float64{0.5, 1.5, 2.5, -0.5, -1.5}) // halves
	i   = nx.New([]int64{7, -7, 12, -3, 5})
	j   = nx.New([]int64{2, 3, -5, 2, 4})
	k   = nx.New([]int64{0, 1, 2, 3, 1})
	p   = nx.New([]bool{true, false, true, true, false})
	q   = nx.New([]bool{true, true, false, false, false})
	d   = nx.New([]uint8{200, 100, 7, 0})
	f   = nx.New([]float32{0.1, -2.5, 3.25})
	z   = nx.New([]complex128{1 + 2i, -0.5i, 3, -1 - 1i, 0.25 + 0.75i})
	x   = nx.Reshape(nx.Linspace(-2, 3, 2*3*6*5, nx.F64), 2, 3, 6, 5)
	g   = nx.Reshape(nx.Linspace(1, -1, 4*3*3*2, nx.F64), 4, 3, 3, 2)
	key = random.Key(42)
)

var operands = map[string]nx.Tensor{"a": a, "b": b, "c": c, "s": s, "e": e, "u": u, "v": v, "w": w, "h": h, "i": i,
	"j": j, "k": k, "p": p, "q": q, "d": d, "f": f, "z": z, "x": x, "g": g}

var numpyTypes = map[nx.DType]string{nx.F64: "f8", nx.F32: "f4", nx.S64: "i8", nx.U8: "u1",
	nx.Bool: "?", nx.C128: "c16"}

// folder is where Go writes files that Python reads.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "rosetta"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// one wraps a function of one tensor and its operand.
func one(f func(nx.Tensor) nx.Tensor, t nx.Tensor) func() any { return func() any { return f(t) } }

// two wraps a function of two tensors and its operands.
func two(f func(a, b nx.Tensor) nx.Tensor, s, t nx.Tensor) func() any {
	return func() any { return f(s, t) }
}

// list makes a list of results.
func list(ts ...any) any { return ts }
