package interp

import "github.com/go-nx/nx/dtype"

// number is a type in which products are summed: float64 for all real floats,
// int64 for integers and bools (modulo 2^64, hence right for every width),
// complex128 for complex numbers.
type number interface{ float64 | int64 | complex128 }

// load returns the elements of x as numbers of T.
func load[T number](x *Tensor) []T {
	out := make([]T, x.numElems())
	d := x.Type.DType()
	switch out := any(out).(type) {
	case []int64:
		for i := range out {
			out[i] = d.LoadInt(x.Data, i)
		}
	case []float64:
		loadFloats(out, d, x.Data)
	case []complex128:
		if !d.IsComplex() {
			for i, v := range load[float64](x) {
				out[i] = complex(v, 0)
			}
			break
		}
		for i := range out {
			out[i] = d.LoadComplex(x.Data, i)
		}
	}
	return out
}

func loadFloats(out []float64, d dtype.Type, data []byte) {
	switch {
	case d.IsFloat():
		for i := range out {
			out[i] = d.LoadFloat(data, i)
		}
	case d == dtype.U64:
		for i := range out {
			out[i] = float64(d.LoadUint(data, i))
		}
	default:
		for i := range out {
			out[i] = float64(d.LoadInt(data, i))
		}
	}
}

// store sets the elements of r, each rounded once; integers modulo their width.
func store[T number](r *Tensor, v []T) {
	d := r.Type.DType()
	switch v := any(v).(type) {
	case []int64:
		for i, v := range v {
			d.StoreInt(r.Data, i, v)
		}
	case []float64:
		for i, v := range v {
			d.StoreFloat(r.Data, i, v)
		}
	case []complex128:
		for i, v := range v {
			d.StoreComplex(r.Data, i, v)
		}
	}
}
