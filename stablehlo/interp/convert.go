package interp

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// evalConvert is convert, uniform_quantize and uniform_dequantize.
func evalConvert(_ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	return convert(operands[0], result.Elem)
}

// evalBitcastConvert takes the bits of the elements, the first element and the
// real part lowest, and cuts them anew.
func evalBitcastConvert(_ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
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

// repack moves bits between types of which one has less than eight.
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
func evalReducePrecision(op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	d := result.DType()
	if !d.IsFloat() {
		return nil, faultf(Unsupported, "elements of type %s have no precision to reduce", d)
	}
	exponent, mantissa := int(op.Int("exponent_bits", 0)), int(op.Int("mantissa_bits", 0))
	for i := range r.numElems() {
		d.StoreBits(r.Data, i, reducePrecision(d, d.LoadBits(operands[0].Data, i), exponent, mantissa))
	}
	return r, nil
}

// reducePrecision rounds the bits of a float to the nearest value with so many
// mantissa bits, ties to even, and then maps what an exponent of so many bits
// cannot hold to infinity or zero; there are no subnormal results of a smaller
// exponent. A NaN stays, or is infinite without mantissa bits to tell it.
func reducePrecision(d dtype.Type, bits uint64, exponentBits, mantissaBits int) uint64 {
	v := d.Float64(bits)
	infinite := d.FromFloat64(math.Copysign(math.Inf(1), v))
	if v != v {
		if mantissaBits > 0 {
			return bits
		}
		return d.FromFloat64(math.Inf(1))
	}
	sign := uint64(0)
	if d.HasNegative() {
		sign = bits & (1 << (d.Bits() - 1))
	}
	m := d.MantissaBits()
	a := bits &^ sign
	if cut := m - mantissaBits; cut > 0 {
		last := uint64(1) << cut
		a += last>>1 - 1 + a>>cut&1
		a &^= last - 1
	}
	if exponentBits < d.ExponentBits() {
		bias := uint64(d.Bias())
		span := uint64(1)<<(exponentBits-1) - 1
		switch {
		case a>>m > bias+span:
			return infinite
		case a <= (bias-span)<<m|(1<<m-1) && a>>m <= bias-span:
			a = 0
		}
	}
	if largest := d.FromFloat64(d.MaxFinite()); a > largest && !math.IsInf(d.Float64(a), 0) {
		return infinite
	}
	if a == 0 {
		return d.FromFloat64(math.Copysign(0, v))
	}
	return a | sign
}
