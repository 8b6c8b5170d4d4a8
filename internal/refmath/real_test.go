package refmath

import (
	"math"
	"math/rand/v2"
	"testing"
)

// realCases pairs each function with its reference; lo and hi bound the
// exponents of random arguments.
var realCases = []struct {
	name   string
	f      func(float64) float64
	ref    func(bf) bf
	lo, hi int
	domain func(float64) bool
}{
	{"exp", Exp, bexp, -60, 9, nil},
	{"expm1", Expm1, bexpm1, -300, 9, nil},
	{"logistic", Logistic, func(x bf) bf { return bdiv(bint(1), badd(bint(1), bexp(bneg(x)))) }, -60, 9, nil},
	{"sinh", Sinh, func(x bf) bf { return bscale(bsub(bexp(x), bexp(bneg(x))), -1) }, -300, 9, nil},
	{"cosh", Cosh, func(x bf) bf { return bscale(badd(bexp(x), bexp(bneg(x))), -1) }, -300, 9, nil},
	{"tanh", Tanh, func(x bf) bf { m := bexpm1(bscale(x, 1)); return bdiv(m, badd(m, bint(2))) }, -300, 5, nil},
	{"log", Log, blog, -1074, 1023, isPositive},
	{"log near 1", func(x float64) float64 { return Log(1 + x) }, func(x bf) bf { return blog(bflt(1 + bfloat(x))) },
		-52, -3, nil},
	{"log1p", Log1p, blog1p, -300, 1023, isAbove(-1)},
	{"asinh", Asinh, func(x bf) bf { return blog(badd(x, bsqrt(badd(bmul(x, x), bint(1))))) }, -200, 300, isPositive},
	{"acosh", Acosh, func(x bf) bf { return blog(badd(x, bsqrt(bsub(bmul(x, x), bint(1))))) }, 0, 300, isAbove(1)},
	{"acosh near 1", func(x float64) float64 { return Acosh(1 + x) },
		func(x bf) bf { x = bflt(1 + bfloat(x)); return blog(badd(x, bsqrt(bsub(bmul(x, x), bint(1))))) },
		-51, -3, isPositive},
	{"atanh", Atanh, func(x bf) bf { return bscale(blog(bdiv(badd(bint(1), x), bsub(bint(1), x))), -1) }, -300, -1,
		nil},
	{"sin", Sin, func(x bf) bf { s, _ := bsincos(x); return s }, -300, 1023, nil},
	{"cos", Cos, func(x bf) bf { _, c := bsincos(x); return c }, -60, 1023, nil},
	{"tan", Tan, func(x bf) bf { s, c := bsincos(x); return bdiv(s, c) }, -300, 1023, nil},
	{"atan", Atan, func(x bf) bf { return batan2(x, bint(1)) }, -300, 300, nil},
	{"asin", Asin, func(x bf) bf { return batan2(x, bsqrt(bsub(bint(1), bmul(x, x)))) }, -300, -1, nil},
	{"acos", Acos, func(x bf) bf { return batan2(bsqrt(bsub(bint(1), bmul(x, x))), x) }, -60, -1, nil},
	{"cbrt", Cbrt, func(x bf) bf { return bexp(bdiv(blog(x), bint(3))) }, -1074, 1023, isPositive},
	{"rsqrt", Rsqrt, func(x bf) bf { return bdiv(bint(1), bsqrt(x)) }, -1074, 1023, isPositive},
}

func isPositive(x float64) bool { return x > 0 }

func isAbove(a float64) func(float64) bool { return func(x float64) bool { return x > a } }

// TestReal asserts that results are correctly rounded on random arguments of
// all magnitudes.
func TestReal(t *testing.T) {
	const n = 80
	for _, c := range realCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			for range n {
				x := randomFloat(r, c.lo, c.hi)
				for c.domain != nil && !c.domain(x) {
					x = randomFloat(r, c.lo, c.hi)
				}
				got, want := c.f(x), c.ref(bflt(x))
				if e := ulps(got, want); !(e <= 0.5+0x1p-40) {
					t.Errorf("%s(%v = %x) = %x, want %x: off by %g ulp", c.name, x, x, got, bfloat(want), e)
				}
			}
		})
	}
}

// randomFloat has a uniform exponent, sign and mantissa.
func randomFloat(r *rand.Rand, lo, hi int) float64 {
	e := lo + r.IntN(hi-lo+1)
	x := math.Ldexp(1+r.Float64(), e)
	if r.IntN(4) == 0 {
		x = math.Ldexp(1+float64(r.IntN(16))/16, e) // short mantissas find exact cases
	}
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

// TestPairs is TestReal for functions of two arguments.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		x := math.Abs(randomFloat(r, -1074, 1023))
		y := randomFloat(r, -60, 9) / math.Abs(math.Log(x)) // most powers are in range
		if r.IntN(3) == 0 {
			x, y = math.Abs(randomFloat(r, -2, 2)), randomFloat(r, -3, 8)
		}
		if got, want := Pow(x, y), bexp(bmul(bflt(y), blog(bflt(x)))); want.IsInf() || bexpOf(want) > 1024 {
			if !math.IsInf(got, 1) {
				t.Errorf("Pow(%x, %x) = %x, want +Inf", x, y, got)
			}
		} else if e := ulps(got, want); !(e <= 0.5+0x1p-20) {
			t.Errorf("Pow(%x, %x) = %x, want %x: off by %g ulp", x, y, got, bfloat(want), e)
		}
		x, y = randomFloat(r, -500, 500), randomFloat(r, -500, 500)
		if e := ulps(Atan2(y, x), batan2(bflt(y), bflt(x))); !(e <= 0.5+0x1p-20) {
			t.Errorf("Atan2(%x, %x) = %x: off by %g ulp", y, x, Atan2(y, x), e)
		}
	}
}
