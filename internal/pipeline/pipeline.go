// Package pipeline has the passes over graphs that compilers run, in one list for all targets. The reasons for their
// order are in order.go.
//
// A compiler describes itself as a [Target]: what it computes itself, what it does well, and its own passes. The
// passes depend on nothing else.
package pipeline

import (
	"context"
	"os"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Target is what a compiler supports and asks for. The zero value asks for the passes that each compiler needs.
type Target struct {
	// KeepsCall reports whether a call is not inlined; nil inlines all calls.
	KeepsCall simplify.Keep
	// HasBlock reports whether the compiler has an algorithm for a block of linear algebra; nil if it has none.
	HasBlock simplify.Keep
	// HasOp reports whether the compiler has an op that is lowered otherwise; nil if it has none.
	HasOp func(op *stablehlo.Op) bool
	// ArgTypes returns the types of the arguments of a function; nil, or a nil result, for those declared.
	ArgTypes func(f stablehlo.Func) []stablehlo.Type

	// Evaluate runs a function while the program is compiled. With it, constants are folded.
	Evaluate simplify.Evaluate
	// TakesGraph: the compiler computes the ops of the graph as they are, in its layouts. Without it, the compiler
	// has rules, layouts and code motion of its own.
	TakesGraph bool
	// Memory says which values are recomputed instead of kept; nil for a compiler that decides it itself.
	Memory *Memory

	// Own has the passes of the compiler, by the names that the list of passes has for them.
	Own map[string]func(f stablehlo.Func) error

	// Begins is called before each pass, unless it is nil.
	Begins func(pass string)
	// CheckCancel is called by passes for every op. To cancel them it panics.
	CheckCancel simplify.CheckCancel
}

// Memory says which values are recomputed instead of kept in memory.
type Memory struct {
	MinScores int64  // elements of a wide product, see [simplify.Recompute]
	MinSaved  int64  // bytes of a value that is used late, see [simplify.Rematerialise]
	Mark      string // the attribute of the ops that compute such a value again
}

// Pass rewrites a function.
type Pass struct {
	Name string
	Run  func(f stablehlo.Func) error
}

// Passes returns the passes of a target over the functions of a module, in order. It panics if a pass of the target's
// own is not in the list.
func (t *Target) Passes(m *stablehlo.Module) []Pass {
	check := t.CheckCancel
	if check == nil {
		check = func() {}
	}
	rows := listPasses()
	list, own := make([]Pass, 0, len(rows)), 0
	for _, row := range rows {
		var run func(stablehlo.Func) error
		if row.run != nil {
			run = row.run(request{t, m, check})
		} else if run = t.Own[row.name]; run != nil {
			own++
		}
		if run != nil {
			list = append(list, Pass{row.name, run})
		}
	}
	if own != len(t.Own) {
		panic("pipeline: the list of passes does not have all of the target's own")
	}
	return list
}

// Run runs the passes on functions of a module, which the caller has verified. Each pass runs on all of the functions
// before the next pass begins. With NX_CHECK=1 the module is verified after each of them. Run returns the pass that
// failed.
func (t *Target) Run(ctx context.Context, m *stablehlo.Module, funcs ...stablehlo.Func) (failed string, err error) {
	checks := Checks()
	for _, p := range t.Passes(m) {
		if t.CheckCancel != nil {
			t.CheckCancel()
		}
		if t.Begins != nil {
			t.Begins(p.Name)
		}
		for _, f := range funcs {
			if err := p.Run(f); err != nil {
				return p.Name, err
			}
		}
		if checks {
			if err := m.VerifyContext(ctx); err != nil {
				return p.Name, err
			}
		}
	}
	return "", nil
}

// Checks reports whether the results of passes and stages are verified: NX_CHECK is 1.
func Checks() bool { return os.Getenv("NX_CHECK") == "1" }
