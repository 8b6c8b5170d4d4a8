package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Programs of several independent large ops, which a compiler may run in parallel.

// Independent returns the program of a seed with two or more such ops: matrix multiplications of all sizes,
// sorts, scatters, transforms, reductions and factorisations.
func Independent(seed uint64) (*Program, error) {
	return build(seed, func(m *maker) { m.independent(large) })
}

// large are the ops of such programs, filled in init as the lists of random.go are. Each makes its own operands.
var large []func(m *maker) []value

var matmuls = []func(m *maker) value{(*maker).batchedMatmul, (*maker).largeMatmul}

func init() {
	large = choices(
		weighted[func(m *maker) []value]{6, single((*maker).batchedMatmul)},
		weighted[func(m *maker) []value]{5, single((*maker).largeMatmul)},
		weighted[func(m *maker) []value]{1, single((*maker).largeConvolution)},
		weighted[func(m *maker) []value]{1, single((*maker).largeFFT)},
		weighted[func(m *maker) []value]{1, (*maker).largeSort},
		weighted[func(m *maker) []value]{1, (*maker).largeTopK},
		weighted[func(m *maker) []value]{1, single((*maker).largeScatter)},
		weighted[func(m *maker) []value]{1, single((*maker).largeGather)},
		weighted[func(m *maker) []value]{1, single((*maker).cumulative)},
		weighted[func(m *maker) []value]{1, single((*maker).largeWindows)},
		weighted[func(m *maker) []value]{1, single((*maker).largeSelectAndScatter)},
		weighted[func(m *maker) []value]{1, single((*maker).largeReduce)},
		weighted[func(m *maker) []value]{1, single((*maker).largeElementwise)},
		weighted[func(m *maker) []value]{1, single((*maker).cholesky)},
		weighted[func(m *maker) []value]{1, single((*maker).solveTriangular)},
		weighted[func(m *maker) []value]{2, (*maker).factors})
}

func single(f func(m *maker) value) func(m *maker) []value {
	return func(m *maker) []value { return []value{f(m)} }
}

// independent makes such a program: first the ops, mostly two or more of one kind, then elementwise ops on
// their results.
func (m *maker) independent(ops []func(m *maker) []value) {
	var out []value
	for range 1 + m.r.IntN(3) {
		f := pick(m.r, ops)
		for range 1 + m.r.IntN(3) {
			out = append(out, f(m)...)
		}
	}
	if m.r.IntN(2) == 0 { // and at least two matrix multiplications
		out = append(out, m.batchedMatmul(), pick(m.r, matmuls)(m))
	}
	m.r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	users := pick(m.r, []int{0, 0, 1, 4}) // of 4 results: users of a matmul may be fused with it, row by row
	for _, v := range out {
		if d := v.dtype(); m.r.IntN(4) < users && (d == dtype.F32 || d == dtype.F64) {
			v = m.emit(pick(m.r, []stablehlo.OpCode{stablehlo.OpTanh, stablehlo.OpNegate, stablehlo.OpSine}),
				[]value{v})
		}
		m.results = append(m.results, v)
	}
}

// operandOf returns an operand: an argument, or one that an op has made of an argument.
func (m *maker) operandOf(d dtype.Type, dims ...int64) value {
	t := stablehlo.Tensor(d, dims...)
	x := m.argument(t)
	if m.r.IntN(8) == 0 && (d == dtype.F32 || d == dtype.F64) {
		return m.emit(stablehlo.OpTanh, []value{x})
	}
	return x
}

// geometricSize returns a number of a geometric series from least to most.
func (m *maker) geometricSize(lo, hi int64) int64 {
	n := lo
	for n < hi && m.r.IntN(4) > 0 {
		n = n*3/2 + 1
	}
	return min(n, hi)
}

// matmulTypes are mostly those whose matrix multiplications run in a parallel group.
var matmulTypes = []dtype.Type{dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32, dtype.F32,
	dtype.F64, dtype.F64, dtype.F64, dtype.F64, dtype.S32, dtype.S8, dtype.BF16, dtype.C64, dtype.S64}

