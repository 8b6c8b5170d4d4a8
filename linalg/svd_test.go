package linalg_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// mulAll returns u·diag(s)·vt.
func mulAll(u, s, vt nx.Tensor) nx.Tensor {
	k := s.Shape()[s.Rank()-1]
	u, vt = u.At(nx.Ellipsis, nx.To(k)), vt.At(nx.Ellipsis, nx.To(k), nx.Whole)
	return nx.Dot(nx.Mul(u, nx.Cast(nx.ExpandAxis(s, nx.Axis(-2)), u.DType())), vt)
}

// TestSVD: u·diag(s)·vt = a with orthonormal vectors, for all shapes; plain ops agree.
func TestSVD(t *testing.T) {
	for _, d := range types {
		for i, s := range append(append(append([]nx.Shape{}, shapes...), tall...), wide...) {
			for _, mode := range []linalg.Mode{linalg.Reduced, linalg.Complete} {
				what := named("%s%v mode %d", d, s, mode)
				a := random(uint64(i), d, s...)
				u, w, vt := linalg.SVD(a, mode)
				backward(t, what, a, mulAll(u, w, vt))
				orthonormal(t, what+" u", u)
				orthonormal(t, what+" v", adjoint(vt))
				ascending(t, what, nx.Neg(w))
				near(t, what+": SVDVals", linalg.SVDVals(a), w, 100*eps(d)*norm(w))
				if s.Size() > 40 {
					continue
				}
				f := func(in []nx.Tensor) []nx.Tensor {
					u, w, vt := linalg.SVD(in[0], mode)
					return []nx.Tensor{w, mulAll(u, w, vt), nx.Dot(adjoint(u), u), nx.Dot(vt, adjoint(vt))}
				}
				for k, x := range onInterp(t, f, a) {
					near(t, named("%s: result %d by plain ops", what, k), x, f([]nx.Tensor{a})[k],
						200*eps(d)*(1+norm(x)))
				}
			}
		}
	}
}

// TestSVDOfSpectra: graded, clustered, deficient, huge and tiny singular values.
func TestSVDOfSpectra(t *testing.T) {
	const n = 40
	for name, f := range map[string]func(i int) float64{
		"graded":    func(i int) float64 { return math.Pow(10, -float64(i)/2) },
		"clustered": func(i int) float64 { return 1 - 1e-12*float64(i) },
		"equal":     func(i int) float64 { return 2 },
		"rank 3":    func(i int) float64 { return max(0, 3-float64(i)) },
		"zero":      func(i int) float64 { return 0 },
	} {
		for _, d := range []nx.DType{nx.F64, nx.C128} {
			q, _ := linalg.QR(random(5, d, n+7, n))
			p, _ := linalg.QR(random(6, d, n, n))
			data := make([]float64, n)
			for i := range data {
				data[i] = f(i)
			}
			want := nx.New(data)
			for _, a := range []nx.Tensor{mulAll(q, want, p), adjoint(mulAll(q, want, p))} {
				u, s, vt := linalg.SVD(a)
				orthonormal(t, name, u)
				orthonormal(t, name, adjoint(vt))
				backward(t, named("%s: %s", d, name), a, mulAll(u, s, vt))
				near(t, named("%s: %s: values", d, name), s, want, 1000*eps(d)*norm(want))
				deficient := func(in []nx.Tensor) []nx.Tensor {
					u, s, vt := linalg.SVD(in[0])
					return []nx.Tensor{mulAll(u, s, vt), nx.Dot(adjoint(u), u)}
				}
				small := a.At(nx.To(6), nx.To(4))
				if name == "zero" || name == "rank 3" {
					out := onInterp(t, deficient, small)
					backward(t, named("%s: %s by plain ops", d, name), small, out[0])
					near(t, "uᴴ·u by plain ops", out[1], nx.Cast(nx.Eye(nx.Shape{4, 4}, nx.F64), d), 1e-13)
				}
			}
		}
	}
	for _, scale := range []float64{1e-300, 1e300} {
		a := nx.Mul(random(4, nx.F64, 9, 6), scale)
		u, s, vt := linalg.SVD(a)
		backward(t, named("%g", scale), nx.Div(a, scale), mulAll(u, nx.Div(s, scale), vt))
	}
}

