package dtype

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// convertOne converts the element that store writes.
func convertOne(t *testing.T, to, from Type, store func([]byte)) []byte {
	t.Helper()
	src, dst := make([]byte, from.Size()), make([]byte, to.Size())
	store(src)
	if err := Convert(dst, to, src, from); err != nil {
		t.Fatal(err)
	}
	return dst
}

var wholeNumbers = func() []int64 {
	vs := []int64{0}
	for s := range 64 {
		for d := int64(-2); d <= 2; d++ {
			vs = append(vs, 1<<s+d, -(1<<s)+d)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		vs = append(vs, int64(rng.Uint64()>>rng.IntN(64)))
	}
	return vs
}()

func TestConvertIntToInt(t *testing.T) {
	for _, from := range all(Type.IsInteger) {
		for _, to := range all(Type.IsInteger) {
			modulus := new(big.Int).Lsh(big.NewInt(1), uint(to.Bits()))
			for _, v := range wholeNumbers {
				var value *big.Int
				dst := convertOne(t, to, from, func(b []byte) {
					from.StoreInt(b, 0, v)
					value = bigOf(from, b)
				})
				want := new(big.Int).Mod(value, modulus)
				got := new(big.Int).Mod(bigOf(to, dst), modulus)
				if got.Cmp(want) != 0 {
					t.Fatalf("%v %v to %v = %v", from, value, to, bigOf(to, dst))
				}
			}
		}
	}
}

// bigOf returns the first element of b, of an integer type.
func bigOf(t Type, b []byte) *big.Int {
	if t == U64 {
		return new(big.Int).SetUint64(t.LoadUint(b, 0))
	}
	return big.NewInt(t.LoadInt(b, 0))
}

func TestConvertIntToFloatRoundsOnce(t *testing.T) {
	for _, from := range []Type{S64, U64, S32, S4} {
		for _, to := range []Type{F64, F32, F16, BF16} {
			for _, v := range wholeNumbers {
				var value *big.Int
				dst := convertOne(t, to, from, func(b []byte) {
					from.StoreInt(b, 0, v)
					value = bigOf(from, b)
				})
				// All integers are in the normal range of these types, so that only rounding to the precision
				// and overflow matter.
				rounded, _ := new(big.Float).SetPrec(uint(to.MantissaBits() + 1)).SetInt(value).Float64()
				if math.Abs(rounded) > to.MaxFinite() {
					rounded = math.Inf(value.Sign())
				}
				if got := to.LoadFloat(dst, 0); got != rounded {
					t.Fatalf("%v %v to %v = %v, want %v", from, value, to, got, rounded)
				}
			}
		}
	}
}

func TestConvertFloatToInt(t *testing.T) {
	vs := []float64{0, 0.5, 0.999, 1, 1.5, 1e19, 1e300, math.Inf(1), math.MaxInt64, math.MaxUint64,
		math.SmallestNonzeroFloat64}
	for s := range 66 {
		p := math.Ldexp(1, s)
		vs = append(vs, p, p-0.5, p+0.5, math.Nextafter(p, 0), math.Nextafter(p, math.Inf(1)))
	}
	for _, to := range all(Type.IsInteger) {
		for _, v := range vs {
			for _, v := range []float64{v, -v} {
				dst := convertOne(t, to, F64, func(b []byte) { F64.StoreFloat(b, 0, v) })
				want := new(big.Int)
				if !math.IsInf(v, 0) {
					big.NewFloat(v).Int(want)
				}
				lo, hi := big.NewInt(to.MinInt()), new(big.Int).SetUint64(to.MaxInt())
				if math.IsInf(v, 1) || want.Cmp(hi) > 0 {
					want = hi
				}
				if math.IsInf(v, -1) || want.Cmp(lo) < 0 {
					want = lo
				}
				if got := bigOf(to, dst); got.Cmp(want) != 0 {
					t.Errorf("%v to %v = %v, want %v", v, to, got, want)
				}
			}
		}
		dst := convertOne(t, to, F32, func(b []byte) { F32.StoreFloat(b, 0, math.NaN()) })
		if got := to.LoadInt(dst, 0); got != 0 {
			t.Errorf("NaN to %v = %v, want 0", to, got)
		}
	}
}

func TestConvertFloatToFloat(t *testing.T) {
	for _, from := range all(Type.IsFloat) {
		for _, to := range all(Type.IsFloat) {
			for _, bits := range []uint64{0, 1, 2, 3, 5, 7, 0x55, 0x7f, 0x80, 0xff, 0x3c01, 0x7bff, 0xfc00, 0x3f80_8000,
				0x3f81_8000, 0x3ff0_0000_1000_0001} {
				dst := convertOne(t, to, from, func(b []byte) { from.StoreBits(b, 0, bits) })
				want := to.FromFloat64(from.Float64(bits))
				if from == to {
					want = bits & (1<<to.Bits() - 1)
					if to == F64 {
						want = bits
					}
				}
				if got := to.LoadBits(dst, 0); got != want {
					t.Errorf("%v %#x to %v = %#x, want %#x", from, bits, to, got, want)
				}
			}
		}
	}
}

func TestConvertBoolAndComplex(t *testing.T) {
	c := func(typ Type, v complex128) func([]byte) { return func(b []byte) { typ.StoreComplex(b, 0, v) } }
	f := func(typ Type, v float64) func([]byte) { return func(b []byte) { typ.StoreFloat(b, 0, v) } }
	n := func(typ Type, v int64) func([]byte) { return func(b []byte) { typ.StoreInt(b, 0, v) } }
	tests := []struct {
		name     string
		to, from Type
		src      func([]byte)
		want     func([]byte)
	}{
		{"true to s2", S2, Bool, n(Bool, 1), n(S2, 1)},
		{"true to f8", F8E5M2, Bool, n(Bool, 1), f(F8E5M2, 1)},
		{"true to c64", C64, Bool, n(Bool, 1), c(C64, 1)},
		{"false to f32", F32, Bool, n(Bool, 0), f(F32, 0)},
		{"256 to bool", Bool, S16, n(S16, 256), n(Bool, 1)},
		{"0 to bool", Bool, U64, n(U64, 0), n(Bool, 0)},
		{"0.5 to bool", Bool, F16, f(F16, 0.5), n(Bool, 1)},
		{"-0 to bool", Bool, F32, f(F32, math.Copysign(0, -1)), n(Bool, 0)},
		{"NaN to bool", Bool, BF16, f(BF16, math.NaN()), n(Bool, 1)},
		{"i to bool: the real part counts", Bool, C64, c(C64, 1i), n(Bool, 0)},
		{"1+i to bool", Bool, C128, c(C128, 1+1i), n(Bool, 1)},
		{"2.7+i to s8", S8, C64, c(C64, 2.7+1i), n(S8, 2)},
		{"c64 to bf16", BF16, C64, c(C64, 2.5+1i), f(BF16, 2.5)},
		{"c128 to c64", C64, C128, c(C128, complex(1e300, 1.1)), c(C64, complex(math.Inf(1), 1.1))},
		{"c64 to c128", C128, C64, c(C64, 0.5-2i), c(C128, 0.5-2i)},
		{"-7 to c128", C128, S4, n(S4, -7), c(C128, -7)},
		{"2^53+1 to c64", C64, U64, n(U64, 1<<53+1), c(C64, 1<<53)},
		{"f32 to c64", C64, F32, f(F32, -1.5), c(C64, -1.5)},
		{"0 to f8e8m0fnu", F8E8M0FNU, S32, n(S32, 0), f(F8E8M0FNU, 0x1p-127)},
		{"-1 to f8e8m0fnu", F8E8M0FNU, S32, n(S32, -1), f(F8E8M0FNU, math.NaN())},
	}
	for _, tt := range tests {
		want := make([]byte, tt.to.Size())
		tt.want(want)
		if got := convertOne(t, tt.to, tt.from, tt.src); string(got) != string(want) {
			t.Errorf("%s: %x, want %x", tt.name, got, want)
		}
	}
}

func TestConvertErrors(t *testing.T) {
	tests := []struct {
		name     string
		dst, src int
		to, from Type
		ok       bool
	}{
		{"no elements", 0, 0, F32, S8, true},
		{"two elements", 8, 2, F32, S8, true},
		{"too few source bytes", 8, 1, F32, S8, false},
		{"part of an element", 4, 7, S8, F16, false},
		{"part of a result", 7, 3, F16, S8, false},
		{"invalid", 0, 0, Invalid, F32, false},
		{"unknown", 0, 0, F32, Type(250), false},
	}
	for _, tt := range tests {
		err := Convert(make([]byte, tt.dst), tt.to, make([]byte, tt.src), tt.from)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func ExampleConvert() {
	src := make([]byte, 3*F32.Size())
	for i, v := range []float64{-1.9, 300, math.NaN()} {
		F32.StoreFloat(src, i, v)
	}
	dst := make([]byte, 3*S8.Size())
	if err := Convert(dst, S8, src, F32); err != nil {
		fmt.Println(err)
	}
	fmt.Println(S8.LoadInt(dst, 0), S8.LoadInt(dst, 1), S8.LoadInt(dst, 2))
	// Output: -1 127 0
}
