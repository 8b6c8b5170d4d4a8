package gemm

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

// rowShape is a product with a row-major result.
type rowShape[T Accumulator] struct {
	a, b    Strided[T] // without elements
	m, n, k int
}

// NewRows returns a product of matrices without elements; C must be row-major.
func NewRows[T Accumulator](c, a, b Matrix[T]) RowContraction {
	return &rowProduct[T]{rowShape: newRowShape(c, a, b), blockDepth: BlockK}
}

// NewRowsBF16 is [NewRows] of bf16, by the tier's BF16 step or as float32s, with a converted result.
func NewRowsBF16(steps rt.GemmSteps, c, a, b Matrix[float32], forC, from Conversion) RowContraction {
	p := newRowShape(c, a, b)
	if steps.BF16 == nil {
		return &rowProduct[float32]{rowShape: p, blockDepth: BlockK, from: from, to: forC}
	}
	depth := p.k
	p.k = rt.CeilDiv(depth, 2)
	return &rowProduct[float32]{rowShape: p, blockDepth: BlockK / 2, to: forC, dot2: steps.BF16, depth: depth}
}

func newRowShape[T Accumulator](c, a, b Matrix[T]) rowShape[T] {
	return rowShape[T]{NewStrided[T](nil, a.Offset, a.Batch, a.Rows, a.Cols),
		NewStrided[T](nil, b.Offset, b.Batch, b.Cols, b.Rows), c.Rows.Size(), c.Cols.Size(), a.Cols.Size()}
}

// rowProduct is a product that computes ranges of rows.
type rowProduct[T Accumulator] struct {
	rowShape[T]
	blockDepth int        // k's of a block
	from, to   Conversion // of operands and of the result, if any
	dot2       rt.Dot2Step
	depth      int       // with dot2: the numbers along k
	sources    sync.Pool // of *rowSources
}

// rowSources are the operands during a run. The sources of one product have one kind: the others are nil.
type rowSources[T Accumulator] struct {
	a, b      Strided[T]
	converted *[2]convertingSource[T]
	dot2      *[2]groupedSource[uint16]
}

func (p *rowProduct[T]) newSources() *rowSources[T] {
	s := &rowSources[T]{}
	switch {
	case p.dot2 != nil:
		s.dot2 = new([2]groupedSource[uint16])
	case p.from.Convert != nil:
		s.converted = new([2]convertingSource[T])
	}
	return s
}

// forget drops the operands of a run.
func (s *rowSources[T]) forget() {
	s.a, s.b = Strided[T]{}, Strided[T]{}
	if s.converted != nil {
		*s.converted = [2]convertingSource[T]{}
	}
	if s.dot2 != nil {
		*s.dot2 = [2]groupedSource[uint16]{}
	}
}

// begin returns the step and the pack sources of a run; firstA is the number of the first element of a.
func (p *rowProduct[T]) begin(env *rt.Env, s *rowSources[T], a, b []byte,
	firstA int) (step rt.BlockStep[T], left, right Source[T]) {
	s.a, s.b = p.a, p.b
	s.a.Offset -= firstA
	switch {
	case p.dot2 != nil:
		*s.dot2 = [2]groupedSource[uint16]{{p.dot2, any(s.a).(Strided[float32]), rt.View[uint16](a), p.depth},
			{p.dot2, any(s.b).(Strided[float32]), rt.View[uint16](b), p.depth}}
		return any(p.dot2).(rt.BlockStep[T]), any(&s.dot2[0]).(Source[T]), any(&s.dot2[1]).(Source[T])
	case p.from.Convert != nil:
		*s.converted = [2]convertingSource[T]{newConvertingSource(env, s.a, a, p.from),
			newConvertingSource(env, s.b, b, p.from)}
		return StepOf[T](env), &s.converted[0], &s.converted[1]
	}
	s.a.Data, s.b.Data = rt.View[T](a), rt.View[T](b)
	return StepOf[T](env), &s.a, &s.b
}

// sizes returns the elements of packed rows, of packed columns, of copied operands and of converted sums for a step.
func (p *rowProduct[T]) sizes(step rt.BlockStep[T], rows int) (a, b, tmp, sums int) {
	tileRows, tileCols, unit := step.Tile()
	depth := rt.RoundUp(min(p.k, p.blockDepth), unit)
	if p.a.Copies() || p.b.Copies() || p.dot2 != nil || p.from.Convert != nil {
		tmp = max(rows, min(p.n, BlockN)) * depth
	}
	if p.to.Convert != nil {
		sums = rows * p.n
	}
	return rt.RoundUp(rows, tileRows) * depth, rt.RoundUp(p.n, tileCols) * rt.RoundUp(p.k, unit), tmp, sums
}

func (p *rowProduct[T]) ScratchBytes(env *rt.Env, rows int) int {
	step := rt.BlockStep[T](StepOf[T](env))
	if p.dot2 != nil {
		step = any(p.dot2).(rt.BlockStep[T])
	}
	a, b, tmp, sums := p.sizes(step, rows)
	return (rt.RoundUp(a, rt.Align) + rt.RoundUp(b, rt.Align) + rt.RoundUp(tmp, rt.Align) + sums) * rt.SizeOf[T]()
}

func (p *rowProduct[T]) Run(env *rt.Env, scratch []byte, packedCols *int, lo, hi int, c, a, b []byte,
	firstC, firstA int) {
	s, ok := p.sources.Get().(*rowSources[T])
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
		if key := p.b.batch.At(batch) + 1; *packedCols != key {
			PackColumns(step, bp, tmp, right, batch, p.n, p.k, p.blockDepth)
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
			v, ls, ks := left.Block(tmp, batch, row, rows, k, depth)
			panels := bp[k*rt.RoundUp(p.n, tileCols):]
			if unpacked != nil && ks == 1 && !left.Copies() {
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

// PackColumns packs n columns of a matrix of the right operand with k contracted positions, one block of them after the
// other. tmp is for what the source copies.
func PackColumns[T Accumulator](step rt.BlockStep[T], packed, tmp []T, right Source[T], batch, n, k, blockDepth int) {
	_, tileCols, unit := step.Tile()
	width := BlockN / tileCols * tileCols
	for at := 0; at < k; at += blockDepth {
		depth := min(blockDepth, k-at)
		panels := packed[at*rt.RoundUp(n, tileCols):]
		for col := 0; col < n; col += width {
			cols := min(width, n-col)
			v, ls, ks := right.Block(tmp, batch, col, cols, at, depth)
			step.PackCols(panels[col*rt.RoundUp(depth, unit):], v, ls, ks, cols, depth)
		}
	}
}
