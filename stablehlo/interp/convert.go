package interp

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// evalConvert is convert, uniform_quantize and uniform_dequantize.
func evalConvert(f *frame, _ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	return convert(f, operands[0], result.Elem)
}

// evalBitcastConvert takes the bits of the elements, the first element and the
// real part lowest, and divides them into elements of the
// result.
func evalBitcastConvert(_ *frame, _ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	x := operands[0]
	from, to := x.Type.DType(), result.DType()
	switch {
	case x.numElems()*from.Bits() != r.numElems()*to.Bits():
		return nil, faultf(BadShape, "%s and %s have different numbers of bits", x.Type, result)
	case from.Bits()%8 == 0 && to.Bits()%8 == 0:
		copy(r.Data, x.Data) // memory is little-endian and has no padding
	default:
		repack(r, x, from, to)
	}
	return r, nil
}

// repack moves bits between types if one of them has less than eight bits.
func repack(r, x *Tensor, from, to dtype.Type) {
	var acc uint64 // the next bits, the first lowest
	have, next := 0, 0
	for i := range x.numElems() {
		acc |= from.LoadBits(x.Data, i) << have
		for have += from.Bits(); have >= to.Bits(); have -= to.Bits() {
			to.StoreBits(r.Data, next, acc)
			acc >>= to.Bits()
			next++
		}
	}
}

// evalReducePrecision rounds to a format of fewer bits and back.
func evalReducePrecision(f *frame, op *stablehlo.Op, operands []*Tensor,
	result *stablehlo.TensorType) (*Tensor, error) {
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	d := result.DType()
	if !d.IsFloat() {
		return nil, faultf(Unsupported, "elements of type %s have no precision to reduce", d)
	}
	exponent, mantissa := int(op.Int("exponent_bits", 0)), int(op.Int("mantissa_bits", 0))
	return r, f.each(r.numElems(), func(i int) {
		d.StoreBits(r.Data, i, d.ReducePrecision(d.LoadBits(operands[0].Data, i), exponent, mantissa))
	})
}
