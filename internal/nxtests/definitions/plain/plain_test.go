// Package plain has what defn makes of the definitions in package plaindefs.
package plain

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/nxtests/definitions/plaindefs"
	"github.com/go-nx/nx/random"
)

// TestPlain compares what is made of definitions with the definitions, which Go runs on numbers.
func TestPlain(t *testing.T) {
	numbers := []float64{-3.25, -1, 0, 0.75, 1.5, 2.5, 7}
	for name, f := range map[string]struct {
		plain func(x, y defn.Tensor) defn.Tensor
		graph func(x, y nx.Tensor) nx.Tensor
	}{
		"Decay":      {of(plaindefs.Decay), of(Decay)},
		"Signum":     {of(plaindefs.Signum), of(Signum)},
		"Collatz":    {of(plaindefs.Collatz), of(Collatz)},
		"Secant":     {of(plaindefs.Secant), of(Secant)},
		"Minimise":   {of(plaindefs.Minimise), of(Minimise)},
		"Horner":     {of(plaindefs.Horner), of(Horner)},
		"Fib":        {of(plaindefs.Fib), of(Fib)},
		"Clamped":    {of(plaindefs.Clamped), of(Clamped)},
		"Huber":      {of(plaindefs.Huber), of(Huber)},
		"Simpson":    {of(plaindefs.Simpson), of(Simpson)},
		"Composed":   {of(plaindefs.Composed), of(Composed)},
		"UseWay":     {of(plaindefs.UseWay), of(UseWay)},
		"Zeros2":     {of(plaindefs.Zeros2), of(Zeros2)},
		"Named":      {of(plaindefs.Named), of(Named)},
		"RK4":        {plaindefs.RK4, RK4},
		"Mandel":     {plaindefs.Mandel, Mandel},
		"Sort3":      {plaindefs.Sort3, Sort3},
		"GCD":        {plaindefs.GCD, GCD},
		"Nbody":      {plaindefs.Nbody, Nbody},
		"Bounce":     {plaindefs.Bounce, Bounce},
		"Ternary":    {plaindefs.Ternary, Ternary},
		"Predicates": {plaindefs.Predicates, Predicates},
		"Local":      {plaindefs.Local, Local},
	} {
		compiled := nx.Jit(f.graph)
		for _, x := range numbers {
			for _, y := range numbers {
				want := float64(f.plain(defn.Tensor(x), defn.Tensor(y)))
				got := nx.Item[float64](compiled(nx.New(x), nx.New(y)))
				if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
					t.Errorf("%s(%v, %v) = %v, on numbers %v", name, x, y, got, want)
				}
			}
		}
	}
}

// of makes a function of two arguments of one of the first.
func of[T any](f func(x T) T) func(x, y T) T { return func(x, _ T) T { return f(x) } }

func near(t *testing.T, name string, got nx.Tensor, want ...float64) {
	t.Helper()
	g := nx.Data[float64](nx.Cast(got, nx.F64))
	if len(g) != len(want) {
		t.Fatalf("%s: got %v, want %v", name, g, want)
	}
	for i := range g {
		if !(math.Abs(g[i]-want[i]) <= 1e-6*(1+math.Abs(want[i]))) {
			t.Errorf("%s: got %v, want %v", name, g, want)
			return
		}
	}
}

func TestMatrices(t *testing.T) {
	a := nx.New([][]float64{{4, 1}, {1, 3}})
	solve := nx.Jit(func(a, b nx.Tensor) nx.Tensor { return CG(a, b, 4) })
	near(t, "CG", solve(a, nx.New([]float64{1, 2})), 1.0/11, 7.0/11)

	// scaled by hand: alpha0 = pi*b0; p = sum
	pi, tr := nx.New([]float64{0.6, 0.4}), nx.New([][]float64{{0.7, 0.3}, {0.4, 0.6}})
	emit := nx.New([][]float64{{0.5, 0.4, 0.1}, {0.1, 0.3, 0.6}})
	a0 := [2]float64{0.6 * 0.5, 0.4 * 0.1}
	a1 := [2]float64{(a0[0]*0.7 + a0[1]*0.4) * 0.4, (a0[0]*0.3 + a0[1]*0.6) * 0.3}
	a2 := [2]float64{(a1[0]*0.7 + a1[1]*0.4) * 0.1, (a1[0]*0.3 + a1[1]*0.6) * 0.6}
	near(t, "Forward", Forward(pi, tr, emit, []int{0, 1, 2}), math.Log(a2[0]+a2[1]))

	q := nx.New([][]float64{{1, 0}, {0, 1}})
	v := nx.New([][]float64{{1, 2}, {3, 4}})
	e := math.Exp(1 / math.Sqrt2)
	near(t, "Attention", Attention(q, q, v, true), 1, 2, (1+3*e)/(1+e), (2+4*e)/(1+e))

	one := func(x float64) nx.Tensor { return nx.New([][]float64{{x}}) }
	k := Kalman{one(1), one(1), one(0.1), one(0.5)}
	x, p := k.Step(one(2), one(1), one(3))
	gain := 1.1 / 1.6
	near(t, "Kalman x", x, 2+gain)
	near(t, "Kalman P", p, 1.1-gain*1.1)

	g := GRU{one(0.5), one(-0.3), one(0.8), one(0.2), one(0.1), one(-0.4), one(0.1), one(0.2), one(-0.1)}
	h := 0.3
	sig := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	var hs []float64
	xs := []float64{1, -2}
	for _, x := range xs {
		z, r := sig(0.5*x+0.2*h+0.1), sig(-0.3*x+0.1*h+0.2)
		c := math.Tanh(0.8*x - 0.4*r*h - 0.1)
		h = (1-z)*h + z*c
		hs = append(hs, h)
	}
	last, all := g.Run(one(0.3), nx.New([][][]float64{{{1}}, {{-2}}}))
	near(t, "GRU", last, h)
	near(t, "GRU", all, hs...)

	chain := nx.Jit(func(key nx.Tensor) nx.Tensor {
		_, rate := Metropolis(key, nx.New(0.1), nx.New(400))
		return rate
	})(random.Key(1))
	if rate := nx.Item[float64](nx.Cast(chain, nx.F64)); rate < 0.6 || rate > 0.98 {
		t.Errorf("accepted %v", rate)
	}
}

// TestGradients compares gradients with differences.
func TestGradients(t *testing.T) {
	const h = 1e-5
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"Decay": Decay, "Minimise": Minimise, "Horner": Horner, "Huber": Huber, "Simpson": Simpson, "Secant": Secant,
		"Fit":       func(x nx.Tensor) nx.Tensor { return Fit(x, nx.New(0.5)) },
		"Instances": func(x nx.Tensor) nx.Tensor { return Instances(x, nx.New(0.5)) },
		"RK4":       func(x nx.Tensor) nx.Tensor { return RK4(x, nx.New(0.5)) },
		"Nbody":     func(x nx.Tensor) nx.Tensor { return Nbody(x, nx.New(0.5)) },
		"Sort3":     func(x nx.Tensor) nx.Tensor { return Sort3(x, nx.New(0.35)) },
		"Local":     func(x nx.Tensor) nx.Tensor { return Local(x, nx.New(0.35)) },
	} {
		grad := nx.Jit(nx.Grad(f))
		for _, x := range []float64{0.41, 1.83} {
			at := func(x float64) float64 { return nx.Item[float64](f(nx.New(x))) }
			want := (at(x+h) - at(x-h)) / (2 * h)
			if got := nx.Item[float64](grad(nx.New(x))); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("the derivative of %s at %v is %v, by differences %v", name, x, got, want)
			}
		}
	}
}
