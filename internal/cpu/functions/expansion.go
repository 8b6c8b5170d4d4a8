package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Expansion computes an elementary function of real numbers by simple operations, for machine code of any width. It has
// the bits of the function, except those of [FusedOf].
type Expansion struct {
	Body   kernel.Body // the operands are its Arg
	Result kernel.Value
	// BailOut is true for operands that the expansion does not support, such as very large angles: the result is
	// undefined then. None if it supports all operands.
	BailOut kernel.Value
	// Tables are the tables that loads of the body read: the parameter of an access is a table.
	Tables [][]uint64
}

// ExpansionOf returns the expansion of an instruction on elements of 32 or 64 bits, nil if there is none: the function
// is only Go code.
func ExpansionOf(in *kernel.Instr) *Expansion {
	if e := FusedOf(in); e != nil {
		return e
	}
	if isComplex(in) {
		return complexExpansionOf(in)
	}
	if HasElementExpansion(in.Op) {
		return elementExpansionOf(in)
	}
	var write floatWriter
	isCall := in.Op == kernel.Call && in.Type == in.Register()
	switch in.Register() {
	case dtype.F32:
		if write = expansion32(in.Op); isCall {
			write = call32(in.Func)
		}
	case dtype.F64:
		if write = expansion64(in.Op); isCall {
			write = call64(in.Func)
		}
	default:
		if in.Type.IsInteger() {
			return intExpansionOf(in)
		}
		return nil
	}
	if write == nil {
		return nil
	}
	return expand(in, write)
}

// operandOf returns the type of the operands of an instruction.
func operandOf(in *kernel.Instr) dtype.Type {
	if in.From != dtype.Invalid {
		return kernel.Register(in.From)
	}
	return in.Register()
}

func expand(in *kernel.Instr, write func(b *body, args []kernel.Value) kernel.Value) *Expansion {
	b := &body{e: &Expansion{BailOut: kernel.None}}
	b.e.Result = write(b, b.args(in))
	return b.e
}

// args appends the operands.
func (b *body) args(in *kernel.Instr) []kernel.Value {
	args := make([]kernel.Value, in.Op.NumArgs())
	for i := range args {
		args[i] = b.add(kernel.Instr{Op: kernel.Arg, Type: operandOf(in), Arg: i})
	}
	return args
}

// body builds an expansion. F32 values are widened to F64 and rounded once at the end, as in package special, except
// those of [FusedOf].
type body struct {
	e *Expansion
	// fused: polynomials use fused multiply-adds, and exponentials use no tables: see [FusedOf].
	fused bool
}

func (b *body) add(in kernel.Instr) kernel.Value { return b.e.Body.Add(in) }

func (b *body) typeOf(v kernel.Value) dtype.Type { return b.e.Body.Instrs[v].Type }

// op1 appends an operation on one operand, op2 on two of one type.
//
//go:noinline
func (b *body) op1(op kernel.Op, x kernel.Value) kernel.Value { return b.operation(op, x, 0, 0) }

//go:noinline
func (b *body) op2(op kernel.Op, x, y kernel.Value) kernel.Value { return b.operation(op, x, y, 0) }

//go:noinline
func (b *body) operation(op kernel.Op, x, y, z kernel.Value) kernel.Value {
	in := kernel.Instr{Op: op, Type: b.typeOf(x), Args: [3]kernel.Value{x, y, z}}
	switch {
	case op.IsCompare():
		in.From, in.Type = in.Type, dtype.Bool
	case op == kernel.Select:
		in.Type = b.typeOf(y)
	}
	return b.add(in)
}

// fma appends x·y + z, rounded once.
//
//go:noinline
func (b *body) fma(x, y, z kernel.Value) kernel.Value { return b.operation(kernel.FMA, x, y, z) }

//go:noinline
func (b *body) plus(x, y kernel.Value) kernel.Value { return b.op2(kernel.Add, x, y) }

//go:noinline
func (b *body) minus(x, y kernel.Value) kernel.Value { return b.op2(kernel.Sub, x, y) }

//go:noinline
func (b *body) times(x, y kernel.Value) kernel.Value { return b.op2(kernel.Mul, x, y) }

