package dtype

import (
	"fmt"
	"math"
	"testing"
)

func TestPromoteIntegers(t *testing.T) {
	unsigned := []Type{U2, U4, U8, U16, U32, U64}
	signed := []Type{S2, S4, S8, S16, S32, S64}
	mixed := [6][6]Type{ // by signed row and unsigned column
		{S4, S8, S16, S32, S64, S64},
		{S4, S8, S16, S32, S64, S64},
		{S8, S8, S16, S32, S64, S64},
		{S16, S16, S16, S32, S64, S64},
		{S32, S32, S32, S32, S64, S64},
		{S64, S64, S64, S64, S64, S64},
	}
	for i := range 6 {
		for j := range 6 {
			if got := Promote(signed[i], unsigned[j]); got != mixed[i][j] {
				t.Errorf("Promote(%v, %v) = %v, want %v", signed[i], unsigned[j], got, mixed[i][j])
			}
			if got := Promote(signed[i], signed[j]); got != signed[max(i, j)] {
				t.Errorf("Promote(%v, %v) = %v", signed[i], signed[j], got)
			}
			if got := Promote(unsigned[i], unsigned[j]); got != unsigned[max(i, j)] {
				t.Errorf("Promote(%v, %v) = %v", unsigned[i], unsigned[j], got)
			}
		}
	}
}

func TestPromote(t *testing.T) {
	tests := []struct{ a, b, want Type }{
		{Bool, Bool, Bool},
		{Bool, U2, U2},
		{Bool, F8E8M0FNU, F8E8M0FNU},
		{Bool, C64, C64},
		{S64, BF16, BF16},
		{U64, F8E5M2, F8E5M2},
		{S32, C64, C64},
		{F16, F32, F32},
		{BF16, F16, F32},
		{BF16, F8E5M2, BF16},
		{F16, F8E5M2, F16},
		{F8E4M3FN, F8E5M2, F16},
		{F8E4M3FN, F8E4M3, F16}, // 448 is not in the one, infinity not in the other
		{F8E4M3FN, BF16, BF16},
		{F8E8M0FNU, F16, F32},
		{F8E8M0FNU, F8E5M2, BF16},
		{F4E2M1FN, F6E2M3FN, F6E2M3FN},
		{F6E2M3FN, F6E3M2FN, F8E4M3FN},
		{F16, C64, C64},
		{F64, C64, C128},
		{C64, C128, C128},
		{F32, Invalid, Invalid},
		{Invalid, Invalid, Invalid},
		{Type(99), Bool, Invalid},
	}
	for _, tt := range tests {
		if got := Promote(tt.a, tt.b); got != tt.want {
			t.Errorf("Promote(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPromoteLaws(t *testing.T) {
	types := all(Type.IsValid)
	apart := 0
	for _, a := range types {
		if Promote(a, a) != a {
			t.Errorf("Promote(%v, %v) = %v", a, a, Promote(a, a))
		}
		for _, b := range types {
			ab := Promote(a, b)
			if ab != Promote(b, a) {
				t.Errorf("Promote(%v, %v) depends on the order", a, b)
			}
			if a.IsFloat() && b.IsFloat() && !(ab.Contains(a) && ab.Contains(b)) {
				t.Errorf("Promote(%v, %v) = %v, which does not contain both", a, b, ab)
			}
			for _, c := range types {
				if Promote(ab, c) == Promote(a, Promote(b, c)) {
					continue
				}
				apart++
				if !a.IsFloat() || !b.IsFloat() || !c.IsFloat() {
					t.Errorf("Promote is not associative for %v, %v, %v", a, b, c)
				}
				if a.Bits() > 16 || b.Bits() > 16 || c.Bits() > 16 {
					t.Errorf("Promote is not associative for %v, %v, %v", a, b, c)
				}
			}
		}
	}
	t.Logf("%d triples of floats are not associative", apart)
}

// TestContainsByValues compares Contains with the sets of values.
func TestContainsByValues(t *testing.T) {
	small := all(func(t Type) bool { return t.IsFloat() && t.Bits() <= 16 })
	values := func(t Type) map[uint64]bool {
		m := make(map[uint64]bool)
		for bits := range uint64(1) << t.Bits() {
			v := t.Float64(bits)
			if math.IsNaN(v) {
				v = math.NaN() // one for all
			}
			m[math.Float64bits(v)] = true
		}
		return m
	}
	sets := make(map[Type]map[uint64]bool)
	for _, typ := range small {
		sets[typ] = values(typ)
	}
	for _, a := range small {
		for _, b := range small {
			want := true
			for v := range sets[b] {
				want = want && sets[a][v]
			}
			if got := a.Contains(b); got != want {
				t.Errorf("%v.Contains(%v) = %v, want %v", a, b, got, want)
			}
		}
	}
}

func ExamplePromote() {
	fmt.Println(Promote(U8, S8), Promote(S64, BF16), Promote(BF16, F16), Promote(F64, C64))
	// Output: s16 bf16 f32 c128
}
