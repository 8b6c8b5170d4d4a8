package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// The reverse pass runs steps, branches and checkpoints a second time. Their effects must not be
// repeated: ops without results are omitted in the second run, and ops with results are only there
// for these.

// OnceAttr is the attribute of an op without results that is not repeated when the reverse pass
// repeats the ops around it: the form of debug.Hook in a module.
const OnceAttr = "nx.once"

func isOnce(op *stablehlo.Op) bool { return len(op.Results) == 0 && op.Attr(OnceAttr) != nil }

// repeatBlock converts the ops of a block to those of a second run.
func (c *callees) repeatBlock(b *stablehlo.Block) {
	kept := slices.DeleteFunc(slices.Clone(b.Ops), isOnce)
	for _, op := range kept {
		c.repeat(op)
	}
	b.SetOps(kept)
}

// repeat converts an op to that of a second run, including its regions and the functions that
// compute its results.
func (c *callees) repeat(op *stablehlo.Op) {
	if op.Attr(stablehlo.HostTarget) != nil {
		op.SetAttr(stablehlo.RepeatAttr, stablehlo.UnitAttr{})
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			c.repeatBlock(b)
		}
	}
	if op.Code != stablehlo.OpComposite || !c.effects.HasOwn(op) || !c.module.CallsHost(op) {
		return
	}
	op.SetAttr("decomposition", stablehlo.SymbolAttr{Name: c.repeatFunc(op.Callee())})
	if op.Str("name") != CustomVJP {
		return
	}
	dict, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	dict = slices.Clone(dict)
	for i, a := range dict {
		// This rule computes the results instead of the decomposition, which has not run before.
		if s, ok := a.Value.(stablehlo.SymbolAttr); ok && a.Name == RuleForward {
			dict[i].Value = stablehlo.SymbolAttr{Name: c.repeatFunc(s.Name)}
		}
	}
	op.SetAttr("composite_attributes", dict)
}

// repeatFunc returns the name of a function for a second run, and adds the function to the module.
func (c *callees) repeatFunc(name string) string {
	repeated := name + ".repeat"
	if _, ok := c.module.Func(repeated); ok {
		return repeated
	}
	f, ok := c.module.Func(name)
	if !ok || f.IsDeclaration() {
		emit.Fail("there is no function @%s with a body", name)
	}
	f = stablehlo.Func{Op: f.Clone(map[value]value{})}
	f.SetAttr("sym_name", stablehlo.StringAttr(repeated))
	f.SetAttr("sym_visibility", stablehlo.StringAttr("private"))
	c.module.Body().Append(f.Op)
	c.repeatBlock(f.Body())
	return repeated
}