// TestNotFinite: NaN and Inf give NaN, in the checked variants errors; every call ends.
func TestNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		for _, d := range types {
			a := nx.Cast(nx.SetAt(random(1, nx.F64, 5, 5), x, 1, 1), d)
			for name, f := range map[string]func() error{
				"TryCholesky": func() error { _, err := linalg.TryCholesky(a); return err },
				"TrySolve":    func() error { _, err := linalg.TrySolve(a, a); return err },
				"TryInv":      func() error { _, err := linalg.TryInv(a); return err },
				"TryEigh":     func() error { _, _, err := linalg.TryEigh(a); return err },
				"TrySVD":      func() error { _, _, _, err := linalg.TrySVD(a); return err },
			} {
				if f() == nil {
					t.Errorf("%s of %v in %s: no error", name, x, d)
				}
			}
		}
		f := func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{linalg.SVDVals(in[0]), linalg.Eigvalsh(in[0])} }
		for _, r := range onInterp(t, f, nx.SetAt(random(1, nx.F64, 3, 3), x, 1, 1)) {
			if !nx.Item[bool](nx.All(nx.IsNaN(r))) {
				t.Errorf("plain ops give %v for %v", r, x)
			}
		}
	}
	if _, err := linalg.TrySolve(nx.Ones(nx.Shape{2, 3}, nx.F64), nx.Ones(nx.Shape{2}, nx.F64)); err == nil {
		t.Error("no error for a matrix that is not square")
	}
}

func TestSVDDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		for _, s := range []nx.Shape{{4, 4}, {5, 3}, {3, 5}, {2, 3, 2}} {
			a := random(3, d, s...)
			what := named("%s%v", d, s)
			f := func(a nx.Tensor) nx.Tensor { // not of the phases of vectors
				u, w, vt := linalg.SVD(a)
				return nx.Add(mulAll(u, nx.Sin(w), vt), nx.Cast(nx.Sum(nx.Mul(w, nx.Square(w))), d))
			}
			derivatives(t, what+": SVD", f, a)
			derivatives(t, what+": SVDVals", linalg.SVDVals, a)
			derivatives(t, what+": Pinv", func(a nx.Tensor) nx.Tensor { return linalg.Pinv(a) }, a)
			b := random(4, d, append(s[:len(s)-1:len(s)-1], 2)...)
			derivatives(t, what+": Lstsq by a", func(a nx.Tensor) nx.Tensor { return linalg.Lstsq(a, b).X }, a)
			derivatives(t, what+": Lstsq by b", func(b nx.Tensor) nx.Tensor { return linalg.Lstsq(a, b).X }, b)
		}
		full := func(a nx.Tensor) nx.Tensor { // the space of the further columns
			u, _, _ := linalg.SVD(a, linalg.Complete)
			rest := u.At(nx.Ellipsis, nx.From(2))
			return nx.Dot(rest, adjoint(rest))
		}
		derivatives(t, named("%s: complete SVD", d), full, random(5, d, 4, 2))
	}
}

// TestPinv: the four conditions of Penrose, deficient matrices too.
func TestPinv(t *testing.T) {
	for _, d := range types {
		for _, s := range []nx.Shape{{4, 4}, {7, 3}, {3, 7}, {2, 5, 4}, {0, 3}, {3, 0}} {
			a := random(1, d, s...)
			if s.Size() > 0 {
				first := a.At(nx.Ellipsis, nx.To(1))
				a = nx.Concatenate([]nx.Tensor{first, a}, nx.Axis(-1)) // two equal columns
			}
			p := linalg.Pinv(a)
			tol := 1e3 * eps(d) * (1 + norm(a)*norm(p)*norm(p))
			ap, pa := nx.Dot(a, p), nx.Dot(p, a)
			near(t, named("%s%v: a·p·a", d, s), nx.Dot(ap, a), a, tol*(1+norm(a)))
			near(t, named("%s%v: p·a·p", d, s), nx.Dot(pa, p), p, tol)
			near(t, named("%s%v: a·p", d, s), ap, adjoint(ap), tol)
			near(t, named("%s%v: p·a", d, s), pa, adjoint(pa), tol)
		}
	}
}

func TestLstsq(t *testing.T) {
	a := nx.New([][]float64{{1, 0}, {1, 1}, {1, 2}})
	r := linalg.Lstsq(a, nx.New([]float64{1, 3, 5.3}))
	near(t, "X", r.X, nx.New([]float64{0.95, 2.15}), 1e-14)
	near(t, "Residuals", r.Residuals, nx.New(0.015), 1e-14)
	if x := nx.Item[int](r.Rank); x != 2 {
		t.Errorf("the rank is %d", x)
	}
	// Among the solutions for a deficient matrix it is the one of least norm.
	near(t, "least norm", linalg.Lstsq(nx.New([][]float64{{1, 1}, {1, 1}}), nx.New([]float64{2, 2})).X,
		nx.New([]float64{1, 1}), 1e-14)
	for _, d := range types {
		x := random(1, d, 3, 5, 2)
		b := random(2, d, 5, 4)
		r := linalg.Lstsq(x, b)
		rest := nx.Sub(nx.Dot(x, r.X), b)
		near(t, named("%s: the rest is orthogonal", d), nx.Dot(adjoint(x), rest), nx.Zeros(nx.Shape{3, 2, 4}, d),
			1e3*eps(d)*norm(x)*norm(b))
	}
}

