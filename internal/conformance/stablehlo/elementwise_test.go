package stablehlo_test

import (
	"flag"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
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
	kit.EachOther(t, func(t *testing.T, e kit.Executor) {
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

func compareElementwise(t *testing.T, e kit.Executor, m *stablehlo.Module, c stablehlo.OpCode, d dtype.Type, n int) {
	r := rand.New(rand.NewPCG(uint64(c), uint64(d)))
	var args [][]byte
	for i := range c.Info().Operands {
		args = append(args, kit.Operands(r, d, n, i))
	}
	want, none := kit.Run(kit.Oracle, m, args)
	got, err := kit.Run(e, m, args)
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
		if why := kit.Differs(want[0], got[0].Data); why != "" {
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
