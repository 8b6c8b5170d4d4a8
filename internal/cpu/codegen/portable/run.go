package portable

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// PartialBytes returns the bytes of memory for partial results, which RunChunk and Finish share among all chunks of a
// run.
func (c *Code) PartialBytes() int { return c.partials }

// RunChunk runs piece i. Params are the addresses of the kernel's parameters, first the indices of the elements at
// those addresses.
func (c *Code) RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch).prepare(c, params)
	m.first = first
	if c.oneTile {
		c.runOneTile(m)
		return
	}
	if c.Transpose != nil {
		c.runTransposed(m, int64(i))
		return
	}
	lo, hi, block := c.Piece(i)
	switch c.Form {
	case plan.Map:
		c.runMap(m, lo, hi)
	case plan.Inner:
		c.runInner(m, lo, hi, block, partial)
	case plan.Outer:
		c.runOuter(m, lo, hi, block, partial)
	}
}

// PartialAt returns the byte offset of the partial result of a value of a reduction, for a block and a result.
func (c *Code) PartialAt(reduction, value int, block, result int64) int64 {
	f := c.reduces[reduction]
	return int64(f.partial[value]) + (block*c.NumResults()+result)*int64(f.types[value].Size())
}

// RunPoints computes the points from lo to hi-1 of a kernel without reductions, in row-major order. First is that of
// RunChunk.
func (c *Code) RunPoints(lo, hi int64, params []unsafe.Pointer, first []int64, s codegen.Scratch) {
	m := s.(*Scratch).prepare(c, params)
	m.first = first
	c.runMap(m, lo, hi)
}

// runOnce runs the instructions with the same result in all tiles, for a chunk that starts at v.
func (c *Code) runOnce(m *machine, v int64) {
	m.start = v
	n := int(min(c.Tile, c.batchRows*c.Vec.Size))
	for _, s := range c.once {
		s(m, n)
	}
}

func (c *Code) runOneTile(m *machine) {
	for i := range c.Accesses {
		m.base[i] = c.Accesses[i].Offset - m.firstOf(c.Accesses[i].Param)
	}
	c.runOnce(m, 0)
	c.runTile(m, 0, c.Vec.Size)
}

func (c *Code) runMap(m *machine, lo, hi int64) {
	c.seekSeq(m, 0)
	c.seekVec(m, lo)
	c.runOnce(m, lo)
	for v := lo; v < hi; {
		n := c.TileLen(v, hi)
		c.runTile(m, v, n)
		if v += n; v < hi {
			c.advance(m, v, n)
		}
	}
}

// advance advances the bases of the accesses from the tile before v, of n elements, to v.
func (c *Code) advance(m *machine, v, n int64) {
	last := len(c.Vec.Dims) - 1
	if c.RowTiles && (last == 0 || v%c.Vec.Dims[last] != 0) {
		for i := range c.Accesses {
			m.base[i] += n * c.Accesses[i].Inner
		}
		return
	}
	if v < c.Vec.Size {
		c.seekVec(m, v)
	}
}

// seekVec sets the bases to point v, with the sequential part in m.seqBase.
func (c *Code) seekVec(m *machine, v int64) {
	for i := range c.Accesses {
		a := &c.Accesses[i]
		m.base[i] = a.Offset - m.firstOf(a.Param) + m.seqBase[i] + c.Vec.Offset(a.Vec, v)
	}
}

func (c *Code) runTile(m *machine, v, n int64) {
	m.start = v
	for _, s := range c.tile {
		s(m, int(n))
	}
}

// runInner reduces block b of the reduced space for the outputs lo…hi-1.
func (c *Code) runInner(m *machine, lo, hi, b int64, partial unsafe.Pointer) {
	v0 := b * c.Block
	v1 := min(v0+c.Block, c.Vec.Size)
	for s := lo; s < hi; s++ {
		c.seekSeq(m, s)
		c.seekVec(m, v0)
		if s == lo {
			c.runOnce(m, v0)
		}
		for _, f := range c.reduces {
			f.start(m)
		}
		for v := v0; v < v1; {
			n := c.TileLen(v, v1)
			c.runTile(m, v, n)
			for _, f := range c.reduces {
				f.reduceTile(m, int(n))
			}
			v += n
			if v < v1 {
				c.advance(m, v, n)
			}
		}
		for _, f := range c.reduces {
			f.end(m)
			if c.NumBlocks() > 1 {
				f.savePartial(c, m, partial, b, s, 1)
			} else {
				c.seekVec(m, 0)
				f.finish(m, 1)
			}
		}
	}
}

