// Package plain has what defn makes of the definitions in package plaindefs.
package plain

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/definitions/plaindefs"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/random"
)

// TestPlain compares what is made of definitions with the definitions, which Go runs on numbers.
func TestPlain(t *testing.T) {
	kit.OnNumbers(t, "Decay", kit.OfFirst(plaindefs.Decay), kit.OfFirst(Decay))
	kit.OnNumbers(t, "Signum", kit.OfFirst(plaindefs.Signum), kit.OfFirst(Signum))
	kit.OnNumbers(t, "Collatz", kit.OfFirst(plaindefs.Collatz), kit.OfFirst(Collatz))
	kit.OnNumbers(t, "Secant", kit.OfFirst(plaindefs.Secant), kit.OfFirst(Secant))
	kit.OnNumbers(t, "Minimise", kit.OfFirst(plaindefs.Minimise), kit.OfFirst(Minimise))
	kit.OnNumbers(t, "Horner", kit.OfFirst(plaindefs.Horner), kit.OfFirst(Horner))
	kit.OnNumbers(t, "Fib", kit.OfFirst(plaindefs.Fib), kit.OfFirst(Fib))
	kit.OnNumbers(t, "Clamped", kit.OfFirst(plaindefs.Clamped), kit.OfFirst(Clamped))
	kit.OnNumbers(t, "Huber", kit.OfFirst(plaindefs.Huber), kit.OfFirst(Huber))
	kit.OnNumbers(t, "Simpson", kit.OfFirst(plaindefs.Simpson), kit.OfFirst(Simpson))
	kit.OnNumbers(t, "Composed", kit.OfFirst(plaindefs.Composed), kit.OfFirst(Composed))
	kit.OnNumbers(t, "UseWay", kit.OfFirst(plaindefs.UseWay), kit.OfFirst(UseWay))
	kit.OnNumbers(t, "Zeros2", kit.OfFirst(plaindefs.Zeros2), kit.OfFirst(Zeros2))
	kit.OnNumbers(t, "Named", kit.OfFirst(plaindefs.Named), kit.OfFirst(Named))
	kit.OnNumbers(t, "RK4", plaindefs.RK4, RK4)
	kit.OnNumbers(t, "Mandel", plaindefs.Mandel, Mandel)
	kit.OnNumbers(t, "Sort3", plaindefs.Sort3, Sort3)
	kit.OnNumbers(t, "GCD", plaindefs.GCD, GCD)
	kit.OnNumbers(t, "Nbody", plaindefs.Nbody, Nbody)
	kit.OnNumbers(t, "Bounce", plaindefs.Bounce, Bounce)
	kit.OnNumbers(t, "Ternary", plaindefs.Ternary, Ternary)
	kit.OnNumbers(t, "Predicates", plaindefs.Predicates, Predicates)
	kit.OnNumbers(t, "Local", plaindefs.Local, Local)
}

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
