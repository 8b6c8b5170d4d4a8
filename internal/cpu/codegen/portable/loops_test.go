package portable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// operand returns n numbers of a register type, among them the limits of all ranges, fractions and powers of two around
// them, and the special floats.
func operand(r *rand.Rand, t dtype.Type, n int) []byte {
	if t.IsComplex() {
		return operand(r, t.Real(), 2*n)
	}
	b := make([]byte, n*t.Size())
	for i := range n {
		x := math.Ldexp(float64(r.IntN(5)-2), r.IntN(67)) + float64(r.IntN(9)-4)/4
		switch {
		case t == dtype.Bool:
			t.StoreInt(b, i, r.Int64N(2))
		case !t.IsFloat():
			t.StoreUint(b, i, uint64(int64(1)<<r.IntN(64))+uint64(r.IntN(5))-2)
		case r.IntN(8) == 0:
			x = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e30}[r.IntN(6)]
			fallthrough
		default:
			t.StoreFloat(b, i, x)
		}
	}
	return b
}

// runStep runs a step that fills register 0 with n elements of type t from the other registers.
func runStep(s step, t dtype.Type, n int, operands ...[]byte) []byte {
	out := make([]byte, n*t.Size())
	m := &machine{regs: []unsafe.Pointer{unsafe.Pointer(&out[0])}}
	for _, b := range operands {
		m.regs = append(m.regs, unsafe.Pointer(&b[0]))
	}
	s(m, n)
	return out
}

var registers = []dtype.Type{dtype.Bool, dtype.S8, dtype.S16, dtype.S32, dtype.S64, dtype.U8, dtype.U16, dtype.U32,
	dtype.U64, dtype.F32, dtype.F64}

func TestConversions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = plan.TileElems
	for _, from := range registers {
		for _, to := range registers {
			x, want := operand(r, from, n), make([]byte, n*to.Size())
			if err := dtype.Convert(want, to, x, from); err != nil {
				t.Fatal(err)
			}
			s, err := convertInstr(&kernel.Instr{Op: kernel.Convert, Type: to, From: from}, ref{reg: 0}, ref{reg: 1})
			if err != nil {
				t.Fatal(err)
			}
			got := runStep(s, to, n, x)
			for i := range n {
				if a, b := to.LoadBits(got, i), to.LoadBits(want, i); a != b {
					t.Fatalf("%v %#x to %v: %#x, want %#x", from, from.LoadBits(x, i), to, a, b)
				}
			}
		}
	}
}

func TestComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 100
	holds := map[kernel.Op]func(x, y float64) bool{
		kernel.EQ: func(x, y float64) bool { return x == y },
		kernel.NE: func(x, y float64) bool { return x != y },
		kernel.LT: func(x, y float64) bool { return x < y },
		kernel.LE: func(x, y float64) bool { return x <= y },
		kernel.GT: func(x, y float64) bool { return x > y },
		kernel.GE: func(x, y float64) bool { return x >= y },
	}
	for _, typ := range []dtype.Type{dtype.Bool, dtype.S8, dtype.U32, dtype.F32, dtype.F64} {
		value := func(b []byte, i int) float64 {
			if typ.IsFloat() {
				return typ.LoadFloat(b, i)
			}
			return float64(typ.LoadInt(b, i))
		}
		for op, want := range holds {
			for _, one := range []string{"neither", "left", "right"} {
				t.Run(fmt.Sprint(typ, " ", op, " ", one, " uniform"), func(t *testing.T) {
					x, y := operand(r, typ, n), operand(r, typ, n)
					copy(y, x[:n/2*typ.Size()]) // some are equal
					s, err := typedInstr(&kernel.Instr{Op: op, Type: dtype.Bool}, typ, ref{reg: 0},
						ref{1, one == "left"}, ref{2, one == "right"})
					if err != nil {
						t.Fatal(err)
					}
					got := runStep(s, dtype.Bool, n, x, y)
					for i := range n {
						a, b := value(x, i), value(y, i)
						if one == "left" {
							a = value(x, 0)
						}
						if one == "right" {
							b = value(y, 0)
						}
						if (got[i] == 1) != want(a, b) || got[i] > 1 {
							t.Fatalf("%v and %v: %d", a, b, got[i])
						}
					}
				})
			}
		}
	}
}

func TestMinMaxLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	special := []float32{0, float32(math.Copysign(0, -1)), 0, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN())}
	for i := range 3000 {
		x := make([]float32, 1+i%23)
		for j := range x {
			x[j] = float32(r.IntN(7) - 3)
			if k := r.IntN(2 + i%40); k < len(special) {
				x[j] = special[k]
			}
		}
		hi, lo := x[0], x[0]
		for _, v := range x {
			hi, lo = max(hi, v), min(lo, v)
		}
		if a, b := maxLanes(x), minLanes(x); math.Float32bits(a) != math.Float32bits(hi) ||
			math.Float32bits(b) != math.Float32bits(lo) {
			t.Fatalf("%v: from %v to %v, want from %v to %v", x, b, a, lo, hi)
		}
	}
}

// TestRoundAway rounds halves, their neighbours, and sums that round up, in both widths.
func TestRoundAway(t *testing.T) {
	const n = 2000
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64} {
		x := make([]byte, n*typ.Size())
		fractionBits := uint64(typ.MantissaBits())
		for i := range n { // k, k + 1/2 and their neighbours, for all sizes with a fraction, and above
			middle := math.Ldexp(1+float64(i/6%5)/4, i/30) + float64(i%2)/2
			bits := typ.FromFloat64(middle) + uint64(i/2%3) - 1
			typ.StoreBits(x, i, bits|uint64(i/3%2)<<(typ.Bits()-1))
		}
		for i, special := range []uint64{0, 1, 1<<fractionBits - 1, typ.FromFloat64(0.5), typ.FromFloat64(0.5) - 1,
			typ.FromFloat64(math.Inf(1)), typ.FromFloat64(math.NaN())} {
			typ.StoreBits(x, 2*i, special)
			typ.StoreBits(x, 2*i+1, special|1<<(typ.Bits()-1))
		}
		s, err := typedInstr(&kernel.Instr{Op: kernel.RoundAway, Type: typ}, typ, ref{reg: 0}, ref{reg: 1}, ref{})
		if err != nil {
			t.Fatal(err)
		}
		got := runStep(s, typ, n, x)
		for i := range n {
			a, want := typ.LoadFloat(got, i), math.Round(typ.LoadFloat(x, i))
			if math.Float64bits(a) != math.Float64bits(want) {
				t.Errorf("%v of %v: %v, want %v", typ, typ.LoadFloat(x, i), a, want)
			}
		}
	}
}
