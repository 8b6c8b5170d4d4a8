package linalg_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// parts are a matrix of complex numbers.
type parts struct{ Re, Im [][]float64 }

func (p parts) tensor() nx.Tensor {
	re, im := nx.New(p.Re), nx.New(p.Im)
	if norm(im) == 0 {
		return re
	}
	return nx.Complex(re, im)
}

// TestMatrixFunctions compares square roots and logarithms with those of mpmath with 100 digits. The errors allowed
// are those of the documentation, and 1e-13 where the matrix is well conditioned.
func TestMatrixFunctions(t *testing.T) {
	text, err := os.ReadFile("testdata/matrix_functions.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Name         string
		A, Sqrt, Log parts
		SciPySqrt    float64 `json:"scipy sqrt"`
		SciPyLog     float64 `json:"scipy log"`
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	condition := func(a nx.Tensor) float64 { return nx.Item[float64](linalg.Cond(a)) }
	for _, r := range rows {
		a, root, log := r.A.tensor(), r.Sqrt.tensor(), r.Log.tensor()
		unit := float64(a.Shape()[0]) * 0x1p-53
		check := func(what string, got, want nx.Tensor, scipy, bound float64) {
			e := norm(nx.Sub(got, want)) / norm(want)
			if r.Name != "hilbert 6" && r.Name != "condition 1e12" {
				bound = min(bound, 1e-13)
			}
			if !(e <= bound) {
				t.Errorf("%s of %s: error %.2g, SciPy's %.2g, allowed %.2g", what, r.Name, e, scipy, bound)
			}
		}
		check("the root", linalg.Sqrtm(a), root, r.SciPySqrt, 100*unit*condition(root))
		check("the logarithm", linalg.Logm(a), log, r.SciPyLog, 100*unit*condition(a))
		if name := r.Name; name != "large" && name != "small" && name != "condition 1e12" {
			narrow := nx.F32
			if a.DType().IsComplex() {
				narrow = nx.C64
			}
			a := nx.Cast(a, narrow)
			exact := nx.Cast(a, promotedWide(narrow))
			near(t, r.Name+": the root of f32", linalg.Sqrtm(a), linalg.Sqrtm(exact), 2e-7*norm(root))
			near(t, r.Name+": the logarithm of f32", linalg.Logm(a), linalg.Logm(exact), 2e-7*norm(log))
		}
	}
}

func promotedWide(d nx.DType) nx.DType {
	if d.IsComplex() {
		return nx.C128
	}
	return nx.F64
}

// positive returns matrices with eigenvalues of positive real parts.
func positive(seed uint64, d nx.DType, shape ...int) nx.Tensor {
	n := shape[len(shape)-1]
	return nx.Add(random(seed, d, shape...), nx.Mul(nx.Eye(nx.Shape{n, n}, d), 6))
}

// TestSqrtmLogm: squares and exponentials give the matrix back, in batches, vectorised or not, of all types.
func TestSqrtmLogm(t *testing.T) {
	for _, d := range append(types, nx.BF16, nx.S32) {
		a := nx.Cast(positive(2, nx.F64, 3, 5, 5), d)
		if d.IsComplex() {
			a = positive(2, d, 3, 5, 5)
		}
		x, l := linalg.Sqrtm(a), linalg.Logm(a)
		tolerance := 1e-12
		switch d {
		case nx.F32, nx.C64, nx.S32:
			tolerance = 1e-5
		case nx.BF16:
			tolerance = 0.1
		}
		if d == nx.S32 && x.DType() != nx.F32 || d == nx.BF16 && l.DType() != nx.BF16 {
			t.Errorf("of %s: %s and %s", d, x.DType(), l.DType())
		}
		near(t, named("%s: the root squared", d), nx.Dot(x, x), a, tolerance*norm(a))
		near(t, named("%s: exp of the logarithm", d), linalg.Expm(l), a, tolerance*norm(a))
		for name, f := range map[string]func(nx.Tensor) nx.Tensor{"Sqrtm": linalg.Sqrtm, "Logm": linalg.Logm} {
			if d == nx.F64 || d == nx.C64 {
				vmapped(t, name, f, a)
			}
			one := f(a.At(1))
			if beside := f(a).At(1); !nx.ArrayEqual(one, beside) {
				t.Errorf("%s of %s is another one beside others: %v, %v", name, d, one, beside)
			}
			vectors := nx.Rename(nx.Devectorize(f(nx.Vectorize(a, "v"))))
			if !nx.ArrayEqual(vectors, f(a)) {
				t.Errorf("%s of vectorised %s: %v", name, d, vectors)
			}
		}
	}
	empty := nx.Zeros(nx.Shape{0, 0}, nx.F64)
	near(t, "the root of nothing", linalg.Sqrtm(empty), empty, 0)
	near(t, "the logarithm of nothing", linalg.Logm(empty), empty, 0)
}

// TestSqrtmLogmDerivatives: two of them in both modes, also of complex and of badly conditioned matrices, and the
// Fréchet derivative along the matrix itself, x/2 of a root and 1 of a logarithm.
func TestSqrtmLogmDerivatives(t *testing.T) {
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{"Sqrtm": linalg.Sqrtm, "Logm": linalg.Logm} {
		for _, d := range []nx.DType{nx.F64, nx.C128} {
			derivatives(t, named("%s, %s", name, d), f, positive(3, d, 2, 4, 4))
		}
		derivatives(t, name+" of triangular matrices", f, nx.Triu(positive(3, nx.F64, 4, 4), 0))
		derivatives(t, name+" of a scalar matrix", f, nx.Mul(nx.Eye(nx.Shape{3, 3}, nx.F64), 7))
	}
	for _, scale := range []float64{1, 1e-30, 1e30} {
		a := nx.New([][]float64{{1, 0.3, 0}, {0.1, 1e-4, 0}, {0.1, 2, 1e4}})
		a = nx.Mul(nx.Add(nx.Dot(a, nx.Transpose(a)), nx.Mul(identity3, 1e-2)), scale)
		x, dx := nx.JVP(linalg.Sqrtm, a, a)
		near(t, named("the derivative of a root, %g", scale), dx, nx.Div(x, 2), 1e-8*norm(x))
		_, dl := nx.JVP(linalg.Logm, a, a)
		near(t, named("the derivative of a logarithm, %g", scale), dl, identity3, 1e-6)
	}
}

// TestWithoutRoot: singular matrices and eigenvalues on the negative real axis give NaN, and errors of the checked
// variants, but not to the matrices beside them.
func TestWithoutRoot(t *testing.T) {
	for name, a := range map[string]nx.Tensor{
		"negative": nx.New([][]float64{{-1, 0}, {0, 1}}), "zero": nx.Zeros(nx.Shape{2, 2}, nx.F32),
		"nilpotent": nx.New([][]float64{{0, 1}, {0, 0}}), "complex": nx.New([][]complex128{{-1, 1i}, {0, 1}}),
		"a half turn": nx.New([][]float64{{-1, 0}, {0, -1}}),
	} {
		for _, f := range []func(nx.Tensor) nx.Tensor{linalg.Sqrtm, linalg.Logm} {
			if x := f(a); !nx.Item[bool](nx.All(nx.IsNaN(x))) {
				t.Errorf("%s: %v", name, x)
			}
			good := nx.Mul(nx.Eye(nx.Shape{2, 2}, a.DType()), 3)
			if x := f(nx.Stack([]nx.Tensor{a, good})); !nx.ArrayEqual(x.At(1), f(good)) {
				t.Errorf("%s beside another: %v", name, x)
			}
		}
		if _, err := linalg.TrySqrtm(a); !errors.Is(err, nx.ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := linalg.TryLogm(a); !errors.Is(err, nx.ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x, err := linalg.TrySqrtm(nx.New([][]float64{{4}})); err != nil || nx.Item[float64](x.At(0, 0)) != 2 {
		t.Error(x, err)
	}
}
