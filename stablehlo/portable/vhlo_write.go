package portable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// problem is why something cannot be written for a version; Write recovers it.
type problem struct{ err error }

func (w *writer) fail(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if w.op != nil {
		err = fmt.Errorf("%s: %w", w.op.Name(), err)
	}
	panic(problem{fmt.Errorf("portable: %w", err)})
}

// since fails when the target is older than a feature.
func (w *writer) since(v stablehlo.Version, what string) {
	if older(w.target, v) {
		w.fail("%s is new in StableHLO %s, which %s does not have", what, v, w.target)
	}
}

func (w *writer) vhlo(parts ...part) *node { return w.nodes.add(&node{dialect: "vhlo", parts: parts}) }

func (w *writer) vhloT(parts ...part) *node {
	return w.nodes.add(&node{dialect: "vhlo", isType: true, parts: parts})
}

// vhloAttr returns the attribute of VHLO that stands for one of StableHLO.
func (w *writer) vhloAttr(a stablehlo.Attr) *node {
	switch a := a.(type) {
	case stablehlo.ArrayAttr:
		return w.vhlo(append([]part{uintOf(vArray)}, refsTo(w.vhloAttrs(a))...)...)
	case stablehlo.BoolAttr:
		v := uint64(0)
		if a {
			v = 1
		}
		return w.vhlo(uintOf(vBoolean), uintOf(v))
	case stablehlo.DictAttr:
		parts := []part{uintOf(vDictionary), uintOf(uint64(len(a)))}
		for _, n := range a {
			parts = append(parts, refTo(w.vhloAttr(stablehlo.StringAttr(n.Name))), refTo(w.vhloAttr(n.Value)))
		}
		return w.vhlo(parts...)
	case stablehlo.EnumAttr:
		return w.vhloEnum(a)
	case stablehlo.FloatAttr:
		d := stablehlo.DType(a.Type)
		if !d.IsFloat() {
			w.fail("a number of type %s cannot be written", a.Type)
		}
		return w.vhlo(uintOf(vFloat), refTo(w.vhloType(a.Type)), bitsOf(d.FromFloat64(a.Value), d.Bits()))
	case stablehlo.IntAttr:
		d := stablehlo.DType(a.Type)
		if !d.IsInteger() {
			w.fail("an integer of type %s cannot be written", a.Type)
		}
		return w.vhlo(uintOf(vInteger), refTo(w.vhloType(a.Type)), bitsOf(uint64(a.Value), d.Bits()))
	case *stablehlo.OutputOperandAlias:
		parts := append([]part{uintOf(vOutputOperandAlias)}, intsOf(a.OutputTupleIndices)...)
		parts = append(parts, intOf(a.OperandIndex))
		return w.vhlo(append(parts, intsOf(a.OperandTupleIndices)...)...)
	case stablehlo.StringAttr:
		return w.vhlo(uintOf(vString), stringOf(string(a)))
	case stablehlo.SymbolAttr:
		if len(a.Nested) > 0 {
			w.fail("the symbol %s is nested, which VHLO does not support", a)
		}
		return w.vhloAttr(stablehlo.StringAttr(a.Name))
	case stablehlo.TypeAttr:
		return w.vhlo(uintOf(vType), refTo(w.vhloType(a.Type)))
	case *stablehlo.ElementsAttr:
		return w.vhlo(uintOf(vTensor), refTo(w.vhloType(a.Type)), blobOf(packed(a)))
	case stablehlo.IntsAttr:
		if e := elementsOf(a); e != nil && (a.Elem == dtype.S64 || a.Elem == dtype.Bool) {
			return w.vhloAttr(e)
		}
	case *stablehlo.ResultAccuracy:
		w.since(stablehlo.Version{Major: 1, Minor: 9}, "result_accuracy")
		return w.vhlo(uintOf(vResultAccuracy), floatOf(a.ATol), floatOf(a.RTol), intOf(a.ULPs),
			refTo(w.vhloAttr(a.Mode)))
	case *stablehlo.AxisRef:
		w.since(meshes, "axis_ref")
		parts := []part{uintOf(vAxisRef), refTo(w.vhloAttr(stablehlo.StringAttr(a.Name)))}
		if a.Size == 0 {
			return w.vhlo(append(parts, uintOf(0))...)
		}
		sub := w.vhlo(uintOf(vSubAxisInfo), intOf(a.PreSize), intOf(a.Size))
		return w.vhlo(append(parts, uintOf(1), refTo(sub))...)
	case *stablehlo.MeshAxis:
		w.since(meshes, "mesh_axis")
		return w.vhlo(uintOf(vMeshAxis), refTo(w.vhloAttr(stablehlo.StringAttr(a.Name))), intOf(a.Size))
	case *stablehlo.Mesh:
		w.since(meshes, "mesh")
		axes := refTo(w.vhloAttr(stablehlo.ArrayAttr(a.Axes)))
		var ids *node
		if a.DeviceIDs != nil {
			ids = w.vhloAttr(a.DeviceIDs)
		}
		return w.vhlo(uintOf(vMesh), axes, optional(ids))
	case *stablehlo.ReplicaGroupMeshAxes:
		w.since(meshes, "replica_group_mesh_axes")
		mesh := refTo(w.vhloAttr(a.Mesh))
		return w.vhlo(uintOf(vReplicaGroupMesh), mesh, refTo(w.vhloAttr(stablehlo.ArrayAttr(a.Axes))))
	}
	return w.builtinAttr(a) // it is not in VHLO
}

