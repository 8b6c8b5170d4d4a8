package amd64_test

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestComplexOps holds that operations of complex numbers are machine code.
func TestComplexOps(t *testing.T) {
	body := &kernel.Body{}
	load := func(t dtype.Type) kernel.Value {
		return body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &kernel.Access{Strides: []int64{1}}})
	}
	z, w, x, y, c := load(dtype.C64), load(dtype.C64), load(dtype.F32), load(dtype.F32), load(dtype.Bool)
	made := func(in kernel.Instr, args ...kernel.Value) {
		t.Helper()
		copy(in.Args[:], args)
		if !amd64.Has(body, in) {
			t.Errorf("%s of %s is not machine code", in.Op, in.Type)
		}
	}
	for _, op := range []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Pow, kernel.Atan2,
		kernel.Max, kernel.Min} {
		made(kernel.Instr{Op: op, Type: dtype.C64}, z, w)
	}
	for _, op := range []kernel.Op{kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE} {
		made(kernel.Instr{Op: op, Type: dtype.Bool, From: dtype.C64}, z, w)
	}
	for _, op := range []kernel.Op{kernel.Neg, kernel.Conj, kernel.Square, kernel.Sqrt, kernel.Rsqrt, kernel.Sign,
		kernel.Exp, kernel.Expm1, kernel.Log, kernel.Log1p, kernel.Logistic,
		kernel.Sin, kernel.Cos, kernel.Tan, kernel.Tanh} {
		made(kernel.Instr{Op: op, Type: dtype.C64}, z)
	}
	for _, name := range []string{"chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh",
		"chlo.cosh", "chlo.sinh", "chlo._asin_acos_kernel"} {
		made(kernel.Instr{Op: kernel.Call, Type: dtype.C64, Func: name}, z)
	}
	for _, op := range []kernel.Op{kernel.Real, kernel.Imag, kernel.Abs} {
		made(kernel.Instr{Op: op, Type: dtype.F32, From: dtype.C64}, z)
	}
	made(kernel.Instr{Op: kernel.Complex, Type: dtype.C64, From: dtype.F32}, x, y)
	made(kernel.Instr{Op: kernel.Select, Type: dtype.C64}, c, z, w)
	made(kernel.Instr{Op: kernel.Convert, Type: dtype.C64, From: dtype.F32}, x)
	made(kernel.Instr{Op: kernel.Bitcast, Type: dtype.U64, From: dtype.C64}, z)
}

// TestIntOps holds that powers, counts and upper halves of integers are machine code.
func TestIntOps(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.S8, dtype.U8, dtype.S16, dtype.U16, dtype.S32,
		dtype.U32, dtype.S64, dtype.U64} {
		body := &kernel.Body{}
		x := body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: []int64{1}}})
		for _, op := range []kernel.Op{kernel.Pow, kernel.Popcnt, kernel.Clz, kernel.MulHi} {
			if op == kernel.MulHi && typ.Size() == 8 {
				continue // there is no product of 128 bits
			}
			if !amd64.Has(body, kernel.Instr{Op: op, Type: typ, Args: [3]kernel.Value{x, x}}) {
				t.Errorf("%s of %s is not machine code", op, typ)
			}
		}
	}
}
