package autodiff_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// gradCase is a program whose derivatives are checked at a random point.
type gradCase struct {
	name string
	text string
	// lo and hi bound the arguments; 0.2 and 1.7 when both are 0.
	lo, hi float64
	// once is set where the second derivative is not checked, with the reason.
	once string
}

// The step of the finite differences and how far they may be off: the error of
// a central difference is of the order of step² and of 1e-16/step.
const (
	step          = 1e-5
	diffTolerance = 3e-7
	dotTolerance  = 1e-10
)

// checkGrad checks the forward mode against central differences and the reverse
// mode against the forward mode, by random projections; then the same of the
// reverse mode, whose derivatives are of second order.
func checkGrad(t *testing.T, c gradCase) {
	t.Helper()
	m, err := stablehlo.Parse("program", []byte(c.text))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(); err != nil {
		t.Fatal(err)
	}
	covered(m)
	rng := rand.New(rand.NewPCG(1, 2))
	lo, hi := c.lo, c.hi
	if lo == 0 && hi == 0 {
		lo, hi = 0.2, 1.7
	}
	x := randomArgs(rng, m, lo, hi)
	pull := checkOrder(t, "first order", m, x, rng)
	if c.once == "" {
		cts := randomLike(rng, floats(run(t, m, x)))
		checkOrder(t, "second order", pull, append(x, cts...), rng)
	}
}

func checkOrder(t *testing.T, order string, m *stablehlo.Module, x []interp.Value, rng *rand.Rand) (pull *stablehlo.Module) {
	t.Helper()
	push := transformed(t, jvp, m)
	pull = transformed(t, vjp, m)

	v := randomLike(rng, floats(x))
	values := run(t, m, x)
	n := len(values)
	pushed := run(t, push, append(x, v...))
	sameValues(t, order+": results of the JVP", pushed[:n], values)
	forward := pushed[n:]
	above, below := floats(run(t, m, moved(x, v, step))), floats(run(t, m, moved(x, v, -step)))
	for i, f := range forward {
		a, b, d := parts(above[i]), parts(below[i]), parts(f)
		for j := range d {
			want := (a[j] - b[j]) / (2 * step)
			if !near(d[j], want, diffTolerance, diffTolerance*(1+max(math.Abs(a[j]), math.Abs(d[j])))) {
				t.Fatalf("%s: tangent %d[%d] is %g, the difference quotient %g", order, i, j, d[j], want)
			}
		}
	}

	u := randomLike(rng, floats(values))
	pulled := run(t, pull, append(x, u...))
	sameValues(t, order+": results of the VJP", pulled[:n], values)
	if left, right := dot(u, forward), dot(pulled[n:], v); !near(left, right, dotTolerance, dotTolerance) {
		t.Fatalf("%s: ⟨u, J·v⟩ = %g but ⟨Jᵀ·u, v⟩ = %g", order, left, right)
	}
	return pull
}

type transform func(*stablehlo.Module) (*stablehlo.Module, error)

func jvp(m *stablehlo.Module) (*stablehlo.Module, error) {
	return autodiff.JVP(context.Background(), m, "main", nil)
}

func vjp(m *stablehlo.Module) (*stablehlo.Module, error) {
	return autodiff.VJP(context.Background(), m, "main", nil, nil)
}

// transformed returns the derivative of m, which must verify.
func transformed(t *testing.T, f transform, m *stablehlo.Module) *stablehlo.Module {
	t.Helper()
	d, err := f(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, d)
	}
	return d
}

func run(t *testing.T, m *stablehlo.Module, args []interp.Value) []interp.Value {
	t.Helper()
	it, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	return out
}

// randomArgs returns arguments of @main, all floats or complex numbers, whose
// parts lie between lo and hi.
func randomArgs(rng *rand.Rand, m *stablehlo.Module, lo, hi float64) []interp.Value {
	f, _ := m.Func("main")
	var args []interp.Value
	for _, a := range f.Args() {
		t := a.Tensor()
		n, _ := t.NumElems()
		x := &interp.Tensor{Type: t, Data: make([]byte, int(n)*t.DType().Size())}
		fill(x, func() float64 { return lo + (hi-lo)*rng.Float64() })
		args = append(args, x)
	}
	return args
}

// fill sets the parts of the elements of x.
func fill(x *interp.Tensor, next func() float64) {
	d := x.Type.DType()
	r := d.Real()
	for i := range len(x.Data) / r.Size() {
		r.StoreFloat(x.Data, i, next())
	}
}

// parts returns the elements of x, or their real and imaginary parts.
func parts(x interp.Value) []float64 {
	t := x.(*interp.Tensor)
	r := t.Type.DType().Real()
	out := make([]float64, len(t.Data)/r.Size())
	for i := range out {
		out[i] = r.LoadFloat(t.Data, i)
	}
	return out
}

// floats returns the values that are tensors of floats or complex numbers.
func floats(vs []interp.Value) []interp.Value {
	var out []interp.Value
	for _, v := range vs {
		if t, ok := v.(*interp.Tensor); ok && (t.Type.DType().IsFloat() || t.Type.DType().IsComplex()) {
			out = append(out, v)
		}
	}
	return out
}

// randomLike returns random values of the types of vs with parts around 0.
func randomLike(rng *rand.Rand, vs []interp.Value) []interp.Value {
	out := make([]interp.Value, len(vs))
	for i, v := range vs {
		t := v.(*interp.Tensor)
		x := &interp.Tensor{Type: t.Type, Data: make([]byte, len(t.Data))}
		fill(x, rng.NormFloat64)
		out[i] = x
	}
	return out
}

// moved returns x + h·v; v has the elements of x that are floats.
func moved(x, v []interp.Value, h float64) []interp.Value {
	out := make([]interp.Value, len(x))
	k := 0
	for i, a := range x {
		out[i] = a
		if len(floats([]interp.Value{a})) == 0 {
			continue
		}
		t := a.(*interp.Tensor)
		y := &interp.Tensor{Type: t.Type, Data: make([]byte, len(t.Data))}
		at, by, j := parts(t), parts(v[k]), 0
		fill(y, func() float64 { j++; return at[j-1] + h*by[j-1] })
		out[i], k = y, k+1
	}
	return out
}

// dot returns Re(Σ x·y), the pairing of cotangents and tangents.
func dot(x, y []interp.Value) float64 {
	sum := 0.0
	for i := range x {
		a, b := parts(x[i]), parts(y[i])
		complexElems := x[i].(*interp.Tensor).Type.DType().IsComplex()
		for j := range a {
			if complexElems && j%2 == 1 {
				sum -= a[j] * b[j]
			} else {
				sum += a[j] * b[j]
			}
		}
	}
	return sum
}

func sameValues(t *testing.T, what string, got, want []interp.Value) {
	t.Helper()
	for i := range floats(want) {
		a, b := parts(floats(got)[i]), parts(floats(want)[i])
		for j := range b {
			if !near(a[j], b[j], 1e-12, 1e-12) {
				t.Fatalf("%s: result %d[%d] is %g, want %g", what, i, j, a[j], b[j])
			}
		}
	}
}
