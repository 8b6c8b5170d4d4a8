package codegen

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// asBits returns a kernel that moves elements which live in wider registers as integers of their bits: none is
// converted on the way, and NaN stays as it is. It is k where such elements are anything else than loaded and stored.
func asBits(k *kernel.Kernel) *kernel.Kernel {
	moves := false
	if len(k.Reduces) > 0 {
		return k
	}
	isShort := func(v kernel.Value) bool { return kernel.NeedsRound(k.Body.Instrs[v].Type) }
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
		if in.Op != kernel.Load && kernel.NeedsRound(in.Type) || slices.ContainsFunc(in.Operands(), isShort) ||
			in.Op == kernel.Load && kernel.NeedsRound(in.Type) && len(in.At.Guards) > 0 {
			return k
		}
		moves = moves || kernel.NeedsRound(in.Type)
	}
	for i := range k.Stores {
		if s := &k.Stores[i]; (kernel.NeedsRound(s.Type) || isShort(s.Value)) && k.Body.Instrs[s.Value].Type != s.Type {
			return k
		}
	}
	if !moves {
		return k
	}
	out := k.Clone()
	bits := func(t *dtype.Type) {
		if kernel.NeedsRound(*t) {
			*t = map[int]dtype.Type{1: dtype.U8, 2: dtype.U16}[t.Size()]
		}
	}
	for i := range out.Params {
		bits(&out.Params[i].Type)
	}
	for i := range out.Body.Instrs {
		bits(&out.Body.Instrs[i].Type)
	}
	for i := range out.Stores {
		bits(&out.Stores[i].Type)
	}
	return out
}
