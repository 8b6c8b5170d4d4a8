package stablehlo

import (
	"fmt"
	"slices"
	"strings"
)

// identityCalls are the targets of custom_calls that annotate their operands and return them: with a sharding,
// a layout or a memory space.
var identityCalls = []string{
	"LayoutConstraint", "MoveToDevice", "MoveToHost", "SPMDFullToShardShape", "SPMDShardToFullShape", "Sharding",
	"annotate_device_placement", "mhlo.copy", "xla.sdy.FuncResultSharding", "xla.sdy.GlobalToLocalShape",
	"xla.sdy.LocalToGlobalShape",
}

// IsIdentityCall reports whether an op is a custom_call that returns its operands. A call that shards a value
// over several devices does not count.
func IsIdentityCall(op *Op) bool {
	return op.Code == OpCustomCall && slices.Contains(identityCalls, op.Str("call_target_name")) &&
		compatibleTypes(valueTypes(op.Operands), valueTypes(op.Results))
}

// CallOfMHLO returns the custom_call, in no block, that an op is which only MHLO has, nil
// for other ops: @mhlo.NAME with the attributes in mhlo.attributes, the form in which XLA
// takes such ops through StableHLO.
func CallOfMHLO(op *Op) *Op {
	if op.Code != Unregistered || !strings.HasPrefix(op.name, "mhlo.") || len(op.Regions) > 0 {
		return nil
	}
	call := NewOp(OpCustomCall, op.Operands, valueTypes(op.Results), Named("call_target_name", StringAttr(op.name)),
		Named("mhlo.attributes", DictAttr(slices.Clone(op.Attrs))), Named("mhlo.version", I64(1)))
	call.PlaceAt(op)
	return call
}

// KnownCall returns the op that is equivalent to a custom_call of a known target, on the same operands:
// @mhlo.erf is chlo.erf. It is in no block. KnownCall returns nil for others.
func KnownCall(op *Op) *Op {
	if op.Code != OpCustomCall {
		return nil
	}
	name, ok := strings.CutPrefix(op.Str("call_target_name"), "mhlo.")
	if !ok {
		return nil
	}
	attrs, _ := op.Attr("mhlo.attributes").(DictAttr)
	attrs = slices.Clone(attrs)
	code := OpOfMHLO(name)
	if name == "topk" {
		if attrs.Get("largest") == BoolAttr(false) {
			return nil
		}
		code = OpChloTopK
		attrs = slices.DeleteFunc(attrs, func(a NamedAttr) bool { return a.Name == "largest" })
	}
	info := code.Info()
	if code == Unregistered || len(info.Regions) > 0 {
		return nil
	}
	known := NewOp(code, op.Operands, valueTypes(op.Results), attrs...)
	known.PlaceAt(op)
	if CheckOp(known) != nil {
		return nil
	}
	return known
}

// WindowOperands returns the attributes of reduce_window that are operands of a custom_call
// of @stablehlo.dynamic_reduce_window, behind the inputs and their initial values.
func WindowOperands() []string {
	return []string{"window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding"}
}

// CalledComputation returns the single function that a custom_call references.
func CalledComputation(call, module *Op) (Func, error) {
	list, _ := call.Attr("called_computations").(ArrayAttr)
	if len(list) != 1 {
		return Func{}, fmt.Errorf("called_computations must name one function, got %d", len(list))
	}
	name, ok := list[0].(SymbolAttr)
	if !ok || module == nil {
		return Func{}, fmt.Errorf("called_computations must hold functions of the module, got %s", list[0])
	}
	f, ok := (&Module{Op: module}).Func(name.Name)
	if !ok || f.IsDeclaration() {
		return Func{}, fmt.Errorf("there is no function @%s with a body", name.Name)
	}
	return f, nil
}

// callbackTargets are the targets by which JAX calls Python.
var callbackTargets = []string{
	"xla_ffi_partitioned_python_cpu_callback", "xla_ffi_partitioned_python_gpu_callback",
	"xla_ffi_python_cpu_callback", "xla_ffi_python_gpu_callback",
	"xla_python_cpu_callback", "xla_python_gpu_callback",
}

// IsCallback reports whether an op is a custom_call by which JAX calls Python.
func IsCallback(op *Op) bool {
	return op.Code == OpCustomCall && slices.Contains(callbackTargets, op.Str("call_target_name"))
}

// IsSilentCallback reports whether an op is a Python callback that returns only tokens, as jax.debug.print is:
// without Python it has no effect.
func IsSilentCallback(op *Op) bool { return IsCallback(op) && onlyTokens(valueTypes(op.Results)) }

func onlyTokens(types []Type) bool {
	for _, t := range types {
		switch t := t.(type) {
		case TokenType:
		case *TupleType:
			if !onlyTokens(t.Elems) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// SilentCallbacks counts the calls of Python that running a module leaves out.
func SilentCallbacks(m *Module) (n int) {
	for op := range m.Walk() {
		if IsSilentCallback(op) {
			n++
		}
	}
	return n
}
