package dtype

import (
	"fmt"
	"math"
	"testing"
)

func TestIntElements(t *testing.T) {
	for _, typ := range all(Type.IsInteger) {
		b := make([]byte, 3*typ.Size())
		for _, v := range []int64{0, 1, -1, 2, -2, 7, 8, -8, -9, 127, 128, 255, 256, -128, -129, 1 << 31, 1<<31 - 1,
			-1 << 31, 1<<63 - 1, -1 << 63} {
			for i := range b {
				b[i] = 0xa5
			}
			typ.StoreInt(b, 1, v)
			// Independent of shifts: the number congruent to v in the range of the type.
			want := v
			if typ.Bits() < 64 {
				modulus := int64(1) << typ.Bits()
				want = ((v % modulus) + modulus) % modulus
				if typ.IsSigned() && want >= modulus/2 {
					want -= modulus
				}
			}
			if got := typ.LoadInt(b, 1); got != want {
				t.Errorf("%v: stored %d, loaded %d, want %d", typ, v, got, want)
			}
			for _, i := range []int{0, typ.Size() - 1, 2 * typ.Size(), 3*typ.Size() - 1} {
				if b[i] != 0xa5 {
					t.Errorf("%v: storing element 1 changed byte %d", typ, i)
				}
			}
			bits := typ.LoadBits(b, 1)
			typ.StoreBits(b, 0, bits)
			if string(b[:typ.Size()]) != string(b[typ.Size():2*typ.Size()]) {
				t.Errorf("%v: %x stored by bits is %x", typ, b[typ.Size():2*typ.Size()], b[:typ.Size()])
			}
		}
	}
}

func TestSubByteElementsIgnoreForeignBits(t *testing.T) {
	tests := []struct {
		t    Type
		b    byte
		want int64
	}{
		{S4, 0x17, 7}, {S4, 0x08, -8}, {U4, 0xf5, 5}, {S2, 0xfe, -2}, {S2, 0x01, 1}, {U2, 0x07, 3}, {Bool, 0x02, 1},
	}
	for _, tt := range tests {
		if got := tt.t.LoadInt([]byte{tt.b}, 0); got != tt.want {
			t.Errorf("%v: %#x loads as %d, want %d", tt.t, tt.b, got, tt.want)
		}
	}
	if got := F4E2M1FN.LoadFloat([]byte{0xf7}, 0); got != 6 {
		t.Errorf("f4e2m1fn: 0xf7 loads as %v, want 6", got)
	}
}

func TestFloatElements(t *testing.T) {
	for _, typ := range all(Type.IsFloat) {
		b := make([]byte, 3*typ.Size())
		for _, v := range []float64{0.5, 1, 2, 4} { // all types have these
			typ.StoreFloat(b, 1, v)
			if got := typ.LoadFloat(b, 1); got != v {
				t.Errorf("%v: stored %v, loaded %v", typ, v, got)
			}
			if got := typ.Float64(typ.LoadBits(b, 1)); got != v {
				t.Errorf("%v: stored %v, the bits are those of %v", typ, v, got)
			}
		}
	}
}

func TestComplexElements(t *testing.T) {
	for _, typ := range all(Type.IsComplex) {
		b := make([]byte, 2*typ.Size())
		v := complex(1.5, math.Inf(-1))
		typ.StoreComplex(b, 1, v)
		if got := typ.LoadComplex(b, 1); got != v || typ.LoadComplex(b, 0) != 0 {
			t.Errorf("%v: stored %v, loaded %v", typ, v, got)
		}
	}
}

func TestElementsOfTheWrongKindPanic(t *testing.T) {
	b := make([]byte, 16)
	calls := map[string]func(){
		"dtype: LoadFloat called for s32, which is not a real floating-point type":  func() { S32.LoadFloat(b, 0) },
		"dtype: StoreFloat called for c64, which is not a real floating-point type": func() { C64.StoreFloat(b, 0, 1) },
		"dtype: LoadInt called for f32, which is neither an integer type nor bool":  func() { F32.LoadInt(b, 0) },
		"dtype: StoreInt called for f32, which is neither an integer type nor bool": func() { F32.StoreInt(b, 0, 1) },
		"dtype: LoadComplex called for f32, which is not a complex type":            func() { F32.LoadComplex(b, 0) },
		"dtype: StoreComplex called for f32, which is not a complex type": func() {
			F32.StoreComplex(b,
				0, 1)
		},
		"dtype: LoadBits called for c128, whose elements are not 1 to 8 bytes": func() { C128.LoadBits(b, 0) },
		"dtype: StoreBits called for invalid, whose elements are not 1 to 8 bytes": func() {
			Invalid.StoreBits(b,
				0, 0)
		},
		"dtype: MinInt called for f16, which is neither an integer type nor bool": func() { F16.MinInt() },
		"dtype: MantissaBits called for invalid, which is not a real floating-point type": func() {
			Type(
				200).MantissaBits()
		},
	}
	for want, call := range calls {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			call()
		}()
	}
}

func ExampleType_StoreInt() {
	b := make([]byte, 2)
	S4.StoreInt(b, 0, 7)
	S4.StoreInt(b, 1, 9) // 9 modulo 16, read as a signed number
	fmt.Println(b, S4.LoadInt(b, 0), S4.LoadInt(b, 1))
	// Output: [7 249] 7 -7
}
