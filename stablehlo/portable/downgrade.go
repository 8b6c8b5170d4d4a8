package portable

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// vhloName returns the name of an op in VHLO without its version, "" when the op is not in VHLO.
func vhloName(code stablehlo.OpCode) string {
	switch code {
	case stablehlo.OpFunc:
		return "func"
	case stablehlo.OpCall:
		return "call"
	case stablehlo.OpFuncReturn, stablehlo.OpReturn:
		return "return"
	case stablehlo.Unregistered:
		return ""
	}
	dialect, name, _ := strings.Cut(code.String(), ".")
	if dialect != "stablehlo" || vhloVersions(name) == nil {
		return ""
	}
	return name
}

// downgrade returns the op in the version of the target, with all attributes of that version: structured
// attributes split into several, absent ones with their default. An attribute that is not in the version must
// have its default.
func (w *writer) downgrade(op *stablehlo.Op) (*vhloOp, []stablehlo.NamedAttr) {
	versions := vhloVersions(vhloName(op.Code))
	current := versions[len(versions)-1]
	i := slices.IndexFunc(versions, func(o *vhloOp) bool { return o.in(w.target) })
	if i < 0 {
		w.since(versions[0].first, "the operation")
		w.fail("no version of StableHLO from %s on supports the operation", w.target)
	}
	version := versions[i]
	w.constraints(op)
	var attrs []stablehlo.NamedAttr
	add := func(name string, a stablehlo.Attr) { attrs = append(attrs, stablehlo.NamedAttr{Name: name, Value: a}) }
	for _, a := range w.current(op, current) {
		switch {
		case !slices.Contains(current.attrs, a.Name), slices.Contains(version.attrs, a.Name):
			add(a.Name, a.Value)
		case !w.isAbsent(op, a):
			w.fail("the attribute %s = %s is new in StableHLO %s, which %s does not have",
				a.Name, a.Value, firstWith(versions, a.Name), w.target)
		}
	}
	if version.name == "dynamic_conv" && version.number == 1 {
		add("padding", zeroPadding(op.Operands[0].Tensor().Rank()-2)) // the operand counts
	}
	sortByName(attrs)
	return version, attrs
}

// firstWith returns the first version whose op has the attribute.
func firstWith(versions []*vhloOp, name string) stablehlo.Version {
	for _, o := range versions {
		if slices.Contains(o.attrs, name) {
			return o.first
		}
	}
	return stablehlo.Current()
}

// isAbsent reports whether a new attribute has the same meaning as its absence.
func (w *writer) isAbsent(op *stablehlo.Op, a stablehlo.NamedAttr) bool {
	switch v := a.Value.(type) {
	case stablehlo.TypeAttr:
		return v.Type == (stablehlo.NoneType{})
	case stablehlo.IntsAttr:
		return len(v.Values) == 0
	case *stablehlo.ElementsAttr:
		return v.Len() == 0
	}
	return isDefault(op, a.Name, a.Value)
}

// constraints checks the constraints of old versions of an op.
func (w *writer) constraints(op *stablehlo.Op) {
	switch op.Code {
	case stablehlo.OpAllGather, stablehlo.OpAllToAll, stablehlo.OpAllReduce:
		if len(op.Operands) != 1 {
			w.since(stablehlo.Version{Major: 1, Minor: 5}, "more than one operand")
		}
	case stablehlo.OpCollectiveBroadcast:
		if len(op.Operands) != 1 {
			w.since(stablehlo.Version{Major: 1, Minor: 20}, "more than one operand")
		}
	case stablehlo.OpComposite:
		if len(op.Regions) > 0 {
			w.since(stablehlo.Version{Major: 1, Minor: 14}, "a region")
		}
	case stablehlo.OpCustomCall:
		if _, ok := op.Attr("backend_config").(stablehlo.DictAttr); ok {
			w.since(stablehlo.Version{Major: 1, Minor: 3}, "a dictionary as backend_config")
		}
		if op.Int("api_version", 1) == typedFFI {
			w.since(stablehlo.Version{Major: 1, Minor: 3}, "api_version = 4")
		}
		for _, v := range op.Operands {
			if _, ok := v.Type().(*stablehlo.FutureType); ok {
				w.since(stablehlo.Version{Major: 1, Minor: 17}, "an operand of type "+v.Type().String())
			}
		}
	}
	switch op.Code {
	case stablehlo.OpAllReduce, stablehlo.OpReduce, stablehlo.OpReduceScatter, stablehlo.OpReduceWindow,
		stablehlo.OpScatter, stablehlo.OpSelectAndScatter:
		for i := range min(len(op.Operands), len(op.Results)) {
			x, y := op.Operands[i].Tensor(), op.Results[i].Tensor()
			if x != nil && y != nil && !stablehlo.SameType(x.Elem, y.Elem) {
				w.since(stablehlo.Version{Minor: 17}, "a result whose elements are not those of the operand")
			}
		}
	}
}

