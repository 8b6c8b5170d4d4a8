package nx_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// dtypes are the element types that tensors are made of.
var dtypes = []nx.DType{
	nx.Bool, nx.S2, nx.S4, nx.S8, nx.S16, nx.S32, nx.S64, nx.U2, nx.U4, nx.U8, nx.U16, nx.U32, nx.U64,
	nx.F8E5M2, nx.F8E4M3FN, nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64, nx.C128,
}

// samples returns elements of a type that show its edges.
func samples(d nx.DType) []any {
	var out []any
	switch {
	case d == nx.Bool:
		return []any{false, true}
	case d.IsUnsigned():
		for _, v := range []uint64{0, 1, 2, 3, d.MaxInt(), d.MaxInt() - 1, d.MaxInt() / 2} {
			out = append(out, v)
		}
	case d.IsSigned():
		for _, v := range []int64{0, 1, -1, -2, d.MinInt(), int64(d.MaxInt()), d.MinInt() / 2} {
			out = append(out, v)
		}
	case d.IsFloat():
		for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3, 1.75, d.MaxFinite(), d.SmallestNormal(),
			math.Inf(1), math.Inf(-1), math.NaN()} {
			if !math.IsInf(v, 0) || d.HasInf() {
				out = append(out, v)
			}
		}
	default:
		for _, v := range []complex128{0, 1, 1i, -2 + 3i, 0.5 - 0.25i, -1, complex(0, -2)} {
			out = append(out, v)
		}
	}
	return out
}

// encode returns elements as a tensor.
func encode(d nx.DType, dims nx.Shape, vs []any) nx.Tensor {
	b := make([]byte, len(vs)*d.Size())
	for i, v := range vs {
		store(d, b, i, v)
	}
	return nx.FromBytes(b, dims, d)
}

// store writes v, wrapped or rounded, as element i.
func store(d nx.DType, b []byte, i int, v any) {
	switch v := v.(type) {
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		d.StoreInt(b, i, n)
	case int64:
		d.StoreInt(b, i, v)
	case uint64:
		d.StoreUint(b, i, v)
	case float64:
		d.StoreFloat(b, i, v)
	case complex128:
		d.StoreComplex(b, i, v)
	}
}

// load returns element i as bool, int64, uint64, float64 or complex128.
func load(d nx.DType, b []byte, i int) any {
	switch {
	case d == nx.Bool:
		return d.LoadInt(b, i) != 0
	case d.IsSigned():
		return d.LoadInt(b, i)
	case d.IsUnsigned():
		return d.LoadUint(b, i)
	case d.IsFloat():
		return d.LoadFloat(b, i)
	}
	return d.LoadComplex(b, i)
}

// alike reports whether two elements are equal; within ulps of type d, and with
// NaN equal to NaN. Zeros of different sign differ where ulps is 0.
func alike(d nx.DType, got, want any, ulps float64) bool {
	switch g := got.(type) {
	case float64:
		return near(d, g, want.(float64), ulps)
	case complex128:
		w := want.(complex128)
		r := d.Real()
		if ulps == 0 {
			return near(r, real(g), real(w), 0) && near(r, imag(g), imag(w), 0)
		}
		part := func(g, p float64) bool { // measured against the whole number
			return g == p || g != g && p != p || math.Abs(g-p) <= ulps*r.Epsilon()*cmplx.Abs(w)
		}
		return part(real(g), real(w)) && part(imag(g), imag(w))
	}
	return got == want
}

func near(d nx.DType, g, w, ulps float64) bool {
	w = d.Float64(d.FromFloat64(w))
	if math.IsNaN(g) || math.IsNaN(w) {
		return math.IsNaN(g) && math.IsNaN(w)
	}
	if ulps == 0 {
		return math.Float64bits(g) == math.Float64bits(w)
	}
	return g == w || math.Abs(g-w) <= ulps*d.Epsilon()*math.Max(math.Abs(w), d.SmallestNormal())
}

