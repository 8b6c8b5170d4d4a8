package kernels

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// MatMulComplex is [MatMul] for complex elements. It multiplies real matrices of
// twice the size, which the real kernel does at full speed: with p and q counting
// the parts of a complex number,
//
//	[re C]   [re A  −im A]   [re B]
//	[im C] = [im A   re A] · [im B]
//
// so that the rows (i, p) and the contracted positions (k, q) interleave.
func MatMulComplex[Z complex64 | complex128](env *rt.Env, c, a, b Matrix[Z]) error {
	if c, ok := any(c).(Matrix[complex64]); ok {
		return matMulParts(env, parts[float32](c), parts[float32](any(a).(Matrix[complex64])),
			parts[float32](any(b).(Matrix[complex64])))
	}
	return matMulParts(env, parts[float64](any(c).(Matrix[complex128])),
		parts[float64](any(a).(Matrix[complex128])), parts[float64](any(b).(Matrix[complex128])))
}

func matMulParts[T float32 | float64](env *rt.Env, c, a, b Matrix[T]) error {
	return newComplexProduct(c, a, b).run(env)
}

// newComplexProduct returns the product of three matrices of parts.
func newComplexProduct[T float32 | float64](c, a, b Matrix[T]) *product[T] {
	both := Dim{2, 1}
	c.Rows, b.Rows = append(c.Rows, both), append(b.Rows, both)
	g := newProduct(c, 2*a.Cols.Size())
	g.sink = &stridedSink[T]{c}
	g.a = &complexRows[T]{a}
	g.b = newStrided(b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	return g
}

// parts views a matrix of complex numbers as their parts: the real ones, each with
// its imaginary one behind it.
func parts[T float32 | float64, Z complex64 | complex128](m Matrix[Z]) Matrix[T] {
	double := func(d Dims) Dims {
		out := make(Dims, len(d), len(d)+1)
		for i, x := range d {
			out[i] = Dim{x.Size, 2 * x.Stride}
		}
		return out
	}
	return Matrix[T]{
		Data:   unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m.Data))), 2*len(m.Data)),
		Offset: 2 * m.Offset, Batch: double(m.Batch), Rows: double(m.Rows), Cols: double(m.Cols),
	}
}

// complexRows is the left operand of the doubled product.
type complexRows[T float32 | float64] struct{ m Matrix[T] }

func (s *complexRows[T]) copies() bool { return true }

// block relies on blocks that begin and end at whole complex numbers.
func (s *complexRows[T]) block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	var store offsetTable
	base := s.m.Offset + s.m.Batch.at(batch)
	lines, deep := store.lines(s.m.Rows, line/2, n/2), store.depth(s.m.Cols, k/2, depth/2)
	for i, l := range lines {
		re, im := tmp[2*i*depth:][:depth], tmp[(2*i+1)*depth:][:depth]
		for j, d := range deep {
			z := s.m.Data[base+l+d:][:2]
			re[2*j], re[2*j+1] = z[0], -z[1]
			im[2*j], im[2*j+1] = z[1], z[0]
		}
	}
	return tmp, depth, 1
}
