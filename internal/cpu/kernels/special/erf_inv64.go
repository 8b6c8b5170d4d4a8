package special

import "math"

// ErfInv64Coefs has the coefficients of the inverse error function of f64, also for expansions. Up to Near it is x +
// x·(Line + t·P/Q) with t = x² and polynomials of Shift - t, with an error of 2e-17. Beyond, it is r + P/Q with r =
// √(-ln((1-|x|)/2)) and polynomials of r, with an error of 1e-17. That this root is near the inverse is from M.
// Wichura's algorithm AS 241 (doi:10.2307/2347330). All coefficients of a polynomial have the same sign, so that no sum
// cancels.
var ErfInv64Coefs = struct {
	Near, Line, Shift        float64
	NearP, NearQ, FarP, FarQ []float64
}{
	Near: 0.84375, Line: -0x1.d203b725884abp-4, Shift: 0.71875,
	NearP: []float64{0x1.b6bdc8f7e3c93p-2, 0x1.06f5a6cc315a5p+2, 0x1.d96950aa35b47p+3, 0x1.8e7b09bfbe13bp+4,
		0x1.3e3b1d00646c8p+4, 0x1.b05e913caf43dp+2, 0x1.68b3794bc567bp-1, 0x1.5e00f1bec9418p-9},
	NearQ: []float64{1, 0x1.629132d4a0bc1p+3, 0x1.7f2e6ad2a99c2p+5, 0x1.99be5b1991028p+6, 0x1.c673c876c6e54p+6,
		0x1.f561cfff027e1p+5, 0x1.def3c3abacfd8p+3, 0x1.145911458edd4p+0},
	FarP: []float64{-0x1.4127e8600b168p+1, -0x1.a7b9078fd1631p+4, -0x1.b4d128074353ep+5, -0x1.29442e2a6fc2ap+5,
		-0x1.7f79dc5abb576p+3, -0x1.a9be479db82dcp+0, -0x1.33b74eb61cfe9p-4, -0x1.5d4ee760536c3p-11},
	FarQ: []float64{1, 0x1.0c415b9b3c6d1p+4, 0x1.bd8e5d68dccd7p+5, 0x1.f7de6a964c882p+5, 0x1.f80347f7a75f4p+4,
		0x1.f4a97b7c5f489p+2, 0x1.a6f5871f95187p-1, 0x1.cc329e6e04810p-6, 0x1.6d2e8f771bb24p-13},
}

// ErfInv64 computes the inverse error function, within 2 ulp.
func ErfInv64(x float64) float64 {
	c, a := &ErfInv64Coefs, math.Abs(x)
	switch {
	case a <= c.Near:
		t := float64(x * x)
		u := c.Shift - t
		q := float64(t*horner(c.NearP, u)) / horner(c.NearQ, u)
		return math.Copysign(x+float64(x*(c.Line+q)), x) // a zero keeps its sign
	case a < 1:
		w := -log64(logTable64(), float64((1-a)*0.5), 0)
		r := math.Sqrt(w)
		rest := float64(math.FMA(-r, r, w) * (0.5 / r))
		return math.Copysign(r+(horner(c.FarP, r)/horner(c.FarQ, r)+rest), x)
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	}
	return math.NaN()
}
