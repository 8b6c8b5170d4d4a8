package kernels

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// RowContraction is a matrix product or convolution of which a worker computes any range of rows, all batch elements
// one after another, with the results of [MatMul].
type RowContraction interface {
	// ScratchBytes returns the scratch memory of a worker for at most the given number of rows at a time.
	ScratchBytes(env *rt.Env, rows int) int
	// Run computes rows lo to hi-1. c and a begin with the elements numbered firstC and firstA. held, initially 0,
	// identifies the columns packed in the scratch memory.
	Run(env *rt.Env, scratch []byte, held *int, lo, hi int, c, a, b []byte, firstC, firstA int)
}

// rowGemmShape is a product with a row-major result.
type rowGemmShape[T accumulator] struct {
	a, b    stridedSource[T] // without elements
	m, n, k int
}

// NewRowGemm returns a product of matrices without elements; C must be row-major.
func NewRowGemm[T accumulator](c, a, b Matrix[T]) RowContraction {
	return &rowGemm[T]{rowGemmShape: newRowGemmShape(c, a, b), blockDepth: blockK}
}

// NewRowGemmBF16 is [NewRowGemm] of bf16, by the tier's BF16 step or as float32s, with a converted result.
func NewRowGemmBF16(steps rt.GemmSteps, c, a, b Matrix[float32], forC, from Conversion) RowContraction {
	p := newRowGemmShape(c, a, b)
	if steps.BF16 == nil {
		return &rowGemm[float32]{rowGemmShape: p, blockDepth: blockK, from: from, to: forC}
	}
	depth := p.k
	p.k = rt.CeilDiv(depth, 2)
	return &rowGemm[float32]{rowGemmShape: p, blockDepth: blockK / 2, to: forC, dot2: steps.BF16, depth: depth}
}

func newRowGemmShape[T accumulator](c, a, b Matrix[T]) rowGemmShape[T] {
	return rowGemmShape[T]{newStrided[T](nil, a.Offset, a.Batch, a.Rows, a.Cols),
		newStrided[T](nil, b.Offset, b.Batch, b.Cols, b.Rows), c.Rows.Size(), c.Cols.Size(), a.Cols.Size()}
}

// rowGemm is a product that computes ranges of rows.
type rowGemm[T accumulator] struct {
	rowGemmShape[T]
	blockDepth int        // k's of a block
	from, to   Conversion // of operands and of the result, if any
	dot2       rt.Dot2Step
	depth      int       // with dot2: the numbers along k
	sources    sync.Pool // of *rowGemmSources
}

// rowGemmSources are the operands during a run. The sources of one product have one kind: the others are nil.
type rowGemmSources[T accumulator] struct {
	a, b      stridedSource[T]
	converted *[2]convertingSource[T]
	dot2      *[2]groupedSource[uint16]
}

func (p *rowGemm[T]) newSources() *rowGemmSources[T] {
	s := &rowGemmSources[T]{}
	switch {
	case p.dot2 != nil:
		s.dot2 = new([2]groupedSource[uint16])
	case p.from.Convert != nil:
		s.converted = new([2]convertingSource[T])
	}
	return s
}

// forget drops the operands of a run.
func (s *rowGemmSources[T]) forget() {
	s.a, s.b = stridedSource[T]{}, stridedSource[T]{}
	if s.converted != nil {
		*s.converted = [2]convertingSource[T]{}
	}
	if s.dot2 != nil {
		*s.dot2 = [2]groupedSource[uint16]{}
	}
}

// begin returns the step and the pack sources of a run; firstA is the number of the first element of a.
func (p *rowGemm[T]) begin(env *rt.Env, s *rowGemmSources[T], a, b []byte,
	firstA int) (step rt.BlockStep[T], left, right packSource[T]) {
	s.a, s.b = p.a, p.b
	s.a.offset -= firstA
	switch {
	case p.dot2 != nil:
		*s.dot2 = [2]groupedSource[uint16]{{p.dot2, any(s.a).(stridedSource[float32]), rt.View[uint16](a), p.depth},
			{p.dot2, any(s.b).(stridedSource[float32]), rt.View[uint16](b), p.depth}}
		return any(p.dot2).(rt.BlockStep[T]), any(&s.dot2[0]).(packSource[T]), any(&s.dot2[1]).(packSource[T])
	case p.from.Convert != nil:
		*s.converted = [2]convertingSource[T]{newConvertingSource(env, s.a, a, p.from),
			newConvertingSource(env, s.b, b, p.from)}
		return gemmStepOf[T](env), &s.converted[0], &s.converted[1]
	}
	s.a.data, s.b.data = rt.View[T](a), rt.View[T](b)
	return gemmStepOf[T](env), &s.a, &s.b
}

