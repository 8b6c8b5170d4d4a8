package portable

// A tile along the innermost dimension of an access that is transposed there
// touches a cache line for every element. blocked walks such kernels by blocks:
// short tiles, one after another along the dimension in which the elements of those
// lines are neighbours, so that a line is used up while it is in cache.
type blocked struct {
	dim  int   // tiles follow each other along this dimension of the vector space
	cols int64 // points of the innermost dimension a chunk
}

const (
	blockTile  = 64 // elements of a tile, each in a cache line of its own
	blockDepth = 16 // tiles after one another: the float32s of a line

	minBlocked = 1 << 14 // points: below, all lines stay in cache
)

// planBlocks decides whether the kernel is walked by blocks and of how many points its
// chunks are to be.
func (c *compiler) planBlocks(elems int64) {
	last := len(c.vec.dims) - 1
	if c.form != formMap || !c.rows || last < 1 || c.vec.size < minBlocked {
		return
	}
	for i := range c.accesses {
		a := &c.accesses[i]
		if a.kind != strided || abs(a.inner) < blockDepth {
			continue
		}
		dim := -1
		for d, s := range a.vec[:last] {
			if s != 0 && abs(s) < abs(a.inner) && c.vec.dims[d] > 1 && (dim < 0 || abs(s) < abs(a.vec[dim])) {
				dim = d
			}
		}
		if dim >= 0 {
			c.blocks = &blocked{dim, max(elems/blockDepth/blockTile, 1) * blockTile}
			return
		}
	}
}

func abs(x int64) int64 { return max(x, -x) }

// grid returns the numbers of chunks: over the other dimensions, along the
// dimension of the blocks and along the innermost one.
func (c *Code) grid() (outer, down, across int64) {
	rows, cols := c.vec.dims[c.blocks.dim], c.vec.dims[len(c.vec.dims)-1]
	return c.vec.size / (rows * cols), ceilDiv(rows, blockDepth), ceilDiv(cols, c.blocks.cols)
}

// runBlocks runs chunk i of a kernel that is walked by blocks.
func (c *Code) runBlocks(m *machine, i int64) {
	_, down, across := c.grid()
	dims, dim, last := c.vec.dims, c.blocks.dim, len(c.vec.dims)-1
	row, col := i/across%down*blockDepth, i%across*c.blocks.cols
	outer := i / (across * down)

	start, weight, below := int64(0), int64(0), int64(1) // in points of the vector space
	for d := last; d >= 0; d-- {
		switch d {
		case last:
		case dim:
			weight = below
		default:
			start += outer % dims[d] * below
			outer /= dims[d]
		}
		below *= dims[d]
	}
	start += row * weight
	rowEnd, colEnd := min(row+blockDepth, dims[dim]), min(col+c.blocks.cols, dims[last])

	c.seekSeq(m, 0)
	c.seekVec(m, start+col)
	for _, s := range c.once {
		s(m, 1)
	}
	for ; col < colEnd; col += blockTile {
		n := min(blockTile, colEnd-col)
		v := start + col
		c.seekVec(m, v)
		for r := row; r < rowEnd; r++ {
			c.runTile(m, v, n)
			v += weight
			for k := range c.accesses {
				m.base[k] += c.accesses[k].vec[dim]
			}
		}
	}
}
