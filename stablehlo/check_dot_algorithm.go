package stablehlo

import "github.com/go-nx/nx/dtype"

// knownAlgorithms are the combinations of precisions that some hardware has:
// operands and accumulation, and how many products make up one.
var knownAlgorithms = map[dotAlgorithmKey]bool{
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

type dotAlgorithmKey struct {
	operands, accumulation string
	products               int64
}

// dotAlgorithm checks an algorithm of dot_general by itself.
func (c *check) dotAlgorithm(a *DotAlgorithm) bool {
	ok := c.require(a.LHSComponents > 0, "dot_general_c22", "lhs_component_count is %d; it must be positive", a.LHSComponents)
	ok = c.require(a.RHSComponents > 0, "dot_general_c23", "rhs_component_count is %d; it must be positive", a.RHSComponents) && ok
	ok = c.require(a.PrimitiveOperations > 0, "dot_general_c24", "num_primitive_operations is %d; it must be positive", a.PrimitiveOperations) && ok
	return ok && c.require(isKnownAlgorithm(a), "", "algorithm: no hardware has this combination")
}

func isKnownAlgorithm(a *DotAlgorithm) bool {
	if a.LHSComponents != 1 || a.RHSComponents != 1 || a.Accumulation == nil {
		return false
	}
	if isF8(a.LHSPrecision) && isF8(a.RHSPrecision) {
		return SameType(a.Accumulation, Scalar(dtype.F32)) && a.PrimitiveOperations == 1
	}
	return !a.AllowImprecise && a.LHSPrecision != nil && SameType(a.LHSPrecision, a.RHSPrecision) &&
		knownAlgorithms[dotAlgorithmKey{precisionName(a.LHSPrecision), precisionName(a.Accumulation), a.PrimitiveOperations}]
}

// precisionName returns the name of a float type; tf32 is one that only
// algorithms have.
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
