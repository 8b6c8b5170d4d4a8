package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestTruncatedNormal: draws lie between any limits, are different where the type has so many
// numbers, and have the mean and the deviation of the distribution: those of
// scipy.stats.truncnorm 1.17, where it has enough digits, and of mpmath with 50.
func TestTruncatedNormal(t *testing.T) {
	inf, n := math.Inf(1), 4000
	for _, c := range []struct{ lo, hi, mean, deviation float64 }{
		{5, 1e6, 5.18650396713, 0.18082155}, {5.25, 1e6, 5.42865538839, 0.17361297},
		{5.5, 1e6, 5.6714103139, 0.16691848}, {8, 1e6, 8.12136811224, 0.11968661},
		{9, 1e6, 9.108523105, 0.10730699}, {9, inf, 9.108523105, 0.10730699},
		{20, inf, 20.0497530685, 0.049631256}, {37.5, 40, 37.5266288749, 0.026610052},
		{40, inf, 40.0249688472, 0.024953324}, {1000, inf, 1000.001, 0.000999997},
		{-inf, -6, -6.15848260454, 0.15487943}, {-7, -6, -6.15721090338, 0.15082566},
		{-inf, -30, -30.0332596674, 0.033223057}, {1, 1.5, 1.22433873766, 0.142369},
		{1, inf, 1.52513527616, 0.44620361}, {12, 12.01, 12.0048999827, 0.0028857069},
		{-1e6, -5, -5.18650396713, 0.18082155}, {-inf, -1, -1.52513527616, 0.44620361},
		{-3.5, -3, -3.1855943984, 0.13501378}, {0.99, inf, 1.51713211259, 0.44751642},
		{-1, 2, 0.229637179091, 0.72094559}, {-inf, inf, 0, 1}, {0, inf, 0.797884560803, 0.60281027},
		{-inf, 0.5, -0.509160433837, 0.69726282}, {-10, 10, 0, 1}, {-1e6, 3, -0.00443783904213, 0.99331102},
		{-0.25, 1e6, 0.645839371017, 0.64917768}, {0.5, 0.625, 0.561768019777, 0.036070542},
		{-1.5, -1.25, -1.36786743109, 0.071882153},
	} {
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.BF16, nx.F16} {
			for _, key := range []nx.Tensor{random.Key(1), random.Partitionable(random.Key(2))} {
				step := d.Epsilon() * math.Abs(c.mean) // the distance of numbers of the type, up to 2
				if c.deviation < 2*step || d == nx.F16 && c.hi == 1e6 {
					continue
				}
				x := nx.Data[float64](random.TruncatedNormal(key, c.lo, c.hi, nx.Shape{n}, d))
				mean, square := 0.0, 0.0
				for _, v := range x {
					mean += v / float64(n)
				}
				for _, v := range x {
					square += (v - mean) * (v - mean) / float64(n)
				}
				slices.Sort(x)
				if lo, hi := nx.Data[float64](nx.Cast(nx.New([]float64{c.lo, c.hi}), d))[0],
					nx.Data[float64](nx.Cast(nx.New([]float64{c.lo, c.hi}), d))[1]; x[0] <= lo || x[n-1] >= hi {
					t.Errorf("%s: between %v and %v there are %v and %v", d, c.lo, c.hi, x[0], x[n-1])
				}
				if math.Abs(mean-c.mean) > 5*c.deviation/math.Sqrt(float64(n))+step/2 ||
					math.Abs(math.Sqrt(square)/c.deviation-1) > 0.08+step/c.deviation/4 {
					t.Errorf("%s: between %v and %v: mean %v and deviation %v, want %v and %v", d, c.lo, c.hi, mean,
						math.Sqrt(square), c.mean, c.deviation)
				}
				// Most is a measure of how many numbers there are.
				most := min(c.deviation/step, math.Ldexp(1, -int(math.Log2(d.Epsilon()))))
				if k := len(slices.Compact(x)); float64(n-k) > 5+2*float64(n)*float64(n)/most {
					t.Errorf("%s: between %v and %v there are %d different numbers of %d", d, c.lo, c.hi, k, n)
				}
			}
		}
	}
}

// TestTruncatedNormalQuantiles: the draws are the inverse of the distribution function at the uniform
// numbers of the key, here against Go's error functions.
func TestTruncatedNormalQuantiles(t *testing.T) {
	key, shape := random.Partitionable(random.Key(3)), nx.Shape{1000}
	u := nx.Data[float64](random.Uniform(key, 0, 1, shape, nx.F64))
	for _, c := range [][2]float64{{1, 2}, {2, math.Inf(1)}, {7.9, 8.1}, {8, 30}, {-9, -7}, {-2, -1}, {-1, 0.5},
		{0.9, 9}} {
		x := nx.Data[float64](random.TruncatedNormal(key, c[0], c[1], shape, nx.F64))
		for i, v := range x {
			left, right := math.Erfc(-v/math.Sqrt2), math.Erfc(v/math.Sqrt2)
			a, b := math.Erfc(-c[0]/math.Sqrt2), math.Erfc(-c[1]/math.Sqrt2) // of the left tail
			got := (left - a) / (b - a)
			if c[0] > 0 {
				a, b = math.Erfc(c[0]/math.Sqrt2), math.Erfc(c[1]/math.Sqrt2)
				got = (a - right) / (a - b)
			}
			if math.Abs(got-u[i]) > 1e-12 {
				t.Fatalf("between %v: %v is beyond a share of %v, not %v", c, v, got, u[i])
			}
		}
	}
}

// TestTruncatedNormalFarTail: where no type has different numbers, all are the one next to the limit.
func TestTruncatedNormalFarTail(t *testing.T) {
	for _, c := range []struct {
		lo, hi, least, most float64
		d                   nx.DType
	}{
		{1e30, math.Inf(1), 1e30, 1.0000002e30, nx.F32},
		{math.Inf(-1), -1e300, -1.0000000000000004e300, -1e300, nx.F64},
		{1e5, 1e6, 1e5, 1.00001e5, nx.F32},
		{200, 300, 200, 202, nx.BF16},
	} {
		x := random.TruncatedNormal(random.Key(1), c.lo, c.hi, nx.Shape{1000}, c.d)
		if a, b := nx.Item[float64](nx.Min(x)), nx.Item[float64](nx.Max(x)); !(a >= c.least && b <= c.most) {
			t.Errorf("%s: between %v and %v: from %v to %v", c.d, c.lo, c.hi, a, b)
		}
	}
	for _, c := range [][2]float64{{2, 2}, {2, 1}, {math.NaN(), 1}, {0, math.NaN()}, {math.Inf(1), math.Inf(1)},
		{math.Inf(-1), math.Inf(-1)}} {
		var err error
		func() {
			defer nx.Catch(&err)
			random.TruncatedNormal(random.Key(1), c[0], c[1], nx.Shape{2}, nx.F32)
		}()
		if err == nil {
			t.Errorf("no error between %v", c)
		}
	}
}
