package simplify

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// Quantised tensors are lowered in two steps. Ops that compute are written on dequantised operands,
// as the specification defines them. Then the remaining quantised types are replaced by their
// storage types, since the other ops only move elements.

// overFloats lists the ops that compute and are not element-wise.
var overFloats lazy.Value[map[stablehlo.OpCode]bool]

func listOverFloats() map[stablehlo.OpCode]bool {
	return map[stablehlo.OpCode]bool{
		stablehlo.OpDot: true, stablehlo.OpDotGeneral: true, stablehlo.OpConvolution: true, stablehlo.OpCholesky: true,
		stablehlo.OpTriangularSolve: true, stablehlo.OpBatchNormInference: true, stablehlo.OpBatchNormTraining: true,
		stablehlo.OpBatchNormGrad: true, stablehlo.OpEinsum: true, stablehlo.OpUnaryEinsum: true,
	}
}

// computesQuantised reports whether the op computes with quantised elements.
func computesQuantised(op *stablehlo.Op) bool {
	if op.Code == stablehlo.OpBitcastConvert ||
		op.Code.Info().Traits&stablehlo.Elementwise == 0 && !overFloats.Get(listOverFloats)[op.Code] {
		return false
	}
	for _, list := range [][]*stablehlo.Value{op.Operands, op.Results} {
		for _, v := range list {
			if t := v.Tensor(); t != nil && t.Quant() != nil {
				return true
			}
		}
	}
	return false
}

// lowerQuantised writes an op on floats: operands dequantised, results quantised.
func lowerQuantised(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	in := make([]*stablehlo.Value, len(op.Operands))
	for i, v := range op.Operands {
		in[i] = e.dequantised(v)
	}
	switch op.Code {
	case stablehlo.OpConvert, stablehlo.OpUniformQuantize, stablehlo.OpUniformDequantize:
		return []*stablehlo.Value{e.asType(in[0], op.Result().Tensor().Elem)}, nil
	}
	var types []stablehlo.Type
	for _, r := range op.Results {
		t := r.Type()
		if q := r.Tensor().Quant(); q != nil {
			t = plainTensor(r.Tensor(), q.Expressed)
		}
		types = append(types, t)
	}
	c := e.As(op, in, types...)
	out := make([]*stablehlo.Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = e.asType(c.Results[i], r.Tensor().Elem)
	}
	return out, nil
}

func plainTensor(t *stablehlo.TensorType, d dtype.Type) *stablehlo.TensorType {
	return stablehlo.Tensor(d, t.Dims...)
}

// asType converts floats to an element type, quantised or not.
func (e Emitter) asType(x *stablehlo.Value, elem stablehlo.Type) *stablehlo.Value {
	q, ok := elem.(*stablehlo.QuantType)
	if !ok {
		return e.Convert(x, stablehlo.DType(elem))
	}
	return e.quantised(e.Convert(x, q.Expressed), q)
}

// dequantised writes (i - zero_point) * scale in the expressed type. The difference of the stored
// integers is exact.
func (e Emitter) dequantised(x *stablehlo.Value) *stablehlo.Value {
	t := x.Tensor()
	if t == nil || t.Quant() == nil {
		return x
	}
	q := t.Quant()
	d := dtype.S32
	if q.Storage.Bits() >= 32 {
		d = dtype.S64
	}
	i := e.Convert(e.stored(x), d)
	zero := e.perChannel(q, t.Dims, d, func(c int) float64 { return float64(q.ZeroPoints[c]) })
	scale := e.perChannel(q, t.Dims, q.Expressed, func(c int) float64 { return q.Scales[c] })
	diff := e.Convert(e.Sub(i, zero), q.Expressed)
	return e.Mul(diff, scale)
}

// stored writes a quantised tensor as its integers: a bitcast that is an identity once quantised
// types are replaced.
func (e Emitter) stored(x *stablehlo.Value) *stablehlo.Value {
	t := x.Tensor()
	return e.Value(stablehlo.OpBitcastConvert, []*stablehlo.Value{x},
		stablehlo.Results{plainTensor(t, t.Quant().Storage)})
}

