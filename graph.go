package nx

import (
	"context"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/stablehlo"
)

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

// Mark returns p and marks this point of a traced function with a name, by an
// optimization barrier of the program: [MarkName] finds it, for example to split there.
//
// Gradient: passes through p. Outside of a trace it does nothing.
func Mark[P any](name string, p P) P {
	return core.Mark[P](name, p)
}

// MarkName returns the name that [Mark] gave an op of a program, "" for any other op.
func MarkName(op *stablehlo.Op) string {
	return core.MarkName(op)
}

// Split splits the program at those ops of its function for which at returns a cut; loops
// and branches are one op. What later stages need of a stage are its results; constants
// are made again. Devices that cannot run all of a program run it in stages around what
// they cannot.
//
// Errors: [ErrArgument] where a value that is no tensor would pass between stages.
func (l *Lowered) Split(at func(op *stablehlo.Op) Cut, on ...OnOption) (g *Graph, err error) {
	r0, r1 := (*core.Lowered)(l).Split(at, on...)
	return (*Graph)(r0), r1
}

// Stages returns the stages in the order in which they run, and where the results of the
// program come from.
func (g *Graph) Stages() (list []GraphStage, results []Source) {
	r0, r1 := (*core.Graph)(g).Stages()
	return as[[]GraphStage](r0), r1
}

// Run runs the stages on the inputs of the program, each compiled on its own at the first
// run, and returns its results. What a stage hands on is released after its last use. Ctx
// cancels it.
func (g *Graph) Run(ctx context.Context, inputs ...Tensor) (results []Tensor, err error) {
	r0, r1 := (*core.Graph)(g).Run(ctx, as[[]core.Tensor](inputs)...)
	return as[[]Tensor](r0), r1
}
