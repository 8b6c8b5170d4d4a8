package refmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
)

// bbernoulli returns the Bernoulli numbers B(0) … B(2n) by their recurrence.
var bbernoulli = sync.OnceValue(func() []*big.Rat {
	const n = 120
	b := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= n; m++ {
		sum := new(big.Rat)
		for k := int64(0); k < m; k++ {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, b[k]))
		}
		b = append(b, sum.Mul(sum, big.NewRat(-1, m+1)))
	}
	return b
})

func brat(r *big.Rat) bf { return bnew().SetRat(r) }

// bshift is the shift of arguments for the asymptotic series.
const bshift = 60

func blgammaPos(x bf) bf {
	p := bint(1)
	for range bshift {
		p = bmul(p, x)
		x = badd(x, bint(1))
	}
	r := badd(bsub(bmul(bsub(x, bratio(1, 2)), blog(x)), x), bscale(blog(bscale(bpi(), 1)), -1))
	t := bdiv(bint(1), x)
	for k := int64(2); k <= 120; k += 2 {
		r = badd(r, bmul(t, bdiv(brat(bbernoulli()[k]), bint(k*(k-1)))))
		t = bdiv(t, bmul(x, x))
	}
	return bsub(r, blog(p))
}

func blgamma(x bf) bf {
	if x.Sign() > 0 {
		return blgammaPos(x)
	}
	s, _ := bsincos(bmul(bpi(), x))
	d := bmul(x, s)
	return bsub(blog(bdiv(bpi(), d.Abs(d))), blgammaPos(bneg(x)))
}

func bdigamma(x bf) bf {
	if x.Sign() < 0 {
		s, c := bsincos(bmul(bpi(), x))
		return bsub(bdigamma(bsub(bint(1), x)), bdiv(bmul(bpi(), c), s))
	}
	r := bnew()
	for range bshift {
		r = bsub(r, bdiv(bint(1), x))
		x = badd(x, bint(1))
	}
	r = badd(r, bsub(blog(x), bdiv(bratio(1, 2), x)))
	q := bdiv(bint(1), bmul(x, x))
	t := q
	for k := int64(2); k <= 120; k += 2 {
		r = bsub(r, bmul(t, bdiv(brat(bbernoulli()[k]), bint(k))))
		t = bmul(t, q)
	}
	return r
}

// bzeta sums terms of any sign for an integer s, of positive q otherwise.
func bzeta(s float64, q bf) bf {
	power := func(q bf) bf {
		if s == math.Trunc(s) {
			r := bint(1)
			for range int(s) {
				r = bmul(r, q)
			}
			return bdiv(bint(1), r)
		}
		return bexp(bmul(bflt(-s), blog(q)))
	}
	sum := bnew()
	for range bshift {
		sum = badd(sum, power(q))
		q = badd(q, bint(1))
	}
	p := power(q)
	sum = badd(sum, bdiv(bmul(p, q), bflt(s-1)))
	sum = badd(sum, bscale(p, -1))
	t := bdiv(bmul(p, bflt(s)), bmul(q, bint(2)))
	for k := int64(2); k <= 120; k += 2 {
		sum = badd(sum, bmul(t, brat(bbernoulli()[k])))
		t = bmul(t, bdiv(bmul(bflt(s+float64(k-1)), bflt(s+float64(k))), bmul(bint((k+1)*(k+2)), bmul(q, q))))
	}
	return sum
}

func berf(x bf) bf {
	q := bmul(x, x)
	sum, t := x, x
	for n := int64(1); !bsmall(t, sum); n++ {
		t = bdiv(bscale(bmul(t, q), 1), bint(2*n+1))
		sum = badd(sum, t)
	}
	return bdiv(bmul(bscale(sum, 1), bexp(bneg(q))), bsqrt(bpi()))
}

func bbesselI0e(x bf) bf {
	t, q := bint(1), bscale(bmul(x, x), -2)
	sum := t
	for k := int64(1); !bsmall(t, sum); k++ {
		t = bdiv(bmul(t, q), bint(k*k))
		sum = badd(sum, t)
	}
	return bmul(sum, bexp(bneg(bnew().Abs(x))))
}

func bbesselI1e(x bf) bf {
	t, q := bscale(x, -1), bscale(bmul(x, x), -2)
	sum := t
	for k := int64(1); !bsmall(t, sum); k++ {
		t = bdiv(bmul(t, q), bint(k*(k+1)))
		sum = badd(sum, t)
	}
	return bmul(sum, bexp(bneg(bnew().Abs(x))))
}

