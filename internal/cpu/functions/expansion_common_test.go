package functions_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestCommonOperands checks that common operands do not bail out: masked values, activations far from 0, powers of 0,
// poles of the gamma function.
func TestCommonOperands(t *testing.T) {
	inf := math.Inf(1)
	masks := []float64{-inf, -1e30, -1e9, -1e4, -20, 0, 20, 1e4, 1e9, inf}
	bases := []float64{0, 0, 0, math.Copysign(0, -1), math.Copysign(0, -1), 2}
	exponents := []float64{0.5, 2.5, 3, 3, 2, -0.5}
	gamma := func(t dtype.Type, name string) kernel.Instr {
		return kernel.Instr{Op: kernel.Call, Type: t, Func: name}
	}
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64} {
		for _, in := range []kernel.Instr{gamma(typ, "chlo.lgamma"), gamma(typ, "chlo.digamma")} {
			numbers := []float64{0, -1, -2, -100, 1, 2, 1e9}
			e := functions.ExpansionOf(&in)
			_, bailOut := runExpansion(t, in, e, len(numbers), [][]byte{floats(typ, numbers)})
			for i, r := range bailOut {
				if r != 0 {
					t.Errorf("%s of %s: %v bails out", in.Func, typ, numbers[i])
				}
			}
		}
		for _, op := range []kernel.Op{kernel.Exp, kernel.Expm1, kernel.Logistic, kernel.Tanh, kernel.Log1p, kernel.Log,
			kernel.Erf, kernel.Erfc, kernel.Cbrt, kernel.Pow} {
			in := kernel.Instr{Op: op, Type: typ}
			e := functions.ExpansionOf(&in)
			if e == nil {
				continue
			}
			numbers := masks
			switch {
			case op == kernel.Pow:
				numbers = bases
			case typ == dtype.F64 && (op == kernel.Exp || op == kernel.Expm1):
				numbers = masks[:7] // large results bail out
			}
			operands := [][]byte{floats(typ, numbers), floats(typ, exponents)}[:op.NumArgs()]
			_, bailOut := runExpansion(t, in, e, len(numbers), operands)
			for i, r := range bailOut {
				if r != 0 {
					t.Errorf("%s of %s: %v bails out", op, typ, numbers[i])
				}
			}
		}
	}
}
