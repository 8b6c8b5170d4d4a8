package amd64_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// TestDivideByPowers divides integers of all types by powers of two; 8-byte division has no instruction.
func TestDivideByPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, elem := range []dtype.Type{
		dtype.S8, dtype.S16, dtype.S32, dtype.S64, dtype.U8, dtype.U16, dtype.U32, dtype.U64} {
		top := elem.Bits()
		if elem.IsSigned() {
			top--
		}
		for k := 1; k < top; k++ {
			text := fmt.Sprintf(`kernel k [300]
  over %[1]s[300], %[1]s[300], %[1]s[300]
  %%0 = load p0[1] : %[1]s
  %%1 = const %[2]d : %[1]s
  %%2 = div %%0, %%1 : %[1]s
  %%3 = rem %%0, %%1 : %[1]s
  store p1[1] = %%2 : %[1]s
  store p2[1] = %%3 : %[1]s
`, elem, uint64(1)<<k)
			compareText(t, r, text, 1, codetest.Widths(t))
		}
	}
}

// quotients is a kernel that divides each row by a number.
func quotients(t *testing.T, elem dtype.Type, rows, n int, flushes string) *kernel.Kernel {
	t.Helper()
	text := fmt.Sprintf(`kernel k [%[2]d %[3]d]%[4]s
  over %[1]s[%[5]d], %[1]s[%[2]d], %[1]s[%[5]d]
  %%0 = load p0[%[3]d, 1] : %[1]s
  %%1 = load p1[1, 0] : %[1]s
  %%2 = div %%0, %%1 : %[1]s
  store p2[%[3]d, 1] = %%2 : %[1]s
`, elem, rows, n, flushes, rows*n)
	k, err := kernel.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}