// TestSpecial asserts correct rounding on random arguments.
func TestSpecial(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		ref    func(bf) bf
		lo, hi float64
	}{
		{"erf", Erf, berf, -6, 6},
		{"erf near 0", Erf, berf, -1e-9, 1e-9},
		{"erfc", Erfc, func(x bf) bf { return bsub(bint(1), berf(x)) }, -3, 20},
		{"lgamma", Lgamma, blgamma, 0.01, 5},
		{"lgamma large", Lgamma, blgamma, 5, 1000},
		{"lgamma near 1", func(x float64) float64 { return Lgamma(1 + x) },
			func(x bf) bf { return blgamma(bflt(1 + bfloat(x))) }, -1e-5, 1e-5},
		{"lgamma near 2", func(x float64) float64 { return Lgamma(2 + x) },
			func(x bf) bf { return blgamma(bflt(2 + bfloat(x))) }, -1e-5, 1e-5},
		{"lgamma negative", Lgamma, blgamma, -30, 0},
		{"digamma", Digamma, bdigamma, -30, 30},
		{"digamma large", Digamma, bdigamma, 30, 1e6},
		{"zeta 2", func(q float64) float64 { return Zeta(2, q) }, func(q bf) bf { return bzeta(2, q) }, -20, 50},
		{"zeta 7", func(q float64) float64 { return Zeta(7, q) }, func(q bf) bf { return bzeta(7, q) }, -20, 50},
		{"zeta 1.5", func(q float64) float64 { return Zeta(1.5, q) }, func(q bf) bf { return bzeta(1.5, q) }, 0.1, 50},
		{"zeta 60.25", func(q float64) float64 { return Zeta(60.25, q) }, func(q bf) bf { return bzeta(60.25, q) }, 0.1,
			50},
		{"polygamma 3", func(q float64) float64 { return Polygamma(3, q) },
			func(q bf) bf { return bmul(bint(6), bzeta(4, q)) }, -20, 50},
		{"bessel_i0e", BesselI0e, bbesselI0e, -100, 100},
		{"bessel_i1e", BesselI1e, bbesselI1e, -100, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, 6))
			for range 12 {
				x := c.lo + (c.hi-c.lo)*r.Float64()
				got, want := c.f(x), c.ref(bflt(x))
				if e := ulps(got, want); !(e <= 0.5+0x1p-20) {
					t.Errorf("%s(%v = %x) = %x, want %x: off by %g ulp", c.name, x, x, got, bfloat(want), e)
				}
			}
		})
	}
}

// TestErfInv checks that the result is the float nearest to the root.
func TestErfInv(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 60 {
		x := r.Float64()
		switch i % 3 {
		case 1:
			x = math.Ldexp(1+x, -30-r.IntN(900))
		case 2:
			x = 1 - math.Ldexp(1+x, -2-r.IntN(50))
		}
		y := ErfInv(x)
		below, above := bflt(math.Nextafter(y, 0)), bflt(math.Nextafter(y, 9))
		mid := func(a bf) bf { return bscale(badd(a, bflt(y)), -1) }
		if berf(mid(below)).Cmp(bflt(x)) > 0 || berf(mid(above)).Cmp(bflt(x)) < 0 {
			t.Errorf("ErfInv(%v) = %v is not the nearest float", x, y)
		}
	}
}

// TestTables recomputes the constants.
func TestTables(t *testing.T) {
	near := func(name string, got dd, want bf) {
		t.Helper()
		sum := badd(bflt(got.hi), bflt(got.lo))
		if d := bsub(sum, want); d.Sign() != 0 && bexpOf(d) > bexpOf(want)-105 {
			t.Errorf("%s is wrong: %x", name, got)
		}
	}
	near("ln2", dd{ln2[0], ln2[1]}, bln2())
	near("ln2", dd{ln2[1], ln2[2]}, bsub(bln2(), bflt(ln2[0])))
	near("piOver2", dd{piOver2[0], piOver2[1]}, bscale(bpi(), -1))
	near("piOver2", dd{piOver2[1], piOver2[2]}, bsub(bscale(bpi(), -1), bflt(piOver2[0])))
	near("pi", pi, bpi())
	near("sqrtPi", sqrtPi, bsqrt(bpi()))
	near("ln2Pi", ln2Pi, blog(bscale(bpi(), 1)))
	near("oneMinusGamma", oneMinusGamma, badd(bint(1), bdigamma(bint(1))))
	f := bint(1)
	for n, c := range inverseFactorial {
		f = bmul(f, bint(int64(max(n, 1))))
		near("inverseFactorial", c, bdiv(bint(1), f))
	}
	for k, c := range zetaMinus1 {
		near("zetaMinus1", c, bsub(bzeta(float64(k+2), bint(1)), bint(1)))
	}
	for k, c := range bernoulli {
		near("bernoulli", c, brat(bbernoulli()[2*k+2]))
	}
	want, _ := bscale(bdiv(bint(2), bpi()), 64*len(twoOverPi)).Int(nil)
	got := new(big.Int)
	for _, w := range twoOverPi {
		got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(w))
	}
	if got.Cmp(want) != 0 {
		t.Errorf("twoOverPi is wrong: %x, want %x", got, want)
	}
}
