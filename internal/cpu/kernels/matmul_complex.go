package kernels

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// MatMulComplex is [MatMul] for complex elements. It multiplies real matrices of
// twice the rows and columns, which the real kernel does at full speed: the left one has
// rows of real and of imaginary parts in turn, the right one columns, so that each element
// of the result is made of four neighbouring sums,
//
//	re C = re A · re B − im A · im B
//	im C = re A · im B + im A · re B
//
// Whatever a step rounds, re z · im z̄ and im z · re z̄ sum up to the same numbers, so that
// the imaginary part of z · z̄ is 0.
func MatMulComplex[Z complex64 | complex128](env *rt.Env, c, a, b Matrix[Z]) error {
	if c, ok := any(&c).(*Matrix[complex64]); ok {
		return matMulParts[float32](env, c, any(&a).(*Matrix[complex64]), any(&b).(*Matrix[complex64]))
	}
	return matMulParts[float64](env, any(&c).(*Matrix[complex128]), any(&a).(*Matrix[complex128]),
		any(&b).(*Matrix[complex128]))
}

func matMulParts[T float32 | float64, Z complex64 | complex128](env *rt.Env, c, a, b *Matrix[Z]) error {
	g := takeComplexProduct[T](c, a, b)
	defer g.forget()
	return g.run(env)
}

// takeComplexProduct returns the product of three complex matrices as one of their parts.
func takeComplexProduct[T float32 | float64, Z complex64 | complex128](c, a, b *Matrix[Z]) *product[T] {
	g := takeProduct[T]()
	d := &g.parts.dims
	pc, pa, pb := parts[T](c, d[0:3]), parts[T](a, d[3:6]), parts[T](b, d[6:9])
	both := Dim{2, 1}
	d[2], d[4], d[8] = append(pc.Cols, both), append(pa.Rows, both), append(pb.Cols, both)
	pc.Cols, pa.Rows, pb.Cols = d[2], d[4], d[8]
	g.parts.spread = stridedSink[T]{pc}
	g.parts.complex = complexSink[T]{&g.parts.spread}
	g.sink = &g.parts.complex
	g.parts.a = newStrided(pa.Data, pa.Offset, pa.Batch, pa.Rows, pa.Cols)
	g.parts.b = newStrided(pb.Data, pb.Offset, pb.Batch, pb.Cols, pb.Rows)
	g.a, g.b = &g.parts.a, &g.parts.b
	g.setSize(pc, a.Cols.Size())
	g.m *= 2
	return g
}

// parts views a matrix of complex numbers as their parts: the real ones, each with its
// imaginary one behind it. Its dimensions are written to room.
func parts[T float32 | float64, Z complex64 | complex128](m *Matrix[Z], room []Dims) Matrix[T] {
	for i, d := range [3]Dims{m.Batch, m.Rows, m.Cols} {
		room[i] = room[i][:0]
		for _, x := range d {
			room[i] = append(room[i], Dim{x.Size, 2 * x.Stride})
		}
	}
	return Matrix[T]{
		Data:   unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m.Data))), 2*len(m.Data)),
		Offset: 2 * m.Offset, Batch: room[0], Rows: room[1], Cols: room[2],
	}
}

// complexSink makes complex numbers of four sums each, and passes them on.
type complexSink[T accumulator] struct{ to sink[T] }

func (s *complexSink[T]) block(tmp []T, _, _, _ int) ([]T, int) { return tmp, 0 }

// store relies on blocks that begin and end at whole complex numbers: the sums of the
// imaginary parts of a row are in the next one.
func (s *complexSink[T]) store(line []T, batch, row, col int) {
	if row%2 == 1 {
		return
	}
	im := line[len(line) : 2*len(line)]
	for j := 0; j+1 < len(line); j += 2 {
		line[j], line[j+1] = line[j]-im[j+1], line[j+1]+im[j]
	}
	s.to.store(line, batch, row/2, col)
}
