package stablehlo

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// diagnostics returns the messages of Verify with their constraints.
func diagnostics(t *testing.T, m *Module) []string {
	t.Helper()
	err := m.Verify()
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Verify = %T, want *Error", err)
	}
	var all []string
	for _, d := range e.Diagnostics {
		all = append(all, d.Message+" "+d.Constraint)
	}
	return all
}

// unary returns a module with a function of one tensor argument.
func unary(t *TensorType) (*Module, *Block, *Value) {
	m := NewModule("")
	f := m.AddFunc("f", &FuncType{Ins: []Type{t}})
	return m, f.Body(), f.Args()[0]
}

func TestVerifyFrame(t *testing.T) {
	f32 := Tensor(dtype.F32, 4)
	add := func(a, b *Value) *Op { return NewOp(OpAdd, []*Value{a, b}, []Type{f32}) }
	ret := func(v ...*Value) *Op { return NewOp(OpFuncReturn, v, nil) }
	tests := []struct {
		name  string
		build func(m *Module, b *Block, x *Value)
		want  string // part of the only message; "" when valid
	}{
		{"valid", func(m *Module, b *Block, x *Value) {
			b.Append(add(x, x))
			b.Append(ret())
		}, ""},
		{"used before its definition", func(m *Module, b *Block, x *Value) {
			second := add(x, x)
			b.Append(add(x, second.Result()))
			b.Append(second)
			b.Append(ret())
		}, "operand 1 (rhs) is used before its definition"},
		{"a value of a sibling region", func(m *Module, b *Block, x *Value) {
			pred := b.Append(NewOp(OpConstant, nil, []Type{Tensor(dtype.Bool)},
				NamedAttr{"value", &ElementsAttr{Type: Tensor(dtype.Bool), Data: []byte{1}}})).Result()
			op := NewOp(OpIf, []*Value{pred}, []Type{f32})
			inner := op.AddRegion().Append(add(x, x))
			op.Regions[0].Block().Append(NewOp(OpReturn, inner.Results, nil))
			op.AddRegion().Append(NewOp(OpReturn, inner.Results, nil))
			b.Append(op)
			b.Append(ret())
		}, "operand 0 (results[0]) is defined in a region that does not hold this op"},
		{"a value from outside of a function", func(m *Module, b *Block, x *Value) {
			b.Append(ret())
			outer := NewOp(OpIota, nil, []Type{f32}, Named("iota_dimension", I64(0)))
			m.Body().SetOps(append([]*Op{outer}, m.Body().Ops...))
			b.SetOps([]*Op{add(x, outer.Result()), ret()})
		}, "operand 1 (rhs) is defined outside"},
		{"no terminator", func(m *Module, b *Block, x *Value) { b.Append(add(x, x)) },
			"region body of func.func must end with func.return"},
		{"an empty body", func(m *Module, b *Block, x *Value) {}, "region body is empty"},
		{"a terminator in the middle", func(m *Module, b *Block, x *Value) {
			b.Append(ret())
			b.Append(ret())
		}, "must be the last op of its block"},
		{"a nil operand", func(m *Module, b *Block, x *Value) {
			b.Append(add(x, nil))
			b.Append(ret())
		}, "operand 1 (rhs) is missing"},
		{"too few operands", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpAdd, []*Value{x}, []Type{f32}))
			b.Append(ret())
		}, "1 operands do not fit the operands (lhs, rhs)"},
		{"the wrong type", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpNot, []*Value{x}, []Type{Tensor(dtype.S32, 4)}))
			b.Append(ret())
		}, "operand 0 must be tensor of bool or integer, not tensor<4xf32>"},
		{"a missing attribute", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpIota, nil, []Type{f32}))
			b.Append(ret())
		}, "needs the attribute iota_dimension"},
		{"an attribute of another kind", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpIota, nil, []Type{f32}, Named("iota_dimension", StringAttr("0"))))
			b.Append(ret())
		}, "attribute iota_dimension must be an i64"},
		{"an unknown keyword", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpCompare, []*Value{x, x}, []Type{Tensor(dtype.Bool, 4)},
				Named("comparison_direction", EnumAttr{"stablehlo", "comparison_direction", "UP"})))
			b.Append(ret())
		}, "must be a comparison_direction: EQ, NE, GE, GT, LE or LT"},
		{"a missing region", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpWhile, []*Value{x}, []Type{f32}))
			b.Append(ret())
		}, "has 0 regions instead of 2"},
		{"a result that does not follow", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpAdd, []*Value{x, x}, []Type{Tensor(dtype.F32, 5)}))
			b.Append(ret())
		}, "add_c1"},
		{"a result of the wrong function", func(m *Module, b *Block, x *Value) {
			b.Append(ret(x))
		}, "returns (tensor<4xf32>) from a function of results ()"},
		{"a symbol twice", func(m *Module, b *Block, x *Value) {
			b.Append(ret())
			m.AddFunc("f", &FuncType{}).Body().Append(ret())
		}, "the symbol @f exists already"},
		{"a call of nothing", func(m *Module, b *Block, x *Value) {
			b.Append(NewOp(OpCall, nil, nil, Named("callee", Symbol("g"))))
			b.Append(ret())
		}, "there is no function @g"},
		{"a call of the wrong type", func(m *Module, b *Block, x *Value) {
			m.AddFunc("g", &FuncType{}).Body().Append(ret())
			b.Append(NewOp(OpCall, []*Value{x}, nil, Named("callee", Symbol("g"))))
			b.Append(ret())
		}, "operands (tensor<4xf32>) do not fit @g"},
		{"an op in two places", func(m *Module, b *Block, x *Value) {
			op := b.Append(add(x, x))
			b.Append(op)
			b.Append(ret())
		}, "an op must be in one place only"},
		{"an unregistered op", func(m *Module, b *Block, x *Value) {
			b.Append(NewUnregistered("my.op", []*Value{x}, []Type{OtherType{"!my.type"}}))
			b.Append(ret())
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, b, x := unary(f32)
			test.build(m, b, x)
			got := diagnostics(t, m)
			switch {
			case test.want == "" && got != nil:
				t.Errorf("Verify = %q, want none", got)
			case test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)):
				t.Errorf("Verify = %q, want one with %q", got, test.want)
			}
		})
	}
}

