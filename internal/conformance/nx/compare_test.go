package nx_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/go-nx/nx"
)

// tolerance is the allowed difference of a float from the recorded one: in units of its type, relative, or
// absolute.
type tolerance struct {
	ulps     float64
	rel, abs float64
}

// mantissaBits are the bits after the leading one.
var mantissaBits = map[nx.DType]int{nx.F8E5M2: 2, nx.F8E4M3FN: 3, nx.BF16: 7, nx.F16: 10, nx.F32: 23, nx.F64: 52,
	nx.C64: 23, nx.C128: 52}

// smallest is the spacing of the smallest numbers of a float type.
var smallest = map[nx.DType]float64{nx.F8E5M2: 0x1p-16, nx.F8E4M3FN: 0x1p-9, nx.BF16: 0x1p-133,
	nx.F16: 0x1p-24, nx.F32: 0x1p-149,
	nx.F64: 0x1p-1074, nx.C64: 0x1p-149, nx.C128: 0x1p-1074}

func (tol tolerance) near(d nx.DType, want, got float64) bool {
	switch {
	case want == got || want != want && got != got:
		return true
	case want != want || got != got || math.IsInf(want, 0) || math.IsInf(got, 0):
		return false
	}
	if mantissaBits[d] < 10 { // with so few digits four units are not a tolerance
		tol.ulps = min(tol.ulps, 1)
	}
	distance := math.Abs(want - got)
	size := max(math.Abs(want), math.Abs(got))
	ulp := max(math.Ldexp(1, math.Ilogb(size)-mantissaBits[d]), smallest[d])
	return distance <= tol.ulps*ulp || distance <= tol.rel*size || distance <= tol.abs
}

// compareValues reports how a value differs from the recorded one; "" when it does not.
func compareValues(want, got any, tol tolerance) string {
	switch w := want.(type) {
	case nx.Tensor:
		g, ok := got.(nx.Tensor)
		if !ok {
			return fmt.Sprintf("%T is not a tensor", got)
		}
		return compareTensors(w, g, tol)
	case tuple:
		return compareLists(w, got, tol)
	case []any:
		return compareLists(w, got, tol)
	case stream:
		return compareLists(w, got, tol)
	case pairs:
		g, ok := got.(pairs)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%v is not %v", got, want)
		}
		for i, p := range w {
			if why := compareValues(p.value, g[i].value, tol); why != "" || p.key != g[i].key {
				return fmt.Sprintf("%s against %s: %s", g[i].key, p.key, why)
			}
		}
		return ""
	case float64:
		g, ok := got.(float64)
		if !ok || !tol.near(nx.F64, w, g) {
			return fmt.Sprintf("%v is not %v", got, want)
		}
		return ""
	case template:
		if g, ok := got.(template); !ok || !w.spec.Equal(g.spec) {
			return fmt.Sprintf("the template %v is not %v", got, want)
		}
		return ""
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%T %v is not %T %v", got, got, want, want)
	}
	return ""
}

func compareLists[L ~[]any](want L, got any, tol tolerance) string {
	g := reflect.ValueOf(got)
	if got == nil || g.Kind() != reflect.Slice || g.Len() != len(want) {
		return fmt.Sprintf("%v has not the length of %v", got, want)
	}
	for i, w := range want {
		if s := compareValues(w, g.Index(i).Interface(), tol); s != "" {
			return fmt.Sprintf("element %d: %s", i, s)
		}
	}
	return ""
}

func compareTensors(want, got nx.Tensor, tol tolerance) string {
	if got.IsZero() {
		return "the tensor is absent"
	}
	w, g := want.Spec(), got.Spec()
	switch {
	case w.DType != g.DType:
		return fmt.Sprintf("the element type is %s, not %s", g.DType, w.DType)
	case !slices.Equal(w.Shape, g.Shape):
		return fmt.Sprintf("the shape is %v, not %v", g.Shape, w.Shape)
	case !slices.Equal(want.Vectors(), got.Vectors()):
		return fmt.Sprintf("the vectorised axes are %v, not %v", got.Vectors(), want.Vectors())
	case !slices.Equal(want.Names(), got.Names()):
		return fmt.Sprintf("the names are %q, not %q", got.Names(), want.Names())
	}
	n := len(nx.Bytes(want)) / w.DType.Size()
	wb, gb := nx.Bytes(want), nx.Bytes(got)
	for i := range n {
		var same bool
		switch {
		case w.DType.IsComplex():
			a, b := w.DType.LoadComplex(wb, i), w.DType.LoadComplex(gb, i)
			size := math.Max(math.Abs(real(a)), math.Abs(imag(a)))
			t := tol
			if !math.IsInf(size, 0) && !math.IsNaN(size) { // the parts share the error of the number
				t.abs += max(tol.rel, tol.ulps*math.Ldexp(1, -mantissaBits[w.DType])) * size
			}
			same = t.near(w.DType, real(a), real(b)) && t.near(w.DType, imag(a), imag(b))
			if !same {
				return fmt.Sprintf("element %d is %v, not %v", i, b, a)
			}
		case w.DType.IsFloat():
			a, b := w.DType.LoadFloat(wb, i), w.DType.LoadFloat(gb, i)
			if !tol.near(w.DType, a, b) {
				return fmt.Sprintf("element %d is %v, not %v", i, b, a)
			}
		default:
			a, b := w.DType.LoadInt(wb, i), w.DType.LoadInt(gb, i)
			if a != b {
				return fmt.Sprintf("element %d is %v, not %v", i, b, a)
			}
		}
	}
	return ""
}
