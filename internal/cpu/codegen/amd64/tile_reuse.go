package amd64

import "github.com/go-nx/nx/internal/cpu/plan"

// The tile of a broadcast operand has the same elements again after a number of tiles, or in the next tile if the tile
// size is a multiple of the period: a bias of 64 features for 32 × 32 positions is copied once per piece. The contents
// of a tile depend on its position within the period, and on the coordinates of the dimensions outside of it.

// period is the period of an access: it repeats the elements of inner points, as long as points are in the same block
// of outer points.
type period struct{ inner, outer int64 }

// periodOf returns the period of an access; inner is 0 if there is none.
func periodOf(p *plan.Plan, access int) (of period) {
	strides, dims := p.Accesses[access].Vec, p.Vec.Dims
	d, n := len(dims)-1, int64(1)
	for ; d >= 0 && strides[d] == 0; d-- { // the innermost dimensions repeat single elements
		n *= dims[d]
	}
	for ; d >= 0 && strides[d] != 0; d-- {
		n *= dims[d]
	}
	if of.outer = n; d < 0 {
		return period{}
	}
	for ; d >= 0 && strides[d] == 0; d-- {
		of.outer *= dims[d]
	}
	of.inner = n
	return of
}

// filled is the contents of the tile of an access.
type filled struct{ start, outer, n int64 }

// setPeriods finds the periods of the accesses whose tiles the caller fills, and rounds the tiles of maps to multiples
// of the largest period that fits.
func (c *Code) setPeriods() {
	c.tileElems, c.periods = c.Tile, make([]period, len(c.Addressing))
	longest := int64(1)
	for _, i := range c.staged {
		if i >= c.Stores || c.Form != plan.Map || len(c.Lookups[i]) > 0 || c.isIndex[i] || c.guarded[i] != nil {
			continue
		}
		if c.periods[i] = periodOf(c.Plan, i); c.periods[i].inner <= c.Tile {
			longest = max(longest, c.periods[i].inner)
		}
	}
	if !c.RowTiles {
		c.tileElems = c.Tile / longest * longest
	}
}

// isFilled reports whether the tile of an access holds the n points from v on, and records that it will.
func (c *Code) isFilled(i int, v, n int64, m *Scratch) bool {
	p := c.periods[i]
	if p.inner == 0 || v/p.outer != (v+n-1)/p.outer {
		m.filled[i] = filled{}
		return false
	}
	current := filled{v % p.inner, v / p.outer, n}
	if m.filled[i] == current {
		return true
	}
	m.filled[i] = current
	return false
}