// batchedMatmul multiplies a batch of small matrices.
func (m *maker) batchedMatmul() value {
	rows, cols, terms := m.geometricSize(2, 40), m.geometricSize(2, 40), m.geometricSize(2, 40)
	batch := m.geometricSize(4, 3000)
	work := func() int64 { return batch * rows * cols * terms }
	for work() < 1<<16 && batch < 3000 { // enough to run in a parallel group
		batch *= 2
	}
	for work() > maxWork || batch*max(rows*cols, rows*terms, cols*terms) > maxElems {
		batch = batch/2 + 1
		rows, cols, terms = max(rows*3/4, 2), max(cols*3/4, 2), max(terms*3/4, 2)
	}
	return m.matmul(pick(m.r, matmulTypes), batch, rows, cols, terms)
}

// largeMatmul multiplies one pair of matrices or a few, or a matrix and a vector.
func (m *maker) largeMatmul() value {
	batch := pick(m.r, []int64{1, 1, 1, 2, 3})
	rows, cols, terms := m.geometricSize(8, 300), m.geometricSize(8, 300), m.geometricSize(8, 600)
	switch m.r.IntN(8) {
	case 0:
		rows, terms = 1, terms*4
	case 1:
		cols, terms = 1, terms*4
	}
	for batch*rows*cols*terms < 1<<16 {
		rows, cols, terms = rows*3/2, cols*3/2, terms*3/2
		if rows == 1 || cols == 1 {
			break
		}
	}
	for batch*rows*cols*terms > maxWork {
		rows, cols, terms = max(rows*3/4, 1), max(cols*3/4, 1), max(terms*3/4, 1)
	}
	return m.matmul(pick(m.r, matmulTypes), batch, rows, cols, terms)
}

// matmul multiplies matrices whose dimensions are in any order; a batch of 1 has no dimension.
func (m *maker) matmul(d dtype.Type, batch, rows, cols, terms int64) value {
	if d == dtype.BF16 {
		terms = min(terms, 16)
	}
	var dims stablehlo.DotDims
	side := func(size int64, batching, contracting *[]int64) []int64 {
		sizes := []int64{terms, size}
		if batch > 1 {
			sizes = append(sizes, batch)
		}
		shape := make([]int64, len(sizes))
		for i, at := range m.r.Perm(len(sizes)) {
			shape[at] = sizes[i]
			switch i {
			case 0:
				*contracting = []int64{int64(at)}
			case 2:
				*batching = []int64{int64(at)}
			}
		}
		return shape
	}
	x := m.operandOf(d, side(rows, &dims.LHSBatching, &dims.LHSContracting)...)
	y := m.operandOf(d, side(cols, &dims.RHSBatching, &dims.RHSContracting)...)
	return m.emit(stablehlo.OpDotGeneral, []value{x, y}, stablehlo.Named("dot_dimension_numbers", &dims))
}

// largeConvolution convolves images with as many features as take some blocks.
func (m *maker) largeConvolution() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F32, dtype.F64})
	images, size, in, out := m.geometricSize(1, 4), m.geometricSize(5, 20), m.geometricSize(1, 24),
		m.geometricSize(1, 32)
	k := int64(1 + m.r.IntN(3))
	groups := int64(1)
	if m.r.IntN(4) == 0 {
		groups = 2
	}
	outSize := size - k + 1
	for images*outSize*outSize*k*k*in*out*groups > maxWork {
		in, out = in/2+1, out/2+1
		if in <= 2 && out <= 2 {
			break
		}
	}
	return m.convolved(d, images, size, k, in, out, groups)
}

