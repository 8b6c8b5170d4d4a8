package stablehlo

import "fmt"

// form checks an op against its row of the table: the numbers and types of
// operands and results, attributes and regions. It reports whether the
// constraints can be checked.
func (c *check) form() bool {
	ok := c.values("operand", c.info.Operands, c.Operands, c.segments("operandSegmentSizes"))
	ok = c.values("result", c.info.Results, c.Results, c.segments("resultSegmentSizes")) && ok
	ok = c.attrs() && ok
	return c.regions() && ok
}

// inputForm is form without results.
func (c *check) inputForm() bool {
	ok := c.values("operand", c.info.Operands, c.Operands, c.segments("operandSegmentSizes"))
	ok = c.attrs() && ok
	return c.regions() && ok
}

func (c *check) values(kind string, specs []ValueSpec, values []*Value, segments []int64) bool {
	var buf [4]int
	sizes, ok := groupSizes(buf[:0], specs, len(values), segments)
	if !ok {
		c.fail("", "%d %ss do not fit %s", len(values), kind, specText(kind, specs))
		return false
	}
	n := 0
	for k, s := range specs {
		for range sizes[k] {
			t := values[n].typ
			if !s.Types.Has(t) {
				c.fail("", "%s must be %s, not %s", valueName(kind, specs, len(values), n), s.Types, t)
				ok = false
			} else if id, why := quantError(t); why != "" {
				c.fail(id, "%s is %s: %s", valueName(kind, specs, len(values), n), t, why)
				ok = false
			}
			n++
		}
	}
	return ok
}

// specText describes the required list of values: "operands (inputs…, token)".
func specText(kind string, specs []ValueSpec) string {
	if len(specs) == 0 {
		return "an op without " + kind + "s"
	}
	s := ""
	for i, v := range specs {
		if i > 0 {
			s += ", "
		}
		s += v.Name
		if v.Count != One {
			s += "…"
		}
	}
	return fmt.Sprintf("the %ss (%s)", kind, s)
}

func (c *check) attrs() bool {
	ok := true
	for i := range c.info.Attrs {
		s := &c.info.Attrs[i]
		a := c.Attr(s.Name)
		switch {
		case a == nil && !s.Optional:
			c.fail("", "needs the attribute %s", s.Name)
			ok = false
		case a == nil:
		case !s.holds(a, c.info.Dialect()):
			c.failAttr(s.Name, "", "attribute %s must be %s, not %s", s.Name, s.KindText(), a)
			ok = false
		default:
			ok = c.structured(s.Name, a) && ok
		}
	}
	return ok
}

func (c *check) regions() bool {
	specs := c.info.Regions
	want, variadic := len(specs), false
	if want > 0 && specs[want-1].Count == Variadic {
		want, variadic = want-1, true
	}
	if len(c.Regions) < want || len(c.Regions) > want && !variadic {
		c.fail("", "has %d regions instead of %d", len(c.Regions), want)
		return false
	}
	ok := true
	for i, r := range c.Regions {
		if n := len(r.Blocks); n != 1 && !(n == 0 && c.Code == OpFunc) {
			c.fail("", "%s has %d blocks instead of 1", c.regionName(i), n)
			ok = false
		}
	}
	return ok
}

// constraints runs the check of the op's row and compares the results it infers
// with the declared ones.
func (c *check) constraints() {
	if f := checkOf(c.Code); f != nil {
		f(c)
	}
	if c.failed || c.inferred == nil {
		return
	}
	declared := valueTypes(c.Results)
	if len(declared) != len(c.inferred) {
		c.fail(c.rule, "has %d results, but the operands determine %d", len(declared), len(c.inferred))
		return
	}
	for i, t := range c.inferred {
		if !compatible(t, declared[i]) {
			c.fail(c.rule, "%s is declared %s, but the operands determine %s", c.resultName(i), declared[i], t)
		}
	}
}

// CheckOp checks one op that has its operands, results and regions: its form and
// its constraints, not the scopes of the values it uses.
func CheckOp(op *Op) error {
	c := newCheck(op, op.Results)
	switch {
	case op.Code == Unregistered:
	case !c.complete():
	case c.form() && c.blocksEnd():
		c.constraints()
	}
	if c.failed {
		return c.err
	}
	return nil
}

// newCheck returns the check of an op, with its results or without, outside of a verifier.
func newCheck(op *Op, results []*Value) *check {
	one := &struct {
		check
		op  Op
		err Error
	}{op: *op}
	one.op.Results = results
	one.check = check{Op: &one.op, info: op.Code.Info(), err: &one.err}
	return &one.check
}

// complete requires that all operands, results and arguments of regions be
// there, with types that make sense.
func (c *check) complete() bool {
	ok := c.typed("operand", c.Operands) && c.typed("result", c.Results)
	for _, r := range c.Regions {
		for _, b := range r.Blocks {
			ok = ok && c.typed("argument of a region", b.Args)
		}
	}
	return ok
}

func (c *check) typed(what string, values []*Value) bool {
	for i, v := range values {
		if v == nil || v.typ == nil {
			c.fail("", "%s %d is missing", what, i)
			return false
		}
		if id, why := typeError(v.typ); why != "" {
			c.fail(id, "%s %d: %s", what, i, why)
			return false
		}
	}
	return true
}

// InferTypes returns the result types of op that follow from its operands,
// attributes and regions, after checking the constraints on those. It is an
// error when they do not determine the results ([ShapedByResult]). The results
// of op are not looked at.
func InferTypes(op *Op) ([]Type, error) {
	c := newCheck(op, nil)
	switch {
	case op.Code == Unregistered || c.info.Traits&ShapedByResult != 0:
		c.fail("", "the operands do not determine the result types; give them")
	case !c.complete():
	case c.inputForm() && c.blocksEnd():
		if f := checkOf(op.Code); f != nil {
			f(c)
		}
	}
	if c.failed {
		return nil, c.err
	}
	if c.inferred == nil && len(c.info.Results) > 0 {
		c.fail("", "the operands do not determine the result types; give them")
		return nil, c.err
	}
	return c.inferred, nil
}

// blocksEnd checks that the regions end with the right op.
func (c *check) blocksEnd() bool {
	v := &verifier{}
	ok := true
	for i, r := range c.Regions {
		for _, b := range r.Blocks {
			ok = v.terminator(c.Op, i, b) && ok
		}
	}
	for _, d := range v.diags {
		c.failed = true
		c.report(c.Op, d)
	}
	return ok
}
