package portable

import "unsafe"

// chunkCost is the estimated work of a chunk in nanoseconds: long enough to
// make handing it out cheap, short enough to stop and to balance.
const chunkCost = 50_000

// blockElems is the length of a block of a reduction.
const blockElems = 64 * tileElems

// split fixes the chunks of the kernel.
func (c *compiler) split() {
	cost := 0.3
	for i := range c.k.Body.Instrs {
		cost += 0.4
		if c.k.Body.Instrs[i].Op.IsExpensive() {
			cost += 4
		}
	}
	elems := max(int64(chunkCost/cost)/tileElems, 1) * tileElems
	c.oneTile = c.isOneTile()
	switch c.form {
	case formMap:
		c.chunk = elems
		c.planBlocks(elems)
	case formInner:
		c.block = min(c.vec.size, blockElems)
		c.chunk = max(elems/max(c.block, 1), 1)
	case formOuter:
		c.chunk = min(max(elems/max(c.seq.size, 1), tileElems), max(c.vec.size, 1))
		c.block = c.seq.size
		if n := c.chunk * c.seq.size; n > blockElems && c.vec.size <= c.chunk { // few outputs: split the reduced space
			c.block = max(blockElems/c.chunk, 1)
		}
	}
	if len(c.folds) > 0 && c.numBlocks() > 1 {
		for _, f := range c.folds {
			f.partial = c.partials
			c.partials += f.size * int(c.numBlocks()*c.outputs())
			c.partials = (c.partials + 63) &^ 63
		}
	}
}

// outputs returns the number of results of a reduction.
func (c *Code) outputs() int64 {
	if c.form == formInner {
		return c.seq.size
	}
	return c.vec.size
}

// reducedSize returns the number of elements folded into a result.
func (c *Code) reducedSize() int64 {
	if c.form == formInner {
		return c.vec.size
	}
	return c.seq.size
}

func (c *Code) numBlocks() int64 {
	if c.form == formMap || c.block == 0 {
		return 1
	}
	return max(ceilDiv(c.reducedSize(), c.block), 1)
}

// NumChunks returns the number of pieces that may run side by side.
func (c *Code) NumChunks() int {
	switch c.form {
	case formMap:
		if c.blocks != nil {
			outer, down, across := c.grid()
			return int(outer * down * across)
		}
		return int(ceilDiv(c.vec.size, c.chunk))
	case formInner:
		return int(ceilDiv(c.seq.size, c.chunk) * c.numBlocks())
	}
	return int(ceilDiv(c.vec.size, c.chunk) * c.numBlocks())
}

// Rows returns how many of its rows the kernel would give a chunk, when its chunks can
// be made of whole rows; the rows are the first dimensions of its iteration space.
func (c *Code) Rows(rows int64) (n int64, ok bool) {
	switch {
	case c.form == formInner && c.seq.size == rows && c.numBlocks() == 1:
		return c.chunk, true
	case c.form == formMap && c.blocks == nil && c.vec.size > 0 && c.vec.size%rows == 0:
		return max(c.chunk/(c.vec.size/rows), 1), true
	}
	return 0, false
}

