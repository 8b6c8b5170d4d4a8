package random

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Huge returns the program of a seed like [Independent], of ops with enough elements that workers share the
// work within a line or a matrix. Interpreting it would take minutes.
func Huge(seed uint64) (*Program, error) {
	return build(seed, func(m *maker) { m.independent(huge) })
}

// huge are the ops of such programs, filled in init as the lists of random.go are.
var huge []func(m *maker) []value

func init() {
	huge = choices(
		weighted[func(m *maker) []value]{3, single((*maker).hugeMatmul)},
		weighted[func(m *maker) []value]{1, single((*maker).batchedMatmul)},
		weighted[func(m *maker) []value]{1, single((*maker).hugeConvolution)},
		weighted[func(m *maker) []value]{1, single((*maker).hugeFFT)},
		weighted[func(m *maker) []value]{1, (*maker).hugeSort},
		weighted[func(m *maker) []value]{1, (*maker).hugeTopK},
		weighted[func(m *maker) []value]{1, single((*maker).hugeScatter)},
		weighted[func(m *maker) []value]{2, single((*maker).hugeCumulative)},
		weighted[func(m *maker) []value]{1, single((*maker).hugeReduce)},
		weighted[func(m *maker) []value]{1, single((*maker).largeSelectAndScatter)},
		weighted[func(m *maker) []value]{3, (*maker).hugeFactors})
}

// hugeMatmul multiplies matrices of any form, also by vectors.
func (m *maker) hugeMatmul() value {
	batch := pick(m.r, []int64{1, 1, 2, 5})
	rows, cols, terms := m.geometricSize(30, 1500), m.geometricSize(30, 1500), m.geometricSize(30, 3000)
	switch m.r.IntN(6) {
	case 0:
		rows, terms = 1, terms*8
	case 1:
		cols, terms = 1, terms*8
	}
	for batch*rows*cols*terms > 20_000_000 || batch*terms*max(rows, cols) > 2_000_000 {
		rows, cols, terms = max(rows*3/4, 1), max(cols*3/4, 1), max(terms*3/4, 1)
	}
	return m.matmul(pick(m.r, matmulTypes), batch, rows, cols, terms)
}

func (m *maker) hugeConvolution() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F32, dtype.F64})
	images, size, in, out := m.geometricSize(1, 6), m.geometricSize(12, 40), m.geometricSize(4, 64),
		m.geometricSize(4, 64)
	k := int64(1 + m.r.IntN(3))
	for images*size*size*k*k*in*out > 20_000_000 {
		images, size = max(images/2, 1), max(size*3/4, k)
	}
	return m.convolved(d, images, size, k, in, out, 1)
}

// hugeFFT transforms lines that take all workers each.
func (m *maker) hugeFFT() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F64, dtype.C64, dtype.C128})
	return m.transformed(d, 1+m.r.Int64N(3), pick(m.r, []int64{1 << 16, 1 << 17, 100_000, 65_537, 3 << 15}))
}

// longLines returns the shape of few lines, most of them long.
func (m *maker) longLines() []int64 {
	lines := m.geometricSize(1, 20)
	return []int64{lines, m.geometricSize(20_000, 400_000)/lines + 1}
}

func (m *maker) hugeSort() []value {
	dims := m.longLines()
	in := []value{m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...))}
	if m.r.IntN(2) == 0 {
		in = append(in, m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...)))
	}
	return m.sortedAlong(in, 1)
}

func (m *maker) hugeTopK() []value {
	dims := m.longLines()
	x := m.withoutNaNs(m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...)))
	k := 1 + m.r.Int64N(min(dims[1], 3000))
	return m.emitAll(stablehlo.OpChloTopK, []value{x}, stablehlo.Named("k", stablehlo.I64(k)))
}

func (m *maker) hugeScatter() value {
	rows, row := m.geometricSize(2, 30_000), m.geometricSize(1, 3000)
	for rows*row > 300_000 {
		rows, row = max(rows/2, 2), max(row/2, 1)
	}
	return m.scattered(pick(m.r, []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.BF16}), rows, row,
		min(m.geometricSize(30, 30_000), 300_000/row))
}

// hugeCumulative reduces all that is before, or after, each element of long lines, along either dimension.
func (m *maker) hugeCumulative() value {
	dims, d := m.longLines(), 1
	if m.r.IntN(4) == 0 {
		dims[0], dims[1], d = dims[1], dims[0], 0
	}
	size, padding := ones(2), make([]int64, 4)
	size[d], padding[2*d+m.r.IntN(2)] = dims[d], dims[d]-1
	return m.windowReduction(m.operandOf(pick(m.r, orderedTypes), dims...), size, ones(2), padding)
}

func (m *maker) hugeReduce() value {
	x := m.operandOf(pick(m.r, dtypes), m.longLines()...)
	dims := m.someDims(2)
	c, init := m.reduction(x.dtype(), reductionSize(x, dims))
	return m.emit(stablehlo.OpReduce, []value{x, init}, ints("dimensions", dims...), scalarBody(c, x.dtype()))
}

// hugeFactors factors matrices of several blocks, fewer than there are workers or more.
func (m *maker) hugeFactors() []value {
	d, batch, n := pick(m.r, []dtype.Type{dtype.F32, dtype.F64}), m.geometricSize(1, 20), m.geometricSize(30, 200)
	for batch*n*n*n > 4_000_000 {
		batch, n = batch/2+1, max(n*4/5, 30)
	}
	switch m.r.IntN(6) {
	case 0:
		return []value{m.choleskyOf(d, batch, n)}
	case 1:
		return []value{m.solvedTriangular(d, batch, n, m.geometricSize(1, 200))}
	}
	return m.factored(d, batch, n)
}
