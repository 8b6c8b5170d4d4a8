package stablehlo

import "slices"

// The structured attributes of the specification. Each lists its fields once,
// in structAttr.fields; parser, printer and comparison walk that list.
type (
	// DotDims is #stablehlo.dot<…>, the dimension numbers of dot_general.
	DotDims struct {
		LHSBatching, RHSBatching       []int64
		LHSContracting, RHSContracting []int64
	}

	// GatherDims is #stablehlo.gather<…>.
	GatherDims struct {
		OffsetDims           []int64
		CollapsedSliceDims   []int64
		OperandBatchingDims  []int64
		StartIndicesBatching []int64
		StartIndexMap        []int64
		IndexVectorDim       int64
	}

	// ScatterDims is #stablehlo.scatter<…>.
	ScatterDims struct {
		UpdateWindowDims         []int64
		InsertedWindowDims       []int64
		InputBatchingDims        []int64
		ScatterIndicesBatching   []int64
		ScatterDimsToOperandDims []int64
		IndexVectorDim           int64
	}

	// ConvDims is #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>.
	ConvDims struct {
		InputBatch, InputFeature                int64
		InputSpatial                            []int64
		KernelInputFeature, KernelOutputFeature int64
		KernelSpatial                           []int64
		OutputBatch, OutputFeature              int64
		OutputSpatial                           []int64
	}

	// DotAlgorithm is #stablehlo.dot_algorithm<…>.
	DotAlgorithm struct {
		LHSPrecision, RHSPrecision, Accumulation Type
		LHSComponents, RHSComponents             int64
		PrimitiveOperations                      int64
		AllowImprecise                           bool
	}

	// RaggedDotDims is #chlo.ragged_dot<…>.
	RaggedDotDims struct {
		LHSBatching, RHSBatching       []int64
		LHSContracting, RHSContracting []int64
		LHSRagged, RHSGroup            []int64
	}

	// ChannelHandle is #stablehlo.channel_handle<handle = 1, type = 0>.
	ChannelHandle struct{ Handle, Type int64 }

	// OutputOperandAlias is #stablehlo.output_operand_alias<…> of custom_call.
	OutputOperandAlias struct {
		OutputTupleIndices  []int64
		OperandIndex        int64
		OperandTupleIndices []int64
	}

	// ResultAccuracy is #stablehlo.result_accuracy<…>, the requested accuracy of a transcendental function.
	ResultAccuracy struct {
		ATol, RTol float64
		ULPs       int64
		Mode       EnumAttr
	}

	// AxisRef is #stablehlo.axis_ref<name = "x">, or the sub-axis
	// #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2> when Size > 0.
	AxisRef struct {
		Name          string
		PreSize, Size int64
	}

	// MeshAxis is #stablehlo.mesh_axis<name = "x", size = 2>.
	MeshAxis struct {
		Name string
		Size int64
	}

	// Mesh is #stablehlo.mesh<axes = [#stablehlo.mesh_axis<…>]>, a grid of devices
	// with named axes; DeviceIDs is nil when the devices are numbered in order.
	Mesh struct {
		Axes      []Attr
		DeviceIDs Attr
	}

	// ReplicaGroupMeshAxes is #stablehlo.replica_group_mesh_axes<mesh = @m, axes = […]>.
	ReplicaGroupMeshAxes struct {
		Mesh Attr
		Axes []Attr
	}
)

// structAttr is a structured attribute: its dialect, its mnemonic and its fields.
type structAttr interface {
	Attr
	mnemonic() (dialect, name string)
	fields() []field
}

// field is a named part of a structured attribute; at points to the Go field, a
// *[]int64, *int64, *bool, *float64, *Type, *Attr, *[]Attr, *string, *EnumAttr or
// *subAxis.
type field struct {
	name     string
	at       any
	optional bool // may be left out, and is not printed when it holds its zero value
}

// subAxis holds the sizes of an axis as one field.
type subAxis AxisRef

func (*DotDims) isAttr()              {}
func (*GatherDims) isAttr()           {}
func (*ScatterDims) isAttr()          {}
func (*ConvDims) isAttr()             {}
func (*DotAlgorithm) isAttr()         {}
func (*RaggedDotDims) isAttr()        {}
func (*ChannelHandle) isAttr()        {}
func (*OutputOperandAlias) isAttr()   {}
func (*ResultAccuracy) isAttr()       {}
func (*AxisRef) isAttr()              {}
func (*MeshAxis) isAttr()             {}
func (*Mesh) isAttr()                 {}
func (*ReplicaGroupMeshAxes) isAttr() {}

func (*DotDims) mnemonic() (string, string)            { return "stablehlo", "dot" }
func (*GatherDims) mnemonic() (string, string)         { return "stablehlo", "gather" }
func (*ScatterDims) mnemonic() (string, string)        { return "stablehlo", "scatter" }
func (*ConvDims) mnemonic() (string, string)           { return "stablehlo", "conv" }
func (*DotAlgorithm) mnemonic() (string, string)       { return "stablehlo", "dot_algorithm" }
func (*RaggedDotDims) mnemonic() (string, string)      { return "chlo", "ragged_dot" }
func (*ChannelHandle) mnemonic() (string, string)      { return "stablehlo", "channel_handle" }
func (*OutputOperandAlias) mnemonic() (string, string) { return "stablehlo", "output_operand_alias" }
func (*ResultAccuracy) mnemonic() (string, string)     { return "stablehlo", "result_accuracy" }
func (*AxisRef) mnemonic() (string, string)            { return "stablehlo", "axis_ref" }
func (*MeshAxis) mnemonic() (string, string)           { return "stablehlo", "mesh_axis" }
func (*Mesh) mnemonic() (string, string)               { return "stablehlo", "mesh" }
func (*ReplicaGroupMeshAxes) mnemonic() (string, string) {
	return "stablehlo", "replica_group_mesh_axes"
}

