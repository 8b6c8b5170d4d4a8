package plan

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// IndexAccess returns the position of an index among the accesses, -1 for other values.
func (p *Plan) IndexAccess(k *kernel.Kernel, v kernel.Value) int {
	if k.Body.Instrs[v].Op != kernel.Index {
		return -1
	}
	access := 0
	for i := range k.Body.Instrs[:v] {
		if at := k.Body.Instrs[i].At; at != nil {
			access += 1 + len(at.Guards)
		}
	}
	return access
}

// IsIncreasing reports whether a value is an index that strictly increases over Vec, in row-major
// order, and fits 32 bits and its type.
func (p *Plan) IsIncreasing(k *kernel.Kernel, v kernel.Value) bool {
	i := p.IndexAccess(k, v)
	if i < 0 {
		return false
	}
	a, t := &p.Accesses[i], k.Body.Instrs[v].Type
	lo, hi := a.Offset, a.Offset
	for d, n := range k.Dims {
		reach := a.Strides[d] * max(n-1, 0)
		lo, hi = lo+min(reach, 0), hi+max(reach, 0)
	}
	if hi > math.MaxInt32 || lo < math.MinInt32 || t.Bits() < 32 || lo < 0 && !t.IsSigned() {
		return false
	}
	reach := int64(0) // of the inner dimensions
	for d := len(p.Vec.Dims) - 1; d >= 0; d-- {
		if a.Vec[d] <= reach {
			return false
		}
		reach += a.Vec[d] * (p.Vec.Dims[d] - 1)
	}
	return true
}