func (m *maker) convolved(d dtype.Type, images, size, k, in, out, groups int64) value {
	x, y := m.operandOf(d, images, size, size, in*groups), m.operandOf(d, k, k, in, out*groups)
	outSize := size - k + 1
	return m.emit(stablehlo.OpConvolution, []value{x, y}, ints("window_strides", 1, 1), ints("lhs_dilation", 1, 1),
		ints("rhs_dilation", 1, 1), pairs("padding", make([]int64, 4)),
		stablehlo.Named("window_reversal", stablehlo.IntsAttr{Elem: dtype.Bool, Values: make([]int64, 2)}),
		stablehlo.Named("feature_group_count", stablehlo.I64(groups)),
		stablehlo.Named("batch_group_count", stablehlo.I64(1)),
		stablehlo.Named("dimension_numbers", &stablehlo.ConvDims{InputBatch: 0, InputFeature: 3,
			InputSpatial:       []int64{1, 2},
			KernelInputFeature: 2, KernelOutputFeature: 3, KernelSpatial: []int64{0, 1},
			OutputBatch: 0, OutputFeature: 3, OutputSpatial: []int64{1, 2}}),
		stablehlo.Results{stablehlo.Tensor(d, images, outSize, outSize, out*groups)})
}

// largeFFT transforms many short lines, or few long ones, which several workers share.
func (m *maker) largeFFT() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F64, dtype.C64, dtype.C128})
	lines, n := m.geometricSize(16, 300), pick(m.r, []int64{8, 30, 64, 101, 128})
	if m.r.IntN(3) == 0 {
		lines, n = 1+m.r.Int64N(3), pick(m.r, []int64{1 << 13, 1 << 14, 1 << 15, 10_000, 12_288})
	}
	return m.transformed(d, lines, n)
}

func (m *maker) transformed(d dtype.Type, lines, n int64) value {
	kind := "RFFT"
	if d.IsComplex() {
		kind = pick(m.r, []string{"FFT", "IFFT"})
	}
	return m.emit(stablehlo.OpFft, []value{m.operandOf(d, lines, n)}, ints("fft_length", n), enum("fft_type", kind))
}

var orderedTypes = []dtype.Type{dtype.F32, dtype.F32, dtype.F64, dtype.S32, dtype.S64, dtype.U8, dtype.BF16}

// lines returns the shape of a few long lines or many short ones, and their dimension.
func (m *maker) lines(limit int64) (dims []int64, dim int) {
	a := m.geometricSize(1, limit)
	dims = []int64{a, max(1, m.geometricSize(limit/16, limit)/a)}
	return dims, m.r.IntN(2)
}

func (m *maker) largeSort() []value {
	limit := int64(20_000)
	if m.r.IntN(4) == 0 {
		limit = 80_000 // longer than a worker's sort in its caches
	}
	dims, dim := m.lines(limit)
	in := []value{m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...))}
	if m.r.IntN(2) == 0 {
		in = append(in, m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...)))
	}
	return m.sortedAlong(in, dim)
}

func (m *maker) largeTopK() []value {
	dims, _ := m.lines(60_000)
	x := m.withoutNaNs(m.argument(stablehlo.Tensor(pick(m.r, orderedTypes), dims...)))
	return m.emitAll(stablehlo.OpChloTopK, []value{x},
		stablehlo.Named("k", stablehlo.I64(1+m.r.Int64N(min(dims[1], 50)))))
}

// indices is a constant of indices into n elements, some out of bounds.
func (m *maker) indices(n int64, dims ...int64) value {
	t := stablehlo.Tensor(dtype.S32, dims...)
	data := make([]byte, 4*count(dims))
	for i := range int(count(dims)) {
		dtype.S32.StoreInt(data, i, m.r.Int64N(n+2)-1)
	}
	return m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: data}))
}

// largeScatter combines single elements or rows with a tensor.
func (m *maker) largeScatter() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F32, dtype.F64, dtype.S32, dtype.BF16})
	rows, row, n := m.geometricSize(2, 3000), m.geometricSize(1, 300), m.geometricSize(30, 3000)
	for rows*row > 30_000 || n*row > 30_000 {
		rows, row, n = max(rows/2, 2), max(row/2, 1), max(n/2, 1)
	}
	return m.scattered(d, rows, row, n)
}

