package interp

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/refmath"
	"github.com/go-nx/nx/stablehlo"
)

// wrap returns the number of type d that is v modulo 2 to its width.
func wrap(d dtype.Type, v int) int {
	n := 1 << d.Bits()
	v = (v%n + n) % n
	if d.IsSigned() && v >= n/2 {
		v -= n
	}
	return v
}

// intRefs are the integer ops on numbers that do not wrap around.
var intRefs = map[stablehlo.OpCode]func(d dtype.Type, x, y int) int{
	stablehlo.OpAdd:      func(_ dtype.Type, x, y int) int { return x + y },
	stablehlo.OpSubtract: func(_ dtype.Type, x, y int) int { return x - y },
	stablehlo.OpMultiply: func(_ dtype.Type, x, y int) int { return x * y },
	stablehlo.OpDivide: func(_ dtype.Type, x, y int) int {
		if y == 0 {
			return -1
		}
		return x / y
	},
	stablehlo.OpRemainder: func(_ dtype.Type, x, y int) int {
		if y == 0 {
			return x
		}
		return x % y
	},
	stablehlo.OpPower: func(d dtype.Type, x, y int) int {
		if y < 0 {
			switch x {
			case 1:
				return 1
			case -1:
				return 1 - 2*(y&1)
			}
			return 0
		}
		r := 1
		for range y {
			r = wrap(d, r*x)
		}
		return r
	},
	stablehlo.OpMaximum: func(_ dtype.Type, x, y int) int { return max(x, y) },
	stablehlo.OpMinimum: func(_ dtype.Type, x, y int) int { return min(x, y) },
	stablehlo.OpAnd:     func(_ dtype.Type, x, y int) int { return x & y },
	stablehlo.OpOr:      func(_ dtype.Type, x, y int) int { return x | y },
	stablehlo.OpXor:     func(_ dtype.Type, x, y int) int { return x ^ y },
	stablehlo.OpShiftLeft: func(d dtype.Type, x, y int) int {
		if y = lowBits(d, y); y >= d.Bits() {
			return 0
		}
		return x << y
	},
	stablehlo.OpShiftRightLogical: func(d dtype.Type, x, y int) int { return lowBits(d, x) >> lowBits(d, y) },
	stablehlo.OpShiftRightArithmetic: func(d dtype.Type, x, y int) int {
		if x = lowBits(d, x); x >= 1<<(d.Bits()-1) {
			x -= 1 << d.Bits()
		}
		return x >> lowBits(d, y)
	},
	stablehlo.OpChloMulhi: func(d dtype.Type, x, y int) int { return x * y >> d.Bits() },
}

// lowBits returns the bits of an integer as a number.
func lowBits(d dtype.Type, x int) int { return x & (1<<d.Bits() - 1) }

func kernel2(t *testing.T, c stablehlo.OpCode, d dtype.Type) func(dst, x, y []byte, i int) {
	t.Helper()
	k := binaryKernel(stablehlo.NewOp(c, nil, nil), d)
	if k == nil {
		t.Fatalf("%s has no kernel for %s", c, d)
	}
	return k
}

// TestIntegers computes all pairs of numbers of the types of up to 8 bits.
func TestIntegers(t *testing.T) {
	for _, d := range []dtype.Type{dtype.S2, dtype.S4, dtype.S8, dtype.U2, dtype.U4, dtype.U8} {
		n := 1 << d.Bits()
		x, y, r := make([]byte, 1), make([]byte, 1), make([]byte, 1)
		for c, ref := range intRefs {
			k := kernel2(t, c, d)
			for i := range n * n {
				a, b := wrap(d, i/n), wrap(d, i%n)
				d.StoreInt(x, 0, int64(a))
				d.StoreInt(y, 0, int64(b))
				k(r, x, y, 0)
				if got, want := int(d.LoadInt(r, 0)), wrap(d, ref(d, a, b)); got != want {
					t.Fatalf("%s %s: %d, %d gave %d, want %d", c, d, a, b, got, want)
				}
			}
		}
		for i := range n {
			a := wrap(d, i)
			for c, want := range map[stablehlo.OpCode]int{
				stablehlo.OpAbs:               max(a, -a),
				stablehlo.OpNegate:            -a,
				stablehlo.OpNot:               -a - 1,
				stablehlo.OpSign:              max(min(a, 1), -1),
				stablehlo.OpPopcnt:            bits.OnesCount(uint(lowBits(d, a))),
				stablehlo.OpCountLeadingZeros: bits.LeadingZeros8(uint8(lowBits(d, a))) - 8 + d.Bits(),
			} {
				d.StoreInt(x, 0, int64(a))
				unaryKernel(stablehlo.NewOp(c, nil, nil), d)(r, x, 0)
				if got := int(d.LoadInt(r, 0)); got != wrap(d, want) {
					t.Fatalf("%s %s: %d gave %d, want %d", c, d, a, got, wrap(d, want))
				}
			}
		}
	}
}

