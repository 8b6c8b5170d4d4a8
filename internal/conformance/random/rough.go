package random

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// roughness is the relative error, by element type, that [maker.roughen] adds:
// large beside the errors of a sum of thousands of terms where the type allows
// that, and always beside half a unit in the last place.
var roughness = map[dtype.Type]float64{dtype.F64: 0x1p-38, dtype.F32: 0x1p-12, dtype.F16: 0x1p-6, dtype.BF16: 0x1p-4}

// roughen returns v with every element off by an error between half of the
// roughness of its type and all of it, relative to the element; of a complex one
// to its modulus, as the products in a complex division cancel in one part alone.
// It returns v itself in a program that is not rough, and when v holds no numbers
// that are rounded.
func (m *maker) roughen(v *stablehlo.Value) *stablehlo.Value {
	t := v.Tensor()
	d := t.DType()
	size, ok := roughness[d.Real()]
	if m.noise == nil || !ok {
		return v
	}
	wide := dtype.F32
	if d.Real() == dtype.F64 {
		wide = dtype.F64
	}
	float := stablehlo.Tensor(wide, t.Dims...)
	noise := m.errors(float, size)
	factor := m.op(stablehlo.OpAdd, noise, m.full(float, 1))
	if d.IsComplex() {
		return m.op(stablehlo.OpMultiply, v, m.op(stablehlo.OpComplex, factor, m.errors(float, size)))
	}
	return m.as(d, m.op(stablehlo.OpMultiply, m.as(wide, v), factor))
}

func (m *maker) op(c stablehlo.OpCode, operands ...*stablehlo.Value) *stablehlo.Value {
	return m.append(c, operands)[0]
}

func (m *maker) as(d dtype.Type, v *stablehlo.Value) *stablehlo.Value {
	if v.Tensor().DType() == d {
		return v
	}
	return m.append(stablehlo.OpConvert, []*stablehlo.Value{v}, stablehlo.Results{stablehlo.Tensor(d, v.Tensor().Dims...)})[0]
}

// errors returns random numbers of either sign between size/2 and size.
func (m *maker) errors(t *stablehlo.TensorType, size float64) *stablehlo.Value {
	s32 := stablehlo.Tensor(dtype.S32, t.Dims...)
	// The place of an element, scrambled by multiplications that wrap.
	n, _ := t.NumElems()
	place := m.append(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(0)), stablehlo.Results{stablehlo.Tensor(dtype.S32, n)})
	at := m.append(stablehlo.OpReshape, place, stablehlo.Results{s32})[0]
	at = m.op(stablehlo.OpMultiply, at, m.full(s32, float64(m.noise.Int32()|1)))
	at = m.op(stablehlo.OpAdd, at, m.full(s32, float64(m.noise.Int32())))
	at = m.op(stablehlo.OpXor, at, m.op(stablehlo.OpShiftRightLogical, at, m.full(s32, 15)))
	at = m.op(stablehlo.OpMultiply, at, m.full(s32, 0x2c1b3c6d))
	noise := m.op(stablehlo.OpMultiply, m.as(t.DType(), at), m.full(t, size/2*0x1p-31))
	return m.op(stablehlo.OpAdd, noise, m.op(stablehlo.OpMultiply, m.op(stablehlo.OpSign, noise), m.full(t, size/2)))
}
