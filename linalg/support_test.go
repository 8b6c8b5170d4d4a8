package linalg_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/stablehlo/interp"
)

var types = []nx.DType{nx.F32, nx.F64, nx.C64, nx.C128}

// eps is the unit roundoff.
func eps(d nx.DType) float64 {
	if d == nx.F32 || d == nx.C64 {
		return 0x1p-24
	}
	return 0x1p-53
}

// random returns normal numbers, complex ones of complex types.
func random(seed uint64, d nx.DType, shape ...int) nx.Tensor {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]complex128, nx.Shape(shape).Size())
	for i := range data {
		data[i] = complex(r.NormFloat64(), 0)
		if d.IsComplex() {
			data[i] += complex(0, r.NormFloat64())
		}
	}
	return nx.Cast(nx.FromSlice(data, shape), d)
}

// numbers returns the elements as complex numbers.
func numbers(t nx.Tensor) []complex128 { return nx.Data[complex128](nx.Cast(t, nx.C128)) }

// norm is the Frobenius norm of all of t.
func norm(t nx.Tensor) float64 {
	sum := 0.0
	for _, z := range numbers(t) {
		sum += real(z)*real(z) + imag(z)*imag(z)
	}
	return math.Sqrt(sum)
}

// near requires that x and y differ by no more than tol, in the Frobenius norm.
func near(t *testing.T, what string, x, y nx.Tensor, tol float64) {
	t.Helper()
	if !slices.Equal(x.Shape(), y.Shape()) {
		t.Errorf("%s: shapes %v and %v", what, x.Shape(), y.Shape())
		return
	}
	d := norm(nx.Sub(nx.Cast(x, nx.C128), nx.Cast(y, nx.C128)))
	if !(d <= tol) {
		t.Errorf("%s: they differ by %.3g, more than %.3g\n%v\n%v", what, d, tol, x, y)
	}
}

// backward requires that x and y differ by at most 20·n·ε·‖x‖.
func backward(t *testing.T, what string, x, y nx.Tensor) {
	t.Helper()
	n := 1
	if s := x.Shape(); len(s) > 0 {
		n = slices.Max(s)
	}
	near(t, what, x, y, 20*float64(n)*eps(x.DType())*norm(x))
}

func adjoint(t nx.Tensor) nx.Tensor {
	order := make([]int, t.Rank())
	for i := range order {
		order[i] = i
	}
	n := len(order)
	order[n-2], order[n-1] = n-1, n-2
	return nx.Conj(nx.Transpose(t, nx.Axis(order...)))
}

// orthonormal requires qᴴ·q = 1 to 20·n·ε.
func orthonormal(t *testing.T, what string, q nx.Tensor) {
	t.Helper()
	s := q.Shape()
	k := s[len(s)-1]
	one := nx.BroadcastTo(nx.Eye(nx.Shape{k, k}, q.DType()), append(slices.Clone(s[:len(s)-2]), k, k)...)
	n := float64(max(1, slices.Max(s)))
	near(t, what+": qᴴq", nx.Dot(adjoint(q), q), one,
		20*n*eps(q.DType())*math.Sqrt(float64(max(1, one.Size()/max(1, k)))))
}

// definite returns Hermitian positive definite matrices.
func definite(seed uint64, d nx.DType, shape ...int) nx.Tensor {
	a := random(seed, d, shape...)
	n := shape[len(shape)-1]
	return nx.Add(nx.Dot(a, adjoint(a)), nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d))
}

// onInterp runs f, which takes and returns tensors, on the interpreter: by plain ops.
func onInterp(t *testing.T, f func(ins []nx.Tensor) []nx.Tensor, ins ...nx.Tensor) []nx.Tensor {
	t.Helper()
	l, err := nx.Lower(f, nx.Args(ins))
	if err != nil {
		t.Fatal(err)
	}
	it, err := interp.New(l.Module())
	if err != nil {
		t.Fatal(err)
	}
	args := make([]interp.Value, len(ins))
	fn, _ := l.Module().Func("main")
	for i, x := range ins {
		if args[i], err = interp.NewTensor(fn.Args()[i].Tensor(), nx.Bytes(x)); err != nil {
			t.Fatal(err)
		}
	}
	results, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Fatal(err)
	}
	outs := make([]nx.Tensor, len(results))
	for i, r := range results {
		x := r.(*interp.Tensor)
		shape := make(nx.Shape, x.Type.Rank())
		for k, d := range x.Type.Dims {
			shape[k] = int(d)
		}
		outs[i] = nx.FromBytes(x.Data, shape, x.Type.DType())
	}
	return outs
}

// derivatives compares both modes of the derivative of f in a random direction with
// central differences, in f64, and the second derivative with differences of the first.
func derivatives(t *testing.T, what string, f func(nx.Tensor) nx.Tensor, x nx.Tensor) {
	t.Helper()
	y := f(x)
	w := random(7, y.DType(), y.Shape()...)
	d := random(8, x.DType(), x.Shape()...)
	loss := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Real(nx.Mul(nx.Conj(w), f(x)))) }
	number := func(t nx.Tensor) float64 { return nx.Item[float64](t) }
	along := func(g func(nx.Tensor) nx.Tensor) float64 {
		const h = 1e-5
		step := nx.Mul(d, h)
		return number(nx.Div(nx.Sub(g(nx.Add(x, step)), g(nx.Sub(x, step))), 2*h))
	}
	agree := func(which string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 2e-6*max(1, math.Abs(want))) {
			t.Errorf("%s: %s is %v, differences give %v", what, which, got, want)
		}
	}
	// A gradient by a complex number is conjugated: it points uphill.
	slope := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Real(nx.Mul(d, nx.Grad(loss)(x)))) }
	want := along(loss)
	_, dy := nx.JVP(loss, x, d)
	agree("the JVP", number(dy), want)
	agree("the gradient", number(slope(x)), want)
	agree("the second derivative", number(nx.Sum(nx.Real(nx.Mul(d, nx.Grad(slope)(x))))), along(slope))
}

// vmapped compares f of a batch with f of its elements, one by one.
func vmapped(t *testing.T, what string, f func(nx.Tensor) nx.Tensor, xs nx.Tensor) {
	t.Helper()
	got := nx.Vmap(f)(xs)
	var each []nx.Tensor
	for i := range xs.Shape()[0] {
		each = append(each, f(xs.At(i)))
	}
	want := nx.Stack(each)
	near(t, what+": Vmap", got, want, 1e3*eps(got.DType())*(1+norm(want)))
}

func named(format string, args ...any) string { return fmt.Sprintf(format, args...) }
