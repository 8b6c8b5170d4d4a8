package exec

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

const (
	// minStreamedTraffic is how many bytes a node reads and writes, at least, for its results to
	// have left most last-level caches before anything reads them; streamedBytes is how long such
	// a result is.
	minStreamedTraffic = 24 << 20
	minStreamedBytes   = 8 << 20
)

// trafficBeyondCache is streamedTraffic of this machine, whose cache may be larger: there, what goes past it takes a
// third longer.
var trafficBeyondCache = max(minStreamedTraffic, rt.LastLevelCache()/4*3)

// streamedParams returns the parameters of a kernel of a node that are results too long for the caches:
// memory of no operand, nor of a worker. A transposition writes lines in no order that the processor foresees, and
// does not wait for their old contents when it goes past any cache.
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
	if loop, ok := node.(*program.RowLoop); ok { // what a step reads of another's rows is in the caches
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
