package random

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// maxWork bounds the multiplications of a matrix multiplication.
const maxWork = 600_000

// dot makes a contraction over any dimensions, with the dimensions of the operands in any order.
func (m *maker) dot() {
	x, ok := m.find(func(v value) bool {
		return v.dtype() != dtype.Bool && !isNarrow(v.dtype())
	})
	if !ok {
		return
	}
	var dims stablehlo.DotDims
	type dim struct {
		size, from int64
		batch      bool
	}
	var y []dim
	terms, result := int64(1), int64(1)
	for d, n := range x.dims() {
		switch d := int64(d); m.r.IntN(5) {
		case 0:
			dims.LHSBatching = append(dims.LHSBatching, d)
			y, result = append(y, dim{n, d, true}), result*n
		case 1, 2:
			dims.LHSContracting = append(dims.LHSContracting, d)
			y, terms = append(y, dim{n, d, false}), terms*n
		default:
			result *= n
		}
	}
	for range m.r.IntN(3) {
		n := pick(m.r, smallSizes)
		y, result = append(y, dim{n, -1, false}), result*n
	}
	if terms*result > maxWork || result > maxElems || x.dtype().IsFloat() && x.dtype().Bits() == 16 && terms > 16 {
		return
	}
	m.r.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
	var shape []int64
	place := map[int64]int64{}
	for i, d := range y {
		shape = append(shape, d.size)
		if d.from >= 0 {
			place[d.from] = int64(i)
		}
	}
	for _, d := range dims.LHSBatching {
		dims.RHSBatching = append(dims.RHSBatching, place[d])
	}
	for _, d := range dims.LHSContracting {
		dims.RHSContracting = append(dims.RHSContracting, place[d])
	}
	m.emit(stablehlo.OpDotGeneral, []value{x, m.of(x.Tensor().WithDims(shape...), false)},
		stablehlo.Named("dot_dimension_numbers", &dims))
}

// fft transforms the last dimension of a tensor.
func (m *maker) fft() {
	x, ok := m.find(func(v value) bool {
		d := v.dtype()
		return v.rank() > 0 && v.count() < 20_000 && v.dims()[v.rank()-1] > 0 &&
			(d.IsComplex() || d == dtype.F32 || d == dtype.F64)
	})
	if !ok {
		return
	}
	kind, n := "RFFT", x.dims()[x.rank()-1]
	if x.dtype().IsComplex() {
		kind = pick(m.r, []string{"FFT", "IFFT", "IRFFT"})
	}
	if kind == "IRFFT" {
		n = max(2*n-1-int64(m.r.IntN(2)), 1)
	}
	m.emit(stablehlo.OpFft, []value{x}, ints("fft_length", n), enum("fft_type", kind))
}

// triangularSolve solves with a matrix made for it, whose diagonal is not small.
func (m *maker) triangularSolve() {
	x, ok := m.find(func(v value) bool {
		d := v.dtype()
		return v.rank() >= 2 && v.count() < 3000 && v.count() > 0 &&
			max(v.dims()[v.rank()-1], v.dims()[v.rank()-2]) <= 33 &&
			(d.IsComplex() || d == dtype.F32 || d == dtype.F64)
	})
	if !ok {
		return
	}
	left := m.r.IntN(2) == 0
	n := x.rank()
	dims := append([]int64{}, x.dims()...)
	if left {
		dims[n-1] = dims[n-2]
	} else {
		dims[n-2] = dims[n-1]
	}
	d := x.dtype()
	t := stablehlo.Tensor(d, dims...)
	data := make([]byte, count(dims)*int64(d.Size()))
	k := int(dims[n-1])
	for i := range int(count(dims)) {
		v := m.r.Float64() / float64(k)
		if i%k == i/k%k {
			v += 1.5
		}
		if d.IsComplex() {
			d.StoreComplex(data, i, complex(v, v/3))
		} else {
			d.StoreFloat(data, i, v)
		}
	}
	a := m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: data}))
	transpose := pick(m.r, []string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})
	m.emit(stablehlo.OpTriangularSolve, []value{a, x}, stablehlo.Named("left_side", stablehlo.BoolAttr(left)),
		stablehlo.Named("lower", stablehlo.BoolAttr(m.r.IntN(2) == 0)),
		stablehlo.Named("unit_diagonal", stablehlo.BoolAttr(m.r.IntN(2) == 0)),
		stablehlo.Named("transpose_a", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "transpose", Value: transpose}))
}

// randomBits draws bits by one of the generators.
func (m *maker) randomBits() {
	algorithm, words := "THREE_FRY", int64(2)
	if m.r.IntN(2) == 0 {
		algorithm, words = "PHILOX", int64(2+m.r.IntN(2))
	}
	state := m.of(stablehlo.Tensor(dtype.U64, words), true)
	d := pick(m.r, []dtype.Type{dtype.U8, dtype.U16, dtype.U32, dtype.U64, dtype.S32})
	m.emitAll(stablehlo.OpRngBitGenerator, []value{state}, enum("rng_algorithm", algorithm),
		stablehlo.Results{state.Type(), stablehlo.Tensor(d, randomDims(m.r)...)})
}
