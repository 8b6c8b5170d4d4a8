package stablehlo

// Clone returns a copy of o with its regions, outside any block. Operands that
// are keys of m are replaced by their values; the results and block arguments
// of the copy are added to m. Types, attributes and locations are shared: they
// are immutable.
func (o *Op) Clone(m map[*Value]*Value) *Op {
	c := &Op{Code: o.Code, Loc: o.Loc, name: o.name, pos: o.pos}
	c.Attrs = append([]NamedAttr(nil), o.Attrs...)
	if len(o.Operands) > 0 {
		c.Operands = make([]*Value, len(o.Operands))
	}
	for i, v := range o.Operands {
		if w, ok := m[v]; ok {
			v = w
		}
		c.Operands[i] = v
	}
	if n := len(o.Results); n > 0 {
		values := make([]Value, n)
		c.Results = make([]*Value, n)
		for i, v := range o.Results {
			values[i] = Value{typ: v.typ, name: v.name, op: c, index: i, Loc: v.Loc}
			c.Results[i] = &values[i]
			m[v] = &values[i]
		}
	}
	for _, r := range o.Regions {
		cr := &Region{parent: c}
		for _, b := range r.Blocks {
			cb := &Block{region: cr}
			for _, a := range b.Args {
				v := cb.AddArg(a.typ)
				v.name, v.Loc = a.name, a.Loc
				m[a] = v
			}
			cr.Blocks = append(cr.Blocks, cb)
		}
		for i, b := range r.Blocks {
			for _, op := range b.Ops {
				cr.Blocks[i].Append(op.Clone(m))
			}
		}
		c.Regions = append(c.Regions, cr)
	}
	return c
}

// Clone returns a copy of the module that shares nothing that can change.
func (m *Module) Clone() *Module {
	return &Module{Op: m.Op.Clone(map[*Value]*Value{}), Source: m.Source}
}