func TestVerifyTypes(t *testing.T) {
	quant := func(change func(*QuantType)) *TensorType {
		q := &QuantType{Storage: dtype.S8, Expressed: dtype.F32, Axis: -1, Scales: []float64{1}, ZeroPoints: []int64{0},
			Min: -128, Max: 127}
		change(q)
		return &TensorType{Dims: []int64{2}, Elem: q}
	}
	tests := []struct {
		name string
		typ  *TensorType
		want string
	}{
		{"static", Tensor(dtype.F32, 2), ""},
		{"bounded", &TensorType{Dims: []int64{Dynamic}, Elem: Scalar(dtype.F32), Bounds: []int64{3}}, ""},
		{"negative size", Tensor(dtype.F32, -5), "size -5 is negative"},
		{"too few bounds", &TensorType{Dims: []int64{Dynamic, 2}, Elem: Scalar(dtype.F32), Bounds: []int64{3}},
			"1 bounds for a tensor of rank 2"},
		{"bound of a known size", &TensorType{Dims: []int64{2}, Elem: Scalar(dtype.F32), Bounds: []int64{3}},
			"has both a size, 2, and a bound"},
		{"no element type", &TensorType{Dims: []int64{2}}, "not a type of elements"},
		{"tuple elements", &TensorType{Elem: &TupleType{}}, "not a type of elements"},
		{"quantised", quant(func(*QuantType) {}), ""},
		{"storage range", quant(func(q *QuantType) { q.Max = 128 }), "quantized_type_c3"},
		{"expressed type", quant(func(q *QuantType) { q.Expressed = dtype.S32 }), "quantized_type_c4"},
		{"zero scale", quant(func(q *QuantType) { q.Scales = []float64{0} }), "quantized_type_c5"},
		{"zero point", quant(func(q *QuantType) { q.ZeroPoints = []int64{200} }), "quantized_type_c7"},
		{"zero points", quant(func(q *QuantType) { q.ZeroPoints = nil }), "quantized_type_c9"},
		{"scales", quant(func(q *QuantType) { q.Scales = []float64{1, 2}; q.ZeroPoints = []int64{0, 0} }),
			"quantized_type_c10"},
		{"axis", quant(func(q *QuantType) { q.Axis = 1 }), "quantized_type_c12"},
		{"scales of the axis", quant(func(q *QuantType) { q.Axis = 0 }), "quantized_type_c13"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, b, _ := unary(test.typ)
			b.Append(NewOp(OpFuncReturn, nil, nil))
			got := strings.Join(diagnostics(t, m), "; ")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("Verify = %q, want %q", got, test.want)
			}
		})
	}
}

func TestVerifyReportsAllViolations(t *testing.T) {
	m, b, x := unary(Tensor(dtype.F32, 4))
	for range 3 {
		b.Append(NewOp(OpNot, []*Value{x}, []Type{x.Type()}))
	}
	b.Append(NewOp(OpFuncReturn, nil, nil))
	// Each op has a wrong operand and a wrong result.
	if got := diagnostics(t, m); len(got) != 6 {
		t.Errorf("%d violations, want 6: %q", len(got), got)
	}
}

func TestVerifyLimitsDepth(t *testing.T) {
	m := NewModule("")
	b := m.Body()
	for range maxDepth * 3 {
		b = b.Append(NewOp(OpModule, nil, nil)).AddRegion()
	}
	if got := diagnostics(t, m); len(got) != 1 || !strings.Contains(got[0], "nested deeper") {
		t.Errorf("Verify = %q, want one message of the depth", got)
	}

	var typ Type = TokenType{}
	for range maxDepth * 3 {
		typ = &TupleType{Elems: []Type{typ}}
	}
	m = NewModule("")
	b = m.AddFunc("f", &FuncType{Ins: []Type{typ}}).Body()
	b.Append(NewOp(OpFuncReturn, nil, nil))
	if got := fmt.Sprint(diagnostics(t, m)); !strings.Contains(got, "nested deeper") {
		t.Errorf("Verify = %s, want a message of the depth of the type", got)
	}
}

func TestInferTypes(t *testing.T) {
	x := (&Block{}).AddArg(Tensor(dtype.C64, 2, Dynamic))
	got, err := InferTypes(NewOp(OpAbs, []*Value{x}, nil))
	if err != nil || len(got) != 1 || !SameType(got[0], Tensor(dtype.F32, 2, Dynamic)) {
		t.Errorf("InferTypes(abs) = %v, %v", got, err)
	}
	if _, err := InferTypes(NewOp(OpConvert, []*Value{x}, nil)); err == nil {
		t.Error("InferTypes(convert) must fail: the result type is free")
	}
	if _, err := InferTypes(NewOp(OpAbs, nil, nil)); err == nil {
		t.Error("InferTypes(abs) of nothing must fail")
	}
}
