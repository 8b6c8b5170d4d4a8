package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// pairs returns all pairs of samples, as a column and a row that broadcast.
func pairs(d nx.DType) (a, b nx.Tensor, at func(i int) (x, y any)) {
	s := kit.Samples(d)
	n := len(s)
	return kit.Encode(d, nx.Shape{n, 1}, s), kit.Encode(d, nx.Shape{n}, s), func(i int) (any, any) {
		buf := make([]byte, 2*d.Size())
		kit.StoreElement(d, buf, 0, s[i/n])
		kit.StoreElement(d, buf, 1, s[i%n])
		return kit.LoadElement(d, buf, 0), kit.LoadElement(d, buf, 1)
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

// order makes the rows of a comparison.
func order(name string, f func(a, b nx.Tensor) nx.Tensor, less, equal, greater bool) binaryCase {
	pick := func(c int) any { return [3]bool{less, equal, greater}[c+1] }
	return binaryCase{name: name, f: f, result: toBool,
		bools:  func(a, b bool) any { return pick(kit.BoolToInt(a) - kit.BoolToInt(b)) },
		signed: func(a, b int64, _ int) any { return pick(sign(a < b, a > b)) },
		uns:    func(a, b uint64, _ int) any { return pick(sign(a < b, a > b)) },
		floats: func(a, b float64) any {
			if a != a || b != b {
				return less && greater // true only for !=
			}
			return pick(sign(a < b, a > b))
		}}
}

func sign(less, greater bool) int { return kit.BoolToInt(greater) - kit.BoolToInt(less) }

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
		bools:  func(a, b bool) any { return op(uint64(kit.BoolToInt(a)), uint64(kit.BoolToInt(b))) != 0 },
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
	{name: "Div", f: nx.Div[nx.Tensor, nx.Tensor], result: kit.ToFloat,
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
	{name: "Atan2", f: nx.Atan2[nx.Tensor, nx.Tensor], result: kit.ToFloat, ulps: 4,
		signed: func(a, b int64, _ int) any { return math.Atan2(float64(a), float64(b)) },
		uns:    func(a, b uint64, _ int) any { return math.Atan2(float64(a), float64(b)) },
		floats: func(a, b float64) any { return math.Atan2(a, b) }},
	{name: "Maximum", f: nx.Maximum[nx.Tensor, nx.Tensor], result: same,
		bools:  func(a, b bool) any { return a || b },
		signed: func(a, b int64, _ int) any { return max(a, b) },
		uns:    func(a, b uint64, _ int) any { return max(a, b) },
		floats: larger},
	{name: "Minimum", f: nx.Minimum[nx.Tensor, nx.Tensor], result: same,
		bools:  func(a, b bool) any { return a && b },
		signed: func(a, b int64, _ int) any { return min(a, b) },
		uns:    func(a, b uint64, _ int) any { return min(a, b) },
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
			return c.uns(uint64(kit.BoolToInt(x)), uint64(kit.BoolToInt(y.(bool))), 8), true
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
		for _, d := range kit.DTypes {
			a, b, at := pairs(d)
			x, y := at(0)
			what := fmt.Sprintf("%s of %s", c.name, d)
			if _, defined := c.expect(d, x, y); !defined {
				if kit.Caught(func() { c.f(a, b) }) == nil &&
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
			kit.CheckElements(t, what, c.f(a, b), out, ulps, func(i int) any {
				x, y := at(i)
				want, _ := c.expect(d, x, y)
				return want
			})
		}
	}
}
