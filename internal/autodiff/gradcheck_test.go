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
	// lo and hi bound the arguments; 0.2 and 1.7 if both are 0.
	lo, hi float64
	// once is the reason why the second derivative is not checked, if any.
	once string
}

// The larger step of the finite differences, and the relative tolerance of ⟨u, J·v⟩ = ⟨Jᵀ·u, v⟩.
const (
	step         = 1e-4
	dotTolerance = 1e-10
)

// quotient is a difference quotient with its error bound.
type quotient struct{ slope, off float64 }

// vague reports whether a quotient is useless: the function is too steep, too curved or has a kink
// within the steps.
func (q quotient) vague() bool { return !(q.off < 1e-4*(1+math.Abs(q.slope))) }

// quotients returns the slopes of the parts of f at 0, one list for each result.  The error of a
// central difference is of the order of the square of its step: of two, with steps h and h/2,
// (4·D(h/2) - D(h))/3 is better, and their difference measures how fast the slope changes. The
// rounding errors of f depend on the condition of f at this point: sums whose terms cancel have
// larger ones than their result shows. The fourth difference of f is all rounding, since the
// contribution of f is of the order of h⁴; the one of an element may be small by chance, so the
// largest of a result is used for all of its elements.
func quotients(f func(h float64) []interp.Value) [][]quotient {
	var at [5][]interp.Value
	for i, h := range []float64{step, -step, step / 2, -step / 2, 0} {
		at[i] = floats(f(h))
	}
	out := make([][]quotient, len(at[0]))
	for i := range at[0] {
		a, b, c, d, middle := parts(at[0][i]), parts(at[1][i]), parts(at[2][i]), parts(at[3][i]), parts(at[4][i])
		largest, noise := 1.0, 0.0
		for j, y := range a {
			largest = max(largest, math.Abs(y))
			noise = max(noise, math.Abs(a[j]+b[j]-4*(c[j]+d[j])+6*middle[j]))
		}
		for j := range a {
			wide, narrow := (a[j]-b[j])/(2*step), (c[j]-d[j])/step
			slope := narrow + (narrow-wide)/3
			rounding := (noise + 0x1p-47*(largest+math.Abs(slope))) / step
			out[i] = append(out[i], quotient{slope, 2*math.Abs(narrow-wide) + rounding})
		}
	}
	return out
}

// checkGrad checks the forward mode against central differences and the reverse mode against the
// forward mode, by random projections; then the same for the derivative of the reverse mode, which
// is of second order.
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
	if vague := checkModule(t, m, randomArgs(rng, m, lo, hi), rng, c.once == ""); vague > 0 {
		t.Errorf("%d of the difference quotients are vague: check the derivative at another point", vague)
	}
}

// checkModule checks the derivatives of @main at x, and returns the number of vague difference
// quotients.
func checkModule(t *testing.T, m *stablehlo.Module, x []interp.Value, rng *rand.Rand, twice bool) (vague int) {
	t.Helper()
	pull, vague := checkOrder(t, "first order", m, x, rng)
	if twice {
		cts := randomLike(rng, floats(run(t, m, x)))
		_, v := checkOrder(t, "second order", pull, append(x, cts...), rng)
		if vague += v; vague == 0 {
			coveredTwice(m)
		}
	}
	return vague
}

func checkOrder(t *testing.T, order string, m *stablehlo.Module, x []interp.Value,
	rng *rand.Rand) (pull *stablehlo.Module, vague int) {
	t.Helper()
	push := transformed(t, jvp, m)
	pull = transformed(t, vjp, m)

	v := randomLike(rng, floats(x))
	values := run(t, m, x)
	n := len(values)
	pushed := run(t, push, append(x, v...))
	sameValues(t, order+": results of the JVP", pushed[:n], values)
	forward := pushed[n:]
	slopes := quotients(func(h float64) []interp.Value { return run(t, m, moved(x, v, h)) })
	for i, f := range forward {
		for j, d := range parts(f) {
			q := slopes[i][j]
			if q.vague() {
				vague++
			} else if !(math.Abs(d-q.slope) <= q.off) {
				t.Fatalf("%s: tangent %d[%d] is %g, the difference quotient %g ± %g\n%s",
					order, i, j, d, q.slope, q.off, m)
			}
		}
	}

	u := randomLike(rng, floats(values))
	pulled := run(t, pull, append(x, u...))
	sameValues(t, order+": results of the VJP", pulled[:n], values)
	left, terms := dot(u, forward)
	right, others := dot(pulled[n:], v)
	if !(math.Abs(left-right) <= dotTolerance*(1+terms+others)) {
		t.Fatalf("%s: ⟨u, J·v⟩ = %g but ⟨Jᵀ·u, v⟩ = %g\n%s", order, left, right, m)
	}
	return pull, vague
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

// randomArgs returns arguments of @main, all floats or complex numbers, whose parts lie between lo
// and hi.
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

// dot returns Re(Σ x·y), the pairing of cotangents and tangents, and the sum of the sizes
// of its terms.
func dot(x, y []interp.Value) (sum, size float64) {
	for i := range x {
		a, b := parts(x[i]), parts(y[i])
		complexElems := x[i].(*interp.Tensor).Type.DType().IsComplex()
		for j := range a {
			size += math.Abs(a[j] * b[j])
			if complexElems && j%2 == 1 {
				sum -= a[j] * b[j]
			} else {
				sum += a[j] * b[j]
			}
		}
	}
	return sum, size
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
