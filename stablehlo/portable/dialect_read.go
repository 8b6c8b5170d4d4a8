package portable

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// The attributes and types of the dialects that are kept beside VHLO, and of
// StableHLO itself in bytecode that is no portable artifact.

// stablehloEnums are the enumerations of StableHLO by their codes.
var stablehloEnums = map[uint64]vhloEnum{
	2: {name: "comparison_direction"}, 3: {name: "comparison_type"}, 6: {name: "fft_type"}, 8: {name: "precision"},
	9: {name: "rng_algorithm"}, 10: {name: "rng_distribution", first: 1}, 12: {name: "transpose"},
	16: {name: "result_accuracy_mode"},
}

// stablehloAttr reads an attribute of StableHLO.
func (r *reader) stablehloAttr(c *cursor) stablehlo.Attr {
	at := c.off
	code := c.varint()
	if e, ok := stablehloEnums[code]; ok {
		return c.enum("stablehlo", e.name, e.first)
	}
	switch code {
	case 1:
		a := &stablehlo.ChannelHandle{Handle: c.svarint()}
		a.Type = c.svarint()
		return a
	case 4:
		a := &stablehlo.ConvDims{InputBatch: c.svarint()}
		a.InputFeature, a.InputSpatial = c.svarint(), c.svarints()
		a.KernelInputFeature, a.KernelOutputFeature, a.KernelSpatial = c.svarint(), c.svarint(), c.svarints()
		a.OutputBatch, a.OutputFeature, a.OutputSpatial = c.svarint(), c.svarint(), c.svarints()
		return a
	case 5:
		a := &stablehlo.DotDims{LHSBatching: c.svarints()}
		a.RHSBatching, a.LHSContracting, a.RHSContracting = c.svarints(), c.svarints(), c.svarints()
		return a
	case 7:
		a := &stablehlo.GatherDims{OffsetDims: c.svarints()}
		a.CollapsedSliceDims, a.OperandBatchingDims = c.svarints(), c.svarints()
		a.StartIndicesBatching, a.StartIndexMap, a.IndexVectorDim = c.svarints(), c.svarints(), c.svarint()
		return a
	case 11:
		a := &stablehlo.ScatterDims{UpdateWindowDims: c.svarints()}
		a.InsertedWindowDims, a.InputBatchingDims = c.svarints(), c.svarints()
		a.ScatterIndicesBatching, a.ScatterDimsToOperandDims, a.IndexVectorDim = c.svarints(), c.svarints(), c.svarint()
		return a
	case 13:
		return c.bounds()
	case 14:
		a := &stablehlo.OutputOperandAlias{OutputTupleIndices: c.svarints()}
		a.OperandIndex, a.OperandTupleIndices = c.svarint(), c.svarints()
		return a
	case 15:
		a := &stablehlo.DotAlgorithm{LHSPrecision: c.typ()}
		a.RHSPrecision, a.Accumulation = c.typ(), c.typ()
		a.LHSComponents, a.RHSComponents, a.PrimitiveOperations = c.svarint(), c.svarint(), c.svarint()
		a.AllowImprecise = c.byte() != 0
		return a
	case 17:
		a := &stablehlo.ResultAccuracy{ATol: c.float64()}
		a.RTol, a.ULPs = c.float64(), c.svarint()
		a.Mode, _ = c.attr().(stablehlo.EnumAttr)
		return a
	case 18:
		a := &stablehlo.ReplicaGroupMeshAxes{Mesh: c.attr()}
		a.Axes = c.attrs()
		return a
	case 19:
		pre := c.svarint()
		return stablehlo.I64s(pre, c.svarint())
	case 20:
		a := &stablehlo.AxisRef{Name: c.str()}
		if c.byte() != 0 {
			a.PreSize, a.Size = c.subAxis(c.attr())
		}
		return a
	case 21:
		a := &stablehlo.MeshAxis{Name: c.str()}
		a.Size = c.svarint()
		return a
	case 22:
		a := &stablehlo.Mesh{Axes: c.array()}
		if c.byte() != 0 {
			a.DeviceIDs = c.attr()
		}
		return a
	}
	r.failAt(at, "an attribute with the code %d of StableHLO, which is not read", code)
	return nil
}

// stablehloType reads a type of StableHLO.
func (r *reader) stablehloType(c *cursor) stablehlo.Type {
	switch code := c.varint(); code {
	case 0:
		return stablehlo.TokenType{}
	case 1:
		return &stablehlo.FutureType{Elems: c.types()}
	default:
		c.fail("a type with the code %d of StableHLO, which is not read", code)
		return nil
	}
}

// chloAttr reads an attribute of CHLO; all but two are kept as text.
func (r *reader) chloAttr(c *cursor) stablehlo.Attr {
	switch code := c.varint(); code {
	case 0:
		return c.enum("chlo", "comparison_direction", 0)
	case 1:
		return c.enum("chlo", "comparison_type", 0)
	default:
		c.fail("an attribute with the code %d of CHLO, which is not read", code)
		return nil
	}
}

// sdyAttr reads an attribute of the sharding dialect as its text. Parts of others
// carry their names: sdy<axis_ref"x">.
func (r *reader) sdyAttr(c *cursor) string {
	code := c.varint()
	if code == 0 {
		var axes []string
		for _, a := range c.attrs() {
			s, ok := a.(stablehlo.StringAttr)
			if !ok {
				c.fail("an axis must be a string")
			}
			axes = append(axes, strconv.Quote(string(s)))
		}
		return "sdy<manual_axes{" + strings.Join(axes, ", ") + "}>"
	}
	text := r.namedSdyAttr(c, code)
	switch code {
	case 1, 3, 4, 5: // without brackets of their own
		return "sdy<" + text + ">"
	}
	return "sdy." + text
}

// namedSdyAttr reads an attribute that is written with its name.
func (r *reader) namedSdyAttr(c *cursor, code uint64) string {
	switch code {
	case 1:
		name := c.str()
		return fmt.Sprintf("mesh_axis%q=%d", name, c.svarint())
	case 2:
		text := "mesh<[" + c.sdyParts("mesh_axis") + "]"
		if ids := c.svarints(); len(ids) > 0 {
			text += ", device_ids=" + strings.ReplaceAll(fmt.Sprint(ids), " ", ", ")
		}
		return text + ">"
	case 3:
		pre := c.svarint()
		return fmt.Sprintf("sub_axis_info(%d)%d", pre, c.svarint())
	case 4:
		text := "axis_ref" + strconv.Quote(c.str())
		if a := c.optionalAttr(); a != nil {
			text += ":" + c.sdyPart(a, "sub_axis_info")
		}
		return text
	case 5:
		return "dimension_sharding" + c.dimensionSharding()
	case 6:
		return "sharding<" + c.sharding() + ">"
	case 15:
		return "sharding<" + c.sharding() + c.sdyAxes("unreduced=") + ">"
	case 17:
		text, axes := c.sharding(), c.sdyAxes("unreduced=")
		op := c.svarint()
		if op < 0 || op > 2 {
			c.fail("there is no reduction %d", op)
		}
		return "sharding<" + text + strings.Replace(axes, "=", "="+[]string{"", "max", "min"}[op], 1) + ">"
	case 7, 16:
		return "sharding_per_value<[" + c.sdyParts("sharding") + "]>"
	default:
		c.fail("an attribute with the code %d of the dialect sdy, which is not read", code)
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
