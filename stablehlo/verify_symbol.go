package stablehlo

// symbol returns the op @name that is visible to op, in the nearest enclosing op with a symbol table; nil if
// it is absent.
func (c *check) symbol(name string) *Op {
	p := c.symbolTable()
	switch {
	case p == nil:
		return nil
	case c.verifier != nil:
		return c.verifier.symbolsOf(p)[name]
	}
	for s := range symbolsIn(p) {
		if s.Str("sym_name") == name {
			return s
		}
	}
	return nil
}

// symbolTable returns the nearest op around op with a symbol table, or nil.
func (c *check) symbolTable() *Op {
	p := c.Parent()
	for p != nil && p.Code.Info().Traits&Symbols == 0 {
		p = p.Parent()
	}
	return p
}

// symbolsIn yields the ops with a symbol name directly inside p.
func symbolsIn(p *Op) func(yield func(*Op) bool) {
	return func(yield func(*Op) bool) {
		for _, r := range p.Regions {
			for _, b := range r.Blocks {
				for _, op := range b.Ops {
					if op.Str("sym_name") != "" && !yield(op) {
						return
					}
				}
			}
		}
	}
}

// symbolsOf returns the symbols of p by name; the first of two with the same name.
func (v *verifier) symbolsOf(p *Op) map[string]*Op {
	if table, ok := v.symbols[p]; ok {
		return table
	}
	table := map[string]*Op{}
	for op := range symbolsIn(p) {
		if name := op.Str("sym_name"); table[name] == nil {
			table[name] = op
		}
	}
	v.symbols[p] = table
	return table
}

// function returns the function @name that is visible to the op, and reports its absence. ok is also false,
// without a report, when the op is not in a module yet.
func (c *check) function(constraint, name string) (f Func, ok bool) {
	if c.symbolTable() == nil {
		return Func{}, false
	}
	op := c.symbol(name)
	if op == nil || op.Code != OpFunc {
		c.fail(constraint, "there is no function @%s", name)
		return Func{}, false
	}
	return Func{op}, true
}
