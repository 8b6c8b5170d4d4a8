package refmath

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// bc is a complex number of the reference; formulas are the textbook's, with the branch cuts of log and sqrt.
type bc struct{ re, im bf }

func bcomplex(z complex128) bc { return bc{bflt(real(z)), bflt(imag(z))} }

var bone, bimag = bc{bint(1), bnew()}, bc{bnew(), bint(1)}

func (z bc) add(w bc) bc { return bc{badd(z.re, w.re), badd(z.im, w.im)} }
func (z bc) sub(w bc) bc { return bc{bsub(z.re, w.re), bsub(z.im, w.im)} }
func (z bc) neg() bc     { return bc{bneg(z.re), bneg(z.im)} }
func (z bc) half() bc    { return bc{bscale(z.re, -1), bscale(z.im, -1)} }
func (z bc) mul(w bc) bc {
	return bc{bsub(bmul(z.re, w.re), bmul(z.im, w.im)), badd(bmul(z.re, w.im), bmul(z.im, w.re))}
}
func (z bc) div(w bc) bc {
	d := bhypot2(w.re, w.im)
	n := z.mul(bc{w.re, bneg(w.im)})
	return bc{bdiv(n.re, d), bdiv(n.im, d)}
}
func (z bc) exp() bc {
	s, c := bsincos(z.im)
	e := bexp(z.re)
	return bc{bmul(e, c), bmul(e, s)}
}
func (z bc) log() bc { return bc{bscale(blog(bhypot2(z.re, z.im)), -1), batan2(z.im, z.re)} }
func (z bc) sqrt() bc {
	a := bsqrt(bhypot2(z.re, z.im))
	u, v := bsqrt(bscale(badd(a, z.re), -1)), bsqrt(bscale(bsub(a, z.re), -1))
	if z.im.Sign() < 0 {
		v = bneg(v)
	}
	return bc{u, v}
}
func (z bc) asinh() bc { return z.add(z.mul(z).add(bone).sqrt()).log() }
func (z bc) atanh() bc { return bone.add(z).log().sub(bone.sub(z).log()).half() }
func (z bc) sinh() bc  { return z.exp().sub(z.neg().exp()).half() }
func (z bc) cosh() bc  { return z.exp().add(z.neg().exp()).half() }

// asin is -i ln(iz + √(1-z²)).
func (z bc) asin() bc {
	return bimag.neg().mul(bimag.mul(z).add(bone.sub(z.mul(z)).sqrt()).log())
}

var complexCases = []struct {
	name   string
	f      func(complex128) complex128
	ref    func(bc) bc
	lo, hi int
	ulps   float64 // error bound of each part
}{
	{"abs", func(z complex128) complex128 { return complex(CAbs(z), 1) },
		func(z bc) bc { return bc{bsqrt(bhypot2(z.re, z.im)), bint(1)} }, -300, 300, 0.5},
	{"exp", CExp, bc.exp, -60, 9, 0.5},
	{"expm1", CExpm1, func(z bc) bc { return z.exp().sub(bone) }, -60, 9, 0.5},
	{"log", CLog, bc.log, -300, 300, 0.5},
	{"log1p", CLog1p, func(z bc) bc { return bone.add(z).log() }, -300, 300, 0.5},
	{"sqrt", CSqrt, bc.sqrt, -300, 300, 0.5},
	{"rsqrt", CRsqrt, func(z bc) bc { return bone.div(z.sqrt()) }, -300, 300, 0.5},
	{"cbrt", CCbrt, func(z bc) bc { l := z.log(); return bc{bdiv(l.re, bint(3)), bdiv(l.im, bint(3))}.exp() },
		-100, 100, 0.5},
	{"logistic", CLogistic, func(z bc) bc { return bone.div(bone.add(z.neg().exp())) }, -60, 9, 0.5},
	{"sinh", CSinh, bc.sinh, -100, 9, 0.5},
	{"cosh", CCosh, bc.cosh, -100, 9, 0.5},
	{"tanh", CTanh, func(z bc) bc { return z.sinh().div(z.cosh()) }, -100, 8, 0.5},
	{"sin", CSin, func(z bc) bc { return bimag.neg().mul(bimag.mul(z).sinh()) }, -100, 9, 0.5},
	{"cos", CCos, func(z bc) bc { return bimag.mul(z).cosh() }, -100, 9, 0.5},
	{"tan", CTan, func(z bc) bc { w := bimag.mul(z); return bimag.neg().mul(w.sinh().div(w.cosh())) }, -100, 8, 0.5},
	{"asin", CAsin, bc.asin, -200, 200, 0.5},
	{"acos", CAcos, func(z bc) bc { return bc{bscale(bpi(), -1), bnew()}.sub(z.asin()) }, -200, 200, 0.5},
	{"asinh", CAsinh, bc.asinh, -200, 200, 0.5},
	{"acosh", CAcosh, func(z bc) bc { return z.add(z.add(bone).sqrt().mul(z.sub(bone).sqrt())).log() }, -200, 200, 0.5},
	{"atan", CAtan, func(z bc) bc { return bimag.neg().mul(bimag.mul(z).atanh()) }, -200, 200, 0.5},
	{"atanh", CAtanh, bc.atanh, -200, 200, 0.5},
	{"square", func(z complex128) complex128 { return CMul(z, z) }, func(z bc) bc { return z.mul(z) }, -200, 200, 0.5},
	{"div", func(z complex128) complex128 { return CDiv(complex(1.25, 3), z) },
		func(z bc) bc { return bcomplex(complex(1.25, 3)).div(z) }, -200, 200, 0.5},
	{"pow", func(z complex128) complex128 { return CPow(z, complex(2.75, -0.5)) },
		func(z bc) bc { return bcomplex(complex(2.75, -0.5)).mul(z.log()).exp() }, -100, 100, 0.5},
	{"atan2", func(z complex128) complex128 { return CAtan2(z, complex(0.5, 1.5)) }, func(z bc) bc {
		x := bcomplex(complex(0.5, 1.5))
		return bimag.neg().mul(x.add(bimag.mul(z)).div(x.mul(x).add(z.mul(z)).sqrt()).log())
	}, -20, 20, 0.5},
}

