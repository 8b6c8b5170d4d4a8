package nx

import (
	"context"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/stablehlo"
)

// Lowered is a function traced for one signature, as a program.
type Lowered core.Lowered

// Lower traces f for arguments of the types of args and returns its program,
// without compiling it: to inspect or to export it. Arguments are those of
// [Compile]. Tensors that f uses from outside become constants of the program, so
// that it takes only the tensors of the arguments, in the order of [tree.Leaves], and
// returns those of the results. The program marks donated arguments ([Donate]), as JAX does
// (jax.buffer_donor).
func Lower[F any](f F, args []any, opts ...JitOption) (l *Lowered, err error) {
	r0, r1 := core.Lower[F](f, args, opts...)
	return (*Lowered)(r0), r1
}

// Text returns the program as StableHLO.
func (l *Lowered) Text() string {
	return (*core.Lowered)(l).Text()
}

// Module returns a copy of the program.
func (l *Lowered) Module() *stablehlo.Module {
	return (*core.Lowered)(l).Module()
}

// Cut says where [Lowered.Split] splits a program at an op.
type Cut = core.Cut

// The cuts at an op: around it, the op is a stage of its own.
const (
	NoCut     = core.NoCut
	CutBefore = core.CutBefore
	CutAfter  = core.CutAfter
	CutAround = core.CutAround
)

// Graph is a program in stages that run one after another: see [Lowered.Split].
type Graph core.Graph

// Source is where a value of a [Graph] comes from: result Index of a stage, or input
// Index of the graph where Stage is -1.
type Source = core.Source

// GraphStage is a stage of a [Graph].
type GraphStage struct {
	Program *Lowered
	Inputs  []Source // of the arguments of the program
}

// Split splits the program at those ops of its function for which at returns a cut; loops
// and branches are one op. The results of a stage are the values that later stages use; constants
// are recomputed. A device that does not support some ops runs the program in stages around
// them.
//
// Errors: [ErrArgument] where a value that is not a tensor would pass between stages.
func (l *Lowered) Split(at func(op *stablehlo.Op) Cut, on ...OnOption) (g *Graph, err error) {
	r0, r1 := (*core.Lowered)(l).Split(at, on...)
	return (*Graph)(r0), r1
}

// Stages returns the stages in the order in which they run, and where the results of the
// program come from.
func (g *Graph) Stages() (list []GraphStage, results []Source) {
	r0, r1 := (*core.Graph)(g).Stages()
	return core.Retype[[]GraphStage](r0), r1
}

// Run runs the stages on the inputs of the program, each compiled on its own at the first run, and
// returns its results. An intermediate result is released after its last use. Ctx cancels it.
func (g *Graph) Run(ctx context.Context, inputs ...Tensor) (results []Tensor, err error) {
	r0, r1 := (*core.Graph)(g).Run(ctx, core.Retype[[]core.Tensor](inputs)...)
	return core.Retype[[]Tensor](r0), r1
}