// meshes is the version with the attributes of meshes.
var meshes = stablehlo.Version{Major: 1, Minor: 16}

func (w *writer) vhloAttrs(list []stablehlo.Attr) []*node {
	out := make([]*node, len(list))
	for i, a := range list {
		out[i] = w.vhloAttr(a)
	}
	return out
}

func (w *writer) vhloEnum(a stablehlo.EnumAttr) *node {
	if a.Kind == apiVersionKind {
		return w.vhlo(uintOf(vAPIVersion), uintOf(uint64(a.Value[0]-'0')))
	}
	i := slices.Index(stablehlo.EnumKeywords(a.Kind), a.Value)
	for _, e := range vhloEnums {
		if e.name == a.Kind && a.Dialect == "stablehlo" && i >= 0 {
			w.since(e.since, a.Kind)
			return w.vhlo(uintOf(e.code), uintOf(uint64(i)+e.first))
		}
	}
	return w.builtinAttr(a)
}

// elementsOf returns a list of integers as the tensor that it is in VHLO.
func elementsOf(a stablehlo.IntsAttr) *stablehlo.ElementsAttr {
	data := make([]byte, len(a.Values)*a.Elem.Size())
	for i, v := range a.Values {
		a.Elem.StoreInt(data, i, v)
	}
	e, err := stablehlo.RawElements(stablehlo.Tensor(a.Elem, int64(len(a.Values))), data)
	if err != nil {
		return nil
	}
	return e
}

// packed returns the bytes of a constant as bytecode has them: equal elements once,
// bools eight to a byte, but all of many ones as FF.
func packed(a *stablehlo.ElementsAttr) []byte {
	if a.Type.DType() != dtype.Bool || len(a.Data) == 0 {
		return a.Data
	}
	n := a.Len()
	if a.Splat && n > 1 {
		return []byte{-(a.Data[0] & 1)}
	}
	out := make([]byte, (n+7)/8)
	for i, b := range a.Data {
		out[i/8] |= b & 1 << (i % 8)
	}
	return out
}

