package stablehlo

// Clone returns a copy of o with its regions, outside any block. Operands that
// are keys of m are replaced by their values; the results and block arguments
// of the copy are added to m. Types, attributes and locations are shared: they
// are immutable.
func (o *Op) Clone(m map[*Value]*Value) *Op {
	c := &Op{Code: o.Code, Loc: o.Loc, name: o.name, pos: o.pos}
	c.Attrs = append([]NamedAttr(nil), o.Attrs...)
	c.makeOperands(len(o.Operands))
	for i, v := range o.Operands {
		if w, ok := m[v]; ok {
			v = w
		}
		c.Operands[i] = v
	}
	if n := len(o.Results); n > 0 {
		values := c.makeResults(n)
		for i, v := range o.Results {
			values[i] = Value{typ: v.typ, name: v.name, op: c, index: i, Loc: v.Loc}
			m[v] = &values[i]
		}
	}
	if len(o.Regions) > 0 {
		c.Regions = make([]*Region, 0, len(o.Regions))
	}
	for _, r := range o.Regions {
		cr := &Region{parent: c}
		for _, b := range r.Blocks {
			cb := &Block{region: cr, Args: make([]*Value, 0, len(b.Args)), Ops: make([]*Op, 0, len(b.Ops))}
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
	return &Module{Op: m.Op.Clone(make(map[*Value]*Value, m.Op.size(2))), Source: m.Source}
}

// size returns an estimate of the number of values inside an op, down to some depth of regions, to reserve
// memory.
func (o *Op) size(depth int) int {
	n := 0
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			n += len(b.Args) + len(b.Ops)
			for _, op := range b.Ops {
				if depth > 1 && op != nil {
					n += op.size(depth - 1)
				}
			}
		}
	}
	return n
}
