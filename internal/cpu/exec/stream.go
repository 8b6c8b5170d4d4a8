package exec

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

const (
	// streamedTraffic is how many bytes a node reads and writes, at least, for its results to
	// have left most last-level caches before anything reads them; streamedBytes is how long such
	// a result is.
	streamedTraffic = 24 << 20
	streamedBytes   = 8 << 20
)

// streams returns the parameters of a kernel of a node that are results too long for the caches:
// memory of no operand, nor of a worker.
func (x *Executable) streams(node program.Node, s *program.Kernel) []int {
	total := int64(0)
	for _, b := range slices.Concat(node.Reads(), node.Writes()) {
		if !x.prog.Buffers[b].Local {
			total += x.prog.Buffers[b].SizeBytes()
		}
	}
	if total < streamedTraffic {
		return nil
	}
	reads := node.Reads()
	if nest, ok := node.(*program.RowNest); ok { // what a step reads of another's rows is in the caches
		for _, step := range nest.Steps {
			reads = append(reads[:len(reads):len(reads)], step.Reads()...)
		}
	}
	reads = x.roots(reads)
	var out []int
	for i, b := range s.Params() {
		buf := &x.prog.Buffers[b]
		if slices.Contains(s.Writes(), b) && s.Slice(i) == nil && !buf.Local && buf.SizeBytes() >= streamedBytes &&
			!slices.Contains(reads, x.layout.Root[b]) {
			out = append(out, i)
		}
	}
	return out
}