// vhloType returns the type of VHLO that stands for one of StableHLO.
func (w *writer) vhloType(t stablehlo.Type) *node {
	switch t := t.(type) {
	case stablehlo.Scalar:
		d := dtype.Type(t)
		if d.IsComplex() {
			return w.vhloT(uintOf(vComplexType), refTo(w.vhloType(stablehlo.Scalar(d.Real()))))
		}
		for _, s := range vhloScalars {
			if s.typ == d {
				w.since(s.since, "the type "+t.String())
				return w.vhloT(uintOf(s.code))
			}
		}
	case stablehlo.IndexType:
		return w.vhloT(uintOf(vIndexType))
	case *stablehlo.TensorType:
		code := []part{uintOf(vTensorType)}
		switch {
		case t.Bounds != nil:
			bounds := w.vhlo(append([]part{uintOf(vTypeExtensions)}, intsOf(unknown(t.Bounds))...)...)
			code = []part{uintOf(vTensorEncoding), refTo(bounds)}
		case t.Encoding != nil:
			w.fail("%s has an encoding, which VHLO does not support", t)
		}
		return w.vhloT(append(append(code, intsOf(unknown(t.Dims))...), refTo(w.vhloType(t.Elem)))...)
	case *stablehlo.QuantType:
		return w.quantType(t)
	case *stablehlo.UnrankedTensorType:
		return w.vhloT(uintOf(vUnrankedType), refTo(w.vhloType(t.Elem)))
	case stablehlo.TokenType:
		return w.vhloT(uintOf(vTokenType))
	case *stablehlo.TupleType:
		return w.vhloT(append([]part{uintOf(vTupleType)}, refsTo(w.vhloTypes(t.Elems))...)...)
	case *stablehlo.FutureType:
		w.since(stablehlo.Version{Major: 1, Minor: 15}, "the type "+t.String())
		return w.vhloT(append([]part{uintOf(vFutureType)}, refsTo(w.vhloTypes(t.Elems))...)...)
	case *stablehlo.BufferType:
		if t.Rest != "" {
			w.fail("%s has a layout, which VHLO does not support", t)
		}
		w.since(stablehlo.Version{Major: 1, Minor: 13}, "the type "+t.String())
		return w.vhloT(append(append([]part{uintOf(vBufferType)}, intsOf(unknown(t.Dims))...),
			refTo(w.vhloType(t.Elem)))...)
	case *stablehlo.FuncType:
		parts := append([]part{uintOf(vFunctionType)}, refsTo(w.vhloTypes(t.Ins))...)
		return w.vhloT(append(parts, refsTo(w.vhloTypes(t.Outs))...)...)
	case stablehlo.NoneType:
		w.since(stablehlo.Version{Major: 1, Minor: 6}, "the type none")
		return w.vhloT(uintOf(vNoneType))
	case stablehlo.OtherType:
		switch t.Text {
		case tf32:
			w.since(stablehlo.Version{Major: 1, Minor: 6}, "the type tf32")
			return w.vhloT(uintOf(vTF32Type))
		case witness:
			return w.vhloT(uintOf(vWitnessType))
		}
	}
	w.fail("VHLO has no form for the type %s", t)
	return nil
}

func (w *writer) vhloTypes(list []stablehlo.Type) []*node {
	out := make([]*node, len(list))
	for i, t := range list {
		out[i] = w.vhloType(t)
	}
	return out
}

// unknown returns sizes with those that are unknown as bytecode has them.
func unknown(dims []int64) []int64 {
	out := slices.Clone(dims)
	for i, d := range out {
		if d == stablehlo.Dynamic {
			out[i] = unknownSize
		}
	}
	return out
}

func (w *writer) quantType(q *stablehlo.QuantType) *node {
	storage, flags := q.Storage, uint64(quantSigned)
	for s, u := range unsigned.Get(listUnsigned) {
		if u == q.Storage {
			storage, flags = s, 0
		}
	}
	head := []part{
		uintOf(flags), refTo(w.vhloType(stablehlo.Scalar(storage))), refTo(w.vhloType(stablehlo.Scalar(q.Expressed))),
	}
	if !q.IsPerAxis() {
		return w.vhloT(slices.Concat([]part{uintOf(vQuantType)}, head, []part{
			floatOf(q.Scales[0]), intOf(q.ZeroPoints[0]), intOf(q.Min), intOf(q.Max)})...)
	}
	w.since(stablehlo.Version{Minor: 18}, "quantisation per axis")
	parts := slices.Concat([]part{uintOf(vQuantPerAxisType)}, head,
		[]part{uintOf(uint64(q.Axis)), intOf(q.Min), intOf(q.Max), uintOf(uint64(len(q.Scales)))})
	for _, s := range q.Scales {
		parts = append(parts, floatOf(s))
	}
	return w.vhloT(append(parts, intsOf(q.ZeroPoints)...)...)
}

// dialectOf returns the dialect of an attribute or type that is kept as text:
// "sdy.sharding<…>", "sdy<manual_axes{…}>".
func dialectOf(text string) string {
	if i := strings.IndexAny(text, ".<"); i > 0 {
		return text[:i]
	}
	return "builtin"
}
