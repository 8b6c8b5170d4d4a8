package portable

import (
	"fmt"
	"strconv"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

func appendUint(b []byte, v uint64) []byte { return strconv.AppendUint(b, v, 10) }

// The codes of the attributes of VHLO.
const (
	vArray               = 1
	vBoolean             = 2
	vComparisonDirection = 3
	vComparisonType      = 4
	vAPIVersion          = 5
	vDictionary          = 6
	vFFTType             = 7
	vFloat               = 8
	vInteger             = 9
	vOutputOperandAlias  = 10
	vPrecision           = 11
	vRNGAlgorithm        = 12
	vRNGDistribution     = 13
	vString              = 14
	vTensor              = 15
	vTranspose           = 16
	vType                = 17
	vTypeExtensions      = 18
	vResultAccuracyMode  = 19
	vResultAccuracy      = 20
	vSubAxisInfo         = 21
	vAxisRef             = 22
	vReplicaGroupMesh    = 23
	vMeshAxis            = 24
	vMesh                = 25
)

// vhloEnum is an enumeration of VHLO: its code, its StableHLO mnemonic and the
// number of its first keyword in [stablehlo.EnumKeywords].
type vhloEnum struct {
	code  uint64
	name  string
	first uint64
	since stablehlo.Version
}

var vhloEnums = []vhloEnum{
	{vComparisonDirection, "comparison_direction", 0, oldest},
	{vComparisonType, "comparison_type", 0, oldest},
	{vFFTType, "fft_type", 0, oldest},
	{vPrecision, "precision", 0, oldest},
	{vRNGAlgorithm, "rng_algorithm", 0, oldest},
	{vRNGDistribution, "rng_distribution", 1, oldest},
	{vTranspose, "transpose", 0, oldest},
	{vResultAccuracyMode, "result_accuracy_mode", 0, stablehlo.Version{Major: 1, Minor: 9}},
}

// enum reads a keyword of an enumeration.
func (c *cursor) enum(dialect, name string, first uint64) stablehlo.Attr {
	at := c.off
	words := stablehlo.EnumKeywords(name)
	i := c.varint() - first
	if i >= uint64(len(words)) {
		c.r.failAt(at, "%s has no keyword with the number %d", name, i+first)
	}
	return stablehlo.EnumAttr{Dialect: dialect, Kind: name, Value: words[i]}
}

// vhloAttr reads an attribute of VHLO as the equivalent one of StableHLO; conversions that depend on the op
// (symbols are strings, lists of integers are tensors) are left to convert.
func (r *reader) vhloAttr(c *cursor) stablehlo.Attr {
	at := c.off
	code := c.varint()
	for _, e := range vhloEnums {
		if e.code == code {
			return c.enum("stablehlo", e.name, e.first)
		}
	}
	switch code {
	case vArray:
		return stablehlo.ArrayAttr(c.attrs())
	case vBoolean:
		return stablehlo.BoolAttr(c.varint() != 0)
	case vAPIVersion:
		return stablehlo.I32(int32(c.index(apiVersions, "version of the interface of custom calls")))
	case vDictionary:
		return c.dictionary()
	case vFloat, vInteger:
		return c.number(c.typ())
	case vOutputOperandAlias:
		a := &stablehlo.OutputOperandAlias{OutputTupleIndices: c.svarints()}
		a.OperandIndex = c.svarint()
		a.OperandTupleIndices = c.svarints()
		return a
	case vString:
		return stablehlo.StringAttr(c.str())
	case vTensor:
		t := c.tensor(c.typ())
		return c.elements(t, c.blob())
	case vType:
		return stablehlo.TypeAttr{Type: c.typ()}
	case vTypeExtensions:
		return c.bounds()
	case vResultAccuracy:
		a := &stablehlo.ResultAccuracy{ATol: c.float64()}
		a.RTol = c.float64()
		a.ULPs = c.svarint()
		a.Mode, _ = c.attr().(stablehlo.EnumAttr)
		if a.Mode.Kind != "result_accuracy_mode" {
			c.fail("the mode of an accuracy must be a result_accuracy_mode")
		}
		return a
	case vSubAxisInfo:
		pre := c.svarint()
		return stablehlo.I64s(pre, c.svarint())
	case vAxisRef:
		a := &stablehlo.AxisRef{Name: c.stringAttr()}
		if c.varint() != 0 {
			a.PreSize, a.Size = c.subAxis(c.attr())
		}
		return a
	case vReplicaGroupMesh:
		a := &stablehlo.ReplicaGroupMeshAxes{Mesh: c.attr()}
		if s, ok := a.Mesh.(stablehlo.StringAttr); ok {
			a.Mesh = stablehlo.Symbol(string(s))
		}
		a.Axes = c.array()
		return a
	case vMeshAxis:
		a := &stablehlo.MeshAxis{Name: c.stringAttr()}
		a.Size = c.svarint()
		return a
	case vMesh:
		a := &stablehlo.Mesh{Axes: c.array()}
		a.DeviceIDs = c.optionalAttr()
		return a
	}
	r.failAt(at, "the attribute with code %d of VHLO is not in StableHLO %s%s",
		code, stablehlo.Current(), r.newer())
	return nil
}

// apiVersions is the number of versions of the interface of custom calls.
const apiVersions = 5

// subAxis unpacks the value of vSubAxisInfo.
func (c *cursor) subAxis(a stablehlo.Attr) (pre, size int64) {
	ints, ok := a.(stablehlo.IntsAttr)
	if !ok || len(ints.Values) != 2 {
		c.fail("the part of an axis must be a sub-axis")
	}
	return ints.Values[0], ints.Values[1]
}

// array reads a reference to an array.
func (c *cursor) array() []stablehlo.Attr {
	at := c.off
	a, ok := c.attr().(stablehlo.ArrayAttr)
	if !ok {
		c.r.failAt(at, "the attribute must be an array")
	}
	return a
}

// The codes of the types of VHLO that are not scalars.
const (
	vComplexType      = 1
	vFunctionType     = 8
	vIndexType        = 9
	vTensorType       = 20
	vTensorEncoding   = 21
	vTokenType        = 22
	vTupleType        = 23
	vQuantType        = 24
	vUnrankedType     = 25
	vWitnessType      = 26
	vQuantPerAxisType = 30
	vNoneType         = 33
	vTF32Type         = 34
	vBufferType       = 41
	vFutureType       = 42
	quantSigned       = 1 // the flag of quantised types whose storage type is signed
	tf32              = "tf32"
	witness           = "!shape.witness"
)

// vhloScalar is a scalar type of VHLO.
type vhloScalar struct {
	code  uint64
	typ   dtype.Type
	since stablehlo.Version
}

var (
	since0_10 = stablehlo.Version{Minor: 10}
	since0_11 = stablehlo.Version{Minor: 11}
	since1_2  = stablehlo.Version{Major: 1, Minor: 2}
	since1_7  = stablehlo.Version{Major: 1, Minor: 7}
	since1_8  = stablehlo.Version{Major: 1, Minor: 8}
)

var vhloScalars = []vhloScalar{
	{0, dtype.Bool, oldest}, {2, dtype.BF16, oldest}, {3, dtype.F16, oldest}, {4, dtype.F32, oldest},
	{5, dtype.F64, oldest}, {6, dtype.F8E4M3FN, oldest}, {7, dtype.F8E5M2, oldest},
	{10, dtype.S4, oldest}, {11, dtype.S8, oldest}, {12, dtype.S16, oldest}, {13, dtype.S32, oldest},
	{14, dtype.S64, oldest}, {15, dtype.U4, oldest}, {16, dtype.U8, oldest}, {17, dtype.U16, oldest},
	{18, dtype.U32, oldest}, {19, dtype.U64, oldest}, {27, dtype.F8E4M3FNUZ, since0_10},
	{28, dtype.F8E5M2FNUZ, since0_10}, {29, dtype.F8E4M3B11FNUZ, since0_11}, {31, dtype.S2, since1_2},
	{32, dtype.U2, since1_2}, {35, dtype.F8E4M3, since1_7}, {36, dtype.F8E3M4, since1_7},
	{37, dtype.F4E2M1FN, since1_8}, {38, dtype.F6E2M3FN, since1_8}, {39, dtype.F6E3M2FN, since1_8},
	{40, dtype.F8E8M0FNU, since1_8},
}

// vhloType reads a type of VHLO as the one of StableHLO that it stands for.
func (r *reader) vhloType(c *cursor) stablehlo.Type {
	at := c.off
	code := c.varint()
	for _, s := range vhloScalars {
		if s.code == code {
			return stablehlo.Scalar(s.typ)
		}
	}
	switch code {
	case vComplexType:
		return c.complexOf(c.typ())
	case vFunctionType:
		f := &stablehlo.FuncType{Ins: c.types()}
		f.Outs = c.types()
		return f
	case vIndexType:
		return stablehlo.IndexType{}
	case vTensorType:
		return c.tensorType(nil)
	case vTensorEncoding:
		return c.tensorType(c.attr())
	case vTokenType:
		return stablehlo.TokenType{}
	case vTupleType:
		return &stablehlo.TupleType{Elems: c.types()}
	case vQuantType:
		return c.quantType(false)
	case vQuantPerAxisType:
		return c.quantType(true)
	case vUnrankedType:
		return &stablehlo.UnrankedTensorType{Elem: c.typ()}
	case vWitnessType:
		return stablehlo.OtherType{Text: witness}
	case vNoneType:
		return stablehlo.NoneType{}
	case vTF32Type:
		return stablehlo.OtherType{Text: tf32}
	case vBufferType:
		b := &stablehlo.BufferType{Dims: c.dims()}
		b.Elem = c.typ()
		return b
	case vFutureType:
		return &stablehlo.FutureType{Elems: c.types()}
	}
	r.failAt(at, "the type with code %d of VHLO is not in StableHLO %s%s", code,
		stablehlo.Current(), r.newer())
	return nil
}

// quantType reads a quantised element type; the signedness of its integers is a flag next to a signless type.
func (c *cursor) quantType(perAxis bool) stablehlo.Type {
	signed := c.varint()&quantSigned != 0
	q := &stablehlo.QuantType{Axis: -1}
	storage, expressed := c.typ(), c.typ()
	q.Storage, q.Expressed = stablehlo.DType(storage), stablehlo.DType(expressed)
	if !signed {
		if q.Storage = unsigned.Get(listUnsigned)[q.Storage]; q.Storage == dtype.Invalid {
			q.Storage = stablehlo.DType(storage)
		}
	}
	if perAxis {
		axis := c.varint()
		if axis > 1<<16 {
			c.fail("dimension %d is quantised", axis)
		}
		q.Axis = int(axis)
		q.Min, q.Max = c.svarint(), c.svarint()
		q.Scales = make([]float64, c.count(1, "scales"))
		for i := range q.Scales {
			q.Scales[i] = c.float64()
		}
		q.ZeroPoints = c.svarints()
	} else {
		q.Scales = []float64{c.float64()}
		q.ZeroPoints = []int64{c.svarint()}
		q.Min, q.Max = c.svarint(), c.svarint()
	}
	if !q.Storage.IsInteger() || !q.Expressed.IsFloat() || len(q.Scales) != len(q.ZeroPoints) {
		c.fail("a quantised type of %s that stands for %s with %d scales and %d zero points",
			storage, expressed, len(q.Scales), len(q.ZeroPoints))
	}
	return q
}

// unsigned holds the unsigned type of the width of a signed one.
var unsigned lazy.Value[map[dtype.Type]dtype.Type]

func listUnsigned() map[dtype.Type]dtype.Type {
	return map[dtype.Type]dtype.Type{
		dtype.S2: dtype.U2, dtype.S4: dtype.U4, dtype.S8: dtype.U8,
		dtype.S16: dtype.U16, dtype.S32: dtype.U32, dtype.S64: dtype.U64,
	}
}

// newer reports that the artifact is newer than this package, "" otherwise.
func (r *reader) newer() string {
	if !older(stablehlo.Current(), r.Version) {
		return ""
	}
	return fmt.Sprintf(": the artifact has version %s, export it for %s or older",
		r.Version, stablehlo.Current())
}