// TestWideIntegers holds the cases of 64 bits that int64 arithmetic gets wrong
// without care.
func TestWideIntegers(t *testing.T) {
	const least, most = math.MinInt64, math.MaxInt64
	for _, k := range []struct {
		op         stablehlo.OpCode
		d          dtype.Type
		x, y, want int64
	}{
		{stablehlo.OpDivide, dtype.S64, least, -1, least},
		{stablehlo.OpRemainder, dtype.S64, least, -1, 0},
		{stablehlo.OpDivide, dtype.U64, -1, 2, most},
		{stablehlo.OpRemainder, dtype.U64, -1, 10, 5},
		{stablehlo.OpDivide, dtype.S32, math.MinInt32, -1, math.MinInt32},
		{stablehlo.OpDivide, dtype.U32, 7, 0, math.MaxUint32},
		{stablehlo.OpMaximum, dtype.U64, -1, 1, -1},
		{stablehlo.OpMinimum, dtype.U64, -1, 1, 1},
		{stablehlo.OpShiftLeft, dtype.S64, 1, 64, 0},
		{stablehlo.OpShiftLeft, dtype.S64, 1, -1, 0},
		{stablehlo.OpShiftRightLogical, dtype.S64, -1, 63, 1},
		{stablehlo.OpShiftRightLogical, dtype.S64, -1, 64, 0},
		{stablehlo.OpShiftRightArithmetic, dtype.S64, least, 99, -1},
		{stablehlo.OpPower, dtype.S64, 3, 40, 12157665459056928801 - 1<<64},
		{stablehlo.OpPower, dtype.U64, 2, -1, 0},
		{stablehlo.OpChloMulhi, dtype.S64, least, least, 1 << 62},
		{stablehlo.OpChloMulhi, dtype.S64, -1, 1, -1},
		{stablehlo.OpChloMulhi, dtype.U64, -1, -1, -2},
		{stablehlo.OpChloMulhi, dtype.S64, most, -3, -2},
	} {
		x, y, r := make([]byte, 8), make([]byte, 8), make([]byte, 8)
		k.d.StoreInt(x, 0, k.x)
		k.d.StoreInt(y, 0, k.y)
		kernel2(t, k.op, k.d)(r, x, y, 0)
		if got := k.d.LoadInt(r, 0); got != k.want {
			t.Errorf("%s %s: %d, %d gave %d, want %d", k.op, k.d, k.x, k.y, got, k.want)
		}
	}
}

// TestFloat32 compares the ops that are exactly rounded with the processor's.
func TestFloat32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	add, sub := kernel2(t, stablehlo.OpAdd, dtype.F32), kernel2(t, stablehlo.OpSubtract, dtype.F32)
	mul, div := kernel2(t, stablehlo.OpMultiply, dtype.F32), kernel2(t, stablehlo.OpDivide, dtype.F32)
	x, y, z := make([]byte, 4), make([]byte, 4), make([]byte, 4)
	for range 100_000 {
		a, b := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
		if r.IntN(2) == 0 { // of similar size
			b = a * (1 + r.Float32())
		}
		dtype.F32.StoreFloat(x, 0, float64(a))
		dtype.F32.StoreFloat(y, 0, float64(b))
		for _, c := range []struct {
			k    func(dst, x, y []byte, i int)
			want float32
		}{{add, a + b}, {sub, a - b}, {mul, a * b}, {div, a / b}} {
			c.k(z, x, y, 0)
			if got := float32(dtype.F32.LoadFloat(z, 0)); got != c.want && (got == got || c.want == c.want) {
				t.Fatalf("%v, %v gave %v, want %v", a, b, got, c.want)
			}
		}
	}
}

// TestQuick asserts that the short cut of narrow types never shows.
func TestQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for c, u := range unaryOps {
		for range 2000 {
			if u.fast == nil {
				break
			}
			d := []dtype.Type{dtype.F32, dtype.F32, dtype.BF16, dtype.F16, dtype.F8E4M3FN}[r.IntN(5)]
			x := d.Float64(r.Uint64() & (1<<d.Bits() - 1))
			if r.IntN(2) == 0 {
				x = d.Float64(d.FromFloat64(20*r.Float64() - 10))
			}
			if got, want := roundFast(d, u, x), d.FromFloat64(u.float(x)); got != want && x == x {
				t.Errorf("%s %s: %v gave %x, want %x", c, d, x, got, want)
			}
		}
	}
}

