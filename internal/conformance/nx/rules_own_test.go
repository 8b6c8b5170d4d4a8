package nx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestNxRulesRefuse: a rule maps a result to the expected one, and does not explain others.
func TestNxRulesRefuse(t *testing.T) {
	f8 := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F8E4M3FN) }
	half := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F16) }
	small := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.F8E5M2) }
	bf16 := func(v ...float32) nx.Tensor { return nx.Cast(nx.New(v), nx.BF16) }
	rows := func(t nx.Tensor) nx.Tensor { return nx.Vectorize(t, "rows") }
	scalar := func(t nx.Tensor) nx.Tensor { return nx.Reshape(t) }
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
		{recorded{Fn: "Nx.as_type/2", Args: []any{nx.New([]float32{448}), atom("f8_e4m3fn")},
			Result: f8(448)}, f8(448), "",
			f8(nan), "NaN for the largest number"},
		{recorded{Fn: "Nx.add/2", Args: []any{small(2), f8(1)}, Result: small(3)}, half(3), "promotion",
			nx.New([]float32{3}), "a larger type than the smallest that holds both"},
		{recorded{Fn: "Nx.add/2", Args: []any{small(2), f8(1)}, Result: small(3)}, half(3), "promotion",
			half(2), "another sum"},
		{recorded{Fn: "Nx.LinAlg.invert/1", Args: []any{nx.New([][]float32{{1, 2}, {2, 4}})},
			Result: nx.New([][]float32{{nan, nan}, {nan, nan}})},
			nx.New([][]float32{{-inf, inf}, {inf, nan}}), "singular",
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
		{recorded{Fn: "Nx.Constants.e/1", Args: []any{nx.F8E4M3FN}, Result: f8(2.25)}, f8(2.75), "constants",
			f8(3.25), "another number"},
		{recorded{Fn: "Nx.variance/1", Args: []any{bf16(3, 1, 1)},
			Result: nx.Cast(nx.New(float32(0.8828125)), nx.BF16)},
			nx.Cast(nx.New(float32(0.890625)), nx.BF16), "bf16",
			nx.Cast(nx.New(float32(0.8671875)), nx.BF16), "a number that is not the nearest"},
		{recorded{Fn: "Nx.Random.normal_split/4", Args: []any{nx.New([]uint32{0, 1}), int64(0), int64(100)},
			Result: bf16(-17.625)}, bf16(-17.25), "bf16", bf16(-15), "another draw"},
		{recorded{Fn: "Nx.window_scatter_min/5", Args: []any{nx.New([][]int32{{3, 2, 2}}),
			nx.New([][]int32{{7}}), int64(0),
			tuple{int64(1), int64(3)}}, Result: nx.New([][]int32{{0, 0, 7}})}, nx.New([][]int32{{0, 7, 0}}), "windows",
			nx.New([][]int32{{7, 0, 0}}), "the place of an element that is not the smallest"},
		{recorded{Fn: "Nx.quotient/2", Args: []any{nx.New([]uint64{1<<64 - 2, 7}), nx.New([]int64{-2, 2})},
			Result: nx.New([]int64{-9223372036854775807, 3})}, nx.New([]int64{1, 3}), "signed",
			nx.New([]int64{1, 4}), "another quotient"},
		{recorded{Fn: "Nx.min/2", Args: []any{nx.New([]int64{3, 5}), nx.New([]uint64{1<<64 - 2, 2})},
			Result: nx.New([]int64{3, 2})}, nx.New([]int64{-2, 2}), "signed",
			nx.New([]int64{-2, 5}), "the larger one"},
		{recorded{Fn: "Nx.pow/2", Args: []any{nx.New([]int64{-1, 3}), nx.New([]uint64{1<<64 - 1, 2})},
			Result: nx.New([]int64{-1, 10})}, nx.New([]int64{-1, 9}), "signed",
			nx.New([]int64{1, 9}), "another sign"},
		{recorded{Fn: "Nx.as_type/2", Args: []any{rows(nx.New([][]float32{{300}, {-2}})), atom("u8")},
			Result: rows(nx.New([][]uint8{{44}, {254}}))}, rows(nx.New([][]uint8{{255}, {0}})), "saturate",
			rows(nx.New([][]uint8{{44}, {0}})), "a number that wraps around"},
		{recorded{Fn: "Nx.cos/1", Args: []any{rows(nx.New([][]uint32{{1<<32 - 2}}))},
			Result: rows(nx.New([][]float32{{-0.051008023}}))}, rows(nx.New([][]float32{{-0.8868869}})),
			"rounded integers",
			rows(nx.New([][]float32{{-0.7}})), "another cosine"},
		{recorded{Fn: "Nx.tensor/2", Args: []any{61440.0}, Opts: pairs{{"type", atom("f8")}},
			Result: scalar(small(57344))},
			scalar(small(inf)), "overflow", scalar(small(-inf)), "another sign"},
		{recorded{Fn: "Nx.bf16/1", Args: []any{3.4e38}, Result: scalar(bf16(3.3895314e38))},
			scalar(bf16(inf)), "overflow",
			scalar(bf16(nan)), "no number"},
		{recorded{Fn: "Nx.f8/1", Args: []any{60000.0}, Result: scalar(small(57344))}, scalar(small(57344)), "",
			scalar(small(inf)), "infinity for a number nearer to the largest one"},
		{recorded{Fn: "Nx.LinAlg.norm/2", Args: []any{nx.New([][]float32{{1, -2}, {3, 4}})},
			Opts: pairs{{"axes", []any{int64(0)}}, {"ord", int64(1)}}, Result: nx.New(float32(6))},
			nx.New([]float32{4, 6}), "one axis", nx.New([]float32{5, 6}), "another sum"},
		{recorded{Fn: "Nx.LinAlg.eigh/1", Args: []any{nx.New([][]float32{{1, 7}, {0, 2}})},
			Result: tuple{nx.New([]float32{1, 1}), nx.New([][]float32{{1, 0}, {0, 1}})}},
			tuple{nx.New([]float32{1, 2}), nx.New([][]float32{{1, 0}, {0, 1}})}, "triangle",
			tuple{nx.New([]float32{1, 3}), nx.New([][]float32{{1, 0}, {0, 1}})}, "factors of another matrix"},
		{recorded{Fn: "Nx.cumulative_sum/1", Args: []any{nx.New([]uint8{200, 100})}, Result: nx.New([]uint8{200, 44})},
			nx.New([]uint32{200, 300}), "wide sums", nx.New([]uint32{200, 301}), "another sum"},
		{recorded{Fn: "Nx.median/1", Args: []any{nx.New([]float32{nan, 1, 3})}, Result: nx.New(float32(3))},
			nx.New(nan), "NaN in a median", nx.New(float32(1)), "a number"},
		{recorded{Fn: "Nx.median/1", Args: []any{nx.New([]float32{2, 1, 3})}, Result: nx.New(float32(2))},
			nx.New(float32(2)), "", nx.New(nan), "NaN of numbers"},
	} {
		if rule, why := c.call.judge(c.right, nil); rule != c.rule || why != "" {
			t.Errorf("%s: rule %q (%s), want %q", c.call.Fn, rule, why, c.rule)
		}
		if rule, why := c.call.judge(c.wrong, nil); why == "" {
			t.Errorf("%s: %s passes by rule %q", c.call.Fn, c.different, rule)
		}
	}
}

