package cpu

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TestConstantBits compares ops on constants, which the compiler folds, with the same ops on
// arguments: the bits must be the same, including those of NaN.
func TestConstantBits(t *testing.T) {
	floats := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.F8E4M3FN}
	ints := []dtype.Type{dtype.S32, dtype.S64, dtype.S8, dtype.U8, dtype.U64, dtype.S4}
	complexes := []dtype.Type{dtype.C64, dtype.C128}
	arithmetic := []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpDivide,
		stablehlo.OpMaximum, stablehlo.OpPower}
	tests := []struct {
		operands int
		types    []dtype.Type
		codes    []stablehlo.OpCode
	}{
		{1, floats, []stablehlo.OpCode{stablehlo.OpSqrt, stablehlo.OpRsqrt, stablehlo.OpExponential,
			stablehlo.OpLog, stablehlo.OpTanh,
			stablehlo.OpLogistic, stablehlo.OpSine, stablehlo.OpFloor, stablehlo.OpRoundNearestEven,
			stablehlo.OpNegate, stablehlo.OpSign,
			stablehlo.OpIsFinite, stablehlo.OpChloErf}},
		{1, ints, []stablehlo.OpCode{stablehlo.OpNot, stablehlo.OpPopcnt, stablehlo.OpCountLeadingZeros}},
		{1, complexes, []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpExponential, stablehlo.OpReal}},
		{2, floats, append([]stablehlo.OpCode{stablehlo.OpRemainder, stablehlo.OpAtan2}, arithmetic...)},
		{2, ints,
			append([]stablehlo.OpCode{stablehlo.OpRemainder, stablehlo.OpAnd, stablehlo.OpShiftLeft,
				stablehlo.OpShiftRightLogical}, arithmetic...)},
		{2, complexes, arithmetic},
	}
	for _, tt := range tests {
		for _, d := range tt.types {
			for _, code := range tt.codes {
				t.Run(fmt.Sprintf("%s %s", code, d), func(t *testing.T) {
					apply := func(b *stablehlo.Builder, in []*stablehlo.Value) ([]*stablehlo.Value, error) {
						v, err := b.Value(code, in)
						return []*stablehlo.Value{v}, err
					}
					compareConstants(t, apply, specialOperands(d, tt.operands))
				})
			}
		}
	}
}

func TestConstantConversions(t *testing.T) {
	types := []dtype.Type{dtype.Bool, dtype.S4, dtype.U8, dtype.S32, dtype.U64, dtype.F8E5M2, dtype.F16, dtype.BF16,
		dtype.F32, dtype.F64, dtype.C64}
	for _, from := range types {
		for _, to := range types {
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				apply := func(b *stablehlo.Builder, in []*stablehlo.Value) ([]*stablehlo.Value, error) {
					dims := in[0].Tensor().Dims
					v, err := b.Value(stablehlo.OpConvert, in, stablehlo.Results{stablehlo.Tensor(to, dims...)})
					return []*stablehlo.Value{v}, err
				}
				compareConstants(t, apply, specialOperands(from, 1))
			})
		}
	}
}

// specialOperands returns lists of special elements with all pairs of them.
func specialOperands(d dtype.Type, n int) []*stablehlo.ElementsAttr {
	specials := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-140, 0x1p-1070,
		3e38, 0.7, -2.5, 100, 63}
	size := int64(len(specials) * len(specials))
	out := make([]*stablehlo.ElementsAttr, n)
	for i := range out {
		a := &stablehlo.ElementsAttr{Type: stablehlo.Tensor(d, size), Data: make([]byte, int(size)*d.Size())}
		for j := range int(size) {
			x, y := specials[j%len(specials)], specials[j/len(specials)]
			if i == 1 {
				x, y = y, x
			}
			switch {
			case d.IsComplex():
				d.StoreComplex(a.Data, j, complex(x, y))
			case d.IsFloat():
				d.StoreFloat(a.Data, j, x)
			case math.Abs(x) < 1000:
				d.StoreInt(a.Data, j, int64(x))
			default:
				d.StoreInt(a.Data, j, 1<<(d.Bits()-1)) // the smallest, or half of the largest
			}
		}
		out[i] = a
	}
	return out
}

// compareConstants compiles a function of constants and one of arguments.
func compareConstants(t *testing.T, apply stablehlo.BodyFunc, operands []*stablehlo.ElementsAttr) {
	t.Helper()
	c := New(1)
	m := stablehlo.NewModule("")
	var types []stablehlo.Type
	var args []backend.Buffer
	for _, a := range operands {
		types = append(types, a.Type)
		b, err := c.Put(ctx, backend.Type{DType: a.Type.DType(), Dims: a.Type.Dims}, a.Data, device{})
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, b)
	}
	_, err := m.BuildFunc("later", types, apply)
	if err == nil {
		type values = []*stablehlo.Value
		_, err = m.BuildFunc("folded", nil, func(b *stablehlo.Builder, _ values) (values, error) {
			var in []*stablehlo.Value
			for _, a := range operands {
				in = append(in, b.Constant(a))
			}
			return apply(b, in)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Explain(m, "folded", "simplified")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, "\n"); n != 4 || !strings.Contains(text, "stablehlo.constant") {
		t.Errorf("not folded:\n%s", text)
	}
	want, got := run(t, c, m, "later", args), run(t, c, m, "folded", nil)
	if !bytes.Equal(want, got) {
		t.Errorf("folded to\n%x, computed later\n%x", got, want)
	}
}

// run compiles and runs a function with one result.
func run(t *testing.T, c *Client, m *stablehlo.Module, name string, args []backend.Buffer) []byte {
	t.Helper()
	exe, err := c.CompileFunc(ctx, m, name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Execute(ctx, args)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, out[0].Type().SizeBytes())
	if err := out[0].Read(ctx, data); err != nil {
		t.Fatal(err)
	}
	return data
}
