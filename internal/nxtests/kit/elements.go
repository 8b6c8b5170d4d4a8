package kit

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/go-nx/nx"
)

// DTypes are the element types that tensors are made of.
var DTypes = []nx.DType{
	nx.Bool, nx.S2, nx.S4, nx.S8, nx.S16, nx.S32, nx.S64, nx.U2, nx.U4, nx.U8, nx.U16, nx.U32, nx.U64,
	nx.F8E5M2, nx.F8E4M3FN, nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64, nx.C128,
}

// Samples returns elements of a type that show its edges.
func Samples(d nx.DType) []any {
	var out []any
	switch {
	case d == nx.Bool:
		return []any{false, true}
	case d.IsUnsigned():
		for _, v := range []uint64{0, 1, 2, 3, d.MaxInt(), d.MaxInt() - 1, d.MaxInt() / 2} {
			out = append(out, v)
		}
	case d.IsSigned():
		for _, v := range []int64{0, 1, -1, -2, d.MinInt(), int64(d.MaxInt()), d.MinInt() / 2} {
			out = append(out, v)
		}
	case d.IsFloat():
		for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3, 1.75, d.MaxFinite(),
			d.SmallestNormal(),
			math.Inf(1), math.Inf(-1), math.NaN()} {
			if !math.IsInf(v, 0) || d.HasInf() {
				out = append(out, v)
			}
		}
	default:
		for _, v := range []complex128{0, 1, 1i, -2 + 3i, 0.5 - 0.25i, -1, complex(0, -2)} {
			out = append(out, v)
		}
	}
	return out
}

// Encode returns elements as a tensor.
func Encode(d nx.DType, dims nx.Shape, vs []any) nx.Tensor {
	b := make([]byte, len(vs)*d.Size())
	for i, v := range vs {
		StoreElement(d, b, i, v)
	}
	return nx.FromBytes(b, dims, d)
}

// StoreElement writes v, wrapped or rounded, as element i.
func StoreElement(d nx.DType, b []byte, i int, v any) {
	switch v := v.(type) {
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		d.StoreInt(b, i, n)
	case int64:
		d.StoreInt(b, i, v)
	case uint64:
		d.StoreUint(b, i, v)
	case float64:
		d.StoreFloat(b, i, v)
	case complex128:
		d.StoreComplex(b, i, v)
	}
}

// LoadElement returns element i as bool, int64, uint64, float64 or complex128.
func LoadElement(d nx.DType, b []byte, i int) any {
	switch {
	case d == nx.Bool:
		return d.LoadInt(b, i) != 0
	case d.IsSigned():
		return d.LoadInt(b, i)
	case d.IsUnsigned():
		return d.LoadUint(b, i)
	case d.IsFloat():
		return d.LoadFloat(b, i)
	}
	return d.LoadComplex(b, i)
}

// Alike reports whether two elements are equal; within ulps of type d, and with
// NaN equal to NaN. Zeros of different sign differ where ulps is 0.
func Alike(d nx.DType, got, want any, ulps float64) bool {
	switch g := got.(type) {
	case float64:
		return near(d, g, want.(float64), ulps)
	case complex128:
		w := want.(complex128)
		r := d.Real()
		if ulps == 0 {
			return near(r, real(g), real(w), 0) && near(r, imag(g), imag(w), 0)
		}
		part := func(g, p float64) bool { // measured against the whole number
			return g == p || g != g && p != p || math.Abs(g-p) <= ulps*r.Epsilon()*cmplx.Abs(w)
		}
		return part(real(g), real(w)) && part(imag(g), imag(w))
	}
	return got == want
}

func near(d nx.DType, g, w, ulps float64) bool {
	w = d.Float64(d.FromFloat64(w))
	if math.IsNaN(g) || math.IsNaN(w) {
		return math.IsNaN(g) && math.IsNaN(w)
	}
	if ulps == 0 {
		return math.Float64bits(g) == math.Float64bits(w)
	}
	return g == w || math.Abs(g-w) <= ulps*d.Epsilon()*math.Max(math.Abs(w), d.SmallestNormal())
}

// CheckElements compares a tensor with the elements that want computes.
func CheckElements(t *testing.T, what string, got nx.Tensor, d nx.DType, ulps float64, want func(i int) any) {
	t.Helper()
	if got.DType() != d {
		t.Errorf("%s: the result is %s, want %s", what, got.DType(), d)
		return
	}
	b := nx.Bytes(got)
	for i := range got.Size() {
		w := want(i)
		if w == nil {
			continue
		}
		e := make([]byte, d.Size())
		StoreElement(d, e, 0, w)
		if g, w := LoadElement(d, b, i), LoadElement(d, e, 0); !Alike(d, g, w, ulps) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// ToFloat returns the type of the result of a function of real numbers on elements of a type.
func ToFloat(d nx.DType) nx.DType {
	if d.IsFloat() || d.IsComplex() {
		return d
	}
	return nx.F32
}

// BoolToInt returns 1 for true and 0 for false.
func BoolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