//go:noinline
func (b *body) over(x, y kernel.Value) kernel.Value { return b.op2(kernel.Div, x, y) }

//go:noinline
func (b *body) choose(c, x, y kernel.Value) kernel.Value { return b.operation(kernel.Select, c, x, y) }

// f64 and the following append a constant.
//
//go:noinline
func (b *body) f64(x float64) kernel.Value { return b.bits(dtype.F64, math.Float64bits(x)) }

func (b *body) u64(x uint64) kernel.Value { return b.bits(dtype.U64, x) }

func (b *body) u32(x uint32) kernel.Value { return b.bits(dtype.U32, uint64(x)) }

//go:noinline
func (b *body) f32(x float32) kernel.Value {
	return b.bits(dtype.F32, uint64(math.Float32bits(x)))
}

//go:noinline
func (b *body) bits(t dtype.Type, bits uint64) kernel.Value {
	return b.add(kernel.Instr{Op: kernel.Const, Type: t, Bits: [2]uint64{bits}})
}

//go:noinline
func (b *body) convert(x kernel.Value, t dtype.Type) kernel.Value {
	return b.add(kernel.Instr{Op: kernel.Convert, Type: t, From: b.typeOf(x), Args: [3]kernel.Value{x}})
}

//go:noinline
func (b *body) bitcast(x kernel.Value, t dtype.Type) kernel.Value {
	return b.add(kernel.Instr{Op: kernel.Bitcast, Type: t, From: b.typeOf(x), Args: [3]kernel.Value{x}})
}

// widen and narrow convert between F32 and the F64 in which functions are computed.
func (b *body) widen(x kernel.Value) kernel.Value { return b.convert(x, dtype.F64) }

func (b *body) narrow(x kernel.Value) kernel.Value { return b.convert(x, dtype.F32) }

// bailOut adds a condition for bailing out.
func (b *body) bailOut(v kernel.Value) {
	if b.e.BailOut != kernel.None {
		v = b.op2(kernel.Or, b.e.BailOut, v)
	}
	b.e.BailOut = v
}

// table appends a load from a table at the low bits of x; its length is a power of two.
func (b *body) table(words []uint64, x kernel.Value) kernel.Value {
	last := int64(len(words) - 1)
	index := b.op2(kernel.And, x, b.u64(uint64(last)))
	t := 0
	for t < len(b.e.Tables) && &b.e.Tables[t][0] != &words[0] {
		t++
	}
	if t == len(b.e.Tables) {
		b.e.Tables = append(b.e.Tables, words)
	}
	return b.add(kernel.Instr{Op: kernel.Load, Type: dtype.U64,
		At: &kernel.Access{Param: t, Lookups: []kernel.Lookup{{Index: index, Limit: last, Stride: 1}}}})
}

// horner appends a polynomial in x, the highest coefficient last.
func (b *body) horner(x kernel.Value, coefs ...kernel.Value) kernel.Value {
	last := len(coefs) - 1
	p := coefs[last]
	for i := last - 1; i >= 0; i-- {
		if b.fused {
			p = b.fma(x, p, coefs[i])
		} else {
			p = b.plus(coefs[i], b.times(x, p))
		}
	}
	return p
}

// numbers returns constants.
//
//go:noinline
func (b *body) numbers(xs ...float64) []kernel.Value { return constants(b.f64, xs) }

func constants[T any](constant func(T) kernel.Value, xs []T) []kernel.Value {
	out := make([]kernel.Value, len(xs))
	for i, x := range xs {
		out[i] = constant(x)
	}
	return out
}

// withSign adds the sign bit of y to the F32 x.
func (b *body) withSign(x, y kernel.Value) kernel.Value {
	sign := b.op2(kernel.And, b.bitcast(y, dtype.U32), b.u32(1<<31))
	return b.bitcast(b.op2(kernel.Or, b.bitcast(x, dtype.U32), sign), dtype.F32)
}

// magnitude returns the bits of the F32 x without its sign.
func (b *body) magnitude(x kernel.Value) kernel.Value {
	return b.op2(kernel.And, b.bitcast(x, dtype.U32), b.u32(1<<31-1))
}
