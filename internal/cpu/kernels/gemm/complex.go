package gemm

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// MatMulComplex is [MatMul] for complex elements. It multiplies real matrices of twice the size, at full speed of the
// real kernel. With p and q counting the parts of a complex number,
//
//	[re C]   [re A  −im A]   [re B]
//	[im C] = [im A   re A] · [im B]
//
// the rows (i, p) and the contracted positions (k, q) interleave.
func MatMulComplex[Z complex64 | complex128](env *rt.Env, c, a, b Matrix[Z]) error {
	if c, ok := any(&c).(*Matrix[complex64]); ok {
		return matMulParts[float32](env, c, any(&a).(*Matrix[complex64]), any(&b).(*Matrix[complex64]))
	}
	return matMulParts[float64](env, any(&c).(*Matrix[complex128]), any(&a).(*Matrix[complex128]),
		any(&b).(*Matrix[complex128]))
}

func matMulParts[T float32 | float64, Z complex64 | complex128](env *rt.Env, c, a, b *Matrix[Z]) error {
	if multiplySmallComplex[T](env, c, a, b) {
		return nil
	}
	g := newComplexProduct[T](env, c, a, b)
	defer g.release()
	return g.run(env)
}

// newComplexProduct returns the product of three complex matrices as one of their parts. Its step does not fuse
// multiplications and additions: with only one of the products in a·c - b·d rounded, the imaginary part of z·z̄ would
// not be 0.
func newComplexProduct[T float32 | float64, Z complex64 | complex128](env *rt.Env, c, a, b *Matrix[Z]) *product[T] {
	g := newProduct[T]()
	g.step = unfusedStepOf[T](env)
	d := &g.parts.dims
	pc, pb := parts[T](c, d[0:3]), parts[T](b, d[3:6])
	both := Dim{2, 1}
	d[1], d[4] = append(pc.Rows, both), append(pb.Rows, both)
	pc.Rows, pb.Rows = d[1], d[4]
	g.parts.complex = complexSource[T]{parts[T](a, d[6:9])}
	g.a = &g.parts.complex
	g.setSize(pc, 2*a.Cols.Size())
	g.parts.strided = stridedEpilogue[T]{pc}
	g.epilogue = &g.parts.strided
	g.parts.b = NewStrided(pb.Data, pb.Offset, pb.Batch, pb.Cols, pb.Rows)
	g.b = &g.parts.b
	return g
}

// parts views a matrix of complex numbers as their parts: real and imaginary parts interleaved. Its dimensions are
// written to dims.
func parts[T float32 | float64, Z complex64 | complex128](m *Matrix[Z], dims []Dims) Matrix[T] {
	for i, d := range [3]Dims{m.Batch, m.Rows, m.Cols} {
		dims[i] = dims[i][:0]
		for _, x := range d {
			dims[i] = append(dims[i], Dim{x.Size, 2 * x.Stride})
		}
	}
	return Matrix[T]{
		Data:   partsOf[T](m.Data),
		Offset: 2 * m.Offset, Batch: dims[0], Rows: dims[1], Cols: dims[2],
	}
}

func partsOf[T float32 | float64, Z complex64 | complex128](z []Z) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(z))), 2*len(z))
}

// complexSource is the left operand of the doubled product.
type complexSource[T Accumulator] struct{ m Matrix[T] }

func (s *complexSource[T]) Copies() bool { return true }

// Block requires blocks that begin and end at full complex numbers.
func (s *complexSource[T]) Block(tmp []T, batch, line, n, k, depth int) ([]T, int, int) {
	var store offsetTable
	base := s.m.Offset + s.m.Batch.At(batch)
	lines, depths := store.lines(s.m.Rows, line/2, n/2), store.depth(s.m.Cols, k/2, depth/2)
	for i, l := range lines {
		re, im := tmp[2*i*depth:][:depth], tmp[(2*i+1)*depth:][:depth]
		for j, d := range depths {
			z := s.m.Data[base+l+d:][:2]
			re[2*j], re[2*j+1] = z[0], -z[1]
			im[2*j], im[2*j+1] = z[1], z[0]
		}
	}
	return tmp, depth, 1
}