// TestQuotients divides each row by a number, for which code multiplies by the inverse: random numbers and special
// ones, in the emulator too.
func TestQuotients(t *testing.T) {
	defer amd64.SetSlowDivide(amd64.SetSlowDivide(true))
	r := rand.New(rand.NewPCG(5, 6))
	worker := map[target.Width]*amd64.Scratch{}
	for i := range 40 {
		elem := []dtype.Type{dtype.F32, dtype.F64}[i%2]
		k := quotients(t, elem, 1+r.IntN(4), 128+r.IntN(40), []string{"", " flushes"}[i/2%2])
		for _, w := range codetest.AllWidths {
			if worker[w] == nil {
				worker[w] = amd64.Generator{Generator: fallbackTier, Width: w}.NewScratch().(*amd64.Scratch)
			}
			if err := compare(t, r, k, w, worker[w]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestQuotientsAreRounded compares with the processor's division, on this processor: exponents near and far, zeros,
// mantissas near powers of two, and quotients near the midpoint of two numbers.
func TestQuotientsAreRounded(t *testing.T) {
	defer amd64.SetSlowDivide(amd64.SetSlowDivide(true))
	const rows, n = 8000, 130
	for _, w := range codetest.Widths(t) {
		t.Run(w.String(), func(t *testing.T) {
			roundedQuotients[float32](t, w, quotients(t, dtype.F32, rows, n, ""), math.MaxUint32)
			roundedQuotients[float64](t, w, quotients(t, dtype.F64, rows, n, ""), math.MaxUint64)
		})
	}
}

func roundedQuotients[T float32 | float64](t *testing.T, w target.Width, k *kernel.Kernel, all uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	p := plan.Of(k)
	code, s := compiled(t, w, k, p)
	rows, n := int(k.Dims[0]), int(k.Dims[1])
	x, d, q := make([]T, rows*n), make([]T, rows), make([]T, rows*n)
	wide := all == math.MaxUint64
	some := func(spread int) T {
		mantissa := 1 + r.Float64()
		switch r.IntN(4) {
		case 2: // whose inverses have the largest rounding errors
			mantissa = 2 - r.Float64()/32
		case 0: // all ones except for a few of the last bits
			mantissa = 2 - math.Ldexp(float64(1+r.IntN(9)), -23)
			if wide {
				mantissa = 2 - math.Ldexp(float64(1+r.IntN(9)), -52)
			}
		case 1:
			mantissa = 1 + math.Ldexp(float64(r.IntN(9)), -23)
			if wide {
				mantissa = 1 + math.Ldexp(float64(r.IntN(9)), -52)
			}
		}
		return T(math.Copysign(math.Ldexp(mantissa, r.IntN(2*spread+1)-spread), r.Float64()-0.5))
	}
	for range 3 {
		for i := range d {
			if d[i] = some([]int{1, 40, 140}[i%3]); i%50 == 0 {
				d[i] = T([]float64{0, math.Inf(1), math.Inf(-1), 5e-324, math.Copysign(0, -1), 1e38, math.MaxFloat32,
					-0x1p-149}[i/50%8])
			}
		}
		for i := range x {
			switch row := i / n; {
			case i%n == 0 && d[row] > 1e-30 && d[row] < 1e30:
				d[row] = odd(d[row])
				fallthrough
			case i%n < 16 && d[row] > 1e-30 && d[row] < 1e30:
				x[i] = nearMiddle(d[row], int64(2*(i%n)-15), wide)
			case row%5 > 0:
				x[i] = some([]int{1, 12, 30, 140, 60}[row%5])
			default:
				x[i] = some(140)
			}
			if r.IntN(8) == 0 {
				x[i] = T(math.Copysign(0, r.Float64()-0.5))
			}
		}
		runAll(code, p, [][]byte{rt.Bytes(x), rt.Bytes(d), rt.Bytes(q)}, s)
		for i, got := range q {
			want := x[i] / d[i/n]
			bothNaN := got != got && want != want
			if !bothNaN && (got != want || math.Signbit(float64(got)) != math.Signbit(float64(want))) {
				t.Fatalf("%s: %x / %x is %x, want %x", w, x[i], d[i/n], got, want)
			}
		}
	}
}

// nearMiddle returns a number whose quotient by d, a number with last place 1, is about |k| times as far from a
// midpoint as the minimum.
func nearMiddle[T float32 | float64](d T, k int64, wide bool) T {
	places := 24
	if wide {
		places = 53
	}
	fraction, exponent := math.Frexp(float64(d))
	divisor := uint64(math.Ldexp(fraction, places))
	inverse := divisor // modulo 2^64: each step doubles the number of correct bits
	for range 6 {
		inverse *= 2 - divisor*inverse
	}
	for range 50 { // divisors near a power of two have few such numbers
		k += 2
		middle := uint64(k) * inverse & (1<<(places+1) - 1)
		if middle>>places == 0 {
			continue
		}
		hi, lo := bits.Mul64(middle, divisor) // k more than a multiple of 2^(places+1)
		number := hi<<(64-places-1) | lo>>(places+1)
		if k < 0 {
			number++
		}
		return T(math.Ldexp(float64(number), exponent))
	}
	return d
}

// odd returns x with last place 1.
func odd[T float32 | float64](x T) T {
	if b, ok := any(&x).(*float32); ok {
		*b = math.Float32frombits(math.Float32bits(*b) | 1)
	} else if b, ok := any(&x).(*float64); ok {
		*b = math.Float64frombits(math.Float64bits(*b) | 1)
	}
	return x
}

// TestDivideLong divides 64-bit integers of all magnitudes, multiples of the divisor and their neighbours.
func TestDivideLong(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, elem := range []dtype.Type{dtype.S64, dtype.U64} {
		for _, strides := range []string{"1", "0"} { // of the divisor: also a uniform one
			text := "kernel k [300]\n  over"
			for range 13 {
				text += fmt.Sprintf(" %s[300],", elem)
			}
			text = text[:len(text)-1] + fmt.Sprintf(`
  %%0 = load p0[1] : %[1]s
  %%1 = load p1[%[2]s] : %[1]s
  %%2 = load p2[1] : %[1]s
  %%3 = mul %%1, %%2 : %[1]s
  %%4 = const 1 : %[1]s
  %%5 = sub %%3, %%4 : %[1]s
  %%6 = const %[3]s : %[1]s
  %%7 = not %%0 : %[1]s
`, elem, strides, map[bool]string{true: "-9223372036854775808", false: "18446744073709551615"}[elem.IsSigned()])
			for i, x := range []int{0, 3, 5, 6, 7} {
				text += fmt.Sprintf("  %%%d = div %%%d, %%1 : %s\n  %%%d = rem %%%[2]d, %%1 : %[3]s\n", 8+2*i, x, elem,
					9+2*i)
			}
			for i := range 10 {
				text += fmt.Sprintf("  store p%d[1] = %%%d : %s\n", 3+i, 8+i, elem)
			}
			compareText(t, r, text, 20, codetest.AllWidths)
		}
	}
}
