package portable

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// typedFFI is the version of the interface of custom calls whose configuration is a
// dictionary.
const typedFFI = 4

// defaultOf returns the meaning of an absent attribute of the op in the form of StableHLO, nil if there is
// none. VHLO has no absent attributes.
func defaultOf(op *stablehlo.Op, name string) stablehlo.Attr {
	switch name {
	case "sym_visibility", "infeed_config", "outfeed_config":
		return stablehlo.StringAttr("")
	case "backend_config":
		if op.Int("api_version", 1) == typedFFI {
			return stablehlo.DictAttr{}
		}
		return stablehlo.StringAttr("")
	case "arg_attrs", "res_attrs", "called_computations", "operand_layouts", "result_layouts",
		"output_operand_aliases", "result_tilings", "layout":
		return stablehlo.ArrayAttr{}
	case "use_global_device_ids", "has_dynamic_root", "has_side_effect", "indices_are_sorted",
		"unique_indices", "is_host_transfer", "is_stable":
		return stablehlo.BoolAttr(false)
	case "lower":
		if op.Code == stablehlo.OpCholesky { // stablehlo.triangular_solve always has it
			return stablehlo.BoolAttr(false)
		}
	case "compare_type":
		return stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: "NOTYPE"}
	case "version":
		return stablehlo.I64(0) // StableHLO has i32, but its own writer uses i64
	case "composite_attributes":
		return stablehlo.DictAttr{}
	case "api_version":
		return stablehlo.I32(1)
	case "result_accuracy":
		return &stablehlo.ResultAccuracy{
			Mode: stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "result_accuracy_mode", Value: "DEFAULT"},
		}
	case "known_expanding_dimensions", "known_nonexpanding_dimensions":
		return stablehlo.I64s()
	case "source_target_pairs":
		if op.Code == stablehlo.OpSend || op.Code == stablehlo.OpRecv {
			return &stablehlo.ElementsAttr{Type: stablehlo.Tensor(dtype.S64, 0)}
		}
	case "precision_config":
		e := stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "precision", Value: "DEFAULT"}
		return stablehlo.ArrayAttr{e, e}
	case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
		return stablehlo.IntsAttr{Elem: dtype.S64, Values: slices.Repeat([]int64{1}, windowRank(op))}
	case "window_reversal":
		return stablehlo.IntsAttr{Elem: dtype.Bool, Values: make([]int64, windowRank(op))}
	case "padding":
		if op.Code != stablehlo.OpPad {
			return zeroPadding(windowRank(op))
		}
	case "dimension":
		if op.Code == stablehlo.OpSort {
			return stablehlo.I64(-1)
		}
	}
	return nil
}

// windowRank returns the number of dimensions of the op's window.
func windowRank(op *stablehlo.Op) int {
	if d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims); ok {
		return len(d.InputSpatial)
	}
	w, _ := op.Attr("window_dimensions").(stablehlo.IntsAttr)
	return len(w.Values)
}

// zeroPadding returns the padding of a window without padding.
func zeroPadding(rank int) *stablehlo.ElementsAttr {
	a, _ := stablehlo.Full(stablehlo.Tensor(dtype.S64, int64(rank), 2), 0) // fails for no s64
	if rank == 0 {
		a.Data, a.Splat = nil, false
	}
	return a
}

// isDefault reports whether an attribute has the value that an absent one has, and
// so is left out. A list for each of no dimensions is kept, as StableHLO's own
// reader keeps it.
func isDefault(op *stablehlo.Op, name string, a stablehlo.Attr) bool {
	switch v := a.(type) {
	case stablehlo.IntsAttr:
		switch name {
		case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
			return len(v.Values) > 0 && !slices.ContainsFunc(v.Values, func(x int64) bool { return x != 1 })
		case "window_reversal":
			return len(v.Values) > 0 && !slices.ContainsFunc(v.Values, func(x int64) bool { return x != 0 })
		}
	case *stablehlo.ElementsAttr:
		if name == "padding" {
			n, _ := v.Type.NumElems()
			return n > 0 && v.Splat && !slices.ContainsFunc(v.Data, func(b byte) bool { return b != 0 })
		}
	case stablehlo.ArrayAttr:
		if name == "precision_config" {
			d := defaultOf(op, name).(stablehlo.ArrayAttr)[0]
			return !slices.ContainsFunc(v, func(e stablehlo.Attr) bool { return e != d })
		}
	case stablehlo.DictAttr:
		if name == "backend_config" {
			return len(v) == 0
		}
	case stablehlo.StringAttr:
		if name == "backend_config" {
			return v == ""
		}
	case stablehlo.IntAttr:
		if name == "version" {
			return v.Value == 0
		}
	}
	d := defaultOf(op, name)
	return d != nil && stablehlo.SameAttr(a, d)
}
