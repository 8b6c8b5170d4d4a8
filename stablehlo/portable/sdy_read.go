package portable

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// The codes of the attributes of the sharding dialect, sdy.
const (
	sdyManualAxes = iota
	sdyMeshAxis
	sdyMesh
	sdySubAxis
	sdyAxisRef
	sdyDimSharding
	sdySharding
	sdyPerValue
	sdyDimMapping
	sdyTensorMapping
	sdyRule
	sdyAxisRefs
	sdyAxisRefLists
	sdyAllToAll
	sdyAllToAlls
	sdyShardingUnreduced // with axes that are unreduced
	sdyPerValueUnreduced
	sdyShardingReduced // with axes that are reduced
)

// sdyReductions are the reductions of unreduced axes as text has them.
var sdyReductions = [...]string{"", "max", "min"}

// sdyFactors are the lists of factors of a rule of shardings, in order.
var sdyFactors = [...]string{"reduction", "need_replication", "permutation", "blocked_propagation"}

// sdyAttr reads an attribute of the sharding dialect as its text. Those that are only
// parts of others carry their names, too: sdy<axis_ref"x">.
func (r *reader) sdyAttr(c *cursor) string {
	code := c.varint()
	text := c.sdyBody(code)
	if i := strings.IndexByte(text, '<'); i > 0 && !strings.ContainsAny(text[:i], `"[({=`) {
		return "sdy." + text
	}
	return "sdy<" + text + ">"
}

// sdyBody reads an attribute as its name and its arguments.
func (c *cursor) sdyBody(code uint64) string {
	switch code {
	case sdyManualAxes:
		var axes []string
		for _, a := range c.attrs() {
			s, ok := a.(stablehlo.StringAttr)
			if !ok {
				c.fail("an axis must be a string")
			}
			axes = append(axes, s.String())
		}
		return "manual_axes{" + strings.Join(axes, ", ") + "}"
	case sdyMeshAxis:
		name := stablehlo.StringAttr(c.str()).String()
		return fmt.Sprintf("mesh_axis%s=%d", name, c.svarint())
	case sdyMesh:
		text := "mesh<[" + c.sdyParts("mesh_axis") + "]"
		if ids := c.svarints(); len(ids) > 0 {
			text += ", device_ids=" + strings.ReplaceAll(fmt.Sprint(ids), " ", ", ")
		}
		return text + ">"
	case sdySubAxis:
		pre := c.svarint()
		return fmt.Sprintf("sub_axis_info(%d)%d", pre, c.svarint())
	case sdyAxisRef:
		text := "axis_ref" + stablehlo.StringAttr(c.str()).String()
		if a := c.optionalAttr(); a != nil {
			text += ":" + c.sdyPart(a, "sub_axis_info")
		}
		return text
	case sdyDimSharding:
		return "dimension_sharding" + c.dimensionSharding()
	case sdySharding:
		return "sharding<" + c.sharding() + ">"
	case sdyShardingUnreduced:
		return "sharding<" + c.sharding() + c.sdyAxes("unreduced=") + ">"
	case sdyShardingReduced:
		text, axes := c.sharding(), c.sdyAxes("unreduced=")
		op := c.svarint()
		if op < 0 || op >= int64(len(sdyReductions)) {
			c.fail("there is no reduction %d", op)
		}
		return "sharding<" + text + strings.Replace(axes, "=", "="+sdyReductions[op], 1) + ">"
	case sdyPerValue, sdyPerValueUnreduced:
		return "sharding_per_value<[" + c.sdyParts("sharding") + "]>"
	case sdyDimMapping:
		return "dim_mapping" + c.sdySymbols("")
	case sdyTensorMapping:
		return "tensor_mapping[" + c.sdyParts("dim_mapping") + "]"
	case sdyRule:
		return "op_sharding_rule<" + c.sdyRule() + ">"
	case sdyAxisRefs:
		return "axis_ref_list{" + c.sdyParts("axis_ref") + "}"
	case sdyAxisRefLists:
		return "list_of_axis_ref_lists[" + c.sdyParts("axis_ref_list") + "]"
	case sdyAllToAll:
		text := "all_to_all_param{" + c.sdyParts("axis_ref") + "}"
		from := c.svarint()
		return fmt.Sprintf("%s:%d->%d", text, from, c.svarint())
	case sdyAllToAlls:
		return "all_to_all_param_list[" + c.sdyParts("all_to_all_param") + "]"
	default:
		c.fail("the attribute with code %d of the dialect sdy is not supported", code)
		return ""
	}
}

