package amd64

import "github.com/go-nx/nx/internal/cpu/plan"

// A tile of an operand that is broadcast along some dimensions has the same elements again a number of tiles
// later, and the next time where tiles are as long as what is repeated: a bias of 64 features among 32 × 32
// positions is copied once a piece. Which elements a tile has is told by where it begins in what is repeated,
// and by where it lies along the dimensions around that.

// period is how an access repeats its elements: those of inner points, as long as points lie in the same
// outer ones.
type period struct{ inner, outer int64 }

// periodOf returns the period of an access, inner being 0 where it has none.
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

// filled is what the tile of an access holds.
type filled struct{ start, outer, n int64 }

// setPeriods finds the periods of the accesses whose tiles the caller fills, and makes tiles of maps as long
// as the longest that fits into one, some times.
func (c *Code) setPeriods() {
	c.tileElems, c.periods = c.Tile, make([]period, len(c.places))
	longest := int64(1)
	for _, i := range c.staged {
		if i >= c.Stores || c.Form != plan.Map || len(c.lookups[i]) > 0 || c.isIndex[i] || c.guarded[i] != nil {
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

// isFilled reports whether the tile of an access holds the n points from v on, and notes that it will.
func (c *Code) isFilled(i int, v, n int64, m *Scratch) bool {
	p := c.periods[i]
	if p.inner == 0 || v/p.outer != (v+n-1)/p.outer {
		m.filled[i] = filled{}
		return false
	}
	now := filled{v % p.inner, v / p.outer, n}
	if m.filled[i] == now {
		return true
	}
	m.filled[i] = now
	return false
}