func (m *maker) scattered(d dtype.Type, rows, row, n int64) value {
	c, _ := m.reduction(d, n)
	return m.emit(stablehlo.OpScatter, []value{m.operandOf(d, rows, row), m.indices(rows, n, 1),
		m.operandOf(d, n, row)},
		scalarBody(c, d), stablehlo.Named("scatter_dimension_numbers",
			&stablehlo.ScatterDims{UpdateWindowDims: []int64{1},
				InsertedWindowDims: []int64{0}, ScatterDimsToOperandDims: []int64{0}, IndexVectorDim: 1}))
}

// largeGather takes rows of a tensor.
func (m *maker) largeGather() value {
	d := pick(m.r, dtypes)
	rows, row, n := m.geometricSize(2, 3000), m.geometricSize(1, 300), m.geometricSize(30, 3000)
	for rows*row > 50_000 || n*row > 50_000 {
		rows, row, n = max(rows/2, 2), max(row/2, 1), max(n/2, 1)
	}
	return m.emit(stablehlo.OpGather, []value{m.operandOf(d, rows, row), m.indices(rows, n, 1)},
		ints("slice_sizes", 1, row),
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{OffsetDims: []int64{1},
			CollapsedSliceDims: []int64{0},
			StartIndexMap:      []int64{0}, IndexVectorDim: 1}))
}

// windowReduction reduces windows of a tensor by an op that its type allows.
func (m *maker) windowReduction(x value, size, stride, padding []int64) value {
	c, init := m.reduction(x.dtype(), count(size))
	n := len(size)
	return m.emit(stablehlo.OpReduceWindow, []value{x, init}, ints("window_dimensions", size...),
		ints("window_strides", stride...), ints("window_dilations", ones(n)...), ints("base_dilations", ones(n)...),
		pairs("padding", padding), scalarBody(c, x.dtype()))
}

// cumulative reduces all that is before, or after, each element of lines.
func (m *maker) cumulative() value {
	dims := []int64{m.geometricSize(1, 20), m.geometricSize(50, 400)}
	if m.r.IntN(3) == 0 {
		dims[0], dims[1] = dims[1], dims[0]
	}
	d := m.r.IntN(2)
	for dims[0]*dims[1]*dims[d] > 1_000_000 {
		dims[1-d] = dims[1-d]/2 + 1
		dims[d] = dims[d] * 3 / 4
	}
	x := m.operandOf(pick(m.r, orderedTypes), dims...)
	size, padding := ones(2), make([]int64, 4)
	size[d], padding[2*d+m.r.IntN(2)] = dims[d], dims[d]-1
	return m.windowReduction(x, size, ones(2), padding)
}

// largeWindows reduces small windows.
func (m *maker) largeWindows() value {
	dims := []int64{m.geometricSize(1, 8), m.geometricSize(10, 60), m.geometricSize(10, 60)}
	size := []int64{1, 1 + m.r.Int64N(5), 1 + m.r.Int64N(5)}
	return m.windowReduction(m.operandOf(pick(m.r, orderedTypes), dims...), size,
		[]int64{1, 1 + m.r.Int64N(3), 1 + m.r.Int64N(3)}, make([]int64, 6))
}

// largeSelectAndScatter sends values back to the largest elements of windows.
func (m *maker) largeSelectAndScatter() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F64, dtype.S32})
	x := m.argument(stablehlo.Tensor(d, m.geometricSize(1, 6), m.geometricSize(10, 40), m.geometricSize(10, 40)))
	size, stride, out := ones(3), ones(3), slices.Clone(x.dims())
	for i := 1; i < 3; i++ {
		size[i], stride[i] = 1+m.r.Int64N(3), 1+m.r.Int64N(3)
		out[i] = (out[i]-size[i])/stride[i] + 1
	}
	return m.selectedAndScattered(x, m.argument(x.Tensor().WithDims(out...)), size, stride)
}