// sharding reads the mesh, the shardings of dimensions and the replicated axes.
func (c *cursor) sharding() string {
	var mesh string
	switch a := c.attr().(type) {
	case stablehlo.SymbolAttr:
		mesh = a.String()
	case stablehlo.OpaqueAttr:
		mesh = "mesh" + c.sdyPart(a, "mesh")
	default:
		c.fail("the mesh of a sharding must be a symbol or a mesh")
	}
	return mesh + ", [" + c.sdyParts("dimension_sharding") + "]" + c.sdyAxes("replicated=")
}

func (c *cursor) dimensionSharding() string {
	text := "{" + c.sdyParts("axis_ref")
	if c.byte() == 0 { // open
		if len(text) > 1 {
			text += ", "
		}
		text += "?"
	}
	text += "}"
	if priority, ok := c.flagged(); ok {
		text += "p" + strconv.FormatUint(priority, 10)
	}
	return text
}

// sdyRule reads how the dimensions of operands and results belong together.
func (c *cursor) sdyRule() string {
	sizes := c.svarints()
	text := "(" + c.sdyParts("tensor_mapping") + ")->"
	text += "(" + c.sdyParts("tensor_mapping") + ")"
	for i, size := range sizes {
		sep := ", "
		if i == 0 {
			sep = " {"
		}
		text += fmt.Sprintf("%s%s=%d", sep, sdySymbol(int64(i)), size)
	}
	if len(sizes) > 0 {
		text += "}"
	}
	for _, name := range sdyFactors {
		if list := c.sdySymbols(", "); list != "" {
			text += " " + name + "={" + list + "}"
		}
	}
	if c.byte() != 0 {
		text += ", custom"
	}
	return text
}

// sdySymbols reads numbers of factors.
func (c *cursor) sdySymbols(separator string) string {
	var list []string
	for _, i := range c.svarints() {
		if i < 0 {
			c.fail("there is no factor %d", i)
		}
		list = append(list, sdySymbol(i))
	}
	return strings.Join(list, separator)
}

// sdySymbol names a factor: i, j, … z, z_1, z_2, …
func sdySymbol(i int64) string {
	if i <= 'z'-'i' {
		return string(rune('i' + i))
	}
	return "z_" + strconv.FormatInt(i-('z'-'i'), 10)
}

// sdyAxes reads a list of axes, which has a name where it is not empty.
func (c *cursor) sdyAxes(name string) string {
	if axes := c.sdyParts("axis_ref"); axes != "" {
		return ", " + name + "{" + axes + "}"
	}
	return ""
}

// sdyParts reads references to attributes of a kind and lists their texts.
func (c *cursor) sdyParts(kind string) string {
	var parts []string
	for _, a := range c.attrs() {
		parts = append(parts, c.sdyPart(a, kind))
	}
	return strings.Join(parts, ", ")
}

// sdyPart returns the text of an attribute of a kind without its name. The text
// is copied, which counts.
func (c *cursor) sdyPart(a stablehlo.Attr, kind string) string {
	o, _ := a.(stablehlo.OpaqueAttr)
	text, ok := strings.CutPrefix(o.Text, "sdy."+kind)
	if part, bare := strings.CutPrefix(o.Text, "sdy<"+kind); bare {
		text, ok = strings.CutSuffix(part, ">")
	}
	if !ok {
		c.fail("the attribute must be a %s of the dialect sdy", kind)
	}
	c.r.size += len(text)
	return text
}
