package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/lazy"
)

// Complex numbers are expanded to operations on their parts. What is left are selects, and Real, Imag and Complex,
// which split and join the parts.

// complexWriter builds the expansion of an operation with complex operands or a complex result.
type complexWriter func(b *body, in *kernel.Instr, z []kernel.Value) kernel.Value

// complexExpansions support all complex types, computing in F64 as package special does; narrowExpansions and
// wideExpansions support complex64 and complex128.
var complexExpansions, narrowExpansions, wideExpansions lazy.Value[map[kernel.Op]complexWriter]

func listComplexExpansions() map[kernel.Op]complexWriter {
	return map[kernel.Op]complexWriter{
		kernel.Const: complexConst, kernel.Convert: complexConvert, kernel.Neg: byParts, kernel.Add: byParts,
		kernel.Sub: byParts, kernel.Conj: conj, kernel.Max: complexMinMax, kernel.Min: complexMinMax,
		kernel.EQ: complexCompare, kernel.NE: complexCompare, kernel.LT: complexCompare, kernel.LE: complexCompare,
		kernel.GT: complexCompare, kernel.GE: complexCompare, kernel.Mul: cMul, kernel.Square: cSquare,
	}
}

func listNarrowExpansions() map[kernel.Op]complexWriter {
	return map[kernel.Op]complexWriter{
		kernel.Abs: cAbsNarrow, kernel.Div: cDivNarrow, kernel.Pow: cPowNarrow, kernel.Atan2: cAtan2Narrow,
	}
}

func listWideExpansions() map[kernel.Op]complexWriter {
	return map[kernel.Op]complexWriter{kernel.Abs: cAbs, kernel.Div: cDiv, kernel.Pow: cPow}
}

// isComplex reports whether an instruction has complex numbers as operands or as its result.
func isComplex(in *kernel.Instr) bool { return operandOf(in).IsComplex() || in.Type.IsComplex() }

// complexExpansionOf returns the expansion of such an instruction, nil if there is none.
func complexExpansionOf(in *kernel.Instr) *Expansion {
	write := complexExpansions.Get(listComplexExpansions)[in.Op]
	if write == nil && operandOf(in) == dtype.C64 {
		write = narrowExpansionOf(in)
	} else if write == nil && operandOf(in) == dtype.C128 {
		write = wideExpansionOf(in)
	}
	if write == nil || in.Op == kernel.Convert && !convertsByPart(in) {
		return nil
	}
	return expand(in, func(b *body, args []kernel.Value) kernel.Value { return write(b, in, args) })
}

// narrowExpansionOf returns the writer for an instruction on complex64.
func narrowExpansionOf(in *kernel.Instr) complexWriter {
	if f := anyFunctions.Get(listAnyFunctions).of(in); f != nil {
		return complexWriterOf(f)
	}
	if f := narrowFunctions.Get(listNarrowFunctions).of(in); f != nil {
		return complexWriterOf(f)
	}
	return narrowExpansions.Get(listNarrowExpansions)[in.Op]
}

// wideExpansionOf returns the writer for an instruction on complex128. Many functions are those of complex64, for parts
// in its range.
func wideExpansionOf(in *kernel.Instr) complexWriter {
	if f := anyFunctions.Get(listAnyFunctions).of(in); f != nil {
		return complexWriterOf(f)
	}
	if f := withinFunctions.Get(listWithinFunctions).of(in); f != nil {
		return complexWriterOf(func(b *body, z parts) parts {
			b.bailOutUnless(b.op2(kernel.And, b.isNarrow(z.re), b.isNarrow(z.im)))
			return f(b, z)
		})
	}
	if f := wideFunctions.Get(listWideFunctions).of(in); f != nil {
		return complexWriterOf(f)
	}
	return wideExpansions.Get(listWideExpansions)[in.Op]
}

// re and im return the parts of a complex number, complexOf joins them.
func (b *body) re(z kernel.Value) kernel.Value { return b.part(kernel.Real, z) }
func (b *body) im(z kernel.Value) kernel.Value { return b.part(kernel.Imag, z) }

func (b *body) part(op kernel.Op, z kernel.Value) kernel.Value {
	t := b.typeOf(z)
	return b.add(kernel.Instr{Op: op, Type: t.Real(), From: t, Args: [3]kernel.Value{z}})
}

func (b *body) complexOf(re, im kernel.Value) kernel.Value {
	t := b.typeOf(re)
	return b.add(kernel.Instr{Op: kernel.Complex, Type: t.Complex(), From: t, Args: [3]kernel.Value{re, im}})
}

func complexConst(b *body, in *kernel.Instr, _ []kernel.Value) kernel.Value {
	if in.Type == dtype.C64 {
		return b.complexOf(b.bits(dtype.F32, in.Bits[0]&math.MaxUint32), b.bits(dtype.F32, in.Bits[0]>>32))
	}
	return b.complexOf(b.bits(dtype.F64, in.Bits[0]), b.bits(dtype.F64, in.Bits[1]))
}

// convertsByPart reports whether a conversion only rounds each part once.
func convertsByPart(in *kernel.Instr) bool {
	from := operandOf(in)
	return from.IsComplex() || from.IsFloat() || from == dtype.Bool || from.Size() <= 4
}