func TestFloatLimits(t *testing.T) {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	same := func(a, b float64) bool {
		return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
	}
	for _, k := range []struct {
		op         stablehlo.OpCode
		x, y, want float64
	}{
		{stablehlo.OpMaximum, negZero, 0, 0}, {stablehlo.OpMaximum, 0, negZero, 0},
		{stablehlo.OpMaximum, inf, nan, nan},
		{stablehlo.OpMinimum, 0, negZero, negZero}, {stablehlo.OpMinimum, nan, -inf, nan},
		{stablehlo.OpRemainder, -6, 3, negZero}, {stablehlo.OpRemainder, 5.5, -2, 1.5},
		{stablehlo.OpRemainder, 1, 0, nan},
		{stablehlo.OpRemainder, 3, inf, 3}, {stablehlo.OpRemainder, inf, 3, nan},
		{stablehlo.OpRemainder, negZero, 1, negZero},
		{stablehlo.OpDivide, 1, negZero, -inf}, {stablehlo.OpDivide, 0, 0, nan},
		{stablehlo.OpChloNextAfter, 0, -1, -math.SmallestNonzeroFloat64},
		{stablehlo.OpChloNextAfter, 1, 2, 1 + 0x1p-52},
		{stablehlo.OpChloNextAfter, math.MaxFloat64, inf, inf}, {stablehlo.OpChloNextAfter, inf, 0, math.MaxFloat64},
		{stablehlo.OpChloNextAfter, 0, negZero, negZero}, {stablehlo.OpChloNextAfter, -1, nan, nan},
		{stablehlo.OpChloNextAfter, math.SmallestNonzeroFloat64, -1, 0},
		{stablehlo.OpChloNextAfter, -2, -1, -2 + 0x1p-52},
	} {
		d := dtype.F64
		x, y, r := make([]byte, 8), make([]byte, 8), make([]byte, 8)
		d.StoreFloat(x, 0, k.x)
		d.StoreFloat(y, 0, k.y)
		kernel2(t, k.op, d)(r, x, y, 0)
		if got := d.LoadFloat(r, 0); !same(got, k.want) {
			t.Errorf("%s: %v, %v gave %v, want %v", k.op, k.x, k.y, got, k.want)
		}
	}
	for _, k := range []struct {
		op      stablehlo.OpCode
		x, want float64
	}{
		{stablehlo.OpSign, negZero, negZero}, {stablehlo.OpSign, nan, nan}, {stablehlo.OpSign, -inf, -1},
		{stablehlo.OpNegate, 0, negZero}, {stablehlo.OpAbs, negZero, 0},
		{stablehlo.OpRoundNearestAfz, -2.5, -3}, {stablehlo.OpRoundNearestEven, -2.5, -2},
		{stablehlo.OpRoundNearestAfz, 0.49999999999999994, 0},
		{stablehlo.OpCeil, -0.5, negZero}, {stablehlo.OpFloor, -0.5, -1}, {stablehlo.OpImag, 3, 0},
		{stablehlo.OpReal, 3, 3},
	} {
		d := dtype.F64
		x, r := make([]byte, 8), make([]byte, 8)
		d.StoreFloat(x, 0, k.x)
		unaryKernel(stablehlo.NewOp(k.op, nil, nil), d)(r, x, 0)
		if got := d.LoadFloat(r, 0); !same(got, k.want) {
			t.Errorf("%s: %v gave %v, want %v", k.op, k.x, got, k.want)
		}
	}
}

// TestNarrowNextAfter walks through all numbers of a type of 8 bits.
func TestNarrowNextAfter(t *testing.T) {
	d, n := dtype.F8E5M2, 0
	for x := d.MinFinite(); x < d.MaxFinite(); n++ {
		next := d.NextAfter(x, math.Inf(1))
		if next == x || next < x {
			t.Fatalf("after %v comes %v", x, next)
		}
		x = next
	}
	if n != 2*0x7b { // 0x7b positive numbers, and zero between
		t.Errorf("%d steps from the least to the largest number, want %d", n, 2*0x7b)
	}
}

