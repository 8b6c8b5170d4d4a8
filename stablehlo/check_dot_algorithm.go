package stablehlo

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
)

// knownAlgorithms are the combinations of precisions that some hardware supports: the types of operands and
// accumulation, and the number of primitive operations.
var knownAlgorithms lazy.Value[map[dotAlgorithmKey]bool]

func listAlgorithms() map[dotAlgorithmKey]bool {
	return map[dotAlgorithmKey]bool{
		{"f16", "f16", 1}:   true,
		{"f16", "f32", 1}:   true,
		{"bf16", "bf16", 1}: true,
		{"bf16", "f32", 1}:  true,
		{"bf16", "f32", 3}:  true,
		{"bf16", "f32", 6}:  true,
		{"bf16", "f32", 9}:  true,
		{"tf32", "f32", 1}:  true,
		{"tf32", "f32", 3}:  true,
		{"f32", "f32", 1}:   true,
		{"f64", "f64", 1}:   true,
	}
}

type dotAlgorithmKey struct {
	operands, accumulation string
	products               int64
}

// algorithmError returns the constraint that an algorithm of dot_general breaks
// by itself and why, or "" and "".
func algorithmError(a *DotAlgorithm) (id, why string) {
	switch {
	case a.LHSComponents < 1:
		return "dot_general_c22", fmt.Sprintf("lhs_component_count is %d; it must be positive", a.LHSComponents)
	case a.RHSComponents < 1:
		return "dot_general_c23", fmt.Sprintf("rhs_component_count is %d; it must be positive", a.RHSComponents)
	case a.PrimitiveOperations < 1:
		return "dot_general_c24", fmt.Sprintf("num_primitive_operations is %d; it must be positive",
			a.PrimitiveOperations)
	case !isKnownAlgorithm(a):
		return "", "no known hardware supports this combination"
	}
	return "", ""
}

func isKnownAlgorithm(a *DotAlgorithm) bool {
	if a.LHSComponents != 1 || a.RHSComponents != 1 || a.Accumulation == nil {
		return false
	}
	if isF8(a.LHSPrecision) && isF8(a.RHSPrecision) {
		return SameType(a.Accumulation, Scalar(dtype.F32)) && a.PrimitiveOperations == 1
	}
	return !a.AllowImprecise && a.LHSPrecision != nil && SameType(a.LHSPrecision, a.RHSPrecision) &&
		knownAlgorithms.Get(listAlgorithms)[dotAlgorithmKey{precisionName(a.LHSPrecision),
			precisionName(a.Accumulation), a.PrimitiveOperations}]
}

// precisionName returns the name of a float type; tf32 exists only in algorithms.
func precisionName(t Type) string {
	switch t := t.(type) {
	case Scalar:
		return dtype.Type(t).String()
	case OtherType:
		return t.Text
	}
	return ""
}

func isF8(t Type) bool {
	s, ok := t.(Scalar)
	d := dtype.Type(s)
	return ok && d.IsFloat() && d.Bits() == 8 && d != dtype.F8E8M0FNU
}
