package simplify

import "github.com/go-nx/nx/stablehlo"

// NameComposites replaces composites named for an elementwise op of the chlo dialect by that op.
// JAX exports such functions with decompositions that are only accurate in value: branches that are
// not selected divide by zero or multiply by infinity, which derivatives of the decomposition would
// turn into NaN.
func NameComposites(f stablehlo.Func) {
	if f.IsDeclaration() {
		return
	}
	m := map[*stablehlo.Value]*stablehlo.Value{}
	for op := range f.Walk() {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				nameCompositesOf(b, m)
			}
		}
	}
	if len(m) > 0 {
		f.Replace(m)
	}
}

func nameCompositesOf(b *stablehlo.Block, m map[*stablehlo.Value]*stablehlo.Value) {
	ops := append([]*stablehlo.Op(nil), b.Ops...)
	for i, op := range ops {
		if op.Code != stablehlo.OpComposite {
			continue
		}
		code := stablehlo.LookupOp(op.Str("name"))
		if info := code.Info(); code == stablehlo.Unregistered || info.Dialect() != "chlo" ||
			info.Traits&stablehlo.Elementwise == 0 || len(op.Results) != 1 {
			continue
		}
		named := stablehlo.NewOp(code, op.Operands, []stablehlo.Type{op.Result().Type()})
		named.Loc = op.Loc
		if stablehlo.CheckOp(named) != nil {
			continue
		}
		ops[i] = named
		m[op.Result()] = named.Result()
	}
	b.SetOps(ops)
}
