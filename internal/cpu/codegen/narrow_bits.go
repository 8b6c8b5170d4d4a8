package codegen

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// AsBits returns a kernel that moves narrow elements, which live in wider registers, as integers with their bits. No
// element is converted, and a NaN keeps its payload. It returns k itself unless the narrow elements are only loaded and
// stored, or are the fill values of loads.
func AsBits(k *kernel.Kernel) *kernel.Kernel {
	body := k.Body.Instrs
	if len(k.Reduces) > 0 || !slices.ContainsFunc(body, isNarrowLoad) {
		return k
	}
	fills := make([]dtype.Type, len(body)) // of constants that are fill values of loads: their type
	for i := range body {
		in := &body[i]
		switch narrow := isNarrowLoad(*in); {
		case !narrow && kernel.NeedsRound(in.Type):
			return k
		case narrow && len(in.At.Guards) > 0:
			v := in.At.Fill
			if x := &body[v]; x.Op == kernel.Const && (fills[v] == 0 || fills[v] == in.Type) {
				fills[v] = in.Type
			} else if x.Type != in.Type {
				return k
			}
		}
	}
	for i := range body {
		in := &body[i]
		for _, v := range in.Operands() {
			isFill := isNarrowLoad(*in) && len(in.At.Guards) > 0 && v == in.At.Fill
			if !isFill && (isNarrowLoad(body[v]) || fills[v] != 0) {
				return k
			}
		}
	}
	for i := range k.Stores {
		s := &k.Stores[i]
		if x := &body[s.Value]; (kernel.NeedsRound(s.Type) || isNarrowLoad(*x)) && x.Type != s.Type ||
			fills[s.Value] != 0 {
			return k
		}
	}
	out := k.Clone()
	for i := range out.Params {
		toBits(&out.Params[i].Type)
	}
	for i := range out.Body.Instrs {
		in := &out.Body.Instrs[i]
		if t := fills[i]; t != 0 {
			in.Type = t
			if t.IsFloat() {
				in.Bits[0] = t.FromFloat64(float64(math.Float32frombits(uint32(in.Bits[0]))))
			}
			in.Bits[0] &= 1<<(8*t.Size()) - 1
		}
		toBits(&in.Type)
	}
	for i := range out.Stores {
		toBits(&out.Stores[i].Type)
	}
	return out
}

// isNarrowLoad reports whether an instruction loads elements that live in a wider register.
func isNarrowLoad(in kernel.Instr) bool { return in.Op == kernel.Load && kernel.NeedsRound(in.Type) }

// toBits replaces a type that lives in a wider register by the unsigned integer of the same size.
func toBits(t *dtype.Type) {
	if kernel.NeedsRound(*t) {
		*t = map[int]dtype.Type{1: dtype.U8, 2: dtype.U16}[t.Size()]
	}
}
