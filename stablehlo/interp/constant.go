package interp

import "github.com/go-nx/nx/stablehlo"

// evalConstant returns the value attribute; all runs share its bytes.
func evalConstant(f *frame, s *step, _ []Value) ([]Value, error) {
	a, ok := s.op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return nil, faultf(Unsupported, "a constant without an elements attribute")
	}
	t, err := fromElements(a, s.op.Result().Tensor())
	if err != nil {
		return nil, err
	}
	return []Value{t}, nil
}

// fromElements returns the elements of an attribute as a tensor of type t,
// whose element type may be quantised where the attribute holds its storage.
func fromElements(a *stablehlo.ElementsAttr, t *stablehlo.TensorType) (*Tensor, error) {
	if t == nil {
		t = a.Type
	}
	if !a.Splat {
		return NewTensor(t.WithDims(a.Type.Dims...), a.Data)
	}
	r, err := makeTensor(t, a.Type.Dims...)
	if err != nil {
		return nil, err
	}
	fill(r.Data, a.Data)
	return r, nil
}
