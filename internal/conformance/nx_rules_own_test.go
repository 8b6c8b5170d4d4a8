package conformance_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestNxRulesRefuse: a rule brings a result to what it should be, and explains no other.
func TestNxRulesRefuse(t *testing.T) {
	f8 := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F8E4M3FN) }
	half := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F16) }
	small := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F8E5M2) }
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		call      recorded
		right     any
		rule      string
		wrong     any
		different string
	}{
		{recorded{Fn: "Nx.add/2", Args: []any{f8(400, 1), f8(400, 1)}, Result: f8(448, 2)}, f8(nan, 2), "f8_e4m3fn",
			f8(nan, nan), "NaN where the sum is in range"},
		{recorded{Fn: "Nx.as_type/2", Args: []any{nx.New([]float32{448}), atom("f8_e4m3fn")}, Result: f8(448)}, f8(448), "",
			f8(nan), "NaN for the largest number"},
		{recorded{Fn: "Nx.add/2", Args: []any{small(2), f8(1)}, Result: small(3)}, half(3), "promotion",
			nx.New([]float32{3}), "a larger type than the smallest that holds both"},
		{recorded{Fn: "Nx.add/2", Args: []any{small(2), f8(1)}, Result: small(3)}, half(3), "promotion",
			half(2), "another sum"},
		{recorded{Fn: "Nx.LinAlg.invert/1", Args: []any{nx.New([][]float32{{1, 2}, {2, 4}})},
			Result: nx.New([][]float32{{nan, nan}, {nan, nan}})}, nx.New([][]float32{{-inf, inf}, {inf, nan}}), "singular",
			nx.New([][]float32{{1, nan}, {nan, nan}}), "a finite number in the inverse of a singular matrix"},
		{recorded{Fn: "Nx.LinAlg.invert/1", Args: []any{nx.New([][]float32{{1, 0}, {0, 4}})},
			Result: nx.New([][]float32{{1, 0}, {0, 0.25}})}, nx.New([][]float32{{1, 0}, {0, 0.25}}), "",
			nx.New([][]float32{{nan, nan}, {nan, nan}}), "NaN for a regular matrix"},
		{recorded{Fn: "Nx.take/2", Args: []any{nx.New([]int32{1, 2}, nx.Names("x")), nx.New([]int32{0})},
			Result: nx.New([]int32{1})}, nx.New([]int32{1}, nx.Names("x")), "names",
			nx.New([]int32{1}, nx.Names("y")), "a name that no operand has"},
		{recorded{Fn: "Nx.fft/2", Args: []any{nx.New([]float32{1, 1})}, Opts: pairs{{"eps", 1.0}},
			Result: nx.New([]complex64{2, 0})}, nx.New([]complex64{2, 0.5}), "eps",
			nx.New([]complex64{2, 1.5}), "a part above eps"},
		{recorded{Fn: "Nx.count_leading_zeros/1", Args: []any{int64(1)}, Result: nx.Cast(nx.New(31), nx.S32)},
			nx.New(63), "number", nx.New(62), "another count"},
		{recorded{Fn: "Nx.atan/1", Args: []any{nx.New(complex64(-3i))},
			Result: nx.New(complex64(complex(-1.5707964, -0.3465736)))},
			nx.New(complex64(complex(1.5707964, -0.3465736))), "complex",
			nx.New(complex64(complex(1.5707964, 0.3465736))), "the wrong side of the cut"},
	} {
		if rule, why := c.call.judge(c.right, nil); rule != c.rule || why != "" {
			t.Errorf("%s: rule %q (%s), want %q", c.call.Fn, rule, why, c.rule)
		}
		if rule, why := c.call.judge(c.wrong, nil); why == "" {
			t.Errorf("%s: %s passes by rule %q", c.call.Fn, c.different, rule)
		}
	}
}