// runOuter reduces block b of the reduced space for the outputs lo…hi-1, a tile of outputs at a time, or several rows
// of all outputs.
func (c *Code) runOuter(m *machine, lo, hi, b int64, partial unsafe.Pointer) {
	s0 := b * c.Block
	s1 := min(s0+c.Block, c.Seq.Size)
	c.seekSeq(m, s0)
	c.seekVec(m, lo)
	c.runOnce(m, lo)
	for v := lo; v < hi; {
		n := c.TileLen(v, hi)
		for _, f := range c.reduces {
			f.start(m)
		}
		for s := s0; s < s1; {
			rows := min(c.batchRows, s1-s)
			c.seekSeq(m, s)
			c.seekVec(m, v)
			c.runTile(m, v, rows*n)
			for _, f := range c.reduces {
				f.addRows(m, int(n), int(rows))
			}
			s += rows
		}
		c.seekSeq(m, s0)
		c.seekVec(m, v)
		m.start = v
		for _, f := range c.reduces {
			f.endOuter(m, int(n))
			if c.NumBlocks() > 1 {
				f.savePartial(c, m, partial, b, v, int(n))
			} else {
				f.finish(m, int(n))
			}
		}
		v += n
	}
}

// Finish reduces the partial results of the blocks to some of the results.
func (c *Code) Finish(i int, params []unsafe.Pointer, partial unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch).prepare(c, params)
	lo, hi := c.FinishPiece(i)
	for _, f := range c.reduces {
		if c.Form == plan.Outer {
			f.finishRows(c, m, partial, lo, hi)
			continue
		}
		for out := lo; out < hi; out++ {
			f.start(m)
			for b := range c.NumBlocks() {
				f.addPartial(c, m, partial, b, out)
			}
			f.endBlocks(m)
			f.seekResult(c, m, out)
			f.finish(m, 1)
		}
	}
}

// finishRows finishes a reduction whose results, from lo to hi-1, are contiguous, a tile of them at a time: the partial
// results of a block are a row, and rows are combined in place.
func (f *reduction) finishRows(c *Code, m *machine, partial unsafe.Pointer, lo, hi int64) {
	blocks := c.NumBlocks()
	type sum struct{ row, size int64 } // the number of blocks of a sum, in the row of the first
	stack := make([]sum, 0, 64)
	acc := make([]unsafe.Pointer, len(f.acc))
	for j, r := range f.acc {
		acc[j] = m.regs[r]
	}
	for lo < hi {
		n := int(c.TileLen(lo, hi))
		point := func(regs []int, b int64) {
			for j, r := range regs {
				m.regs[r] = f.partialAt(c, partial, j, b, lo)
			}
		}
		combine := func(into, from int64) {
			point(f.acc, into)
			point(f.rhs, from)
			f.applyTo(m, f.acc, f.rhs, n)
		}
		stack = stack[:0]
		for b := range blocks {
			s := sum{b, 1}
			for len(stack) > 0 && (!f.inLanes() || stack[len(stack)-1].size == s.size) {
				last := stack[len(stack)-1]
				combine(last.row, s.row)
				s, stack = sum{last.row, last.size + s.size}, stack[:len(stack)-1]
			}
			stack = append(stack, s)
		}
		for len(stack) > 1 {
			last := len(stack) - 1
			combine(stack[last-1].row, stack[last].row)
			stack = stack[:last]
		}
		m.count[f.id] = blocks
		f.seekResult(c, m, lo)
		point(f.acc, stack[0].row)
		f.finish(m, n)
		lo += int64(n)
	}
	for j, r := range f.acc {
		m.regs[r] = acc[j]
	}
}

// seekResult sets the bases of the results to output out.
func (f *reduction) seekResult(c *Code, m *machine, out int64) {
	if c.Form == plan.Inner {
		c.seekSeq(m, out)
		c.seekVec(m, 0)
		return
	}
	c.seekSeq(m, 0)
	c.seekVec(m, out)
	m.start = out
}

// seekSeq sets the sequential part of the bases to point s.
func (c *Code) seekSeq(m *machine, s int64) {
	for i := range c.Accesses {
		m.seqBase[i] = c.Seq.Offset(c.Accesses[i].Seq, s)
	}
}

// runTransposed runs chunk i of a kernel that runs in blocks.
func (c *Code) runTransposed(m *machine, i int64) {
	lo, hi := c.BlocksOf(i)
	first := c.BlockOf(lo).Start
	c.seekSeq(m, 0)
	c.seekVec(m, first)
	c.runOnce(m, first)
	for n := lo; n < hi; n++ {
		c.runBlock(m, c.BlockOf(n))
	}
}

// runBlock runs a block of a kernel that runs in blocks.
func (c *Code) runBlock(m *machine, b plan.Block) {
	for col := int64(0); col < b.Cols; col += plan.TransposeTile {
		n := min(plan.TransposeTile, b.Cols-col)
		v := b.Start + col
		c.seekVec(m, v)
		for range b.Rows {
			c.runTile(m, v, n)
			v += b.Weight
			for k := range c.Accesses {
				m.base[k] += c.Accesses[k].Vec[c.Transpose.Dim]
			}
		}
	}
}

// RunElems computes the first n points of a kernel over one dimension.
func (c *Code) RunElems(n int, params []unsafe.Pointer, s codegen.Scratch) {
	m := s.(*Scratch).prepare(c, params)
	c.seekSeq(m, 0)
	c.seekVec(m, 0)
	c.runOnce(m, 0)
	for n > 0 {
		t := min(n, plan.TileElems)
		c.runTile(m, 0, int64(t))
		for i := range c.Accesses {
			m.base[i] += int64(t) * c.Accesses[i].Inner
		}
		n -= t
	}
}
