package kernel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// String returns the kernel as text that [Parse] reads: its iteration space, parameters,
// instructions, stores and reductions. An access is written as the parameter with the offset and
// the strides of the dimensions, "p0[5; 30, 1]"; "+ 30 * clamp(%3, 7)" adds a lookup, "where [-1;
// 1, 0] < 8 else %4" a guard.
func (k *Kernel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kernel %s %v", k.Name, k.Dims)
	if k.NumReduced > 0 {
		fmt.Fprintf(&b, " reduces %v", k.Dims[len(k.Dims)-k.NumReduced:])
	}
	if k.Flush {
		b.WriteString(" flushes")
	}
	b.WriteByte('\n')
	for i, p := range k.Params {
		sep := ", "
		if i == 0 {
			sep = "  over "
		}
		fmt.Fprintf(&b, "%s%s[%d]", sep, p.Type, p.Elems)
	}
	if len(k.Params) > 0 {
		b.WriteByte('\n')
	}
	k.Body.write(&b, "  ")
	for _, s := range k.Stores {
		fmt.Fprintf(&b, "  store p%d%s = %%%d : %s\n", s.At.Param, s.At.text(), s.Value, s.Type)
	}
	for _, r := range k.Reduces {
		r.write(&b)
	}
	return b.String()
}

func (r *Reduction) write(b *strings.Builder) {
	b.WriteString("  reduce")
	if r.Kind != Invalid {
		fmt.Fprintf(b, " %s", r.Kind)
	}
	if r.ArgMinMax.Op != Invalid {
		fmt.Fprintf(b, " arg%s", r.ArgMinMax.Op)
	}
	for i, v := range r.Values {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %%%d from p%d%s", v, r.Inits[i].Param, r.Inits[i].text())
	}
	b.WriteByte('\n')
	if r.Kind == Invalid {
		r.Combine.write(b, "    ")
	}
	for i, v := range r.Results {
		fmt.Fprintf(b, "    store p%d%s = %%%d : %s\n", r.At[i].Param, r.At[i].text(), v, r.Types[i])
	}
}

func (a *Access) text() string {
	var b strings.Builder
	writeForm(&b, a.Offset, a.Strides)
	for _, l := range a.Lookups {
		fmt.Fprintf(&b, " + %d * clamp(%%%d, %d)", l.Stride, l.Index, l.Limit)
	}
	for i, g := range a.Guards {
		if i == 0 {
			b.WriteString(" where ")
		} else {
			b.WriteString(" and ")
		}
		writeForm(&b, g.Offset, g.Strides)
		fmt.Fprintf(&b, " < %d", g.Size)
	}
	if len(a.Guards) > 0 {
		fmt.Fprintf(&b, " else %%%d", a.Fill)
	}
	return b.String()
}

func writeForm(b *strings.Builder, offset int64, strides []int64) {
	b.WriteByte('[')
	if offset != 0 {
		fmt.Fprintf(b, "%d; ", offset)
	}
	for i, s := range strides {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%d", s)
	}
	b.WriteByte(']')
}

func (b *Body) write(w *strings.Builder, indent string) {
	for i := range b.Instrs {
		fmt.Fprintf(w, "%s%%%d = %s\n", indent, i, &b.Instrs[i])
	}
}

// String returns the instruction without its result: "add %0, %1 : f32".
func (in *Instr) String() string {
	var b strings.Builder
	b.WriteString(in.Op.String())
	switch in.Op {
	case Const:
		b.WriteString(" " + constText(in.Type, in.Bits))
	case Load:
		fmt.Fprintf(&b, " p%d%s", in.At.Param, in.At.text())
	case Index:
		b.WriteString(" " + in.At.text())
	case Arg:
		fmt.Fprintf(&b, " %d", in.Arg)
	case Call, Call2:
		b.WriteString(" " + in.Func)
	case ReducePrecision:
		fmt.Fprintf(&b, " e%dm%d", in.ExponentBits, in.MantissaBits)
	}
	for i, a := range in.Args[:in.Op.NumArgs()] {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %%%d", a)
	}
	b.WriteString(" : ")
	if in.From != dtype.Invalid && in.From != in.Type {
		fmt.Fprintf(&b, "%s → ", in.From)
	}
	b.WriteString(in.Type.String())
	return b.String()
}

// constText returns the number with the given bits, or the bits if no number has them.
func constText(t dtype.Type, bits [2]uint64) string {
	text := numberText(t, bits)
	if parsed, err := constBits(t, text); err != nil || parsed != bits {
		return fmt.Sprintf("bits %#x %#x", bits[0], bits[1])
	}
	return text
}

func numberText(t dtype.Type, bits [2]uint64) string {
	switch t {
	case dtype.F32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits[0]))), 'g', -1, 32)
	case dtype.F64:
		return strconv.FormatFloat(math.Float64frombits(bits[0]), 'g', -1, 64)
	case dtype.C64:
		z := complex(math.Float32frombits(uint32(bits[0])), math.Float32frombits(uint32(bits[0]>>32)))
		return strconv.FormatComplex(complex128(z), 'g', -1, 64)
	case dtype.C128:
		return strconv.FormatComplex(
			complex(math.Float64frombits(bits[0]), math.Float64frombits(bits[1])), 'g', -1, 128)
	}
	if t.IsSigned() {
		sh := 64 - t.Bits()
		return strconv.FormatInt(int64(bits[0])<<sh>>sh, 10)
	}
	return strconv.FormatUint(bits[0], 10)
}

// constBits returns the bits of a number written as text.
func constBits(t dtype.Type, text string) (bits [2]uint64, err error) {
	switch {
	case t == dtype.F32:
		v, err := strconv.ParseFloat(text, 32)
		return [2]uint64{uint64(math.Float32bits(float32(v)))}, err
	case t == dtype.F64:
		v, err := strconv.ParseFloat(text, 64)
		return [2]uint64{math.Float64bits(v)}, err
	case t == dtype.C64:
		v, err := strconv.ParseComplex(text, 64)
		re, im := math.Float32bits(float32(real(v))), math.Float32bits(float32(imag(v)))
		return [2]uint64{uint64(re) | uint64(im)<<32}, err
	case t == dtype.C128:
		v, err := strconv.ParseComplex(text, 128)
		return [2]uint64{math.Float64bits(real(v)), math.Float64bits(imag(v))}, err
	case t.IsSigned():
		v, err := strconv.ParseInt(text, 10, t.Bits())
		return [2]uint64{uint64(v) & (^uint64(0) >> (64 - t.Bits()))}, err
	}
	v, err := strconv.ParseUint(text, 10, max(t.Bits(), 1))
	return [2]uint64{v}, err
}
