package portable

import (
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// The attributes and types of the dialects outside of VHLO, and of StableHLO itself in bytecode that is not a
// portable artifact.

// stablehloEnums are the enumerations of StableHLO by their codes.
var stablehloEnums lazy.Value[map[uint64]vhloEnum]

func listEnums() map[uint64]vhloEnum {
	return map[uint64]vhloEnum{
		2: {name: "comparison_direction"}, 3: {name: "comparison_type"}, 6: {name: "fft_type"}, 8: {name: "precision"},
		9: {name: "rng_algorithm"}, 10: {name: "rng_distribution", first: 1}, 12: {name: "transpose"},
		16: {name: "result_accuracy_mode"},
	}
}

// stablehloAttr reads an attribute of StableHLO.
func (r *reader) stablehloAttr(c *cursor) stablehlo.Attr {
	at := c.off
	code := c.varint()
	if e, ok := stablehloEnums.Get(listEnums)[code]; ok {
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
	r.failAt(at, "the attribute with code %d of StableHLO is not supported", code)
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
		c.fail("the type with code %d of StableHLO is not supported", code)
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
		c.fail("the attribute with code %d of CHLO is not supported", code)
		return nil
	}
}
