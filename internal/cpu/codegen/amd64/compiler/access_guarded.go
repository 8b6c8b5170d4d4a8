package compiler

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// MaxGuards bounds the guards of a load, one per dimension.
const MaxGuards = 8

// Guarded describes how the caller copies a load with guards.
type Guarded struct {
	Guards []GuardForm // their affine forms are the accesses after that of the load
	Fill   int         // the access of the padding element, -1: the constant bits
	Bits   uint64
	// Steps are, for each dimension, the offsets by which the load and its guards advance to the next row of a tile.
	Steps [1 + MaxGuards][]int64
}

// GuardForm is a guard: it holds where its affine form, with stride inner along the row, is less than size.
type GuardForm struct{ Size, Inner int64 }

// Clip restricts the range from lo to hi-1 of a row to the elements for which the guard holds; at is its form at
// element 0.
func (g GuardForm) Clip(at, lo, hi int64) (int64, int64) {
	switch {
	case g.Inner == 1: // the common case
		return max(lo, -at), min(hi, g.Size-at)
	case g.Inner != 0:
		from, to := kernel.Inside(at, g.Inner, g.Size, hi)
		return max(lo, from), to
	case uint64(at) >= uint64(g.Size):
		return lo, lo
	}
	return lo, hi
}

// guardedLoad returns how the caller copies a load, nil if that is not supported.
func guardedLoad(k *kernel.Kernel, p *plan.Plan, accesses []int, in *kernel.Instr, access int) *Guarded {
	if in.Op != kernel.Load || len(in.At.Guards) == 0 || len(in.At.Guards) > MaxGuards || len(in.At.Lookups) > 0 ||
		p.Form != plan.Map || p.Transpose != nil || in.Type.Size() > 8 {
		return nil
	}
	g := &Guarded{}
	switch from := &k.Body.Instrs[in.At.Fill]; {
	case from.Op == kernel.Const && in.Type == from.Type && in.Type == in.Register():
		g.Fill, g.Bits = -1, from.Bits[0]
	case from.Op == kernel.Load && in.Type == from.Type && from.At.IsAffine() &&
		isInvariant(&p.Accesses[accesses[in.At.Fill]]):
		g.Fill = accesses[in.At.Fill]
	default:
		return nil
	}
	dims := p.Vec.Dims[:len(p.Vec.Dims)-1]
	for i := range 1 + len(in.At.Guards) {
		g.Steps[i] = RowSteps(dims, p.Accesses[access+i].Vec)
	}
	for i := range in.At.Guards {
		g.Guards = append(g.Guards, GuardForm{in.At.Guards[i].Size, p.Accesses[access+1+i].Inner})
	}
	return g
}

// isInvariant reports whether an access has the same element at all points.
func isInvariant(a *plan.Access) bool {
	moves := func(stride int64) bool { return stride != 0 }
	return !slices.ContainsFunc(a.Vec, moves) && !slices.ContainsFunc(a.Seq, moves)
}

// RowSteps returns, for each dimension, the offset by which an access advances when its coordinate is incremented and
// all inner ones are reset.
func RowSteps(dims, strides []int64) []int64 {
	steps := make([]int64, len(dims))
	back := int64(0)
	for d := len(dims) - 1; d >= 0; d-- {
		steps[d] = strides[d] - back
		back += strides[d] * (dims[d] - 1)
	}
	return steps
}

// GuardedLoads returns, for each access, how the caller copies its guarded load, nil for others.
func GuardedLoads(k *kernel.Kernel, p *plan.Plan) []*Guarded {
	accesses, out := AccessesOf(k), make([]*Guarded, len(p.Accesses))
	for i := range k.Body.Instrs {
		if in := &k.Body.Instrs[i]; in.At != nil && len(in.At.Guards) > 0 {
			out[accesses[i]] = guardedLoad(k, p, accesses, in, accesses[i])
		}
	}
	return out
}

// hasGuards reports whether a kernel has loads with guards.
func hasGuards(k *kernel.Kernel) bool {
	return slices.ContainsFunc(k.Body.Instrs, func(in kernel.Instr) bool {
		return in.At != nil && len(in.At.Guards) > 0
	})
}
