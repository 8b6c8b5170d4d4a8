package definitions

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/nxtests/definitions/defs"
)

// inputs are numbers that definitions of one and two numbers run on.
var inputs = []float64{-7, -2.5, -1, 0, 0.5, 1, 2, 3, 6, 12, 30}

func number(x float64) nx.Tensor { return nx.New([]float64{x}).At(0) }

// TestUnary compares definitions on numbers with what is made of them, at once and compiled.
func TestUnary(t *testing.T) {
	for _, c := range []struct {
		name  string
		graph func(nx.Tensor) nx.Tensor
		plain func(defn.Tensor) defn.Tensor
		from  float64 // the smallest input
	}{
		{"gelu", Gelu, defs.Gelu, -99},
		{"newton", Newton, defs.Newton, 0.1},
		{"constants", Constants, defs.Constants, -99},
		{"huge", Huge, defs.Huge, -99},
		{"parity", Parity, defs.Parity, -99},
		{"sign", Sign3, defs.Sign3, -99},
		{"bracket", Bracket, defs.Bracket, -99},
		{"tagged", Tagged, defs.Tagged, -99},
		{"scope", Scope, defs.Scope, -99},
		{"factorial", Factorial, defs.Factorial, -99},
		{"fibonacci", Fibonacci, defs.Fibonacci, -99},
		{"sqrt", Sqrt2, defs.Sqrt2, 0.1},
		{"sum of odd", SumOdd, defs.SumOdd, -99},
		{"grid", Grid, defs.Grid, -99},
		{"search", Search, defs.Search, -99},
		{"unrolled", Unrolled, defs.Unrolled, -99},
		{"unrolled break", UnrolledBreak, defs.UnrolledBreak, -99},
		{"temporary", Temporary, defs.Temporary, -99},
		{"thrice", Thrice, defs.Thrice, -99},
		{"branches", Branches, defs.Branches, -99},
		{"doubling", Doubling, defs.Doubling, 0.1},
		{"activations", Activations, defs.Activations, -99},
		{"converted", func(x nx.Tensor) nx.Tensor { return Converted(x, 3, 0.5) },
			func(x defn.Tensor) defn.Tensor { return defs.Converted(x, 3, 0.5) }, -99},
		{"powers", func(x nx.Tensor) nx.Tensor { return Powers(x, 4) },
			func(x defn.Tensor) defn.Tensor { return defs.Powers(x, 4) }, -99},
		{"dropout", func(x nx.Tensor) nx.Tensor { return Dropout(x, number(0.7), true) },
			func(x defn.Tensor) defn.Tensor { return defs.Dropout(x, 0.7, true) }, -99},
		{"no dropout", func(x nx.Tensor) nx.Tensor { return Dropout(x, number(0.7), false) },
			func(x defn.Tensor) defn.Tensor { return defs.Dropout(x, 0.7, false) }, -99},
		{"mean", func(x nx.Tensor) nx.Tensor { return Choice(x, true) },
			func(x defn.Tensor) defn.Tensor { return defs.Choice(x, true) }, -99},
		{"any negative", AnyNegative, defs.AnyNegative, -99},
	} {
		compiled := nx.Jit(c.graph)
		for _, x := range inputs {
			if x < c.from {
				continue
			}
			t.Run(fmt.Sprint(c.name, " ", x), func(t *testing.T) {
				want := number(float64(c.plain(defn.Tensor(x))))
				same(t, nx.Cast(c.graph(number(x)), nx.F64), want)
				same(t, nx.Cast(compiled(number(x)), nx.F64), want)
			})
		}
	}
}