// current returns the attributes of the current version of an op.
func (w *writer) current(op *stablehlo.Op, o *vhloOp) []stablehlo.NamedAttr {
	var out []stablehlo.NamedAttr
	add := func(name string, a stablehlo.Attr) { out = append(out, stablehlo.NamedAttr{Name: name, Value: a}) }
	ints := func(name string, v []int64) { add(name, stablehlo.I64s(v...)) }
	number := func(name string, v int64) { add(name, stablehlo.I64(v)) }
	info := op.Code.Info()
	for _, a := range op.Attrs {
		switch v := a.Value.(type) {
		case *stablehlo.ConvDims:
			number("input_batch_dimension", v.InputBatch)
			number("input_feature_dimension", v.InputFeature)
			ints("input_spatial_dimensions", v.InputSpatial)
			number("kernel_input_feature_dimension", v.KernelInputFeature)
			number("kernel_output_feature_dimension", v.KernelOutputFeature)
			ints("kernel_spatial_dimensions", v.KernelSpatial)
			number("output_batch_dimension", v.OutputBatch)
			number("output_feature_dimension", v.OutputFeature)
			ints("output_spatial_dimensions", v.OutputSpatial)
			continue
		case *stablehlo.DotDims:
			ints("lhs_batching_dimensions", v.LHSBatching)
			ints("rhs_batching_dimensions", v.RHSBatching)
			ints("lhs_contracting_dimensions", v.LHSContracting)
			ints("rhs_contracting_dimensions", v.RHSContracting)
			continue
		case *stablehlo.DotAlgorithm:
			add("lhs_precision_type", stablehlo.TypeAttr{Type: v.LHSPrecision})
			add("rhs_precision_type", stablehlo.TypeAttr{Type: v.RHSPrecision})
			add("accumulation_type", stablehlo.TypeAttr{Type: v.Accumulation})
			number("lhs_component_count", v.LHSComponents)
			number("rhs_component_count", v.RHSComponents)
			number("num_primitive_operations", v.PrimitiveOperations)
			add("allow_imprecise_accumulation", stablehlo.BoolAttr(v.AllowImprecise))
			continue
		case *stablehlo.GatherDims:
			ints("offset_dims", v.OffsetDims)
			ints("collapsed_slice_dims", v.CollapsedSliceDims)
			ints("operand_batching_dims", v.OperandBatchingDims)
			ints("start_indices_batching_dims", v.StartIndicesBatching)
			ints("start_index_map", v.StartIndexMap)
			number("index_vector_dim", v.IndexVectorDim)
			continue
		case *stablehlo.ScatterDims:
			ints("update_window_dims", v.UpdateWindowDims)
			ints("inserted_window_dims", v.InsertedWindowDims)
			ints("input_batching_dims", v.InputBatchingDims)
			ints("scatter_indices_batching_dims", v.ScatterIndicesBatching)
			ints("scatter_dims_to_operand_dims", v.ScatterDimsToOperandDims)
			number("index_vector_dim", v.IndexVectorDim)
			continue
		case *stablehlo.ChannelHandle:
			number("channel_id", v.Handle)
			if slices.Contains(o.attrs, "channel_type") {
				number("channel_type", v.Type)
			}
			continue
		case stablehlo.UnitAttr:
			if spec := info.Attr(a.Name); spec != nil && slices.Contains(o.attrs, a.Name) {
				add(a.Name, stablehlo.BoolAttr(true))
				continue
			}
		case stablehlo.IntAttr:
			if a.Name == "api_version" && op.Code == stablehlo.OpCustomCall {
				add(a.Name, w.apiVersion(v))
				continue
			}
		}
		add(a.Name, a.Value)
	}
	for _, name := range o.attrs {
		if slices.ContainsFunc(out, func(a stablehlo.NamedAttr) bool { return a.Name == name }) {
			continue
		}
		switch {
		case slices.Contains(algorithmParts, name):
			add(name, stablehlo.TypeAttr{Type: stablehlo.NoneType{}})
		case name == "channel_id":
			number(name, 0)
		case name == "api_version":
			add(name, w.apiVersion(stablehlo.I32(1)))
		default:
			a := defaultOf(op, name)
			if a == nil {
				w.fail("attribute %s is missing", name)
			}
			add(name, a)
		}
	}
	return out
}

// apiVersionKind marks the version of the interface of a custom call, which is an
// enumeration in VHLO.
const apiVersionKind = "api_version"

func (w *writer) apiVersion(v stablehlo.IntAttr) stablehlo.Attr {
	if v.Value < 0 || v.Value >= apiVersions {
		w.fail("VHLO has no api_version = %d", v.Value)
	}
	return stablehlo.EnumAttr{Dialect: "vhlo", Kind: apiVersionKind, Value: string(rune('0' + v.Value))}
}
