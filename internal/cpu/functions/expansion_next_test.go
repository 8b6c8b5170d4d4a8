package functions_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// elements returns numbers of a type: all of them for 16 bits, otherwise samples.
func elements(r *rand.Rand, t dtype.Type) []float64 {
	if t.Bits() > 16 {
		out := samples(r, t, 1<<13)
		for i, x := range out {
			out[i] = t.Float64(t.FromFloat64(x))
		}
		return out
	}
	out := make([]float64, 1<<16)
	for i := range out {
		out[i] = t.Float64(uint64(i))
	}
	return out
}

// sameNumber reports whether two numbers have the same bits or are both NaN.
func sameNumber(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// TestElementExpansions compares expansions that compute on the bits of elements, narrow ones in their registers, with
// package dtype.
func TestElementExpansions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []dtype.Type{dtype.BF16, dtype.F16, dtype.F32, dtype.F64} {
		x := elements(r, typ)
		register := kernel.Register(typ)
		// run computes an instruction on elements and leaves its results as registers hold them.
		run := func(t *testing.T, in kernel.Instr, operands ...[]float64) []float64 {
			e := functions.ExpansionOf(&in)
			if e == nil {
				t.Fatal("no expansion")
			}
			var memory [][]byte
			for _, o := range operands {
				memory = append(memory, floats(register, o))
			}
			in.Type = register
			mem, bailOut := runExpansion(t, in, e, len(x), memory)
			out := make([]float64, len(x))
			for i := range out {
				if out[i] = register.LoadFloat(mem, i); bailOut[i] != 0 {
					t.Fatalf("%v bails out", x[i])
				}
			}
			return out
		}
		for _, format := range [][2]int{{5, 2}, {4, 3}, {1, 0}, {2, 9}, {5, 0}, {6, 1}, {5, 10}, {8, 3}, {8, 7},
			{8, 23}, {11, 20}, {11, 52}} {
			exponent, mantissa := min(format[0], register.ExponentBits()), min(format[1], register.MantissaBits())
			t.Run(fmt.Sprintf("%s/e%dm%d", typ, exponent, mantissa), func(t *testing.T) {
				in := kernel.Instr{Op: kernel.ReducePrecision, Type: typ, ExponentBits: exponent,
					MantissaBits: mantissa}
				for i, got := range run(t, in, x) {
					want := typ.Float64(typ.ReducePrecision(typ.FromFloat64(x[i]), exponent, mantissa))
					if !sameNumber(got, want) {
						t.Fatalf("of %v: %v, want %v", x[i], got, want)
					}
				}
			})
		}
		y := make([]float64, len(x))
		for i := range y {
			switch y[i] = x[r.IntN(len(x))]; r.IntN(4) {
			case 0:
				y[i] = x[i]
			case 1:
				y[i] = 0
			case 2:
				y[i] = math.Inf(1 - 2*r.IntN(2))
			}
		}
		t.Run(fmt.Sprintf("%s/next", typ), func(t *testing.T) {
			for i, got := range run(t, kernel.Instr{Op: kernel.NextAfter, Type: typ}, x, y) {
				if want := typ.NextAfter(x[i], y[i]); !sameNumber(got, want) {
					t.Fatalf("from %v to %v: %v, want %v", x[i], y[i], got, want)
				}
			}
		})
	}
}
