package exec

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// trafficBeyondCache is minStreamedTraffic for this machine, whose cache may be larger: there, non-temporal stores take
// a third longer.
var trafficBeyondCache = max(minStreamedTraffic, rt.LastLevelCache()/4*3)

// streamedParams returns the parameters of a kernel that are stored with non-temporal stores: results larger than the
// caches, with memory of no operand, nor of a worker. A transposition writes cache lines in an order that the processor
// does not predict, and non-temporal stores save reading them first at any size.
func (x *Executable) streamedParams(node program.Node, s *program.Kernel, p *plan.Plan) []int {
	minTraffic := trafficBeyondCache
	if p.Transpose != nil {
		minTraffic = minStreamedTraffic
	}
	total := int64(0)
	for _, b := range slices.Concat(node.Reads(), node.Writes()) {
		if !x.prog.Buffers[b].Local {
			total += x.prog.Buffers[b].SizeBytes()
		}
	}
	if total < minTraffic {
		return nil
	}
	reads := node.Reads()
	if loop, ok := node.(*program.RowLoop); ok { // rows of other steps are in the caches
		for _, step := range loop.Steps {
			reads = append(reads[:len(reads):len(reads)], step.Reads()...)
		}
	}
	reads = x.roots(reads)
	var out []int
	for i, b := range s.Params() {
		buf := &x.prog.Buffers[b]
		if slices.Contains(s.Writes(), b) && s.Slice(i) == nil && !buf.Local && buf.SizeBytes() >= minStreamedBytes &&
			!slices.Contains(reads, x.layout.Root[b]) {
			out = append(out, i)
		}
	}
	return out
}
