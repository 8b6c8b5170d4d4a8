package special

import (
	"math"
	"sync"

	"github.com/go-nx/nx/internal/refmath"
)

// xʸ of float64 within 0.52 ulp: ln x as a sum of two numbers with a relative error of 2^-66, by a table and a series
// (P. Tang's method, doi:10.1145/78928.78932); times y; and the exponential of the sum.

// logEntry is for a 128th of an octave: the reciprocal of about its middle, and minus the logarithm of that.
type logEntry struct{ inverse, ln, lnRest float64 }

// logTable64 covers numbers from logFrom to twice that. Entries near 1 have the reciprocal 1, so that logarithms near 0
// lose no digits.
var logTable64 = sync.OnceValue(func() *[128]logEntry {
	var t [128]logEntry
	for i := range uint64(len(t)) {
		low, high := math.Float64frombits(logFrom+i<<45), math.Float64frombits(logFrom+(i+1)<<45)
		inverse := math.Round(512/(low+high)) / 256
		if math.Abs(low-1) < 1.0/128 || math.Abs(high-1) < 1.0/128 {
			inverse = 1
		}
		hi, lo := refmath.LogParts(inverse)
		ln := -roundTo42(hi)
		t[i] = logEntry{inverse, ln, -(hi + ln) - lo}
	}
	return &t
})

const (
	logFrom = 0x3fe6a00000000000 // bits of 0.707…, the middle of a step below 1/√2

	// ln 2 in two parts, the first a multiple of 2^-42.
	ln2Part = 0x1.62e42fefa38p-1
	ln2Rest = 0x1.ef35793c7673p-45
)

// roundTo42 rounds to a multiple of 2^-42: sums of such numbers below 2^11 are exact.
func roundTo42(x float64) float64 { return math.Round(x*(1<<42)) / (1 << 42) }

// Log64 has the coefficients of logarithms of float64, for expansions.
type Log64 struct {
	Start                 uint64
	Ln2, Ln2Rest          float64
	Inverses, Logs, Rests []uint64 // bits of the table
	Terms                 []float64
}

// Log64Parts returns the coefficients of logarithms.
var Log64Parts = sync.OnceValue(func() *Log64 {
	l := &Log64{Start: logFrom, Ln2: ln2Part, Ln2Rest: ln2Rest, Terms: log1pTerms[:]}
	for _, e := range logTable64() {
		l.Inverses = append(l.Inverses, math.Float64bits(e.inverse))
		l.Logs = append(l.Logs, math.Float64bits(e.ln))
		l.Rests = append(l.Rests, math.Float64bits(e.lnRest))
	}
	return l
})

// logSum returns ln x as hi + lo for a normal positive x.
func logSum(t *[128]logEntry, x float64) (hi, lo float64) {
	b := math.Float64bits(x)
	off := b - logFrom
	k := float64(int64(off) >> 52)
	e := &t[off>>45&127]
	z := math.Float64frombits(b - off&(0xfff<<52))
	// z = (1+r)/inverse; r + rest is exact, of at most 2^-7.
	p := float64(z * e.inverse)
	rest := math.FMA(z, e.inverse, -p)
	r := p - 1
	big := float64(k*ln2Part) + e.ln // exact
	hi, lo = twoSum(big, r)
	lo += float64(k*ln2Rest) + e.lnRest + rest - float64(r*rest)
	// ln(1+r) = r - r²/2 + r³·(…)
	half := r / 2
	sq := float64(half * r)
	sqRest := math.FMA(half, r, -sq)
	hi, err := twoSum(hi, -sq)
	q := 1.0/3 + float64(r*(-1.0/4+float64(r*(1.0/5+float64(r*(-1.0/6+float64(r*(1.0/7+
		float64(r*(-1.0/8+float64(r*(1.0/9))))))))))))
	lo += err - sqRest + float64(float64(float64(r*r)*r)*q)
	s := hi + lo
	return s, lo - (s - hi)
}

// twoSum returns s and e with s + e = a + b.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	back := s - a
	return s, (a - (s - back)) + (b - back)
}

// PowF64 computes xʸ with the special cases of IEEE 754's pow. Either operand may be a slice of one element, which is
// broadcast.
func PowF64(dst, x, y []float64) {
	t := logTable64()
	sx, sy := strideOf(x), strideOf(y)
	for i := range dst {
		dst[i] = pow64(t, x[i*sx], y[i*sy])
	}
}

// FarPower bounds the logarithms of powers: beyond it a power is ∞ or 0.
const FarPower = 760

func pow64(t *[128]logEntry, x, y float64) float64 {
	a := math.Abs(x)
	if a == 0 && y > 0 {
		if signOfPower(y) < 0 {
			return x
		}
		return 0
	}
	if !(a >= 0x1p-1022 && a <= math.MaxFloat64) {
		return refmath.Pow(x, y)
	}
	sign := 1.0
	if x < 0 {
		if sign = signOfPower(y); sign != sign {
			return sign
		}
	}
	hi, lo := logSum(t, a)
	p := float64(y * hi)
	switch {
	case p > FarPower:
		return sign * math.Inf(1)
	case p < -FarPower:
		return sign * 0
	case !(p*p < 700*700):
		return refmath.Pow(x, y)
	}
	return sign * exp64Sum(p, math.FMA(y, hi, -p)+float64(y*lo))
}