func complexConvert(b *body, in *kernel.Instr, z []kernel.Value) kernel.Value {
	switch from := operandOf(in); {
	case !in.Type.IsComplex():
		return b.as(b.re(z[0]), in.Type)
	case from.IsComplex():
		return b.complexOf(b.as(b.re(z[0]), in.Type.Real()), b.as(b.im(z[0]), in.Type.Real()))
	}
	return b.complexOf(b.as(z[0], in.Type.Real()), b.bits(in.Type.Real(), 0))
}

// byParts applies an operation to the real parts and to the imaginary parts.
func byParts(b *body, in *kernel.Instr, z []kernel.Value) kernel.Value {
	re, im := b.re(z[0]), b.im(z[0])
	if len(z) == 1 {
		return b.complexOf(b.op1(in.Op, re), b.op1(in.Op, im))
	}
	return b.complexOf(b.op2(in.Op, re, b.re(z[1])), b.op2(in.Op, im, b.im(z[1])))
}

func conj(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	return b.complexOf(b.re(z[0]), b.op1(kernel.Neg, b.im(z[0])))
}

// less is the lexicographic order of the parts.
func (b *body) less(z, w kernel.Value) kernel.Value {
	x, y := b.re(z), b.re(w)
	tie := b.op2(kernel.And, b.op2(kernel.EQ, x, y), b.op2(kernel.LT, b.im(z), b.im(w)))
	return b.op2(kernel.Or, b.op2(kernel.LT, x, y), tie)
}

func (b *body) equal(z, w kernel.Value) kernel.Value {
	return b.op2(kernel.And, b.op2(kernel.EQ, b.re(z), b.re(w)), b.op2(kernel.EQ, b.im(z), b.im(w)))
}

func complexMinMax(b *body, in *kernel.Instr, z []kernel.Value) kernel.Value {
	first := []kernel.Value{z[1], z[0]}
	if in.Op == kernel.Min {
		first = z
	}
	return b.choose(b.less(first[0], first[1]), z[0], z[1])
}

func complexCompare(b *body, in *kernel.Instr, z []kernel.Value) kernel.Value {
	x, y := z[0], z[1]
	if in.Op == kernel.GT || in.Op == kernel.GE {
		x, y = y, x
	}
	switch in.Op {
	case kernel.EQ:
		return b.equal(x, y)
	case kernel.NE:
		return b.op1(kernel.Not, b.equal(x, y))
	case kernel.LT, kernel.GT:
		return b.less(x, y)
	}
	return b.op2(kernel.Or, b.equal(x, y), b.less(x, y))
}

func cAbsNarrow(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	x := b.wide(z[0])
	r := b.op1(kernel.Sqrt, b.plus(b.times(x.re, x.re), b.times(x.im, x.im)))
	inf := b.f64(math.Inf(1))
	infinite := b.op2(kernel.Or, b.op2(kernel.EQ, b.op1(kernel.Abs, x.re), inf),
		b.op2(kernel.EQ, b.op1(kernel.Abs, x.im), inf))
	return b.narrow(b.choose(infinite, inf, r))
}

// parts are the parts of a complex number.
type parts struct{ re, im kernel.Value }

// wide returns the parts of a number in F64; rounded rounds parts to the type of like.
func (b *body) wide(z kernel.Value) parts {
	if b.typeOf(z) == dtype.C128 {
		return parts{b.re(z), b.im(z)}
	}
	return parts{b.widen(b.re(z)), b.widen(b.im(z))}
}

func (b *body) rounded(z parts, like kernel.Value) kernel.Value {
	if b.typeOf(like) == dtype.C128 {
		return b.complexOf(z.re, z.im)
	}
	return b.complexOf(b.narrow(z.re), b.narrow(z.im))
}

// notFinite reports whether one of the numbers of f64 is infinite or NaN.
func (b *body) notFinite(xs ...kernel.Value) kernel.Value {
	all := b.op1(kernel.IsFinite, xs[0])
	for _, x := range xs[1:] {
		all = b.op2(kernel.And, all, b.op1(kernel.IsFinite, x))
	}
	return b.op1(kernel.Not, all)
}

func cMul(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	return b.rounded(b.product(b.wide(z[0]), b.wide(z[1]), z[0]), z[0])
}

func cSquare(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	x := b.wide(z[0])
	return b.rounded(b.product(x, x, z[0]), z[0])
}

// product returns z·w, of the type of like, by the textbook formula. Products of 32-bit parts do not overflow in F64;
// those of longer ones may overflow on the way.
func (b *body) product(z, w parts, like kernel.Value) parts {
	p := b.plainProduct(z, w)
	if b.typeOf(like) != dtype.C64 {
		b.bailOut(b.notFinite(p.re, p.im))
	}
	return p
}

func cDivNarrow(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	x, y := b.wide(z[0]), b.wide(z[1])
	n := b.plus(b.times(y.re, y.re), b.times(y.im, y.im))
	q := parts{b.over(b.plus(b.times(x.re, y.re), b.times(x.im, y.im)), n),
		b.over(b.minus(b.times(x.im, y.re), b.times(x.re, y.im)), n)}
	b.bailOut(b.notFinite(q.re, q.im, y.re, y.im))
	return b.rounded(q, z[0])
}
