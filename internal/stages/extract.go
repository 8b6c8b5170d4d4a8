package stages

import (
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Extract returns a module whose @main consists of ops of a block with their regions, and its
// arguments: the values that are used but not computed there. Constants and other ops without
// operands are copied. Results may be any values that are visible at the ops.
func Extract(m *stablehlo.Module, part []*stablehlo.Op, results []*stablehlo.Value) (*stablehlo.Module,
	[]*stablehlo.Value) {
	x := &extract{computed: map[value]bool{}, standsFor: map[value]value{}}
	to := stablehlo.NewModule("")
	f := to.AddFunc("main", &stablehlo.FuncType{})
	x.block = f.Body()
	for _, op := range part {
		for inner := range op.Walk() {
			x.addComputed(inner.Results)
			for _, region := range inner.Regions {
				x.addComputed(region.Block().Args)
			}
		}
	}
	for _, op := range part {
		for inner := range op.Walk() {
			x.require(inner.Operands)
		}
		x.block.Append(op.Clone(x.standsFor))
	}
	x.require(results)
	ft := &stablehlo.FuncType{}
	for _, a := range x.block.Args {
		ft.Ins = append(ft.Ins, a.Type())
	}
	out := make([]value, len(results))
	for i, v := range results {
		out[i] = x.standsFor[v]
		ft.Outs = append(ft.Outs, v.Type())
	}
	x.block.Append(stablehlo.NewOp(stablehlo.OpFuncReturn, out, nil))
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: ft})
	for g := range m.Funcs() {
		if g.Name() != "main" {
			to.Body().Append(g.Op.Clone(map[value]value{}))
		}
	}
	simplify.DropFuncs(to, "main")
	return to, x.inputs
}

// extract is the state of [Extract].
type extract struct {
	block     *stablehlo.Block
	computed  map[value]bool  // values computed in the part
	standsFor map[value]value // the copy of a value
	inputs    []value
}

func (x *extract) addComputed(list []value) {
	for _, v := range list {
		x.computed[v] = true
	}
}

// require adds arguments for values that are not computed in the part.
func (x *extract) require(list []value) {
	for _, v := range list {
		switch {
		case x.computed[v] || x.standsFor[v] != nil:
		case isFree(v):
			x.standsFor[v] = x.block.Append(v.Op().Clone(map[value]value{})).Result()
		default:
			x.standsFor[v] = x.block.AddArg(v.Type())
			x.standsFor[v].SetName(v.Name())
			x.inputs = append(x.inputs, v)
		}
	}
}