// quantised writes round(clamp(x/scale + zero_point)), each step in the expressed type and ties to
// even.
func (e Emitter) quantised(x *stablehlo.Value, q *stablehlo.QuantType) *stablehlo.Value {
	t, d := x.Tensor(), q.Expressed
	scale := e.perChannel(q, t.Dims, d, func(c int) float64 { return q.Scales[c] })
	zero := e.perChannel(q, t.Dims, d, func(c int) float64 { return float64(q.ZeroPoints[c]) })
	v := e.Add(e.Div(x, scale), zero)
	v = e.Select(e.Compare("NE", v, v), e.Full(t, 0), v) // NaN is 0, as in convert
	v = e.clamp(t, float64(q.Min), float64(q.Max), v)
	v = e.Do(stablehlo.OpRoundNearestEven, v)
	wide := stablehlo.Tensor(dtype.S64, t.Dims...) // the limits may have been rounded in the expressed type
	i := e.clamp(wide, float64(q.Min), float64(q.Max), e.Convert(v, dtype.S64))
	i = e.Convert(i, q.Storage)
	return e.Value(stablehlo.OpBitcastConvert, []*stablehlo.Value{i}, stablehlo.Results{t.WithElem(q)})
}

func (e Emitter) clamp(t *stablehlo.TensorType, lo, hi float64, x *stablehlo.Value) *stablehlo.Value {
	scalar := t.WithDims()
	return e.Do(stablehlo.OpClamp, e.Full(scalar, lo), x, e.Full(scalar, hi))
}

// perChannel broadcasts a parameter of a quantised type to the shape of a tensor.
func (e Emitter) perChannel(q *stablehlo.QuantType, dims []int64, d dtype.Type,
	v func(c int) float64) *stablehlo.Value {
	if !q.IsPerAxis() {
		return e.Full(stablehlo.Tensor(d, dims...), v(0))
	}
	n := len(q.Scales)
	a := &stablehlo.ElementsAttr{Type: stablehlo.Tensor(d, int64(n)), Data: make([]byte, n*d.Size())}
	for c := range n {
		if d.IsFloat() {
			d.StoreFloat(a.Data, c, v(c))
		} else {
			d.StoreInt(a.Data, c, int64(v(c)))
		}
	}
	return e.Broadcast(e.B.Constant(a), dims, int64(q.Axis))
}

// Stored replaces the quantised types in f by their storage types.
func Stored(f stablehlo.Func) {
	plain := func(v *stablehlo.Value) {
		if t := v.Tensor(); t != nil && t.Quant() != nil {
			v.SetType(t.WithElem(stablehlo.Scalar(t.Quant().Storage)))
		}
	}
	for op := range f.Walk() {
		for _, r := range op.Results {
			plain(r)
		}
		for _, region := range op.Regions {
			for _, b := range region.Blocks {
				for _, a := range b.Args {
					plain(a)
				}
			}
		}
		if a, ok := op.Attr("value").(*stablehlo.ElementsAttr); ok && a.Type.Quant() != nil {
			c := *a
			c.Type = a.Type.WithElem(stablehlo.Scalar(a.Type.Quant().Storage))
			op.SetAttr("value", &c)
		}
	}
	t := f.Type()
	u := &stablehlo.FuncType{Ins: storedTypes(t.Ins), Outs: storedTypes(t.Outs)}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: u})
}

func storedTypes(types []stablehlo.Type) []stablehlo.Type {
	out := make([]stablehlo.Type, len(types))
	for i, t := range types {
		if out[i] = t; stablehlo.DType(t) != dtype.Invalid {
			if tensor, ok := t.(*stablehlo.TensorType); ok && tensor.Quant() != nil {
				out[i] = tensor.WithElem(stablehlo.Scalar(tensor.Quant().Storage))
			}
		}
	}
	return out
}
