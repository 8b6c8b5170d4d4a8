package core

import (
	"context"
	"fmt"

	"github.com/go-nx/nx/internal/stages"
	"github.com/go-nx/nx/stablehlo"
)

// Cut is nx.Cut.
type Cut uint8

// The cuts at an op: around it, the op is a stage of its own.
const (
	NoCut     = Cut(stages.None)
	CutBefore = Cut(stages.Before)
	CutAfter  = Cut(stages.After)
	CutAround = Cut(stages.Both)
)

// Graph is nx.Graph.
type Graph struct {
	path      string
	arguments int
	stages    []GraphStage
	models    []*Model
	results   []Source
	last      map[Source]int // the last stage that takes a value; those that are results are none
}

// Source is nx.Source.
type Source struct{ Stage, Index int }

// GraphStage is a stage of a [Graph].
type GraphStage struct {
	Program *Lowered
	Inputs  []Source // of the arguments of the program
}

// markAttr is the attribute of an op with a name that Mark gave.
const markAttr = "nx.mark"

// Mark implements debug.Mark.
func Mark[P any](name string, p P) P {
	const op = "Mark"
	list := presentTensors(leaves(op, p))
	if len(list) == 0 || traceFor(list) == nil {
		return p
	}
	specs := specsOf(list)
	return fill(op, p,
		apply(&call{op: op, ins: list, outs: specs, emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			b := stablehlo.NewOp(stablehlo.OpOptimizationBarrier, in, typesOf(specs),
				stablehlo.Named(markAttr, stablehlo.StringAttr(name)))
			b.Loc = e.B.Loc
			return e.B.Block().Append(b).Results
		}}))
}

// MarkName implements debug.MarkName.
func MarkName(op *stablehlo.Op) string {
	if op == nil {
		return ""
	}
	return op.Str(markAttr)
}

// Split implements nx.Lowered.Split.
func (l *Lowered) Split(at func(op *stablehlo.Op) Cut, on ...OnOption) (g *Graph, err error) {
	const op = "Split"
	defer Catch(&err)
	m := l.must(op)
	notNil(op, at == nil)
	list, results, err := stages.Split(m, "main",
		func(o *stablehlo.Op) stages.Cut { return stages.Cut(at(o)) & stages.Both })
	if err != nil {
		e := newError(ErrArgument, op, nil, "", "%v", err)
		e.Err = err
		return nil, e
	}
	main, _ := m.Func("main")
	g = &Graph{path: "the graph", arguments: len(main.Args()), results: sourcesOf(results), last: map[Source]int{}}
	var opts []LoadOption
	for _, o := range on {
		opts = append(opts, o)
	}
	for i, s := range list {
		stage := GraphStage{&Lowered{s.Module}, sourcesOf(s.Inputs)}
		model, err := LoadModule(background, s.Module, opts...)
		if err != nil {
			return nil, fmt.Errorf("stage %d: %w", i, err)
		}
		g.stages, g.models = append(g.stages, stage), append(g.models, model)
		for _, from := range stage.Inputs {
			g.last[from] = i
		}
	}
	for _, from := range g.results {
		delete(g.last, from)
	}
	return g, nil
}

func sourcesOf(list []stages.Source) []Source {
	out := make([]Source, len(list))
	for i, s := range list {
		out[i] = Source(s)
	}
	return out
}

// Stages implements nx.Graph.Stages.
func (g *Graph) Stages() (list []GraphStage, results []Source) {
	g.must("Stages")
	return append(list, g.stages...), append(results, g.results...)
}

// Run implements nx.Graph.Run.
func (g *Graph) Run(ctx context.Context, inputs ...Tensor) (results []Tensor, err error) {
	defer Catch(&err)
	g.must("Run")
	if len(inputs) != g.arguments {
		return nil, fmt.Errorf("%s takes %s, got %d", g.path, plural(g.arguments, "input", "inputs"), len(inputs))
	}
	made := make([][]Tensor, len(g.stages))
	take := func(from []Source) []Tensor {
		out := make([]Tensor, len(from))
		for i, s := range from {
			from := inputs
			if s.Stage >= 0 {
				from = made[s.Stage]
			}
			out[i] = from[s.Index]
		}
		return out
	}
	for i, s := range g.stages {
		if made[i], err = g.models[i].Call(ctx, take(s.Inputs)...); err != nil {
			return nil, fmt.Errorf("stage %d: %w", i, err)
		}
		for _, from := range s.Inputs {
			if last, ok := g.last[from]; ok && last == i && from.Stage >= 0 {
				ReleaseAll(made[from.Stage][from.Index], released())
			}
		}
	}
	return take(g.results), nil
}

func (g *Graph) must(op string) {
	if g == nil || g.last == nil {
		fail(ErrArgument, op, "nx.Lowered.Split makes graphs", "the Graph is nil or the zero one")
	}
}
