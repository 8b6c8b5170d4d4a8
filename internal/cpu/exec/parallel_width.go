package exec

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
)

const (
	// wakeCost is the work, in nanoseconds, that a program must have side by side for
	// workers to be woken when it begins: waking one takes 100 µs or so, and a system call.
	wakeCost = 400_000

	// goMulAdds and codeProducts are how many products of a contraction one worker sums in a
	// nanosecond, in plain Go and in machine code.
	goMulAdds, codeMulAdds = 3, 40
)

// mulAddsPerNanosecond returns how many products of a type one worker sums.
func (x *Executable) mulAddsPerNanosecond(t dtype.Type) int64 {
	p := x.gen.Gemm()
	if t == dtype.F32 && p.F32 != nil || t == dtype.F64 && p.F64 != nil {
		return codeMulAdds
	}
	return goMulAdds
}

// parallelWidth returns the most chunks that a node of the program has, 1 where all of them
// together are too little work to wake anybody for. Loops count as one trip, branches as
// all their arms.
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
