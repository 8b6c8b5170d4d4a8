package amd64_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
)

// TestWordsToF32 converts 8-byte integers. Shifted 25-bit numbers are often halfway between two F32; the numbers next
// to them are not F64, so that rounding twice would be wrong.
func TestWordsToF32(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, elem := range []string{"s64", "u64"} {
		for up := range 40 {
			text := fewBits(elem, 25, up) + `  %8 = convert %4 : ELEM → f32
  %9 = convert %6 : ELEM → f32
  %10 = convert %7 : ELEM → f32
  store p1[1] = %8 : f32
  store p2[1] = %9 : f32
  store p3[1] = %10 : f32
`
			text = strings.ReplaceAll(text, "ELEM", elem)
			compareText(t, r, text, 1, codetest.Widths(t))
		}
	}
}

// TestFloatsToWords truncates floats to 8-byte integers: random bits, and numbers near the limits.
func TestFloatsToWords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, from := range []string{"f32", "f64"} {
		text := fmt.Sprintf(`kernel k [300]
  over u%[2]s[300], s64[300], s64[300], u64[300], s64[300], u64[300], s64[300], u64[300]
  %%0 = load p0[1] : u%[2]s
  %%1 = bitcast %%0 : u%[2]s → %[1]s
  %%2 = load p1[1] : s64
  %%3 = convert %%2 : s64 → %[1]s
  %%4 = add %%3, %%3 : %[1]s
`, from, from[1:])
		for i, x := range []int{1, 3, 4} {
			text += fmt.Sprintf("  %%%d = convert %%%d : %s → s64\n  %%%d = convert %%%[2]d : %[3]s → u64\n", 5+2*i, x,
				from, 6+2*i)
		}
		for i := range 6 {
			text += fmt.Sprintf("  store p%d[1] = %%%d : %s\n", 2+i, 5+i, []string{"s64", "u64"}[i%2])
		}
		compareText(t, r, text, 20, codetest.AllWidths)
	}
}

// TestToNarrowFloats rounds integers and F64 to narrow floats: numbers of few bits, which are often halfway between two
// of them, and their neighbours, which are not F32.
func TestToNarrowFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, short := range []string{"bf16", "f16", "f8e4m3fn", "f8e5m2"} {
		for _, elem := range []string{"s32", "u32", "s64", "u64"} {
			for up := range bitsOf(elem) - 11 {
				compareText(t, r, fewBits(elem, 11, up)+toNarrow(elem, short, 4, 6, 7), 1, codetest.Widths(t))
			}
		}
		for _, e := range []int{-160, -145, -140, -137, -40, -30, -27, 0, 6, 116, 120} { // subnormal, normal, too large
			text := fmt.Sprintf(`kernel k [300]
  over s64[300], f32[300], f32[300], f32[300], f32[300]
  %%0 = load p0[1] : s64
  %%1 = const 52 : s64
  %%2 = shr_a %%0, %%1 : s64
  %%3 = convert %%2 : s64 → f64
  %%4 = const %v : f64
  %%5 = mul %%3, %%4 : f64
  %%6 = bitcast %%5 : f64 → s64
  %%7 = const 1 : s64
  %%8 = add %%6, %%7 : s64
  %%9 = sub %%6, %%7 : s64
  %%10 = bitcast %%8 : s64 → f64
  %%11 = bitcast %%9 : s64 → f64
  %%12 = bitcast %%0 : s64 → f64
`, math.Ldexp(1, e))
			compareText(t, r, text+toNarrow("f64", short, 5, 10, 11, 12), 2, codetest.Widths(t))
		}
	}
}

// toNarrow returns the end of a kernel that rounds values and stores them as F32, one per parameter.
func toNarrow(from, short string, values ...int) (text string) {
	v, stores := values[len(values)-1], ""
	for i, x := range values {
		text += fmt.Sprintf("  %%%d = convert %%%d : %s → %s\n  %%%d = convert %%%[1]d : %[4]s → f32\n", v+1, x, from,
			short, v+2)
		v += 2
		stores += fmt.Sprintf("  store p%d[1] = %%%d : f32\n", i+1, v)
	}
	return text + stores
}

// fewBits returns the start of a kernel over integers of few bits, shifted (%4), and their neighbours (%6, %7).
func fewBits(elem string, bits, up int) string {
	return fmt.Sprintf(`kernel k [300]
  over %[1]s[300], f32[300], f32[300], f32[300]
  %%0 = load p0[1] : %[1]s
  %%1 = const %[4]d : %[1]s
  %%2 = %[2]s %%0, %%1 : %[1]s
  %%3 = const %[3]d : %[1]s
  %%4 = shl %%2, %%3 : %[1]s
  %%5 = const 1 : %[1]s
  %%6 = sub %%4, %%5 : %[1]s
  %%7 = add %%4, %%5 : %[1]s
`, elem, map[byte]string{'s': "shr_a", 'u': "shr_l"}[elem[0]], up, bitsOf(elem)-bits)
}

func bitsOf(elem string) int {
	if strings.HasSuffix(elem, "64") {
		return 64
	}
	return 32
}
