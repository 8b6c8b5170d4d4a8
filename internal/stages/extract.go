package stages

import (
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// Extract returns a module whose @main is ops of a block with what is in their regions, and the
// values that it takes: those that are used and not computed there. Constants and what else has no
// operands are made again. Results may be any values that are known where the ops are.
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

// extract is what [Extract] knows.
type extract struct {
	block     *stablehlo.Block
	computed  map[value]bool  // what is computed there
	standsFor map[value]value // what stands for a value
	inputs    []value
}

func (x *extract) addComputed(list []value) {
	for _, v := range list {
		x.computed[v] = true
	}
}

// require makes values known that are not computed there.
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
