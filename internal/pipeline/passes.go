package pipeline

import (
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// request is what a row makes a pass of.
type request struct {
	*Target
	module *stablehlo.Module
	check  simplify.CheckCancel
}

// row is a pass of some target.
type row struct {
	name string
	// run returns the pass of a target, nil if the target does not ask for it. The field is nil for a pass that is the
	// target's own.
	run func(r request) func(f stablehlo.Func) error
}

// listPasses returns the passes of all targets, in order.
func listPasses() []row {
	return []row{
		{"inline", func(r request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { return simplify.InlineExcept(r.module, f, r.KeepsCall, r.check) }
		}},
		{"shardings", nil},
		{"refine", func(r request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { return simplify.Refine(f, r.argTypes(f), r.check) }
		}},
		{"blocks", func(r request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { return simplify.Blocks(r.module, f, r.HasBlock, r.check) }
		}},
		{"flatten", func(r request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { simplify.Flatten(f, r.check); return nil }
		}},
		{"processes", nil},
		{"scan loops", nil},
		{"lower", func(r request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { return simplify.LowerExcept(f, r.HasOp, r.check) }
		}},
		{"stored types", func(request) func(stablehlo.Func) error {
			return func(f stablehlo.Func) error { simplify.Stored(f); return nil }
		}},
		{"plugin ops", nil},
		{"dead code", deadCode},
		{"fold constants", func(r request) func(stablehlo.Func) error {
			if r.Evaluate == nil {
				return nil
			}
			return func(f stablehlo.Func) error { return simplify.Fold(f, r.Evaluate, r.check) }
		}},
		{"random bits", nil},
		{"features last", func(r request) func(stablehlo.Func) error {
			if !r.TakesGraph {
				return nil
			}
			return func(f stablehlo.Func) error { return simplify.FeaturesLast(f, r.check) }
		}},
		{"simplify", func(r request) func(stablehlo.Func) error {
			if !r.TakesGraph {
				return nil
			}
			return func(f stablehlo.Func) error { return simplify.Simplify(f, r.check) }
		}},
		{"hoist", func(r request) func(stablehlo.Func) error {
			if !r.TakesGraph {
				return nil
			}
			return func(f stablehlo.Func) error { simplify.Hoist(f, r.check); return nil }
		}},
		{"dead values", func(r request) func(stablehlo.Func) error {
			if !r.TakesGraph {
				return nil
			}
			return deadCode(r)
		}},
		{"recompute", func(r request) func(stablehlo.Func) error {
			if r.Memory == nil {
				return nil
			}
			return func(f stablehlo.Func) error { return simplify.Recompute(f, r.Memory.MinScores, r.check) }
		}},
		{"rematerialise", func(r request) func(stablehlo.Func) error {
			if r.Memory == nil {
				return nil
			}
			return func(f stablehlo.Func) error {
				return simplify.Rematerialise(f, r.Memory.MinSaved, r.Memory.Mark, r.check)
			}
		}},
		{"unroll windows", nil},
		{"expand dots", nil},
		{"static shapes", nil},
	}
}

func deadCode(r request) func(stablehlo.Func) error {
	return func(f stablehlo.Func) error {
		simplify.DeadCode(f.Body(), r.module.Effects(), r.check)
		return nil
	}
}

func (t *Target) argTypes(f stablehlo.Func) []stablehlo.Type {
	if t.ArgTypes == nil {
		return nil
	}
	return t.ArgTypes(f)
}