func (a *DotDims) fields() []field {
	return []field{
		{"lhs_batching_dimensions", &a.LHSBatching, true},
		{"rhs_batching_dimensions", &a.RHSBatching, true},
		{"lhs_contracting_dimensions", &a.LHSContracting, true},
		{"rhs_contracting_dimensions", &a.RHSContracting, true},
	}
}

func (a *GatherDims) fields() []field {
	return []field{
		{"offset_dims", &a.OffsetDims, true},
		{"collapsed_slice_dims", &a.CollapsedSliceDims, true},
		{"operand_batching_dims", &a.OperandBatchingDims, true},
		{"start_indices_batching_dims", &a.StartIndicesBatching, true},
		{"start_index_map", &a.StartIndexMap, true},
		{"index_vector_dim", &a.IndexVectorDim, true},
	}
}

func (a *ScatterDims) fields() []field {
	return []field{
		{"update_window_dims", &a.UpdateWindowDims, true},
		{"inserted_window_dims", &a.InsertedWindowDims, true},
		{"input_batching_dims", &a.InputBatchingDims, true},
		{"scatter_indices_batching_dims", &a.ScatterIndicesBatching, true},
		{"scatter_dims_to_operand_dims", &a.ScatterDimsToOperandDims, true},
		{"index_vector_dim", &a.IndexVectorDim, true},
	}
}

func (a *ConvDims) fields() []field {
	return []field{
		{"input_batch_dimension", &a.InputBatch, false},
		{"input_feature_dimension", &a.InputFeature, false},
		{"input_spatial_dimensions", &a.InputSpatial, false},
		{"kernel_input_feature_dimension", &a.KernelInputFeature, false},
		{"kernel_output_feature_dimension", &a.KernelOutputFeature, false},
		{"kernel_spatial_dimensions", &a.KernelSpatial, false},
		{"output_batch_dimension", &a.OutputBatch, false},
		{"output_feature_dimension", &a.OutputFeature, false},
		{"output_spatial_dimensions", &a.OutputSpatial, false},
	}
}

func (a *DotAlgorithm) fields() []field {
	return []field{
		{"lhs_precision_type", &a.LHSPrecision, false},
		{"rhs_precision_type", &a.RHSPrecision, false},
		{"accumulation_type", &a.Accumulation, false},
		{"lhs_component_count", &a.LHSComponents, false},
		{"rhs_component_count", &a.RHSComponents, false},
		{"num_primitive_operations", &a.PrimitiveOperations, false},
		{"allow_imprecise_accumulation", &a.AllowImprecise, false},
	}
}

func (a *RaggedDotDims) fields() []field {
	return []field{
		{"lhs_batching_dimensions", &a.LHSBatching, true},
		{"rhs_batching_dimensions", &a.RHSBatching, true},
		{"lhs_contracting_dimensions", &a.LHSContracting, true},
		{"rhs_contracting_dimensions", &a.RHSContracting, true},
		{"lhs_ragged_dimensions", &a.LHSRagged, true},
		{"rhs_group_dimensions", &a.RHSGroup, true},
	}
}

func (a *ChannelHandle) fields() []field {
	return []field{{"handle", &a.Handle, false}, {"type", &a.Type, false}}
}

func (a *OutputOperandAlias) fields() []field {
	return []field{
		{"output_tuple_indices", &a.OutputTupleIndices, false},
		{"operand_index", &a.OperandIndex, false},
		{"operand_tuple_indices", &a.OperandTupleIndices, false},
	}
}

func (a *ResultAccuracy) fields() []field {
	return []field{
		{"atol", &a.ATol, true},
		{"rtol", &a.RTol, true},
		{"ulps", &a.ULPs, true},
		{"mode", &a.Mode, false},
	}
}

func (a *AxisRef) fields() []field {
	return []field{{"name", &a.Name, false}, {"sub_axis_info", (*subAxis)(a), true}}
}

func (a *MeshAxis) fields() []field {
	return []field{{"name", &a.Name, false}, {"size", &a.Size, false}}
}

func (a *Mesh) fields() []field {
	return []field{{"axes", &a.Axes, false}, {"device_ids", &a.DeviceIDs, true}}
}

func (a *ReplicaGroupMeshAxes) fields() []field {
	return []field{{"mesh", &a.Mesh, false}, {"axes", &a.Axes, false}}
}

func sameStruct(a, b structAttr) bool {
	ad, an := a.mnemonic()
	bd, bn := b.mnemonic()
	if ad != bd || an != bn {
		return false
	}
	return slices.EqualFunc(a.fields(), b.fields(), func(f, g field) bool {
		switch x := f.at.(type) {
		case *[]int64:
			return slices.Equal(*x, *g.at.(*[]int64))
		case *int64:
			return *x == *g.at.(*int64)
		case *bool:
			return *x == *g.at.(*bool)
		case *float64:
			return *x == *g.at.(*float64)
		case *string:
			return *x == *g.at.(*string)
		case *Type:
			return SameType(*x, *g.at.(*Type))
		case *Attr:
			return SameAttr(*x, *g.at.(*Attr))
		case *[]Attr:
			return slices.EqualFunc(*x, *g.at.(*[]Attr), SameAttr)
		case *EnumAttr:
			return *x == *g.at.(*EnumAttr)
		case *subAxis:
			return *x == *g.at.(*subAxis)
		}
		return false
	})
}