// SplitRows makes chunks of n rows each, which [Code.Rows] allows. It is part of
// compiling: the code must not be running.
func (c *Code) SplitRows(rows, n int64) {
	c.chunk = n
	if c.form == formMap {
		c.chunk = n * (c.vec.size / rows)
		c.oneTile = false
	}
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// PartialBytes returns the bytes of scratch memory, shared by all chunks of a
// run, that RunChunk and Finish need.
func (c *Code) PartialBytes() int { return c.partials }

// RunChunk runs piece i. Params are the addresses of the kernel's parameters.
func (c *Code) RunChunk(i int, params []unsafe.Pointer, partial unsafe.Pointer, s *Scratch) {
	m := s.prepare(c, params)
	switch c.form {
	case formMap:
		if c.blocks != nil {
			c.runBlocks(m, int64(i))
			return
		}
		lo := int64(i) * c.chunk
		c.runMap(m, lo, min(lo+c.chunk, c.vec.size))
	case formInner:
		nb := c.numBlocks()
		lo := int64(i) / nb * c.chunk
		c.runInner(m, lo, min(lo+c.chunk, c.seq.size), int64(i)%nb, partial)
	case formOuter:
		nb := c.numBlocks()
		lo := int64(i) / nb * c.chunk
		c.runOuter(m, lo, min(lo+c.chunk, c.vec.size), int64(i)%nb, partial)
	}
}

// isOneTile reports whether the whole kernel is one tile, as kernels on scalars
// and short vectors are.
func (c *Code) isOneTile() bool {
	return c.form == formMap && c.vec.size <= tileElems && (!c.rows || len(c.vec.dims) == 1)
}

func (c *Code) runMap(m *machine, lo, hi int64) {
	if c.oneTile {
		for i := range c.accesses {
			m.base[i] = c.accesses[i].at.Offset
		}
		for _, s := range c.once {
			s(m, 1)
		}
		c.runTile(m, 0, hi)
		return
	}
	c.seekSeq(m, 0)
	c.seekVec(m, lo)
	for _, s := range c.once {
		s(m, 1)
	}
	for v := lo; v < hi; {
		n := c.tileLen(v, hi)
		c.runTile(m, v, n)
		if v += n; v < hi {
			c.advance(m, v, n)
		}
	}
}

// advance moves the bases of the accesses from the tile before v, of n
// elements, to v.
func (c *Code) advance(m *machine, v, n int64) {
	last := len(c.vec.dims) - 1
	if c.rows && (last == 0 || v%c.vec.dims[last] != 0) {
		for i := range c.accesses {
			m.base[i] += n * c.accesses[i].inner
		}
		return
	}
	if v < c.vec.size {
		c.seekVec(m, v)
	}
}

// seekVec is seek at the sequential point that m.seqBase holds.
func (c *Code) seekVec(m *machine, v int64) {
	for i := range c.accesses {
		a := &c.accesses[i]
		m.base[i] = a.at.Offset + m.seqBase[i] + offset(a.vec, c.vec.dims, v)
	}
}

func (c *Code) runTile(m *machine, v, n int64) {
	m.start = v
	for _, s := range c.tile {
		s(m, int(n))
	}
}

// runInner folds block b of the reduced space for the outputs lo…hi-1.
func (c *Code) runInner(m *machine, lo, hi, b int64, partial unsafe.Pointer) {
	v0 := b * c.block
	v1 := min(v0+c.block, c.vec.size)
	for s := lo; s < hi; s++ {
		c.seekSeq(m, s)
		c.seekVec(m, v0)
		if s == lo {
			for _, st := range c.once {
				st(m, 1)
			}
		}
		for _, f := range c.folds {
			f.start(m)
		}
		for v := v0; v < v1; {
			n := c.tileLen(v, v1)
			c.runTile(m, v, n)
			for _, f := range c.folds {
				f.tile(m, int(n))
			}
			v += n
			if v < v1 {
				c.advance(m, v, n)
			}
		}
		for _, f := range c.folds {
			f.end(m)
			if c.numBlocks() > 1 {
				f.savePartial(m, partial, b*c.outputs()+s, 1)
			} else {
				c.seekVec(m, 0)
				f.finish(m, 1)
			}
		}
	}
}

// runOuter folds block b of the reduced space for the outputs lo…hi-1, a tile
// of outputs at a time.
func (c *Code) runOuter(m *machine, lo, hi, b int64, partial unsafe.Pointer) {
	s0 := b * c.block
	s1 := min(s0+c.block, c.seq.size)
	c.seekSeq(m, s0)
	c.seekVec(m, lo)
	for _, st := range c.once {
		st(m, 1)
	}
	for v := lo; v < hi; {
		n := c.tileLen(v, hi)
		for _, f := range c.folds {
			f.start(m)
		}
		for s := s0; s < s1; s++ {
			c.seekSeq(m, s)
			c.seekVec(m, v)
			c.runTile(m, v, n)
			for _, f := range c.folds {
				f.row(m, int(n))
			}
		}
		c.seekSeq(m, s0)
		c.seekVec(m, v)
		m.start = v
		for _, f := range c.folds {
			f.endOuter(m, int(n))
			if c.numBlocks() > 1 {
				f.savePartial(m, partial, b*c.outputs()+v, int(n))
			} else {
				f.finish(m, int(n))
			}
		}
		v += n
	}
}

// Finish folds the partial results of the blocks; to be called once after all
// chunks have run.
func (c *Code) Finish(params []unsafe.Pointer, partial unsafe.Pointer, s *Scratch) {
	if len(c.folds) == 0 || c.numBlocks() == 1 {
		return
	}
	m := s.prepare(c, params)
	for _, f := range c.folds {
		for out := range c.outputs() {
			f.start(m)
			for b := range c.numBlocks() {
				f.addPartial(m, partial, b*c.outputs()+out)
			}
			f.end(m)
			f.place(c, m, out)
			f.finish(m, 1)
		}
	}
}

// place moves the bases of the results to output out.
func (f *fold) place(c *Code, m *machine, out int64) {
	if c.form == formInner {
		c.seekSeq(m, out)
		c.seekVec(m, 0)
		return
	}
	c.seekSeq(m, 0)
	c.seekVec(m, out)
	m.start = out
}

// seekSeq moves the sequential part of the bases to point s.
func (c *Code) seekSeq(m *machine, s int64) {
	for i := range c.accesses {
		m.seqBase[i] = offset(c.accesses[i].seq, c.seq.dims, s)
	}
}