func TestMatrixRank(t *testing.T) {
	a := nx.New([][][]float64{{{1, 2}, {2, 4}}, {{1, 2}, {3, 4}}, {{0, 0}, {0, 0}}})
	near(t, "ranks", linalg.MatrixRank(a), nx.New([]int32{1, 2, 0}), 0)
	near(t, "with a tolerance", linalg.MatrixRank(nx.New([][]float64{{1, 0}, {0, 0.1}}), linalg.Tolerance(0.2)),
		nx.New(int32(1)), 0)
}

func TestNorms(t *testing.T) {
	v := nx.New([]float64{3, 0, -4})
	for ord, want := range map[float64]float64{0: 2, 1: 7, 2: 5, 3: math.Cbrt(91), math.Inf(1): 4,
		math.Inf(-1): 0, -1: 0,
		0.5: math.Pow(math.Sqrt(3)+2, 2)} {
		near(t, named("order %v", ord), linalg.VectorNorm(v, ord), nx.New(want), 1e-14)
	}
	near(t, "order -2", linalg.VectorNorm(nx.New([]float64{1, 2}), -2), nx.New(math.Pow(1.25, -0.5)), 1e-15)
	near(t, "complex", linalg.Norm(nx.New([]complex128{3i, 4})), nx.New(5.0), 1e-15)
	near(t, "huge", linalg.Norm(nx.New([]float64{3e300, 4e300})), nx.New(5e300), 1e285)
	near(t, "tiny", linalg.Norm(nx.New([]float32{3e-40, 4e-40})), nx.New(float32(5e-40)), 1e-44)
	near(t, "axis", linalg.Norm(nx.New([][]float64{{3, 4}, {5, 12}}), nx.Axis(1)), nx.New([]float64{5, 13}), 1e-14)
	near(t, "kept axis", linalg.Norm(nx.New([][]float64{{3, 4}, {5, 12}}), nx.Axis(1), nx.KeepAxes),
		nx.New([][]float64{{5}, {13}}), 1e-14)
	near(t, "empty", linalg.Norm(nx.Zeros(nx.Shape{0}, nx.F64)), nx.New(0.0), 0)
	near(t, "gradient at zero",
		nx.Grad(func(x nx.Tensor) nx.Tensor { return linalg.Norm(x) })(nx.Zeros(nx.Shape{3}, nx.F64)),
		nx.Zeros(nx.Shape{3}, nx.F64), 0)
	for _, x := range []float64{math.Inf(1), math.NaN()} {
		got := nx.Item[float64](linalg.Norm(nx.New([]float64{1, x})))
		if math.IsNaN(x) != math.IsNaN(got) || !math.IsNaN(x) && !math.IsInf(got, 1) {
			t.Errorf("the norm with %v is %v", x, got)
		}
	}
	for _, ord := range []float64{1, 2, 3, -1, math.Inf(1)} {
		derivatives(t, named("order %v", ord), func(x nx.Tensor) nx.Tensor { return linalg.VectorNorm(x, ord) },
			random(2, nx.F64, 4))
	}
	a := nx.New([][]float64{{1, -2}, {3, 4}})
	s := nx.Data[float64](linalg.SVDVals(a))
	for order, want := range map[linalg.MatrixOrder]float64{linalg.Frobenius: math.Sqrt(30), linalg.Nuclear: s[0] +
		s[1], linalg.Spectral: s[0],
		linalg.MinSingular: s[1], linalg.MaxColumnSum: 6, linalg.MinColumnSum: 4, linalg.MaxRowSum: 7,
		linalg.MinRowSum: 3} {
		near(t, named("matrix order %d", order), linalg.MatrixNorm(a, order), nx.New(want), 1e-14)
		derivatives(t, named("matrix order %d", order),
			func(x nx.Tensor) nx.Tensor { return linalg.MatrixNorm(x, order) },
			random(2, nx.F64, 3, 3))
	}
	near(t, "Cond", linalg.Cond(a), nx.New(s[0]/s[1]), 1e-13)
	near(t, "Cond by rows", linalg.Cond(a, linalg.MaxRowSum), nx.New(4.2), 1e-13)
	if x := nx.Item[float64](linalg.Cond(nx.New([][]float64{{1, 1}, {1, 1}}), linalg.MaxColumnSum)); !math.IsInf(x, 1) {
		t.Errorf("a singular matrix has the condition number %v", x)
	}
}
