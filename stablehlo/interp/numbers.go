package interp

import "github.com/go-nx/nx/dtype"

// number is an accumulation type: float32 for floats of at most 32 bits, float64, int64 for integers and bools
// (modulo 2^64, hence right for every width), complex64 and complex128.
type number interface {
	float32 | float64 | int64 | complex64 | complex128
}

// numberKind is the number type of the arithmetic on elements of a type.
type numberKind uint8

const (
	asInt64 numberKind = iota
	asFloat32
	asFloat64
	asComplex64
	asComplex128
)

func kindOf(d dtype.Type) numberKind {
	switch {
	case d == dtype.C64:
		return asComplex64
	case d == dtype.C128:
		return asComplex128
	case d == dtype.F64:
		return asFloat64
	case d.IsFloat():
		return asFloat32
	}
	return asInt64
}

// load returns the elements of x as numbers of T.
func load[T number](f *frame, x *Tensor) ([]T, error) {
	out := make([]T, x.numElems())
	d, n := x.Type.DType(), len(out)
	var err error
	switch out := any(out).(type) {
	case []int64:
		err = f.each(n, func(i int) { out[i] = d.LoadInt(x.Data, i) })
	case []float32:
		err = f.each(n, func(i int) { out[i] = float32(loadReal(d, x.Data, i)) })
	case []float64:
		err = f.each(n, func(i int) { out[i] = loadReal(d, x.Data, i) })
	case []complex64:
		err = f.each(n, func(i int) { out[i] = complex64(loadComplex(d, x.Data, i)) })
	case []complex128:
		err = f.each(n, func(i int) { out[i] = loadComplex(d, x.Data, i) })
	}
	return out, err
}

// loadReal returns an element of a float, integer or bool type.
func loadReal(d dtype.Type, data []byte, i int) float64 {
	switch {
	case d.IsFloat():
		return d.LoadFloat(data, i)
	case d == dtype.U64:
		return float64(d.LoadUint(data, i))
	}
	return float64(d.LoadInt(data, i))
}

// loadComplex returns an element of any type.
func loadComplex(d dtype.Type, data []byte, i int) complex128 {
	if d.IsComplex() {
		return d.LoadComplex(data, i)
	}
	return complex(loadReal(d, data, i), 0)
}

// store sets the elements of r, each rounded once; integers modulo their width.
func store[T number](f *frame, r *Tensor, v []T) error {
	d, n := r.Type.DType(), len(v)
	switch v := any(v).(type) {
	case []int64:
		return f.each(n, func(i int) { d.StoreInt(r.Data, i, v[i]) })
	case []float32:
		return f.each(n, func(i int) { d.StoreFloat(r.Data, i, float64(v[i])) })
	case []float64:
		return f.each(n, func(i int) { d.StoreFloat(r.Data, i, v[i]) })
	case []complex64:
		return f.each(n, func(i int) { d.StoreComplex(r.Data, i, complex128(v[i])) })
	case []complex128:
		return f.each(n, func(i int) { d.StoreComplex(r.Data, i, v[i]) })
	}
	return nil
}
