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

// samples returns n numbers of all magnitudes, and those next to the boundaries of the functions' ranges.
func samples(r *rand.Rand, t dtype.Type, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		switch r.IntN(4) {
		case 0: // any bits
			if out[i] = math.Float64frombits(r.Uint64()); t == dtype.F32 {
				out[i] = float64(math.Float32frombits(r.Uint32()))
			}
		case 1:
			out[i] = r.NormFloat64()
		case 2:
			out[i] = r.NormFloat64() * math.Exp2(float64(r.IntN(24)-12))
		default:
			seams := []float64{0, 1, -1, 3.95, 3.96, 20, 110, -110, 88.7228, -103.97, 700, 709.78, 1 << 20, 0x1p-20,
				0x1p-126, 0x1p-149, 0.75, 2, 2.75, 8, -1.25, -2.5, math.Pi / 4, math.Pi / 2, math.Pi, -3.9, math.Inf(1),
				math.Inf(-1), math.NaN(), math.Copysign(0, -1)}
			out[i] = seams[r.IntN(len(seams))]
			for range r.IntN(3) {
				if out[i] = math.Nextafter(out[i], 0); t == dtype.F32 {
					out[i] = float64(math.Nextafter32(float32(out[i]), 0))
				}
			}
		}
	}
	return out
}

// bounds are the maximum errors of fused functions against the exact result, in units in the last place. Other
// functions, and f64, are compared with the function itself.
var bounds = map[kernel.Op]float64{kernel.Exp: 1, kernel.Log: 1, kernel.Tanh: 2, kernel.Logistic: 1,
	kernel.Expm1: 1, kernel.Log1p: 1}

// fusedUlps are the maximum errors of other fused functions against the function, where that is not 1 unit.
var fusedUlps = map[kernel.Op]int{kernel.Tanh: 2, kernel.ErfInv: 3}

// isNear reports whether x, a result of f32, is the exact result of f64 within some units in the last place of x.
func isNear(x, exact, units float64) bool {
	if want := float32(exact); exact != exact || math.IsInf(float64(want), 0) || want == 0 {
		return x == float64(want) && math.Signbit(x) == math.Signbit(exact) || x != x && exact != exact
	}
	_, exponent := math.Frexp(max(math.Abs(exact), 0x1p-126))
	return math.Abs(x-exact) <= units*math.Ldexp(1, exponent-24)
}

// areNeighbours reports whether two numbers differ by at most so many units.
func areNeighbours(t dtype.Type, x, y float64, maxUlps int) bool {
	for range maxUlps {
		if x != y {
			x = t.NextAfter(x, y)
		}
	}
	return x == y || x != x && y != y
}

// TestExpansions compares each expansion with its function: bit by bit, except fused ones.
func TestExpansions(t *testing.T) {
	var list []kernel.Instr
	for op := range kernel.Ops() {
		if !op.IsElementary() && op != kernel.NextAfter {
			continue
		}
		for _, typ := range []dtype.Type{dtype.F32, dtype.F64} {
			if op == kernel.Call || op == kernel.Call2 {
				for _, name := range functions.Names(op) {
					list = append(list, kernel.Instr{Op: op, Type: typ, Func: name})
				}
				continue
			}
			list = append(list, kernel.Instr{Op: op, Type: typ})
		}
	}
	expanded := 0
	for _, in := range list {
		e := functions.ExpansionOf(&in)
		if e == nil {
			continue
		}
		expanded++
		t.Run(fmt.Sprintf("%s%s/%s", in.Op, in.Func, in.Type), func(t *testing.T) {
			n := 6000
			if testing.Short() {
				n = 1500
			}
			r := rand.New(rand.NewPCG(uint64(in.Op), 1))
			var numbers [2][]float64
			var operands [][]byte
			for i := range in.Op.NumArgs() {
				numbers[i] = samples(r, in.Type, n)
				operands = append(operands, floats(in.Type, numbers[i]))
			}
			results, bailOut := runExpansion(t, in, e, n, operands)
			bailed := 0
			for j := range n {
				if bailOut[j] != 0 {
					bailed++
					continue
				}
				got, want := in.Type.LoadFloat(results, j), apply(&in, numbers[0][j], numbers[1], j)
				if bound := bounds[in.Op]; functions.FusedOf(&in) != nil && in.Type == dtype.F32 && bound > 0 {
					exact := apply(&kernel.Instr{Op: in.Op, Type: dtype.F64}, float64(float32(numbers[0][j])), nil, 0)
					if !isNear(got, exact, bound) {
						t.Fatalf("of %v: %v, want %v", numbers[0][j], got, exact)
					}
					continue
				}
				if functions.FusedOf(&in) != nil {
					// The function is within 1 unit of the exact result, too.
					if !areNeighbours(in.Type, got, want, max(fusedUlps[in.Op], 1)) {
						t.Fatalf("of %v: %v, want %v", numbers[0][j], got, want)
					}
					continue
				}
				if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
					of := []float64{numbers[0][j]}
					if numbers[1] != nil {
						of = append(of, numbers[1][j])
					}
					t.Fatalf("of %v: %v, want %v", of, got, want)
				}
			}
			if bailed > 3*n/4 {
				t.Errorf("%d of %d operands bail out", bailed, n)
			}
		})
	}
	if expanded < 32 {
		t.Errorf("%d expansions", expanded)
	}
}

// apply computes the function itself.
func apply(in *kernel.Instr, x float64, ys []float64, i int) float64 {
	if in.Op == kernel.NextAfter {
		return in.Type.NextAfter(x, ys[i])
	}
	if in.Op.NumArgs() == 2 {
		if in.Type == dtype.F32 {
			return float64(functions.F32x2(in)(float32(x), float32(ys[i])))
		}
		return functions.F64x2(in)(x, ys[i])
	}
	if in.Type == dtype.F32 {
		d := make([]float32, 1)
		functions.F32(in)(d, []float32{float32(x)})
		return float64(d[0])
	}
	d := make([]float64, 1)
	functions.F64(in)(d, []float64{x})
	return d[0]
}