// TestBinary compares definitions of two numbers, one of which is a tensor with axes, too.
func TestBinary(t *testing.T) {
	for _, c := range []struct {
		name  string
		graph func(a, b nx.Tensor) nx.Tensor
		plain func(a, b defn.Tensor) defn.Tensor
		isMap bool // works for each element
	}{
		{"arithmetic", Arithmetic, defs.Arithmetic, true},
		{"compound", Compound, defs.Compound, true},
		{"compare", Compare, defs.Compare, true},
		{"min and max", MinMax, defs.MinMax, true},
		{"nested", Nested, defs.Nested, false},
		{"gcd", Gcd, defs.Gcd, false},
		{"swapped", Swapped, defs.Swapped, true},
		{"cases", Cases, defs.Cases, false},
		{"relation", func(a, b nx.Tensor) nx.Tensor { return nx.Where(Relation(a, b), 1.0, 0.0) },
			func(a, b defn.Tensor) defn.Tensor { return defn.Where(defs.Relation(a, b), 1, 0) }, true},
		{"first power", func(x, limit nx.Tensor) nx.Tensor { p, n := FirstPower(x, limit); return nx.Add(p, n) },
			func(x, limit defn.Tensor) defn.Tensor { p, n := defs.FirstPower(x, limit); return p + n }, false},
	} {
		compiled := nx.Jit(c.graph)
		for _, a := range inputs {
			var want []float64
			for _, b := range inputs {
				x, y := number(a), number(b)
				if c.name == "cases" {
					x = nx.Cast(x, nx.S32)
				}
				w := float64(c.plain(defn.Tensor(a), defn.Tensor(b)))
				want = append(want, w)
				t.Run(fmt.Sprint(c.name, " ", a, " ", b), func(t *testing.T) {
					same(t, nx.Cast(compiled(x, y), nx.F64), number(w))
				})
			}
			if c.isMap {
				t.Run(fmt.Sprint(c.name, " ", a, " vector"), func(t *testing.T) {
					same(t, nx.Cast(c.graph(number(a), nx.New(inputs)), nx.F64), nx.New(want))
				})
			}
		}
	}
}

// TestDerivatives compares derivatives of loops and branches with quotients of differences of the definitions.
func TestDerivatives(t *testing.T) {
	for _, c := range []struct {
		name  string
		graph func(nx.Tensor) nx.Tensor
		plain func(defn.Tensor) defn.Tensor
		at    []float64
	}{
		{"newton", Newton, defs.Newton, nil},
		{"gelu", Gelu, defs.Gelu, []float64{-1, 0.3, 2}},
		{"bracket", Bracket, defs.Bracket, []float64{5, 20, 50}},
		{"sqrt", Sqrt2, defs.Sqrt2, []float64{0.5, 2, 9}},
		{"unrolled break", UnrolledBreak, defs.UnrolledBreak, []float64{-3.3, 1.7}},
		{"temporary", Temporary, defs.Temporary, []float64{0.5, 2}},
		{"thrice", Thrice, defs.Thrice, []float64{0.5}},
		{"doubling", Doubling, defs.Doubling, []float64{0.7, 3}},
		{"nested", func(x nx.Tensor) nx.Tensor { return Nested(x, nx.Mul(x, 3)) },
			func(x defn.Tensor) defn.Tensor { return defs.Nested(x, 3*x) }, []float64{-2, 2}},
		{"find", func(x nx.Tensor) nx.Tensor { return Find(x, number(9)) },
			func(x defn.Tensor) defn.Tensor { return defs.Find(x, 9) }, []float64{0.4, 3}},
	} {
		derivative := nx.Jit(nx.Grad(c.graph))
		for _, x := range c.at {
			const h = 1e-5
			want := (float64(c.plain(defn.Tensor(x+h))) - float64(c.plain(defn.Tensor(x-h)))) / (2 * h)
			got := nx.Item[float64](derivative(number(x)))
			if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%s at %v: got %v, want %v", c.name, x, got, want)
			}
		}
	}
}

// TestOnlyTensors checks that a function that needs axes says how to get them.
func TestOnlyTensors(t *testing.T) {
	defer func() {
		want := "defn: Softmax works on tensors, not on single numbers: run go tool defn"
		if got := fmt.Sprint(recover()); len(got) < len(want) || got[:5] != want[:5] {
			t.Errorf("got %q", got)
		}
	}()
	defs.Softmax(1)
}