// largeReduce reduces rows, columns or all of a tensor.
func (m *maker) largeReduce() value {
	x := m.operandOf(pick(m.r, dtypes), m.geometricSize(10, 300), m.geometricSize(10, 300))
	dims := m.someDims(2)
	c, init := m.reduction(x.dtype(), reductionSize(x, dims))
	return m.emit(stablehlo.OpReduce, []value{x, init}, ints("dimensions", dims...), scalarBody(c, x.dtype()))
}

// largeElementwise is a separate kernel.
func (m *maker) largeElementwise() value {
	d := pick(m.r, []dtype.Type{dtype.F32, dtype.F64})
	t := stablehlo.Tensor(d, m.geometricSize(50, 300), m.geometricSize(50, 300))
	return m.emit(stablehlo.OpMultiply, []value{m.argument(t), m.argument(t)})
}

// diagonallyDominant returns a batch of diagonally dominant n by n matrices.
func (m *maker) diagonallyDominant(d dtype.Type, batch, n int64) value {
	x := m.emit(stablehlo.OpTanh, []value{m.argument(stablehlo.Tensor(d, batch, n, n))})
	data := make([]byte, n*n*int64(d.Size()))
	for i := range int(n) {
		d.StoreFloat(data, i*int(n+1), float64(2*n))
	}
	diagonal := m.b.Constant(&stablehlo.ElementsAttr{Type: stablehlo.Tensor(d, n, n), Data: data})
	return m.emit(stablehlo.OpAdd, []value{x, m.broadcastTo(diagonal, x.Tensor(), 1, 2)})
}

// matrices returns a batch of matrices to be factored, and their size.
func (m *maker) matrices() (d dtype.Type, batch, n int64) {
	d, batch, n = pick(m.r, []dtype.Type{dtype.F32, dtype.F64}), m.geometricSize(1, 40), m.geometricSize(2, 40)
	for batch*n*n*n > maxWork/4 {
		batch, n = batch/2+1, max(n*3/4, 2)
	}
	return d, batch, n
}

func (m *maker) cholesky() value { return m.choleskyOf(m.matrices()) }

func (m *maker) choleskyOf(d dtype.Type, batch, n int64) value {
	return m.emit(stablehlo.OpCholesky, []value{m.diagonallyDominant(d, batch, n)},
		stablehlo.Named("lower", stablehlo.BoolAttr(m.r.IntN(2) == 0)))
}

func (m *maker) solveTriangular() value {
	d, batch, n := m.matrices()
	return m.solvedTriangular(d, batch, n, m.geometricSize(1, 20))
}

func (m *maker) solvedTriangular(d dtype.Type, batch, n, cols int64) value {
	return m.emit(stablehlo.OpTriangularSolve, []value{m.diagonallyDominant(d, batch, n),
		m.operandOf(d, batch, n, cols)},
		stablehlo.Named("left_side", stablehlo.BoolAttr(true)),
		stablehlo.Named("lower", stablehlo.BoolAttr(m.r.IntN(2) == 0)),
		stablehlo.Named("unit_diagonal", stablehlo.BoolAttr(false)),
		stablehlo.Named("transpose_a",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "transpose",
				Value: pick(m.r, []string{"NO_TRANSPOSE", "TRANSPOSE"})}))
}

// factors appends a block of linear algebra on small matrices: its decomposition is loops.
func (m *maker) factors() []value {
	d, batch, n := m.matrices()
	return m.factored(d, batch, min(n, 20))
}

func (m *maker) factored(d dtype.Type, batch, n int64) []value {
	name := pick(m.r, []string{blocks.LU, blocks.QR, blocks.Eigh, blocks.Eigvalsh, blocks.SVD, blocks.SVDVals,
		blocks.Solve, blocks.HouseholderQR})
	in := []*stablehlo.Value{m.diagonallyDominant(d, batch, n).Value}
	if name == blocks.Solve {
		in = append(in, m.operandOf(d, batch, n, m.geometricSize(1, 10)).Value)
	}
	results := blocks.Append(emit.Emitter{B: m.b}, m.module, name, nil, in...)
	m.certain.visit(results[0].Op())
	var out []value
	for _, v := range results {
		out = append(out, m.add(v))
	}
	return out
}
