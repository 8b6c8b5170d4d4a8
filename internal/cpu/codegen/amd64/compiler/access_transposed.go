package compiler

import (
	"github.com/go-nx/nx/internal/cpu/plan"
)

// isTransposed reports whether the loads of an access read a transposed tile.
func isTransposed(a *plan.Access, p *plan.Plan, size int) bool {
	if p.Transpose == nil || a.Kind != plan.Strided || size > 8 {
		return false
	}
	stride := a.Vec[p.Transpose.Dim]
	return stride == 1 || stride == -1
}

// IsAcrossRows reports whether an access is contiguous along the innermost reduced dimension.
func IsAcrossRows(a *plan.Access, p *plan.Plan) bool {
	last := len(a.Seq) - 1
	return p.Form == plan.Outer && a.Kind == plan.Strided && last >= 0 && a.Seq[last] == 1 &&
		p.Seq.Dims[last] >= plan.TransposeDepth && len(a.Lookups) == 0
}
