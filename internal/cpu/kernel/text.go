package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// String returns the kernel as text: its iteration space, its instructions, what
// it stores and what it folds. An access is written as the parameter with the
// offset and the strides of the dimensions, "p0[5; 30, 1]".
func (k *Kernel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kernel %s %v", k.Name, k.Dims)
	if k.NumReduced > 0 {
		fmt.Fprintf(&b, " reduces %v", k.Dims[len(k.Dims)-k.NumReduced:])
	}
	b.WriteByte('\n')
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
	b.WriteString("  fold")
	if r.Kind != Invalid {
		fmt.Fprintf(b, " %s", r.Kind)
	}
	for i, v := range r.Values {
		fmt.Fprintf(b, " %%%d from p%d", v, r.Inits[i].Param)
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
	b.WriteByte('[')
	if a.Offset != 0 {
		fmt.Fprintf(&b, "%d; ", a.Offset)
	}
	for i, s := range a.Strides {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", s)
	}
	b.WriteByte(']')
	return b.String()
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
		fmt.Fprintf(&b, " %s", constText(in))
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

func constText(in *Instr) string {
	switch in.Type {
	case dtype.F32:
		return fmt.Sprint(math.Float32frombits(uint32(in.Bits[0])))
	case dtype.F64:
		return fmt.Sprint(math.Float64frombits(in.Bits[0]))
	case dtype.C64:
		return fmt.Sprint(complex(math.Float32frombits(uint32(in.Bits[0])), math.Float32frombits(uint32(in.Bits[0]>>32))))
	case dtype.C128:
		return fmt.Sprint(complex(math.Float64frombits(in.Bits[0]), math.Float64frombits(in.Bits[1])))
	}
	if in.Type.IsSigned() {
		sh := 64 - in.Type.Bits()
		return fmt.Sprint(int64(in.Bits[0]) << sh >> sh)
	}
	return fmt.Sprint(in.Bits[0])
}
