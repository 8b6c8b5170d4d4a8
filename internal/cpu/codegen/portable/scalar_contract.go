package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
)

// IsScalarContract reports false: the matrix products of this tier are faster than scalar code.
func (Generator) IsScalarContract(*codegen.Contract) bool { return false }

// Contract adds a small contraction.
func (s *ScalarCompiler) Contract(c codegen.Contract) {
	delete(s.known, c.Out.Buf)
	left, right, out := s.home(c.Left.Buf), s.home(c.Right.Buf), s.home(c.Out.Buf)
	add := addF32
	switch c.Type {
	case dtype.F64:
		add = addF64
	case dtype.BF16:
		add = addBF16
	}
	s.emit(func(f *File) {
		a, b, to := left.at(f), right.at(f), out.at(f)
		for m := range c.M {
			for n := range c.N {
				sum := 0.0
				for k := range c.K {
					sum = add(unsafe.Add(a, c.Left.At+m*c.Left.Row+k*c.Left.Col),
						unsafe.Add(b, c.Right.At+k*c.Right.Row+n*c.Right.Col), sum)
				}
				at := unsafe.Add(to, c.Out.At+m*c.Out.Row+n*c.Out.Col)
				c.Type.StoreFloat(unsafe.Slice((*byte)(at), c.Type.Size()), 0, sum)
			}
		}
	})
}

func addF64(x, y unsafe.Pointer, sum float64) float64 {
	return math.FMA(*(*float64)(x), *(*float64)(y), sum)
}

func addF32(x, y unsafe.Pointer, sum float64) float64 {
	return addRoundedF32(float64(*(*float32)(x))*float64(*(*float32)(y)), sum)
}

func addBF16(x, y unsafe.Pointer, sum float64) float64 {
	of := func(p unsafe.Pointer) float64 { return dtype.BF16.LoadFloat(unsafe.Slice((*byte)(p), 2), 0) }
	return addRoundedF32(of(x)*of(y), sum)
}

// addRoundedF32 adds an exact product with one rounding to 32 bits.
func addRoundedF32(p, sum float64) float64 {
	s := p + sum
	b := s - p
	rest := (p - (s - b)) + (sum - b)
	if bits := math.Float64bits(s); rest != 0 && rest == rest && bits&1 == 0 { // avoids double rounding
		if (rest > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float64(float32(s))
}