// TestNxRulesRefusals: calls that fail only here fail for the reason of the rule.
func TestNxRulesRefusals(t *testing.T) {
	index := recorded{Fn: "Nx.argmin/2", Args: []any{nx.New([]int32{1, 2})}, Opts: pairs{{"type", nx.F32}},
		Result: nx.New(float32(0))}
	empty := recorded{Fn: "Nx.Random.randint/4", Args: []any{nx.New([]uint32{0, 1}), int64(10), int64(0)},
		Result: nx.New(int32(3))}
	draws := recorded{Fn: "Nx.Random.randint/4", Args: []any{nx.New([]uint32{0, 1}), int64(0), int64(10)},
		Result: nx.New(int32(3))}
	for _, c := range []struct {
		call recorded
		err  error
		rule string
	}{
		{index, fmt.Errorf("refused: %w", nx.ErrDType), "refused"},
		{index, fmt.Errorf("refused: %w", nx.ErrShape), ""},
		{empty, fmt.Errorf("refused: %w", nx.ErrValue), "refused"},
		{draws, fmt.Errorf("refused: %w", nx.ErrValue), ""},
	} {
		if rule, why := c.call.judge(nil, c.err); rule != c.rule || (why == "") != (c.rule != "") {
			t.Errorf("%s, %v: rule %q (%s), want %q", c.call.Fn, c.err, rule, why, c.rule)
		}
	}
}