// check compares a tensor with the elements that want computes.
func check(t *testing.T, what string, got nx.Tensor, d nx.DType, ulps float64, want func(i int) any) {
	t.Helper()
	if got.DType() != d {
		t.Errorf("%s: the result is %s, want %s", what, got.DType(), d)
		return
	}
	b := nx.Bytes(got)
	for i := range got.Size() {
		w := want(i)
		if w == nil {
			continue
		}
		e := make([]byte, d.Size())
		store(d, e, 0, w)
		if g, w := load(d, b, i), load(d, e, 0); !alike(d, g, w, ulps) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// pairs returns all pairs of samples, as a column and a row that broadcast.
func pairs(d nx.DType) (a, b nx.Tensor, at func(i int) (x, y any)) {
	s := samples(d)
	n := len(s)
	return encode(d, nx.Shape{n, 1}, s), encode(d, nx.Shape{n}, s), func(i int) (any, any) {
		buf := make([]byte, 2*d.Size())
		store(d, buf, 0, s[i/n])
		store(d, buf, 1, s[i%n])
		return load(d, buf, 0), load(d, buf, 1)
	}
}

// binaryCase is a binary op and what it should be on each kind of number; a nil
// function means that the op is not defined.
type binaryCase struct {
	name    string
	f       func(a, b nx.Tensor) nx.Tensor
	bools   func(a, b bool) any // nil: bools count as u8
	signed  func(a, b int64, bits int) any
	uns     func(a, b uint64, bits int) any
	floats  func(a, b float64) any
	complex func(a, b complex128) any
	result  func(d nx.DType) nx.DType
	ulps    float64
}

func same(d nx.DType) nx.DType { return d }

func toBool(nx.DType) nx.DType { return nx.Bool }

func toFloat(d nx.DType) nx.DType {
	if d.IsFloat() || d.IsComplex() {
		return d
	}
	return nx.F32
}

// order makes the rows of a comparison.
func order(name string, f func(a, b nx.Tensor) nx.Tensor, less, equal, greater bool) binaryCase {
	pick := func(c int) any { return [3]bool{less, equal, greater}[c+1] }
	return binaryCase{name: name, f: f, result: toBool,
		bools:  func(a, b bool) any { return pick(b2i(a) - b2i(b)) },
		signed: func(a, b int64, _ int) any { return pick(sign(a < b, a > b)) },
		uns:    func(a, b uint64, _ int) any { return pick(sign(a < b, a > b)) },
		floats: func(a, b float64) any {
			if a != a || b != b {
				return less && greater // true for != alone
			}
			return pick(sign(a < b, a > b))
		}}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sign(less, greater bool) int { return b2i(greater) - b2i(less) }

func truthTable(name string, f func(a, b nx.Tensor) nx.Tensor, op func(a, b bool) bool) binaryCase {
	return binaryCase{name: name, f: f, result: toBool,
		bools:   func(a, b bool) any { return op(a, b) },
		signed:  func(a, b int64, _ int) any { return op(a != 0, b != 0) },
		uns:     func(a, b uint64, _ int) any { return op(a != 0, b != 0) },
		floats:  func(a, b float64) any { return op(a != 0, b != 0) },
		complex: func(a, b complex128) any { return op(a != 0, b != 0) }}
}

func bits(name string, f func(a, b nx.Tensor) nx.Tensor, op func(a, b uint64) uint64) binaryCase {
	return binaryCase{name: name, f: f, result: same,
		bools:  func(a, b bool) any { return op(uint64(b2i(a)), uint64(b2i(b))) != 0 },
		signed: func(a, b int64, _ int) any { return int64(op(uint64(a), uint64(b))) },
		uns:    func(a, b uint64, _ int) any { return op(a, b) }}
}

func intPow(a, b uint64) uint64 {
	r := uint64(1)
	for ; b > 0; b >>= 1 {
		if b&1 != 0 {
			r *= a
		}
		a *= a
	}
	return r
}

// larger is the maximum of which NaN wins and the positive zero is larger.
func larger(a, b float64) any { return max(a, b) }

func smaller(a, b float64) any { return min(a, b) }

var binaryCases = []binaryCase{
	{name: "Add", f: nx.Add[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, _ int) any { return a + b }, uns: func(a, b uint64, _ int) any { return a + b },
		floats: func(a, b float64) any { return a + b }, complex: func(a, b complex128) any { return a + b }},
	{name: "Sub", f: nx.Sub[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, _ int) any { return a - b }, uns: func(a, b uint64, _ int) any { return a - b },
		floats: func(a, b float64) any { return a - b }, complex: func(a, b complex128) any { return a - b }},
	{name: "Mul", f: nx.Mul[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, _ int) any { return a * b }, uns: func(a, b uint64, _ int) any { return a * b },
		floats: func(a, b float64) any { return a * b }, complex: func(a, b complex128) any { return a * b }},
	{name: "Div", f: nx.Div[nx.Tensor, nx.Tensor], result: toFloat,
		signed: func(a, b int64, _ int) any { return float64(float32(a) / float32(b)) },
		uns:    func(a, b uint64, _ int) any { return float64(float32(a) / float32(b)) },
		floats: func(a, b float64) any { return a / b },
		complex: func(a, b complex128) any {
			if b == 0 {
				return nil // which infinities and NaNs is open
			}
			return a / b
		}},
	{name: "Quotient", f: nx.Quotient[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, bits int) any {
			switch {
			case b == 0:
				return int64(-1)
			case b == -1:
				return -a
			}
			return a / b
		},
		uns: func(a, b uint64, _ int) any {
			if b == 0 {
				return uint64(math.MaxUint64)
			}
			return a / b
		}},
	{name: "Remainder", f: nx.Remainder[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, _ int) any {
			switch b {
			case 0:
				return a
			case -1:
				return int64(0)
			}
			return a % b
		},
		uns: func(a, b uint64, _ int) any {
			if b == 0 {
				return a
			}
			return a % b
		},
		floats: func(a, b float64) any { return math.Mod(a, b) }},
	{name: "Pow", f: nx.Pow[nx.Tensor, nx.Tensor], result: same, ulps: 4,
		signed: func(a, b int64, _ int) any {
			switch {
			case b >= 0:
				return int64(intPow(uint64(a), uint64(b)))
			case a == 1:
				return int64(1)
			case a == -1:
				return 1 - 2*(b&1)
			}
			return int64(0)
		},
		uns:    func(a, b uint64, _ int) any { return intPow(a, b) },
		floats: func(a, b float64) any { return math.Pow(a, b) }},
	{name: "Atan2", f: nx.Atan2[nx.Tensor, nx.Tensor], result: toFloat, ulps: 4,
		signed: func(a, b int64, _ int) any { return math.Atan2(float64(a), float64(b)) },
		uns:    func(a, b uint64, _ int) any { return math.Atan2(float64(a), float64(b)) },
		floats: func(a, b float64) any { return math.Atan2(a, b) }},
	{name: "Maximum", f: nx.Maximum[nx.Tensor, nx.Tensor], result: same,
		bools:  func(a, b bool) any { return a || b },
		signed: func(a, b int64, _ int) any { return max(a, b) }, uns: func(a, b uint64, _ int) any { return max(a, b) },
		floats: larger},
	{name: "Minimum", f: nx.Minimum[nx.Tensor, nx.Tensor], result: same,
		bools:  func(a, b bool) any { return a && b },
		signed: func(a, b int64, _ int) any { return min(a, b) }, uns: func(a, b uint64, _ int) any { return min(a, b) },
		floats: smaller},
	bits("BitwiseAnd", nx.BitwiseAnd[nx.Tensor, nx.Tensor], func(a, b uint64) uint64 { return a & b }),
	bits("BitwiseOr", nx.BitwiseOr[nx.Tensor, nx.Tensor], func(a, b uint64) uint64 { return a | b }),
	bits("BitwiseXor", nx.BitwiseXor[nx.Tensor, nx.Tensor], func(a, b uint64) uint64 { return a ^ b }),
	{name: "LeftShift", f: nx.LeftShift[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, bits int) any {
			if b < 0 || b >= int64(bits) {
				return int64(0)
			}
			return a << b
		},
		uns: func(a, b uint64, bits int) any {
			if b >= uint64(bits) {
				return uint64(0)
			}
			return a << b
		}},
	{name: "RightShift", f: nx.RightShift[nx.Tensor, nx.Tensor], result: same,
		signed: func(a, b int64, bits int) any {
			if b < 0 || b >= int64(bits) {
				return a >> 63
			}
			return a >> b
		},
		uns: func(a, b uint64, bits int) any {
			if b >= uint64(bits) {
				return uint64(0)
			}
			return a >> b
		}},
	order("Equal", nx.Equal[nx.Tensor, nx.Tensor], false, true, false),
	order("NotEqual", nx.NotEqual[nx.Tensor, nx.Tensor], true, false, true),
	order("Less", nx.Less[nx.Tensor, nx.Tensor], true, false, false),
	order("LessEqual", nx.LessEqual[nx.Tensor, nx.Tensor], true, true, false),
	order("Greater", nx.Greater[nx.Tensor, nx.Tensor], false, false, true),
	order("GreaterEqual", nx.GreaterEqual[nx.Tensor, nx.Tensor], false, true, true),
	truthTable("LogicalAnd", nx.LogicalAnd[nx.Tensor, nx.Tensor], func(a, b bool) bool { return a && b }),
	truthTable("LogicalOr", nx.LogicalOr[nx.Tensor, nx.Tensor], func(a, b bool) bool { return a || b }),
	truthTable("LogicalXor", nx.LogicalXor[nx.Tensor, nx.Tensor], func(a, b bool) bool { return a != b }),
}

// expect returns what the case says about a pair, and whether it says anything.
func (c *binaryCase) expect(d nx.DType, x, y any) (want any, defined bool) {
	switch x := x.(type) {
	case bool:
		switch {
		case c.bools != nil:
			return c.bools(x, y.(bool)), true
		case c.uns != nil:
			return c.uns(uint64(b2i(x)), uint64(b2i(y.(bool))), 8), true
		}
	case int64:
		if c.signed != nil {
			return c.signed(x, y.(int64), d.Bits()), true
		}
	case uint64:
		if c.uns != nil {
			return c.uns(x, y.(uint64), d.Bits()), true
		}
	case float64:
		if c.floats != nil {
			return c.floats(x, y.(float64)), true
		}
	case complex128:
		if c.complex != nil {
			return c.complex(x, y.(complex128)), true
		}
	}
	return nil, false
}

func TestBinaryOps(t *testing.T) {
	for _, c := range binaryCases {
		for _, d := range dtypes {
			a, b, at := pairs(d)
			x, y := at(0)
			what := fmt.Sprintf("%s of %s", c.name, d)
			if _, defined := c.expect(d, x, y); !defined {
				if caught(func() { c.f(a, b) }) == nil &&
					!(d.IsComplex() && (c.name == "Pow" || c.name == "Equal" || c.name == "NotEqual")) {
					t.Errorf("%s is defined", what)
				}
				continue
			}
			out := c.result(d)
			if d == nx.Bool && c.bools == nil {
				out = c.result(nx.U8)
			}
			ulps := c.ulps
			if d.IsComplex() {
				ulps = 4
			}
			check(t, what, c.f(a, b), out, ulps, func(i int) any {
				x, y := at(i)
				want, _ := c.expect(d, x, y)
				return want
			})
		}
	}
}

// TestNests: slices and arrays nest in any way, and convert to any type.
func TestNests(t *testing.T) {
	type real float64
	for _, c := range []struct {
		name string
		t    nx.Tensor
		want string
	}{
		{"arrays in a slice", nx.New([][2]int8{{1, 2}, {3, 4}}), "s8[2][2]\n[\n  [1, 2],\n  [3, 4]\n]"},
		{"a slice in arrays", nx.New([2][]uint16{{1, 2}, {3, 4}}), "u16[2][2]\n[\n  [1, 2],\n  [3, 4]\n]"},
		{"arrays in an array", nx.New([1][2][2]bool{{{true, false}, {false, true}}}),
			"bool[1][2][2]\n[\n  [\n    [ true, false],\n    [false,  true]\n  ]\n]"},
		{"slices of arrays in slices", nx.New([][][1]complex64{{{1}, {2i}}}),
			"c64[1][2][1]\n[\n  [\n    [1.0+0.0i],\n    [0.0+2.0i]\n  ]\n]"},
		{"a named type", nx.New([]real{1.5}), "f64[1]\n[1.5]"},
		{"no rows", nx.New([][3]float32{}), "f32[0][3]\n[]"},
		{"integers as floats", nx.New([][2]int64{{1, 1<<24 + 1}}, nx.As(nx.F32)),
			"f32[1][2]\n[\n  [          1.0, 1.6777216e+07]\n]"},
		{"floats as bf16", nx.New([2]float64{0.1, -3}, nx.As(nx.BF16)), "bf16[2]\n[ 0.1, -3.0]"},
		{"bools as floats", nx.New([]bool{true, false}, nx.As(nx.F16)), "f16[2]\n[1.0, 0.0]"},
		{"narrower integers", nx.New([]int{-1, 7}, nx.As(nx.S4)), "s4[2]\n[-1,  7]"},
		{"integers as complex", nx.New([]int{2}, nx.As(nx.C128)), "c128[1]\n[2.0+0.0i]"},
	} {
		if got := fmt.Sprint(c.t); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestHistogramEdges: counts are those of numpy.histogram. Edges of bins are numbers of the elements' type, so
// that an element that is one counts in the bin above it.
func TestHistogramEdges(t *testing.T) {
	tenths := []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	for _, c := range []struct {
		d      nx.DType
		lo, hi float64
		want   []int32
	}{
		{nx.F64, 0, 1, []int32{0, 1, 2, 0, 1, 2, 1, 0, 1, 2}},
		{nx.F64, .1, .6, []int32{1, 0, 1, 1, 0, 0, 1, 0, 1, 1}},
		{nx.F32, 0, 1, []int32{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{nx.F16, 0, 1, []int32{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}},
		{nx.F32, .1, .6, []int32{1, 0, 1, 0, 1, 0, 1, 0, 1, 1}},
	} {
		x := nx.Cast(nx.New(tenths), c.d)
		if got := nx.Data[int32](nx.Histogram(x, 10, c.lo, c.hi)); !slices.Equal(got, c.want) {
			t.Errorf("%v from %v to %v: %v, not %v", c.d, c.lo, c.hi, got, c.want)
		}
	}
}
