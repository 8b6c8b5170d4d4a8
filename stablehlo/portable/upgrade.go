package portable

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// upgrade converts the attributes of a version of a VHLO op to those of the StableHLO op. An old version has
// fewer attributes; the missing attributes of StableHLO keep their default, which is absence.
type upgrade struct {
	r     *reader
	at    int
	o     *vhloOp
	op    *stablehlo.Op
	attrs []stablehlo.NamedAttr
}

func (u *upgrade) fail(format string, args ...any) {
	u.r.failAt(u.at, u.o.fullName()+": "+format, args...)
}

func (u *upgrade) run() {
	op := u.op
	if op.Code == stablehlo.OpDynamicConv && u.o.number == 1 {
		u.take("padding") // the operand counts
	}
	u.group()
	info := op.Code.Info()
	for _, a := range u.attrs {
		spec := info.Attr(a.Name)
		if spec == nil || !slices.Contains(u.o.attrs, a.Name) {
			op.SetAttr(a.Name, a.Value) // discardable
			continue
		}
		v := u.convert(spec, a.Value)
		if v != nil && !isDefault(op, a.Name, v) {
			op.SetAttr(a.Name, v)
		}
	}
	if op.Attr("operand_layouts") == nil || op.Attr("result_layouts") == nil {
		u.layouts()
	}
}

// layouts keeps the layouts of operands and results together: when there are only
// some, the others are an empty list.
func (u *upgrade) layouts() {
	if u.op.Code != stablehlo.OpCustomCall {
		return
	}
	in, out := u.op.Attr("operand_layouts"), u.op.Attr("result_layouts")
	switch {
	case in == nil && out != nil:
		u.op.SetAttr("operand_layouts", stablehlo.ArrayAttr{})
	case in != nil && out == nil:
		u.op.SetAttr("result_layouts", stablehlo.ArrayAttr{})
	}
}

// take removes an attribute and returns it, nil when it is absent.
func (u *upgrade) take(name string) stablehlo.Attr {
	for i, a := range u.attrs {
		if a.Name == name {
			u.attrs = slices.Delete(slices.Clone(u.attrs), i, i+1)
			return a.Value
		}
	}
	return nil
}

// ints removes a list of integers.
func (u *upgrade) ints(name string) []int64 {
	a := u.take(name)
	if a == nil && !slices.Contains(u.o.attrs, name) {
		return nil // the version has no such list
	}
	e, ok := a.(*stablehlo.ElementsAttr)
	if !ok || e.Type.Rank() != 1 {
		u.fail("%s must be a list of integers", name)
	}
	return u.int64s(e, name)
}

// int64s returns the elements of a list. A splat stands for many: a list has no
// more elements than dimensions can be, or than the data have bytes.
func (u *upgrade) int64s(e *stablehlo.ElementsAttr, name string) []int64 {
	if n, ok := e.Type.NumElems(); !ok || n > int64(len(u.r.data)) {
		u.fail("%s is a list of %d elements", name, n)
	}
	v := e.Int64s()
	if v == nil {
		u.fail("%s must be a list of integers", name)
	}
	u.r.size += 8 * len(v)
	return v
}

// int removes an integer.
func (u *upgrade) int(name string) int64 {
	i, ok := u.take(name).(stablehlo.IntAttr)
	if !ok {
		u.fail("%s must be an integer", name)
	}
	return i.Value
}