// TestComplex asserts the accuracy of each part on random arguments of all
// magnitudes, near the points ±1 and ±i and near the unit circle.
func TestComplex(t *testing.T) {
	const n = 40
	for _, c := range complexCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, 4))
			for i := range n {
				z := randomComplex(r, i%5, c.lo, c.hi)
				got, want := c.f(z), c.ref(bcomplex(z))
				if e := max(ulps(real(got), want.re), ulps(imag(got), want.im)); !(e <= c.ulps+0x1p-20) {
					t.Errorf("%s(%x) = %x, want (%x, %x): off by %g ulp", c.name, z, got, bfloat(want.re),
						bfloat(want.im), e)
				}
			}
		})
	}
}

func randomComplex(r *rand.Rand, kind, lo, hi int) complex128 {
	small := func() float64 { return randomFloat(r, -52, -1) }
	switch kind {
	case 0:
		return complex(randomFloat(r, max(lo, -3), min(hi, 3)), randomFloat(r, max(lo, -3), min(hi, 3)))
	case 1:
		return complex(math.Copysign(1, small())+small(), small())
	case 2:
		return complex(small(), math.Copysign(1, small())+small())
	case 3:
		s, c := math.Sincos(randomFloat(r, -20, 2))
		return complex(c, s)
	}
	return complex(randomFloat(r, lo, hi), randomFloat(r, lo, hi))
}

// ulps returns the distance of x from the exact value in units of x's last place.
func ulps(x float64, exact bf) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		if bfloat(exact) == x {
			return 0
		}
		return math.NaN()
	}
	a := math.Abs(x)
	d := bsub(bflt(x), exact)
	return math.Abs(bfloat(bdiv(d, bflt(math.Nextafter(a, math.Inf(1))-a))))
}

// TestAtan2OfSmallQuotients: quotients below the precision of 106 bits beside 1.
func TestAtan2OfSmallQuotients(t *testing.T) {
	for _, c := range []struct{ y, x complex128 }{
		{complex(-1e-30, -8e-25), complex(3e9, -104)}, {complex(-743, 0), complex(6e30, 3.4e38)},
		{complex(0, 1e-40), 1},
		{complex(3e-7, 2e-7), complex(2, 1)},
	} {
		// atan t = t - t³/3 + …, with 53 bits in the first two terms.
		q := CDiv(c.y, c.x)
		want := q - CMul(q, CMul(q, q))/3
		if got := CAtan2(c.y, c.x); math.Abs(real(got)-real(want)) > 1e-15*cmplx.Abs(want) ||
			math.Abs(imag(got)-imag(want)) > 1e-15*cmplx.Abs(want) {
			t.Errorf("CAtan2(%v, %v) = %v, want %v", c.y, c.x, got, want)
		}
	}
}
