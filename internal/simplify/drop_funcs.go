package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// DropFuncs removes the functions that cannot be reached from the entry.
func DropFuncs(m *stablehlo.Module, entry string) {
	f, _ := m.Func(entry)
	funcs := map[string]stablehlo.Func{}
	for g := range m.Funcs() {
		funcs[g.Name()] = g
	}
	kept := map[string]bool{entry: true}
	for work := []stablehlo.Func{f}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		named := map[string]bool{}
		for op := range f.Walk() {
			for _, a := range op.Attrs {
				nameSymbols(a.Value, named)
			}
		}
		for name := range named {
			if g, ok := funcs[name]; ok && !kept[name] {
				work = append(work, g)
			}
			kept[name] = true
		}
	}
	m.Body().SetOps(slices.DeleteFunc(slices.Clone(m.Body().Ops), func(op *stablehlo.Op) bool {
		return op.Code == stablehlo.OpFunc && !kept[op.Str("sym_name")]
	}))
}

// nameSymbols adds the symbols in an attribute.
func nameSymbols(a stablehlo.Attr, named map[string]bool) {
	switch a := a.(type) {
	case stablehlo.SymbolAttr:
		named[a.Name] = true
	case stablehlo.ArrayAttr:
		for _, x := range a {
			nameSymbols(x, named)
		}
	case stablehlo.DictAttr:
		for _, x := range a {
			nameSymbols(x.Value, named)
		}
	}
}
