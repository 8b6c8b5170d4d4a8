package exec

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
)

// mulAddsPerNanosecond returns the multiply-adds of a type per worker.
func (x *Executable) mulAddsPerNanosecond(t dtype.Type) int64 {
	p := x.gen.Gemm()
	if t == dtype.F32 && p.F32 != nil || t == dtype.F64 && p.F64 != nil {
		return codeMulAdds
	}
	return goMulAdds
}

// parallelWidth returns the maximum number of chunks of a node, or 1 if the parallel work saves less than waking
// workers. Loops count as one trip, branches as all their arms.
func (x *Executable) parallelWidth() int {
	cost, width := int64(0), 1
	var block func(nodes []program.Node)
	block = func(nodes []program.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *program.Kernel:
				if p := x.plans[n]; p != nil && p.NumChunks() > 1 {
					cost += int64(p.NumChunks()) * plan.ChunkCost
					width = max(width, p.NumChunks())
				}
			case *program.Contraction:
				if work := n.Work() / x.mulAddsPerNanosecond(n.Acc); work > plan.ChunkCost {
					cost += work
					width = max(width, int(min(work/plan.ChunkCost, 1<<10)))
				}
			case *program.ParallelGroup:
				block(n.Nodes)
				width = max(width, len(n.Nodes))
			case *program.RowLoop:
				block(program.Parts(n))
			}
			for _, inner := range n.Blocks() {
				block(inner.Nodes)
			}
		}
	}
	block(x.prog.Main.Nodes)
	if cost < wakeCost {
		return 1
	}
	return width
}
