package monoid

import (
	"bytes"

	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// The summation order of lines of numbers, the same in all tiers. A line is cut into blocks, and a block into groups,
// of which the last is padded with identities. Within a group, pairs are combined, then pairs of pairs, then fours and
// eights (Sklansky's prefix network). The prefix of the preceding groups of the block is added to all elements of a
// group, and the prefix of the preceding blocks to all elements of a block; both are summed sequentially. So 16
// elements wait for one addition, a group is a few vector operations, and blocks are independent. Sums of positive
// numbers never decrease. Lines shorter than a group are summed sequentially.
const (
	scanGroup = 16
	scanBlock = 1 << 13
)

// columnTile is the number of neighbouring columns that are combined together: they fit the first-level cache, and the
// pieces of rows are long enough.
const columnTile = 256

// Scan sets dst[o,i,j] to init·src[o,0,j]·…·src[o,i,j], or with reverse to init·src[o,n-1,j]·…·src[o,i,j], for arrays
// viewed as [outer, n, inner]: cumulative sums, products, maxima. If inner is 1, sums and products of numbers are
// formed in groups; otherwise, and in lines shorter than a group, elements are combined sequentially. dst and src may
// be the same.
func Scan(env *rt.Env, dst, src []byte, outer, n, inner int, m Monoid, init []byte, reverse bool) {
	if outer*n*inner == 0 {
		return
	}
	size := len(init)
	s := &scan{env: env, dst: dst, src: src, n: n, size: size, row: inner * size, m: m, reverse: reverse,
		inits: bytes.Repeat(init, min(inner, columnTile)), tiles: rt.CeilDiv(inner, columnTile),
		step: scanStepOf(env, m)}
	perUnit := n * min(inner, columnTile)
	if w := env.Workers(); inner == 1 && s.step != nil && n > scanBlock && w > 1 && outer < 2*w && s.scanBlocks(outer) {
		return
	}
	s.units = outer * s.tiles
	s.perChunk = max(1, 1<<14/perUnit)
	if outer*n*inner < 1<<14 {
		env = nil
	}
	env.Run(rt.CeilDiv(s.units, s.perChunk), s)
}

type scan struct {
	env       *rt.Env
	dst, src  []byte
	n         int
	size, row int // bytes of an element, and of inner elements
	m         Monoid
	reverse   bool
	tiles     int
	units     int
	perChunk  int
	step      rt.ScanStep // nil: sequential
	inits     []byte      // initial values of a tile, at least one
}

func (s *scan) Do(_ rt.Worker, chunk int) {
	lo, hi := chunk*s.perChunk, min((chunk+1)*s.perChunk, s.units)
	if s.row == s.size && s.n < scanGroup {
		lo, hi = lo*s.n*s.size, hi*s.n*s.size
		s.shortLines(s.dst[lo:hi], s.src[lo:hi])
		return
	}
	for u := lo; u < hi; u++ {
		base := u / s.tiles * s.n * s.row
		if s.row == s.size {
			s.line(s.dst[base:base+s.n*s.size], s.src[base:base+s.n*s.size])
			continue
		}
		col := u % s.tiles * columnTile * s.size
		s.columns(base+col, min(len(s.inits), s.row-col))
	}
}

// shortLines scans several lines sequentially; in reverse, from the last element.
func (s *scan) shortLines(dst, src []byte) {
	if !s.reverse {
		s.m.Scan(dst, src, s.inits, s.n)
		return
	}
	copy(dst, src)
	move.Reverse(dst, s.size)
	s.m.Scan(dst, dst, s.inits, s.n)
	move.Reverse(dst, s.size)
}

func (s *scan) line(dst, src []byte) {
	switch carry := s.inits; {
	case s.step != nil:
		for b := range rt.CeilDiv(s.n, scanBlock) {
			s.env.CheckCancel()
			lo, hi := s.block(b)
			s.step.Line(dst[lo:hi], src[lo:hi], carry, s.reverse)
			carry = s.last(dst[lo:hi])
		}
	case s.reverse:
		copy(dst, src)
		move.Reverse(dst, s.size)
		scanLine(s.env, s.m, dst, dst, carry)
		move.Reverse(dst, s.size)
	default:
		scanLine(s.env, s.m, dst, src, carry)
	}
}

// block returns the bounds of block b of a line; in reverse, block 0 is the last.
func (s *scan) block(b int) (lo, hi int) {
	if s.reverse {
		hi = s.n - b*scanBlock
		return max(0, hi-scanBlock) * s.size, hi * s.size
	}
	lo = b * scanBlock
	return lo * s.size, min(lo+scanBlock, s.n) * s.size
}

// last returns the element of a scanned block that includes all of it.
func (s *scan) last(block []byte) []byte {
	if s.reverse {
		return block[:s.size]
	}
	return block[len(block)-s.size:]
}

// scanLine scans a line from a carry on, and checks for cancellation.
func scanLine(env *rt.Env, m Monoid, dst, src, carry []byte) {
	piece := len(carry) << 14
	for len(src) > 0 {
		env.CheckCancel()
		n := min(piece, len(src))
		m.Scan(dst[:n], src[:n], carry, n/len(carry))
		carry = dst[n-len(carry) : n]
		dst, src = dst[n:], src[n:]
	}
}

// columns scans width bytes of columns, of which the first begins at offset at.
func (s *scan) columns(at, width int) {
	step := s.row
	if s.reverse {
		at += (s.n - 1) * s.row
		step = -step
	}
	before := s.inits[:width]
	if s.step == nil {
		for i := range s.n {
			s.env.CheckCancelAt(i)
			row := s.dst[at : at+width]
			copy(row, s.src[at:at+width])
			s.m.Into(row, before)
			before = row
			at += step
		}
		return
	}
	for i, maxRows := 0, max(1, s.size<<14/width); i < s.n; i += maxRows {
		s.env.CheckCancel()
		rows := min(maxRows, s.n-i)
		s.step.Rows(s.dst, s.src, at, step, rows, before)
		at += rows * step
		before = s.dst[at-step:][:width]
	}
}

// scanBlocks scans lines of many blocks in parallel: each block separately; then the prefix of the preceding blocks is
// added to each. It reports false if there is no memory.
func (s *scan) scanBlocks(lines int) bool {
	perLine := rt.CeilDiv(s.n, scanBlock)
	carries, err := s.env.Scratch(lines * perLine * s.size)
	if err != nil {
		return false
	}
	defer s.env.Free(carries)
	b := &blockScan{scan: *s, perLine: perLine, carries: carries, identity: s.m.Identity()}
	s.env.Run(lines*perLine, b)
	for i := range lines * perLine {
		if i%perLine != 0 { // the first block has no predecessor
			s.m.Into(b.carry(i), b.carry(i-1))
		}
	}
	b.shift = true
	s.env.Run(lines*perLine, b)
	return true
}

// blockScan scans each block of several lines separately, or, with shift, applies the prefix of the preceding blocks to
// each.
type blockScan struct {
	scan
	perLine  int
	carries  []byte // the total of each block, then of all blocks up to it
	identity []byte
	shift    bool
}

// carry returns the carry of a block, numbered through all lines.
func (s *blockScan) carry(block int) []byte { return s.carries[block*s.size:][:s.size] }

func (s *blockScan) Do(_ rt.Worker, chunk int) {
	line, b := chunk/s.perLine*s.n*s.size, chunk%s.perLine
	lo, hi := s.block(b)
	dst, src := s.dst[line+lo:line+hi], s.src[line+lo:line+hi]
	if s.shift {
		if b > 0 {
			s.step.Shift(dst, s.carry(chunk-1))
		}
		return
	}
	before := s.identity
	if b == 0 {
		before = s.inits
	}
	s.step.Line(dst, src, before, s.reverse)
	copy(s.carry(chunk), s.last(dst))
}
