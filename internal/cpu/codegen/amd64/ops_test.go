package amd64_test

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestComplexOps checks which complex operations are machine code: nearly all.
func TestComplexOps(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.C64, dtype.C128} {
		complexOps(t, typ)
	}
}

func complexOps(t *testing.T, typ dtype.Type) {
	body := &kernel.Body{}
	load := func(t dtype.Type) kernel.Value {
		return body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &kernel.Access{Strides: []int64{1}}})
	}
	part := typ.Real()
	z, w, x, y, c := load(typ), load(typ), load(part), load(part), load(dtype.Bool)
	check := func(in kernel.Instr, args ...kernel.Value) {
		t.Helper()
		copy(in.Args[:], args)
		c64Only := in.Op == kernel.Atan2 || in.Op == kernel.Logistic || in.Op == kernel.Bitcast ||
			in.Func == "chlo._asin_acos_kernel"
		if want := typ == dtype.C64 || !c64Only; amd64.Has(body, in) != want {
			t.Errorf("%s of %s is machine code: %t", in.Op, in.Type, !want)
		}
	}
	for _, op := range []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Pow, kernel.Atan2,
		kernel.Max, kernel.Min} {
		check(kernel.Instr{Op: op, Type: typ}, z, w)
	}
	for _, op := range []kernel.Op{kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE} {
		check(kernel.Instr{Op: op, Type: dtype.Bool, From: typ}, z, w)
	}
	for _, op := range []kernel.Op{kernel.Neg, kernel.Conj, kernel.Square, kernel.Sqrt, kernel.Rsqrt, kernel.Sign,
		kernel.Exp, kernel.Expm1, kernel.Log, kernel.Log1p, kernel.Logistic,
		kernel.Sin, kernel.Cos, kernel.Tan, kernel.Tanh} {
		check(kernel.Instr{Op: op, Type: typ}, z)
	}
	for _, name := range []string{"chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh",
		"chlo.cosh", "chlo.sinh", "chlo._asin_acos_kernel"} {
		check(kernel.Instr{Op: kernel.Call, Type: typ, Func: name}, z)
	}
	for _, op := range []kernel.Op{kernel.Real, kernel.Imag, kernel.Abs} {
		check(kernel.Instr{Op: op, Type: part, From: typ}, z)
	}
	check(kernel.Instr{Op: kernel.Complex, Type: typ, From: part}, x, y)
	check(kernel.Instr{Op: kernel.Select, Type: typ}, c, z, w)
	check(kernel.Instr{Op: kernel.Convert, Type: typ, From: part}, x)
	check(kernel.Instr{Op: kernel.Bitcast, Type: dtype.U64, From: typ}, z)
}

// TestIntOps checks that powers, counts and upper halves of integers are machine code.
func TestIntOps(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.S8, dtype.U8, dtype.S16, dtype.U16, dtype.S32,
		dtype.U32, dtype.S64, dtype.U64} {
		body := &kernel.Body{}
		x := body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: []int64{1}}})
		for _, op := range []kernel.Op{kernel.Pow, kernel.Popcnt, kernel.Clz, kernel.MulHi} {
			if op == kernel.MulHi && typ.Size() == 8 {
				continue // there are no products of 128 bits
			}
			if !amd64.Has(body, kernel.Instr{Op: op, Type: typ, Args: [3]kernel.Value{x, x}}) {
				t.Errorf("%s of %s is not machine code", op, typ)
			}
		}
	}
}
