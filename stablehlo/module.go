package stablehlo

import "iter"

// NewModule returns an empty module; the name may be "".
func NewModule(name string) *Module {
	op := NewOp(OpModule, nil, nil)
	if name != "" {
		op.SetAttr("sym_name", StringAttr(name))
	}
	op.AddRegion()
	return &Module{Op: op}
}

// Body returns the block of functions and other symbols.
func (m *Module) Body() *Block { return m.Regions[0].Block() }

// Funcs yields the functions of the module in order, not those of modules inside it.
func (m *Module) Funcs() iter.Seq[Func] {
	return func(yield func(Func) bool) {
		for _, op := range m.Body().Ops {
			if op.Code == OpFunc && !yield(Func{op}) {
				return
			}
		}
	}
}

// Func returns the function @name; ok is false when there is none.
func (m *Module) Func(name string) (f Func, ok bool) {
	for f := range m.Funcs() {
		if f.Name() == name {
			return f, true
		}
	}
	return Func{}, false
}

// AddFunc appends a public function with an empty body.
func (m *Module) AddFunc(name string, t *FuncType) Func {
	op := NewOp(OpFunc, nil, nil,
		NamedAttr{"function_type", TypeAttr{t}},
		NamedAttr{"sym_name", StringAttr(name)})
	op.AddRegion(t.Ins...)
	m.Body().Append(op)
	return Func{op}
}

// Name returns the symbol of the function, without "@".
//
//go:noinline
func (f Func) Name() string { return f.Str("sym_name") }

// Type returns the type of the function; an empty one when it is missing.
//
//go:noinline
func (f Func) Type() *FuncType {
	if a, ok := f.Attr("function_type").(TypeAttr); ok {
		if t, ok := a.Type.(*FuncType); ok {
			return t
		}
	}
	return &FuncType{}
}

// IsPrivate reports whether the function is visible only inside its module.
func (f Func) IsPrivate() bool { v := f.Str("sym_visibility"); return v == "private" || v == "nested" }

// IsDeclaration reports whether the function has no body.
func (f Func) IsDeclaration() bool { return f.Body() == nil }

// Body returns the entry block, or nil for a declaration.
func (f Func) Body() *Block {
	if len(f.Regions) == 0 {
		return nil
	}
	return f.Regions[0].Block()
}

// Args returns the arguments of the entry block.
func (f Func) Args() []*Value {
	if b := f.Body(); b != nil {
		return b.Args
	}
	return nil
}
