package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestNumbersThatOverflow: a finite Go number that a float type makes infinite does
// not fit.
func TestNumbersThatOverflow(t *testing.T) {
	for _, d := range []nx.DType{nx.F8E5M2, nx.F8E4M3FN, nx.BF16, nx.F16, nx.F32, nx.C64} {
		x, real := nx.Ones(nx.Shape{2}, d), d.Real()
		for name, f := range map[string]func(v float64){
			"Mul":      func(v float64) { nx.Mul(x, v) },
			"Less":     func(v float64) { nx.Equal(v, x) },
			"New":      func(v float64) { nx.New(v, nx.As(d)) },
			"New flat": func(v float64) { nx.New([]float64{0, v}, nx.As(d)) },
			"New c128": func(v float64) { nx.New([][]complex128{{complex(0, v)}}, nx.As(real.Complex())) },
			"Full":     func(v float64) { nx.Full(nx.Shape{2}, v, d) },
			"FullLike": func(v float64) { nx.FullLike(x, v) },
			"Where":    func(v float64) { nx.Where(true2, x, v) },
			"Pad":      func(v float64) { nx.Pad(x, v, [2]int{1, 0}) },
			"SetAt":    func(v float64) { nx.SetAt(x, v, 0) },
			"computed": func(v float64) { nx.Add(x, nx.Mul(v, 1)) },
			"Linspace": func(v float64) { nx.Linspace(0, v, 3, real) },
		} {
			if name == "New c128" && !real.IsFloat() || name == "New c128" && d.Bits() < 32 {
				continue // there is no complex type of such parts
			}
			if err := kit.Caught(func() { f(real.MaxFinite()) }); err != nil {
				t.Errorf("%s of %s: the largest number: %v", name, d, err)
			}
			if err := kit.Caught(func() { f(1e300) }); err == nil {
				t.Errorf("%s of %s: 1e300 is taken", name, d)
			}
		}
		if real.HasInf() {
			if err := kit.Caught(func() { nx.Mul(x, math.Inf(1)) }); err != nil {
				t.Errorf("%s: infinity: %v", d, err)
			}
		}
		if err := kit.Caught(func() { nx.Mul(x, math.NaN()) }); err != nil {
			t.Errorf("%s: NaN: %v", d, err)
		}
	}
}