// sizes returns the elements of packed rows, of packed columns, of copied operands and of converted sums for a step.
func (p *rowGemm[T]) sizes(step rt.BlockStep[T], rows int) (a, b, tmp, sums int) {
	tileRows, tileCols, unit := step.Tile()
	depth := rt.RoundUp(min(p.k, p.blockDepth), unit)
	if p.a.copies() || p.b.copies() || p.dot2 != nil || p.from.Convert != nil {
		tmp = max(rows, min(p.n, blockN)) * depth
	}
	if p.to.Convert != nil {
		sums = rows * p.n
	}
	return rt.RoundUp(rows, tileRows) * depth, rt.RoundUp(p.n, tileCols) * rt.RoundUp(p.k, unit), tmp, sums
}

func (p *rowGemm[T]) ScratchBytes(env *rt.Env, rows int) int {
	step := rt.BlockStep[T](gemmStepOf[T](env))
	if p.dot2 != nil {
		step = any(p.dot2).(rt.BlockStep[T])
	}
	a, b, tmp, sums := p.sizes(step, rows)
	return (rt.RoundUp(a, rt.Align) + rt.RoundUp(b, rt.Align) + rt.RoundUp(tmp, rt.Align) + sums) * rt.SizeOf[T]()
}

func (p *rowGemm[T]) Run(env *rt.Env, scratch []byte, packedCols *int, lo, hi int, c, a, b []byte, firstC, firstA int) {
	s, ok := p.sources.Get().(*rowGemmSources[T])
	if !ok {
		s = p.newSources()
	}
	step, left, right := p.begin(env, s, a, b, firstA)
	sizeA, sizeB, sizeTmp, sizeSums := p.sizes(step, hi-lo)
	work := rt.View[T](scratch)
	rest := work[rt.RoundUp(sizeB, rt.Align):] // the columns stay in place for fewer rows
	tmp := rest[rt.RoundUp(sizeA, rt.Align):]
	sums := tmp[rt.RoundUp(sizeTmp, rt.Align):][:sizeSums]
	ap, bp := rest[:sizeA], work[:sizeB]
	_, tileCols, _ := step.Tile()
	unpacked := unpackedStepOf(env, step)
	for lo < hi {
		batch, row := lo/p.m, lo%p.m
		rows := min(hi-lo, p.m-row)
		if key := p.b.batch.at(batch) + 1; *packedCols != key {
			p.pack(step, bp, tmp, right, batch, p.blockDepth)
			*packedCols = key
		}
		block, at := sums[:min(rows*p.n, len(sums))], lo*p.n-firstC
		if p.to.Convert == nil {
			block = rt.View[T](c)[at:][:rows*p.n]
		}
		if p.k == 0 {
			clear(block)
		}
		for k := 0; k < p.k && !env.Cancelled(); k += p.blockDepth {
			depth := min(p.blockDepth, p.k-k)
			v, ls, ks := left.block(tmp, batch, row, rows, k, depth)
			panels := bp[k*rt.RoundUp(p.n, tileCols):]
			if unpacked != nil && ks == 1 && !left.copies() {
				unpacked.MultiplyRows(block, p.n, rows, p.n, depth, v, ls, panels, k == 0)
				continue
			}
			step.PackRows(ap, v, ls, ks, rows, depth)
			step.Multiply(block, p.n, rows, p.n, depth, ap, panels, k == 0)
		}
		switch {
		case p.to.ToBF16 && env != nil && env.Gemm.RoundBF16 != nil:
			env.Gemm.RoundBF16(rt.View[uint16](c)[at:][:rows*p.n], 0, rt.View[float32](rt.Bytes(block)), 0, 1, rows*p.n)
		case p.to.Convert != nil:
			p.to.Convert(c[at*p.to.Size:][:rows*p.n*p.to.Size], rt.Bytes(block))
		}
		lo += rows
	}
	s.forget()
	p.sources.Put(s)
}

// pack packs all columns of a matrix of B, one block of k after the other.
func (p *rowGemmShape[T]) pack(step rt.BlockStep[T], bp, tmp []T, right packSource[T], batch, blockDepth int) {
	_, tileCols, unit := step.Tile()
	width := blockN / tileCols * tileCols
	for k := 0; k < p.k; k += blockDepth {
		depth := min(blockDepth, p.k-k)
		panels := bp[k*rt.RoundUp(p.n, tileCols):]
		for col := 0; col < p.n; col += width {
			cols := min(width, p.n-col)
			v, ls, ks := right.block(tmp, batch, col, cols, k, depth)
			step.PackCols(panels[col*rt.RoundUp(depth, unit):], v, ls, ks, cols, depth)
		}
	}
}
