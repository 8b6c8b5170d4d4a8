package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func randomComplex(r *rand.Rand, n int) []complex128 {
	z := make([]complex128, n)
	for i := range z {
		z[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return z
}

// naiveDFT is the definition, in float64.
func naiveDFT(x []complex128, inverse bool) []complex128 {
	n := len(x)
	w := make([]complex128, n)
	for k := range w {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		if inverse {
			s = -s
		}
		w[k] = complex(c, s)
	}
	y := make([]complex128, n)
	for k := range y {
		for j, v := range x {
			y[k] += v * w[j*k%n]
		}
		if inverse {
			y[k] /= complex(float64(n), 0)
		}
	}
	return y
}

// distance is the relative error of a line in the Euclidean norm.
func distance(got, want []complex128) float64 {
	var d, s float64
	for i, w := range want {
		e := got[i] - w
		d += real(e)*real(e) + imag(e)*imag(e)
		s += real(w)*real(w) + imag(w)*imag(w)
	}
	return math.Sqrt(d / max(s, 1e-300))
}

var fftLengths = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 22, 25, 30, 31,
	32, 36, 49, 60, 64, 97, 100,
	121, 128, 143, 169, 180, 210, 243, 251, 256, 360, 500, 509, 512, 625, 1000, 1009, 1024, 1155}

func TestFFTAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range fftLengths {
		f := NewPlan(nil, n)
		x := randomComplex(r, n)
		for _, inverse := range []bool{false, true} {
			want := naiveDFT(x, inverse)
			got := make([]complex128, n)
			if err := TransformLines(nil, f, got, x, 1, 1, inverse); err != nil {
				t.Fatal(err)
			}
			if d := distance(got, want); !(d < 3e-15*math.Sqrt(float64(n))) {
				t.Errorf("n %d inverse %v: error %g", n, inverse, d)
			}
		}
	}
}

// Long transforms are compared with the definition at some frequencies only, and must invert.
func TestFFTLong(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{1 << 14, 1 << 15, 3 << 14, 16384 * 5 / 4, 40000, 16411, 65521}
	if testing.Short() {
		lengths = lengths[:2]
	}
	for _, n := range lengths {
		for _, workers := range []int{1, 3} {
			env := kit.NewEnv(t, workers)
			f := NewPlan(nil, n)
			x := randomComplex(r, n)
			y, back := make([]complex128, n), make([]complex128, n)
			if err := TransformLines(env, f, y, x, 1, 1, false); err != nil {
				t.Fatal(err)
			}
			for _, k := range []int{0, 1, n / 3, n / 2, n - 1, r.IntN(n)} {
				var want complex128
				for j, v := range x {
					want += v * root(j*k%n, n)
				}
				if d := distance(y[k:k+1], []complex128{want}); d > 1e-10 {
					t.Errorf("n %d: frequency %d is %v, want %v", n, k, y[k], want)
				}
			}
			if err := TransformLines(env, f, back, y, 1, 1, true); err != nil {
				t.Fatal(err)
			}
			if d := distance(back, x); d > 1e-14 {
				t.Errorf("n %d: there and back with error %g", n, d)
			}
			kit.CheckFreed(t, env)
		}
	}
}

func TestFFTSameForAnyWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 1 << 14
	x := randomComplex(r, 2*n)
	f := NewPlan(nil, n)
	for _, lines := range []int{1, 2} {
		var want []complex128
		for _, workers := range []int{1, 2, 5} {
			got := make([]complex128, lines*n)
			if err := TransformLines(kit.NewEnv(t, workers), f, got, x, lines, 1, false); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%d lines, %d workers: element %d is %v, with one %v", lines, workers, i, got[i], want[i])
				}
			}
		}
	}
}

func TestFFTLinesAndPrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	for _, s := range [][3]int{{3, 12, 1}, {2, 15, 4}, {100, 64, 1}, {1, 1 << 14, 2}, {0, 4, 1}} {
		outer, n, inner := s[0], s[1], s[2]
		x := make([]complex64, outer*n*inner)
		for i := range x {
			x[i] = complex64(complex(r.NormFloat64(), r.NormFloat64()))
		}
		y := make([]complex64, len(x))
		f := NewPlan(nil, n)
		if err := TransformLines(env, f, y, x, outer, inner, false); err != nil {
			t.Fatal(err)
		}
		for o := range outer {
			for k := range inner {
				in, got := make([]complex128, n), make([]complex128, n)
				for i := range n {
					in[i], got[i] = complex128(x[(o*n+i)*inner+k]), complex128(y[(o*n+i)*inner+k])
				}
				want := make([]complex128, n)
				if err := TransformLines(nil, f, want, in, 1, 1, false); err != nil {
					t.Fatal(err)
				}
				if d := distance(got, want); d > 5e-8 {
					t.Fatalf("%v: error %g", s, d)
				}
			}
		}
		if err := TransformLines(env, f, y, y, outer, inner, true); err != nil { // in place
			t.Fatal(err)
		}
		for i := range x {
			if d := y[i] - x[i]; math.Hypot(float64(real(d)), float64(imag(d))) > 2e-6 {
				t.Fatalf("%v: element %d came back as %v, was %v", s, i, y[i], x[i])
			}
		}
	}
	kit.CheckFreed(t, env)
}

func testRealFFT[R floatNumber, Z complexNumber](t *testing.T, tolerance float64) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	for _, n := range append(fftLengths, 1<<15) {
		for _, lines := range []int{0, 1, 3} {
			f := NewRealPlan(nil, n)
			x := make([]R, lines*n)
			full := make([]complex128, lines*n)
			for i := range x {
				x[i] = R(r.NormFloat64())
				full[i] = complex(float64(x[i]), 0)
			}
			if err := TransformLines(env, NewPlan(nil, n), full, full, lines, 1, false); err != nil {
				t.Fatal(err)
			}
			half := n/2 + 1
			y := make([]Z, lines*half)
			if err := ForwardReal(env, f, y, x, lines); err != nil {
				t.Fatal(err)
			}
			for l := range lines {
				got := make([]complex128, half)
				for k := range got {
					got[k] = complex128(y[l*half+k])
				}
				if d := distance(got, full[l*n:][:half]); d > tolerance {
					t.Fatalf("n %d: error %g", n, d)
				}
				y[l*half] += 1i // ignored
				if n%2 == 0 {
					y[l*half+n/2] -= 2i
				}
			}
			back := make([]R, lines*n)
			if err := InverseReal(env, f, back, y, lines); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				if math.Abs(float64(back[i]-x[i])) > 20*tolerance {
					t.Fatalf("n %d: element %d came back as %v, was %v", n, i, back[i], x[i])
				}
			}
		}
	}
	kit.CheckFreed(t, env)
}

func TestRealFFT(t *testing.T) {
	testRealFFT[float32, complex64](t, 1e-7)
	testRealFFT[float64, complex128](t, 1e-14)
}

func BenchmarkFFT(b *testing.B) {
	env := kit.NewEnv(b, 0)
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][2]int{{1, 1 << 20}, {1, 1000000}, {1, 1048573}, {1024, 1024}, {16384, 64}, {1000, 1000}} {
		b.Run(fmt.Sprintf("c64/%dx%d", c[0], c[1]), func(b *testing.B) {
			f := NewPlan(nil, c[1])
			x := make([]complex64, c[0]*c[1])
			for i := range x {
				x[i] = complex64(complex(r.NormFloat64(), r.NormFloat64()))
			}
			y := make([]complex64, len(x))
			flops := 5 * float64(len(x)) * math.Log2(float64(c[1]))
			kit.Bench(b, int(flops), "GF/s", func() error { return TransformLines(env, f, y, x, c[0], 1, false) })
		})
	}
	b.Run("r32/1x1048576", func(b *testing.B) {
		f := NewRealPlan(nil, 1<<20)
		x, y := kit.Fill(r, make([]float32, 1<<20)), make([]complex64, 1<<19+1)
		kit.Bench(b, 0, "", func() error { return ForwardReal(env, f, y, x, 1) })
	})
}
