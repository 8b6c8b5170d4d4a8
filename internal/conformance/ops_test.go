package conformance

import (
	"flag"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

var samples = flag.Int("samples", 3000, "elements that each elementwise op is tried on")

// TestElementwise runs every elementwise op of the table on every element type
// that the verifier accepts, and compares with the interpreter by the table of
// tolerances.
func TestElementwise(t *testing.T) {
	n := *samples
	if testing.Short() {
		n = 300
	}
	eachOther(t, func(t *testing.T, e executor) {
		for c, info := range stablehlo.Ops() {
			if info.Traits&stablehlo.Elementwise == 0 {
				continue
			}
			for d := dtype.Bool; d.IsValid(); d++ {
				if m := elementwiseProgram(c, d, n); m != nil {
					t.Run(fmt.Sprintf("%s/%s", info.Name, d),
						func(t *testing.T) { compareElementwise(t, e, m, c, d, n) })
				}
			}
		}
	})
}

// elementwiseProgram returns the program that applies an op to vectors of a type; nil if the op does not
// support it.
func elementwiseProgram(c stablehlo.OpCode, d dtype.Type, n int) *stablehlo.Module {
	var types []stablehlo.Type
	for range c.Info().Operands {
		types = append(types, stablehlo.Tensor(d, int64(n)))
	}
	m := stablehlo.NewModule("")
	_, err := m.BuildFunc("main", types, func(b *stablehlo.Builder,
		args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		v, err := b.Value(c, args)
		return []*stablehlo.Value{v}, err
	})
	if err != nil {
		return nil
	}
	return m
}

func compareElementwise(t *testing.T, e executor, m *stablehlo.Module, c stablehlo.OpCode, d dtype.Type, n int) {
	r := rand.New(rand.NewPCG(uint64(c), uint64(d)))
	var args [][]byte
	for i := range c.Info().Operands {
		args = append(args, operands(r, d, n, i))
	}
	want, none := run(oracle, m, args)
	got, err := run(e, m, args)
	if none != nil { // an op without a meaning: see docs/conformance.md
		if err == nil {
			t.Errorf("runs, which the interpreter refuses: %v", none)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !want[0].Type.DType().IsFloat() && !want[0].Type.DType().IsComplex() {
		if why := differs(want[0], got[0].Data); why != "" {
			t.Error(why)
		}
		return
	}
	limit := tolerances[c].ulps(d)
	if c == stablehlo.OpChloPolygamma && d == dtype.F8E8M0FNU { // docs/conformance.md
		t.Skip("rounded to f32 first, where a negative result that underflows loses its sign")
	}
	worst, at := 0.0, 0
	for i := range n {
		off := distance(got[0], want[0], i)
		if c == stablehlo.OpPower && d == dtype.C128 { // nx.Pow has the bound 4 + |b|/8: the table has those up to 16
			off -= max(0, cmplx.Abs(d.LoadComplex(args[1], i))/8-2)
		}
		near := tolerances[c].near
		if d == dtype.F64 && near > 0 && math.Abs(d.LoadFloat(got[0].Data, i)-d.LoadFloat(want[0].Data, i)) <= near {
			continue
		}
		if off > worst {
			worst, at = off, i
		}
	}
	t.Logf("%.3g ulps", worst)
	if worst > limit {
		text := ""
		for _, a := range args {
			text += " " + element(d, a, at)
		}
		t.Errorf("%s of%s is %s, want %s: %.3g ulps off, the table allows %g", c.Info().Name, text,
			element(got[0].Type.DType(), got[0].Data, at), element(want[0].Type.DType(), want[0].Data,
				at), worst, limit)
	}
}

func element(d dtype.Type, b []byte, i int) string {
	switch {
	case d.IsComplex():
		return fmt.Sprint(d.LoadComplex(b, i))
	case d.IsFloat():
		return fmt.Sprint(d.LoadFloat(b, i))
	}
	return fmt.Sprint(d.LoadInt(b, i))
}

// operands returns test elements for an op: special values of a type, small and large numbers, and random
// bits. Operands of one op pair up in different ways.
func operands(r *rand.Rand, d dtype.Type, n, which int) []byte {
	b := make([]byte, n*d.Size())
	if !d.IsFloat() && !d.IsComplex() {
		for i := range n {
			v := int64(r.Uint64())
			if r.IntN(2) == 0 {
				v >>= 60
			}
			if r.IntN(8) == 0 && d != dtype.Bool {
				v = []int64{0, 1, -1, d.MinInt(), int64(d.MaxInt())}[r.IntN(5)]
			}
			if d == dtype.Bool {
				v &= 1
			}
			d.StoreInt(b, i, v) // wraps
		}
		return b
	}
	real := d.Real()
	parts := len(b) / real.Size()
	for i := range parts {
		if i < len(specials)*len(specials) && parts > 2*len(specials)*len(specials) {
			// All pairs, of two operands or of the parts of a complex number.
			k := i
			if d.IsComplex() {
				k, which = i/2, i%2
			}
			if which == 1 {
				k /= len(specials)
			}
			real.StoreFloat(b, i, specials[k%len(specials)])
			continue
		}
		switch r.IntN(4) {
		case 0:
			real.StoreFloat(b, i, r.NormFloat64()*10)
		case 1:
			real.StoreFloat(b, i, math.Ldexp(r.NormFloat64(), r.IntN(16)-8))
		case 2:
			real.StoreFloat(b, i, specials[r.IntN(len(specials))]*(1+(r.Float64()-0.5)/64))
		default:
			real.StoreBits(b, i, r.Uint64()>>(64-real.Bits()))
		}
	}
	return b
}

var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 2, -2, 0.5, -0.5, 1.5,
	2.5, 10, -10, 100, -100, 1e-3, 1e-8,
	1e-30, -1e-30, 1e30, -1e30, math.Pi, math.Pi / 2, -math.Pi / 2, math.E, 88.7, -87.3, -103.9, 709.7, -745.1, 1 << 24,
	1e15, 3, -3, 0x1p-149, 0x1p-126, -0x1p-1074, math.MaxFloat32, math.MaxFloat64}
