package stablehlo

import "fmt"

// Equal reports whether two modules are the same program: the same ops with the
// same operands, attributes and types in the same order. Names of values and
// locations do not count; an attribute that is absent equals its default.
func Equal(a, b *Module) bool { return Diff(a, b, false) == "" }

// Diff describes the first difference between two modules in the sense of [Equal], and of locations if
// requested; "" when the modules are equal.
func Diff(a, b *Module, locations bool) string {
	c := comparison{values: map[*Value]*Value{}, locations: locations}
	return c.op(a.Op, b.Op)
}

// comparison walks two modules in step.
type comparison struct {
	values    map[*Value]*Value // of a, to those of b
	locations bool
	locs      locTable
}

// op compares two ops.
func (c *comparison) op(a, b *Op) string {
	at := func(what string, x, y any) string {
		return fmt.Sprintf("%s: %s differ: %v and %v", a.Name(), what, x, y)
	}
	switch {
	case a.Name() != b.Name():
		return fmt.Sprintf("%s and %s differ", a.Name(), b.Name())
	case len(a.Operands) != len(b.Operands):
		return at("numbers of operands", len(a.Operands), len(b.Operands))
	case len(a.Results) != len(b.Results):
		return at("numbers of results", len(a.Results), len(b.Results))
	case len(a.Regions) != len(b.Regions):
		return at("numbers of regions", len(a.Regions), len(b.Regions))
	case !c.sameLoc(a.Loc, b.Loc):
		return a.Name() + ": locations differ"
	}
	for i, v := range a.Operands {
		if !c.pair(v, b.Operands[i]) {
			return fmt.Sprintf("%s: operands %d differ", a.Name(), i)
		}
	}
	if d := c.bind(a.Results, b.Results); d != "" {
		return a.Name() + ": result " + d
	}
	if d := diffAttrs(a, b); d != "" {
		return a.Name() + ": " + d
	}
	for i, r := range a.Regions {
		if d := c.region(r, b.Regions[i]); d != "" {
			return d
		}
	}
	return ""
}

// pair notes that two values correspond, or reports that v does to another.
func (c *comparison) pair(v, w *Value) bool {
	if other, ok := c.values[v]; ok {
		return other == w
	}
	c.values[v] = w
	return true
}

// bind pairs values that are defined at the same position.
func (c *comparison) bind(a, b []*Value) string {
	for i, v := range a {
		if !SameType(v.typ, b[i].typ) {
			return fmt.Sprintf("%d: types differ: %s and %s", i, v.typ, b[i].typ)
		}
		if !c.pair(v, b[i]) {
			return fmt.Sprintf("%d is used differently above", i)
		}
	}
	return ""
}

func (c *comparison) region(a, b *Region) string {
	name := a.parent.Name()
	if len(a.Blocks) != len(b.Blocks) {
		return fmt.Sprintf("%s: numbers of blocks differ: %d and %d", name, len(a.Blocks), len(b.Blocks))
	}
	for i, x := range a.Blocks {
		y := b.Blocks[i]
		if len(x.Args) != len(y.Args) || len(x.Ops) != len(y.Ops) {
			return fmt.Sprintf("%s: blocks differ: %d arguments, %d ops and %d arguments, %d ops",
				name, len(x.Args), len(x.Ops), len(y.Args), len(y.Ops))
		}
		if d := c.bind(x.Args, y.Args); d != "" {
			return name + ": argument " + d
		}
		for k, v := range x.Args {
			if !c.sameLoc(v.Loc, y.Args[k].Loc) {
				return fmt.Sprintf("%s: argument %d: locations differ", name, k)
			}
		}
		for k, op := range x.Ops {
			if d := c.op(op, y.Ops[k]); d != "" {
				return d
			}
		}
	}
	return ""
}

func (c *comparison) sameLoc(a, b Location) bool {
	return !c.locations || c.locs.id(a) == c.locs.id(b)
}

// diffAttrs compares the attributes of two ops of the same name.
func diffAttrs(a, b *Op) string {
	info := a.Code.Info()
	x, y := a.Attrs, b.Attrs
	for {
		x, y = skipDefaults(info, x, y), skipDefaults(info, y, x)
		switch {
		case len(x) == 0 && len(y) == 0:
			return ""
		case len(x) == 0 || len(y) > 0 && y[0].Name < x[0].Name:
			return fmt.Sprintf("attribute %s is missing in one", y[0].Name)
		case len(y) == 0 || x[0].Name < y[0].Name:
			return fmt.Sprintf("attribute %s is missing in one", x[0].Name)
		case !SameAttr(x[0].Value, y[0].Value):
			return fmt.Sprintf("attributes %s differ: %s and %s", x[0].Name,
				clip(x[0].Value.String(), 100), clip(y[0].Value.String(), 100))
		}
		x, y = x[1:], y[1:]
	}
}

// skipDefaults drops attributes at the front of x that hold their default and
// are absent in y.
func skipDefaults(info *OpInfo, x, y []NamedAttr) []NamedAttr {
	for len(x) > 0 && (len(y) == 0 || x[0].Name < y[0].Name) {
		spec := info.Attr(x[0].Name)
		if spec == nil || !spec.isDefault(x[0].Value) {
			break
		}
		x = x[1:]
	}
	return x
}
