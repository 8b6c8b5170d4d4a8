package stablehlo

import "slices"

// maxConstantBytes bounds the constants that a diagnostic shows.
const maxConstantBytes = 256

// opText returns the op as text without its regions and large constants; only
// its name when a part of it is missing, "" for nil.
func opText(op *Op) string {
	switch {
	case op == nil:
		return ""
	case slices.ContainsFunc(op.Operands, unprintable) || slices.ContainsFunc(op.Results, unprintable):
		return op.Name()
	}
	bare := *op
	bare.Regions = nil
	bare.Attrs = slices.Clone(op.Attrs)
	for i, a := range bare.Attrs {
		e, ok := a.Value.(*ElementsAttr)
		switch {
		case !ok:
		case !elementsFit(e):
			return op.Name()
		case len(e.Data) > maxConstantBytes:
			bare.Attrs[i].Value = OpaqueAttr{"large<" + e.Type.String() + ">"}
		}
	}
	return bare.String()
}

// unprintable reports whether a value has no type that can be written.
func unprintable(v *Value) bool {
	if v == nil || v.typ == nil || nestsTooDeep(v.typ, 0) {
		return true
	}
	_, why := typeError(v.typ)
	return why != ""
}
