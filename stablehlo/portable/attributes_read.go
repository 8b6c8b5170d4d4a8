package portable

import (
	"slices"
	"sort"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// properties are the attributes that an op keeps outside its dictionary.
type properties struct {
	name opName
	body cursor // its reader is nil when the op has no properties
}

// otherProperties lists the properties of ops that are not in the table of ops; "?" marks optional ones.
var otherProperties lazy.Value[map[string]string]

func propertiesOf(op string) string { return otherProperties.Get(listOtherProperties)[op] }

func listOtherProperties() map[string]string {
	return map[string]string{
		"sdy.reshard":             "sharding",
		"sdy.sharding_group":      "group_id",
		"sdy.data_flow_edge":      "sharding?",
		"sdy.propagation_barrier": "allowed_direction",
		"sdy.named_computation":   "in_shardings? name out_shardings?",
		"sdy.all_gather":          "gathering_axes out_sharding",
		"sdy.all_slice":           "out_sharding slicing_axes",
		"sdy.all_to_all":          "out_sharding params",
		"sdy.collective_permute":  "out_sharding",
		"sdy.constant":            "value",
	}
}

// attributes sets the attributes of an op: those of its dictionary, which hold all
// of them in old bytecode, and its properties.
func (r *reader) attributes(c *cursor, at int, op *stablehlo.Op, attrs stablehlo.DictAttr, p properties) {
	full := p.name.dialect + "." + p.name.name
	if p.body.r != nil {
		attrs = append(slices.Clone(attrs), r.readProps(at, op, p, full)...)
	}
	sortByName(attrs)
	for i := 1; i < len(attrs); i++ {
		if attrs[i].Name == attrs[i-1].Name {
			r.failAt(at, "%s has the attribute %q twice", full, attrs[i].Name)
		}
	}
	if o := vhloNamed(full); o != nil {
		v := &upgrade{r: r, at: at, o: o, op: op, attrs: attrs}
		v.run()
		return
	}
	op.Attrs = slices.Clone(attrs)
}

// sortByName sorts attributes by their names.
func sortByName(attrs []stablehlo.NamedAttr) {
	byName := func(a, b stablehlo.NamedAttr) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(attrs, byName) {
		sort.Slice(attrs, func(i, j int) bool { return attrs[i].Name < attrs[j].Name })
	}
}

// readProps reads properties: they are ordered by name; a flag precedes an optional one.
func (r *reader) readProps(at int, op *stablehlo.Op, p properties, full string) (attrs []stablehlo.NamedAttr) {
	c := &p.body
	add := func(name string, a stablehlo.Attr) {
		if a != nil {
			attrs = append(attrs, stablehlo.NamedAttr{Name: name, Value: a})
		}
	}
	o, other := vhloNamed(full), propertiesOf(full)
	switch {
	case o != nil:
		for _, name := range o.attrs {
			add(name, c.attr())
		}
	case !p.name.registered:
		attrs = c.dictAttr()
	case op.Code != stablehlo.Unregistered:
		return r.tableProps(op, p)
	case other != "":
		for _, name := range strings.Fields(other) {
			if base, optional := strings.CutSuffix(name, "?"); optional {
				add(base, c.optionalAttr())
			} else {
				add(name, c.attr())
			}
		}
	default:
		r.failAt(at, "%s is an operation whose properties are not known: "+
			"export the program without the passes of a partitioner or a backend", full)
	}
	c.done("the properties of " + full)
	return attrs
}

// tableProps reads the properties of an op of the table. Dialects without versions get new attributes, all
// optional; an older file does not contain them, without a marker. So when the properties do not fit the
// table, they are read without one of the optional ones.
func (r *reader) tableProps(op *stablehlo.Op, p properties) []stablehlo.NamedAttr {
	info := op.Code.Info()
	attempt := func(without string) (attrs []stablehlo.NamedAttr, err error) {
		defer r.recover(&err)
		c := p.body
		for _, spec := range info.Attrs {
			var a stablehlo.Attr
			switch {
			case spec.Name == without:
			case spec.Optional:
				a = c.optionalAttr()
			default:
				a = c.attr()
			}
			if a != nil {
				attrs = append(attrs, stablehlo.NamedAttr{Name: spec.Name, Value: a})
			}
		}
		if info.Traits&stablehlo.Segments != 0 && r.Container >= nativeSegmentSizes {
			for i, groups := range [][]stablehlo.ValueSpec{info.Operands, info.Results} {
				if len(groups) > 1 {
					sizes := stablehlo.IntsAttr{Elem: dtype.S32, Values: c.sparse(len(groups))}
					attrs = append(attrs, stablehlo.NamedAttr{Name: segmentNames[i], Value: sizes})
				}
			}
		}
		c.done("the properties of " + op.Name())
		return attrs, nil
	}
	depth := r.depth
	attrs, err := attempt("")
	if err == nil {
		return attrs
	}
	for _, spec := range info.Attrs {
		r.depth = depth
		if !spec.Optional {
			continue
		}
		if attrs, err := attempt(spec.Name); err == nil {
			return attrs
		}
	}
	panic(failure{err.(*Error)})
}

// segmentNames are the attributes with the sizes of groups of operands and results.
var segmentNames = [2]string{"operandSegmentSizes", "resultSegmentSizes"}

// sparse reads n integers, whose zeros may be omitted.
func (c *cursor) sparse(n int) []int64 {
	out := make([]int64, n)
	at := c.off
	k, sparse := c.flagged()
	if k > uint64(n) || !sparse && k != uint64(n) {
		c.r.failAt(at, "%d sizes of %d groups", k, n)
	}
	if !sparse {
		for i := range out {
			out[i] = int64(c.varint())
		}
		return out
	}
	if k == 0 {
		return out
	}
	width := c.varint()
	if width > 8 {
		c.fail("sizes of groups with indices of %d bits", width)
	}
	for range k {
		v := c.varint()
		i := v & (1<<width - 1)
		if i >= uint64(n) {
			c.fail("the size of group %d of %d", i, n)
		}
		out[i] = int64(v >> width)
	}
	return out
}