// TestComplexRows checks that narrow complex results are those of complex128.
func TestComplexRows(t *testing.T) {
	x, r := make([]byte, 8), make([]byte, 8)
	dtype.C64.StoreComplex(x, 0, complex(1e30, -1e-30))
	for c, u := range unaryOps {
		if u.complex == nil {
			continue
		}
		unaryKernel(stablehlo.NewOp(c, nil, nil), dtype.C64)(r, x, 0)
		want := make([]byte, 8)
		dtype.C64.StoreComplex(want, 0, u.complex(dtype.C64.LoadComplex(x, 0)))
		if string(r) != string(want) {
			t.Errorf("%s gave %x, want %x", c, r, want)
		}
	}
	if got := refmath.CAbs(complex(3e300, 4e300)); got != 5e300 {
		t.Errorf("abs: %v", got)
	}
}

// TestTotalOrder checks the order of all kinds of floats in several types.
func TestTotalOrder(t *testing.T) {
	for _, d := range []dtype.Type{dtype.F8E5M2, dtype.F16, dtype.F32, dtype.F64} {
		nan, inf := d.FromFloat64(math.NaN()), d.FromFloat64(math.Inf(1))
		sign := uint64(1) << (d.Bits() - 1)
		order := []uint64{nan | sign, inf | sign, d.FromFloat64(-1), 1 | sign, sign, 0, 1, d.FromFloat64(1), inf, nan}
		b := make([]byte, len(order)*d.Size())
		for i, v := range order {
			d.StoreBits(b, i, v)
		}
		for i := range order {
			for j := range order {
				lt := totalKey(d, b, i) < totalKey(d, b, j)
				if lt != (i < j) {
					t.Errorf("%s: %x < %x is %v", d, order[i], order[j], lt)
				}
			}
		}
	}
}

func TestReducePrecision(t *testing.T) {
	inf, negZero := math.Inf(1), math.Copysign(0, -1)
	for _, k := range []struct {
		d           dtype.Type
		x           float64
		exp, man    int
		want        float64
		description string
	}{
		{dtype.F64, 65519, 5, 10, 65504, "below half a step above the largest"},
		{dtype.F64, 65520, 5, 10, inf, "half a step above the largest"},
		{dtype.F64, -1e300, 8, 23, -inf, "negative overflow"},
		{dtype.F32, 0x1p-14, 5, 10, 0x1p-14, "smallest normal"},
		{dtype.F32, 0x1p-15, 5, 10, 0, "no subnormals"},
		{dtype.F32, -0x1p-15, 5, 10, negZero, "signed underflow"},
		{dtype.F32, 1 + 0x1p-11, 8, 10, 1, "tie to even, down"},
		{dtype.F32, 1 + 3*0x1p-11, 8, 10, 1 + 0x1p-9, "tie to even, up"},
		{dtype.F32, 3, 8, 0, 2, "no mantissa: the even exponent field"},
		{dtype.F32, 6, 8, 0, 8, "no mantissa: the odd exponent field"},
		{dtype.F32, 1.1, 11, 52, float64(float32(1.1)), "nothing to do"},
		{dtype.BF16, 3.984375, 8, 4, 4, "carry into the exponent"},
		{dtype.F8E4M3FN, 448, 4, 1, math.NaN(), "overflow of a type without infinity"},
		{dtype.F8E4M3FNUZ, -0x1p-10, 3, 3, 0, "underflow of a type without -0"},
		{dtype.F32, inf, 5, 10, inf, "infinity"},
	} {
		got := k.d.Float64(k.d.ReducePrecision(k.d.FromFloat64(k.x), k.exp, k.man))
		if got != k.want && (got == got || k.want == k.want) || math.Signbit(got) != math.Signbit(k.want) {
			t.Errorf("%s: %s %v to e%dm%d is %v, want %v", k.description, k.d, k.x, k.exp, k.man, got, k.want)
		}
	}
	nan := uint64(0x7fc01234)
	if got := dtype.F32.ReducePrecision(nan, 5, 3); got != nan {
		t.Errorf("NaN became %x", got)
	}
	if got := dtype.F32.Float64(dtype.F32.ReducePrecision(nan, 5, 0)); !math.IsInf(got, 1) {
		t.Errorf("NaN without mantissa became %v", got)
	}
}

// TestRows asserts that each op that the op table calls elementwise has a row.
func TestRows(t *testing.T) {
	for c, info := range stablehlo.Ops() {
		_, one := unaryOps[c]
		_, two := binaryOps[c]
		_, other := elementwise[c]
		own := int(c) < len(evals) && evals[c] != nil
		if info.Traits&stablehlo.Elementwise != 0 && !one && !two && !other && !own && c != stablehlo.OpCompare {
			t.Errorf("%s has no row", c)
		}
	}
}
