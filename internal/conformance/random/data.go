package random

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// dtypes are the element types, the common ones more often.
var dtypes = []dtype.Type{
	dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.F64, dtype.BF16, dtype.F16,
	dtype.S32, dtype.S32, dtype.S32,
	dtype.S8, dtype.U8, dtype.U32, dtype.S64, dtype.Bool, dtype.C64,
	dtype.F8E4M3FN, dtype.F8E5M2, dtype.S4, dtype.U4, dtype.S16, dtype.U16, dtype.U64, dtype.C128,
	dtype.S2, dtype.U2, dtype.F4E2M1FN, dtype.F8E4M3B11FNUZ,
}

// The shapes: small ones; those at the borders of a tile of kernels, in all and
// in a row; and those that several workers share.
var (
	smallSizes = []int64{1, 2, 3, 4, 5, 8, 17, 33}
	tileShapes = [][]int64{{1023}, {1024}, {1025}, {2048}, {2049}, {4097}, {1, 1025}, {3, 1025}, {1025, 3},
		{2, 1024}, {1024, 2}, {32, 32},
		{33, 32}, {5, 205}, {2, 3, 1025}, {7, 0, 1025}, {1025, 1}}
	largeShapes = [][]int64{{70_001}, {300, 301}, {9000, 9}, {9, 9000}, {2, 1500, 7}, {65_536}, {64, 1024},
		{1024, 64}, {3, 32_769}}
)

// randomDims returns a shape.
func randomDims(r *rand.Rand) []int64 {
	switch {
	case r.IntN(16) == 0:
		return slices.Clone(pick(r, largeShapes))
	case r.IntN(6) == 0:
		return slices.Clone(pick(r, tileShapes))
	}
	dims := make([]int64, r.IntN(4))
	for i := range dims {
		dims[i] = pick(r, smallSizes)
	}
	if len(dims) > 0 && r.IntN(25) == 0 {
		dims[r.IntN(len(dims))] = 0
	}
	return dims
}

func count(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// elements returns random elements of a size that the tensor has; a few tensors
// have a few elements that need care, so that most results are plain numbers.
func elements(r *rand.Rand, t *stablehlo.TensorType) []byte {
	n, _ := t.NumElems()
	d := t.DType()
	b := make([]byte, n*int64(d.Size()))
	store := numbers(r, d)
	for i := range int(n) {
		store(b, i)
	}
	if n > 0 && r.IntN(4) == 0 {
		for range 1 + r.IntN(3) {
			storeSpecial(r, d, b, r.IntN(int(n)))
		}
	}
	return b
}

// numbers returns a function that stores a random ordinary element.
func numbers(r *rand.Rand, d dtype.Type) func(b []byte, i int) {
	if d == dtype.Bool {
		return func(b []byte, i int) { d.StoreInt(b, i, int64(r.IntN(2))) }
	}
	if d.IsInteger() {
		shift := 64 - min(d.Bits(), pick(r, []int{3, 4, 7, 8, 16, 64}))
		return func(b []byte, i int) { d.StoreInt(b, i, int64(r.Uint64())>>shift) }
	}
	number := func() float64 { return math.Round(r.NormFloat64()*16) / 16 }
	switch r.IntN(12) {
	case 0: // of any size
		number = func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(40)-20) }
	case 1, 2: // with all bits in use
		number = func() float64 { return r.Float64()*2 - 1 }
	case 3:
		number = func() float64 { return math.Abs(r.NormFloat64()) * 8 }
	}
	if d.IsComplex() {
		return func(b []byte, i int) { d.StoreComplex(b, i, complex(number(), number())) }
	}
	return func(b []byte, i int) { d.StoreFloat(b, i, number()) }
}

var (
	specialFloats = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1,
		0.5, 1.5, 2.5, -0.5,
		math.MaxFloat64, math.MaxFloat32, -math.MaxFloat32, 65504, math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-1074,
		1e30, 3e9, -3e9, 1 << 24}
	specialInts = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, math.MaxInt8,
		math.MinInt8, 31, 32, 63, 64}
)

func storeSpecial(r *rand.Rand, d dtype.Type, b []byte, i int) {
	switch {
	case d == dtype.Bool:
	case d.IsInteger():
		d.StoreInt(b, i, pick(r, specialInts))
	case d.IsComplex():
		d.StoreComplex(b, i, complex(pick(r, specialFloats), pick(r, specialFloats)))
	default:
		d.StoreFloat(b, i, pick(r, specialFloats))
	}
}

// constant appends a constant of a type: with an element each if there are few, or a splat.
func (m *maker) constant(t *stablehlo.TensorType) value {
	a := &stablehlo.ElementsAttr{Type: t}
	n, _ := t.NumElems()
	switch m.r.IntN(3) {
	case 0:
		a.Splat = true
	default:
		a.Splat = n > 10_000
	}
	if a.Splat {
		a.Data = m.elements(t.WithDims())
	} else {
		a.Data = m.elements(t)
	}
	return m.known(m.b.Constant(a))
}

// number appends a constant of one number everywhere.
func (m *maker) number(t *stablehlo.TensorType, v float64) value {
	return m.known(m.full(t, v))
}

func (m *maker) full(t *stablehlo.TensorType, v float64) *stablehlo.Value {
	a, err := stablehlo.Full(t, v)
	if err != nil {
		panic("random: " + err.Error())
	}
	return m.b.Constant(a)
}
