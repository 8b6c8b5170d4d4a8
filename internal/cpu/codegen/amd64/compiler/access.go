package compiler

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// AccessMode is how code addresses the elements of an access.
type AccessMode uint8

const (
	AccessUnused     AccessMode = iota // no instruction uses the elements
	AccessContiguous                   // contiguous in memory
	AccessBroadcast                    // one element for all lanes
	AccessGathered                     // strided, loaded by gathers or spans
	AccessIota                         // an iota that the code computes
	AccessStaged                       // copied to and from a contiguous tile by the caller
	AccessTransposed                   // transposed into a tile by the caller
)

// Addressing is the mode of an access with its parameters.
type Addressing struct {
	Mode   AccessMode
	Reg    asm.Reg // holds the address; 0: the address is only in the arguments
	Stride int64   // from element to element: of a gather in bytes, of an iota in units
	Size   int     // bytes of an element in memory
	Spans  []span  // of a gather: the loads that replace it
}

// The byte offsets of the arguments of a call.
const (
	ArgCount     = 0  // elements
	ArgDone      = 8  // out: elements that have been computed
	ArgAddresses = 16 // addresses of the accesses; first values of iotas
	ArgStrides   = ArgAddresses + 8*MaxAccesses
)

// MaxAccesses bounds the accesses of a kernel.
const MaxAccesses = 64

// chooseAddressing chooses the addressing of the accesses of a kernel.
func chooseAddressing(w target.Width, k *kernel.Kernel, l *Lowered, p *plan.Plan, lanes int) ([]Addressing, error) {
	if len(p.Accesses) > MaxAccesses {
		return nil, target.Unsupported("%d accesses", len(p.Accesses))
	}
	out := make([]Addressing, len(p.Accesses))
	for i := range l.Instrs {
		in, acc := &l.Instrs[i], l.Access[i]
		if acc < 0 || !l.Used[i] {
			continue
		}
		out[acc] = addressingOf(in.Op == kernel.Index, in.Type, &p.Accesses[acc], p, lanes)
		if w == target.V256 && p.Form != plan.Map && out[acc].Mode == AccessContiguous && out[acc].Size < 4 &&
			runLength(p) < int64(lanes) {
			out[acc].Mode = AccessStaged // there are no partial loads and stores, only overlapping ones
		}
		if out[acc].Mode == AccessGathered {
			out[acc].Spans = spansOf(w, out[acc].Size, p.Accesses[acc].Inner)
		}
		if len(in.At.Guards) > 0 || in.Op == kernel.Index && len(in.At.Lookups) > 0 {
			return nil, target.Unsupported("guards")
		}
		if len(in.At.Lookups) > 0 && out[acc].Mode != AccessBroadcast {
			return nil, target.Unsupported("lookups of %s", in.Type)
		}
		// Reductions take several rows per call.
		if l.guarded[acc] != nil || !IsUniform(p, l.lookups[acc]) ||
			p.Form != plan.Map && !AreInvariant(p, l.lookups[acc]) {
			out[acc].Mode = AccessStaged
		}
	}
	for i := range k.Stores {
		if len(k.Stores[i].At.Lookups) > 0 {
			return nil, target.Unsupported("stores with lookups")
		}
		a := &out[p.Stores+i]
		*a = addressingOf(false, k.Stores[i].Type, &p.Accesses[p.Stores+i], p, lanes)
		if a.Mode != AccessContiguous || w == target.V256 && p.Form != plan.Map && a.Size < 4 &&
			runLength(p) < int64(lanes) {
			a.Mode = AccessStaged // a single element as well: it belongs to the only point
		}
	}
	assignAddresses(out, p)
	return out, nil
}

// runLength returns the length of the contiguous runs of a contiguous access.
func runLength(p *plan.Plan) int64 {
	if p.RowTiles {
		return p.Vec.Dims[len(p.Vec.Dims)-1]
	}
	return p.Vec.Size
}

func addressingOf(isIndex bool, t dtype.Type, a *plan.Access, p *plan.Plan, lanes int) Addressing {
	out := Addressing{Mode: AccessContiguous, Size: t.Size()}
	// The offsets of a gather, also of an unrolled one, are integers of 32 bits.
	const maxStride = math.MaxInt32 / 64
	switch {
	case isIndex && (p.RowTiles || a.Kind != plan.Strided) && fitsIota(t, a, p):
		out.Mode, out.Stride = AccessIota, a.Inner
		if a.Kind == plan.Broadcast {
			out.Stride = 0
		}
	case isIndex:
		out.Mode = AccessStaged
	case a.Kind == plan.Contiguous:
	case a.Kind == plan.Broadcast:
		out.Mode = AccessBroadcast
	case isTransposed(a, p, t.Size()):
		out.Mode = AccessTransposed
	case IsAcrossRows(a, p):
		out.Mode = AccessStaged
	case p.RowTiles && t.Size() >= 4 && t != dtype.Bool && max(a.Inner, -a.Inner) < maxStride/int64(t.Size()):
		out.Mode, out.Stride = AccessGathered, a.Inner*int64(t.Size())
	default:
		out.Mode = AccessStaged
	}
	return out
}

// fitsIota reports whether vector code can compute an iota: of integers, or of F32 and F64 with magnitudes below 2^30.
func fitsIota(t dtype.Type, a *plan.Access, p *plan.Plan) bool {
	if t.IsInteger() {
		return a.Inner == int64(int32(a.Inner))
	}
	lo, hi := float64(a.Offset), float64(a.Offset)
	for i, s := range append(a.Vec[:len(a.Vec):len(a.Vec)], a.Seq...) {
		n := float64(append(p.Vec.Dims[:len(p.Vec.Dims):len(p.Vec.Dims)], p.Seq.Dims...)[i])
		if reach := float64(s) * n; reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return (t == dtype.F32 || t == dtype.F64) && lo > -1<<30 && hi < 1<<30
}