// group makes structured attributes of those that VHLO has instead.
func (u *upgrade) group() {
	op := u.op
	switch op.Code {
	case stablehlo.OpConvolution, stablehlo.OpDynamicConv:
		op.SetAttr("dimension_numbers", &stablehlo.ConvDims{
			InputBatch: u.int("input_batch_dimension"), InputFeature: u.int("input_feature_dimension"),
			InputSpatial:        u.ints("input_spatial_dimensions"),
			KernelInputFeature:  u.int("kernel_input_feature_dimension"),
			KernelOutputFeature: u.int("kernel_output_feature_dimension"),
			KernelSpatial:       u.ints("kernel_spatial_dimensions"),
			OutputBatch:         u.int("output_batch_dimension"), OutputFeature: u.int("output_feature_dimension"),
			OutputSpatial: u.ints("output_spatial_dimensions"),
		})
	case stablehlo.OpDotGeneral:
		op.SetAttr("dot_dimension_numbers", &stablehlo.DotDims{
			LHSBatching: u.ints("lhs_batching_dimensions"), RHSBatching: u.ints("rhs_batching_dimensions"),
			LHSContracting: u.ints("lhs_contracting_dimensions"), RHSContracting: u.ints("rhs_contracting_dimensions"),
		})
		u.algorithm()
	case stablehlo.OpGather, stablehlo.OpDynamicGather:
		op.SetAttr("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims: u.ints("offset_dims"), CollapsedSliceDims: u.ints("collapsed_slice_dims"),
			OperandBatchingDims:  u.ints("operand_batching_dims"),
			StartIndicesBatching: u.ints("start_indices_batching_dims"),
			StartIndexMap:        u.ints("start_index_map"), IndexVectorDim: u.int("index_vector_dim"),
		})
	case stablehlo.OpScatter:
		op.SetAttr("scatter_dimension_numbers", &stablehlo.ScatterDims{
			UpdateWindowDims: u.ints("update_window_dims"), InsertedWindowDims: u.ints("inserted_window_dims"),
			InputBatchingDims:        u.ints("input_batching_dims"),
			ScatterIndicesBatching:   u.ints("scatter_indices_batching_dims"),
			ScatterDimsToOperandDims: u.ints("scatter_dims_to_operand_dims"), IndexVectorDim: u.int("index_vector_dim"),
		})
	case stablehlo.OpSend, stablehlo.OpRecv:
		op.SetAttr("channel_handle", &stablehlo.ChannelHandle{Handle: u.int("channel_id"), Type: u.int("channel_type")})
	default:
		if slices.Contains(u.o.attrs, "channel_id") {
			if id := u.int("channel_id"); id != 0 {
				op.SetAttr("channel_handle", &stablehlo.ChannelHandle{Handle: id})
			}
		}
	}
}

// algorithmParts are the attributes of dot_general that form its algorithm; all are the type none when there
// is no algorithm.
var algorithmParts = []string{
	"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
	"rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation",
}

func (u *upgrade) algorithm() {
	if u.o.number == 1 {
		return
	}
	var parts [7]stablehlo.Attr
	nones := 0
	for i, name := range algorithmParts {
		parts[i] = u.take(name)
		if t, ok := parts[i].(stablehlo.TypeAttr); ok && t.Type == (stablehlo.NoneType{}) {
			nones++
		}
	}
	if nones == len(parts) {
		return
	}
	a := &stablehlo.DotAlgorithm{}
	var ok [7]bool
	for i, to := range []*stablehlo.Type{&a.LHSPrecision, &a.RHSPrecision, &a.Accumulation} {
		var t stablehlo.TypeAttr
		t, ok[i] = parts[i].(stablehlo.TypeAttr)
		*to = t.Type
	}
	for i, to := range []*int64{&a.LHSComponents, &a.RHSComponents, &a.PrimitiveOperations} {
		var n stablehlo.IntAttr
		n, ok[3+i] = parts[3+i].(stablehlo.IntAttr)
		*to = n.Value
	}
	imprecise, isBool := parts[6].(stablehlo.BoolAttr)
	a.AllowImprecise, ok[6] = bool(imprecise), isBool
	if i := slices.Index(ok[:], false); i >= 0 || nones > 0 {
		u.fail("the algorithm is incomplete")
	}
	u.op.SetAttr("algorithm", a)
}

// convert returns an attribute in the form that the op has it in, nil when that is
// to be absent.
func (u *upgrade) convert(spec *stablehlo.AttrSpec, a stablehlo.Attr) stablehlo.Attr {
	switch spec.Kind {
	case stablehlo.AttrInts, stablehlo.AttrBools:
		elem := dtype.S64
		if spec.Kind == stablehlo.AttrBools {
			elem = dtype.Bool
		}
		e, ok := a.(*stablehlo.ElementsAttr)
		if !ok || e.Type.Rank() != 1 || e.Type.DType() != elem {
			u.fail("%s must be a list of %s", spec.Name, elem)
		}
		return stablehlo.IntsAttr{Elem: elem, Values: u.int64s(e, spec.Name)}
	case stablehlo.AttrUnit:
		switch a {
		case stablehlo.BoolAttr(true):
			return stablehlo.UnitAttr{}
		case stablehlo.BoolAttr(false):
			return nil
		}
	case stablehlo.AttrSymbol:
		if s, ok := a.(stablehlo.StringAttr); ok {
			return stablehlo.Symbol(string(s))
		}
	case stablehlo.AttrSymbols:
		list, ok := a.(stablehlo.ArrayAttr)
		if !ok {
			u.fail("%s must be a list of symbols", spec.Name)
		}
		out := make(stablehlo.ArrayAttr, len(list))
		for i, s := range list {
			name, ok := s.(stablehlo.StringAttr)
			if !ok {
				u.fail("%s must be a list of symbols", spec.Name)
			}
			out[i] = stablehlo.Symbol(string(name))
		}
		return out
	}
	return a
}
