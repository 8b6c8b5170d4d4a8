package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestCountsSaturate: counts beyond a type are its largest number, those that are not are right, in
// every type.
func TestCountsSaturate(t *testing.T) {
	key, shape := random.Key(1), nx.Shape{64}
	for _, d := range []nx.DType{nx.U8, nx.S8, nx.U16, nx.S16, nx.U32, nx.S32, nx.U64, nx.S64} {
		most := math.Ldexp(1, d.Bits())
		if d.IsSigned() {
			most /= 2
		}
		for _, expected := range []float64{60, 300, 1e5, 1e9, 3e9, 5e12, 1e15, 1e30, math.Inf(1)} {
			draws := map[string]nx.Tensor{"Poisson": random.Poisson(key, expected, shape, d)}
			if !math.IsInf(expected, 1) {
				draws["Binomial"] = random.Binomial(key, 2*expected, 0.5, shape, d)
				draws["Multinomial"] = random.Multinomial(key, 2*expected, nx.New([]float32{0.5, 0.5}), shape,
					d).At(nx.Ellipsis, 0)
			}
			for name, x := range draws {
				for i := range x.Size() {
					k := float64(int64At(x, i))
					if d == nx.U64 {
						k = float64(uint64(int64At(x, i)))
					}
					want := min(expected, most)
					slack := 7*math.Sqrt(expected) + expected*1e-6
					if expected > most+slack {
						slack = 1
					}
					if !(math.Abs(k-want) <= slack) {
						t.Fatalf("%s: %s of %v is %v", d, name, expected, k)
					}
				}
			}
		}
		never := random.Geometric(key, 0, shape, d)
		rare := random.Geometric(key, 1e-37, shape, d)
		for _, x := range []nx.Tensor{never, rare} {
			if got := nx.Item[uint64](nx.Min(x)); got != d.MaxInt() {
				t.Errorf("%s: a geometric variable of a probability near 0 is %d", d, got)
			}
		}
		bad := nx.New([]float32{-1, float32(math.NaN()), 1.5})
		wrong := int64(-1)
		if !d.IsSigned() {
			wrong = 0
		}
		x := random.Geometric(key, bad, nx.Shape{3}, d)
		y := random.Poisson(key, bad.At(nx.To(2)), nx.Shape{2}, d)
		for i, x := range []nx.Tensor{x.At(0), x.At(1), x.At(2), y.At(0), y.At(1)} {
			if got := nx.Item[int64](x); got != wrong {
				t.Errorf("%s: a wrong parameter %d gives %d", d, i, got)
			}
		}
	}
}

// int64At returns an element of integers, those of u64 as the s64 of the same bits.
func int64At(x nx.Tensor, i int) int64 {
	if x.DType() == nx.U64 {
		return int64(nx.Item[uint64](x.At(i)))
	}
	return nx.Item[int64](x.At(i))
}

// TestLargeCounts: means, deviations and quartiles of many events are those of normal distributions,
// which these are near to.
func TestLargeCounts(t *testing.T) {
	n := 1 << 16
	for _, mean := range []float64{1e3, 1e5, 1e7, 1e9, 1e11} {
		for name, c := range map[string]struct {
			x         nx.Tensor
			deviation float64
		}{
			"Poisson":  {random.Poisson(random.Key(7), mean, nx.Shape{n}, nx.S64), math.Sqrt(mean)},
			"Binomial": {random.Binomial(random.Key(8), mean*4, 0.25, nx.Shape{n}, nx.S64), math.Sqrt(mean * 0.75)},
			"Binomial 3/4": {nx.Sub(int64(4*mean), random.Binomial(random.Key(8), mean*4, 0.75, nx.Shape{n}, nx.S64)),
				math.Sqrt(mean * 0.75)},
		} {
			x := nx.Data[int64](c.x)
			slices.Sort(x)
			z := func(k int64) float64 { return (float64(k) - mean) / c.deviation }
			sum, square, fourth := 0.0, 0.0, 0.0
			for _, k := range x {
				v := z(k)
				sum, square, fourth = sum+v, square+v*v, fourth+v*v*v*v
			}
			m := float64(n)
			if math.Abs(sum/m) > 0.02 || math.Abs(square/m-1) > 0.03 || math.Abs(fourth/m-3) > 0.25 {
				t.Errorf("%s of %v: mean %v, variance %v, fourth moment %v", name, mean, sum/m, square/m, fourth/m)
			}
			for q, want := range map[float64]float64{0.001: -3.0902, 0.25: -0.67449, 0.75: 0.67449, 0.999: 3.0902} {
				if got := z(x[int(q*m)]); math.Abs(got-want) > 0.03+0.1*math.Abs(want)*b2f(math.Abs(want) > 3) {
					t.Errorf("%s of %v: quantile %v is %v, want %v", name, mean, q, got, want)
				}
			}
		}
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
