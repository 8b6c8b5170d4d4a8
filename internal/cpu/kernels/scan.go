package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// The order in which lines of numbers are summed up, the same in all tiers. A line is cut into blocks,
// a block into groups, the last of them filled up with identities. In a group, the second of two
// neighbours takes the first, then both of the second of two pairs take the last of the first pair, and
// so on by fours and eights. The elements of a group then take the groups of the block before it, summed
// up one after another; and that takes the blocks before, summed up one after another. So 16 elements wait for one
// addition, a group is a few operations of vectors, and blocks can be taken side by side. Sums of positive
// numbers never decrease.
const (
	scanGroup = 16
	scanBlock = 1 << 13
)

// columnTile is how many neighbouring columns are combined together: they fit the
// first-level cache, and the piece of a row is worth the jump to the next.
const columnTile = 256

// Scan sets dst[o,i,j] to init·src[o,0,j]·…·src[o,i,j], or with reverse to
// init·src[o,n-1,j]·…·src[o,i,j], of arrays seen as [outer, n, inner]: cumulative sums,
// products, maxima. Where inner is 1, sums and products of numbers are formed in groups; else the
// elements are combined one after the other. dst and src may be the same.
func Scan[T any](env *rt.Env, dst, src []T, outer, n, inner int, m Monoid[T], init T, reverse bool) {
	if outer*n*inner == 0 {
		return
	}
	s := &scan[T]{env: env, dst: dst, src: src, n: n, inner: inner, m: m, init: init, reverse: reverse,
		tiles: blocks(inner, columnTile), step: scanStepOf(env, m)}
	perUnit := n * min(inner, columnTile)
	if w := env.Workers(); inner == 1 && s.step != nil && n > scanBlock && w > 1 && outer < 2*w && s.scanBlocks(outer) {
		return
	}
	fill1(s.inits[:min(inner, columnTile)], init)
	s.units = outer * s.tiles
	s.perChunk = max(1, 1<<14/perUnit)
	if outer*n*inner < 1<<14 {
		env = nil
	}
	env.Run(blocks(s.units, s.perChunk), s)
}

type scan[T any] struct {
	env      *rt.Env
	dst, src []T
	n, inner int
	m        Monoid[T]
	init     T
	reverse  bool
	tiles    int
	units    int
	perChunk int
	step     rt.ScanStep[T] // nil: one element after the other
	inits    [columnTile]T  // a row of init
}

func (s *scan[T]) Do(_, chunk int) {
	for u := chunk * s.perChunk; u < min((chunk+1)*s.perChunk, s.units); u++ {
		base := u / s.tiles * s.n * s.inner
		if s.inner == 1 {
			s.line(s.dst[base:base+s.n], s.src[base:base+s.n])
			continue
		}
		col := u % s.tiles * columnTile
		s.columns(base+col, min(columnTile, s.inner-col))
	}
}

func (s *scan[T]) line(dst, src []T) {
	switch {
	case s.step != nil:
		carry := s.init
		for b := range blocks(s.n, scanBlock) {
			s.env.Check()
			lo, hi := s.block(b)
			carry = s.step.Line(dst[lo:hi], src[lo:hi], carry, s.reverse)
		}
	case s.reverse:
		copy(dst, src)
		reverse(dst)
		scanLine(s.env, s.m, dst, dst, s.init)
		reverse(dst)
	default:
		scanLine(s.env, s.m, dst, src, s.init)
	}
}

// block returns where block b of a line begins and ends: in reverse, the first one is the last.
func (s *scan[T]) block(b int) (lo, hi int) {
	if s.reverse {
		hi = s.n - b*scanBlock
		return max(0, hi-scanBlock), hi
	}
	lo = b * scanBlock
	return lo, min(lo+scanBlock, s.n)
}

// scanLine is the scan of a line from a carry on, which may be stopped on the way.
func scanLine[T any](env *rt.Env, m Monoid[T], dst, src []T, carry T) {
	const piece = 1 << 14
	for len(src) > 0 {
		env.Check()
		n := min(piece, len(src))
		carry = m.Scan(dst[:n], src[:n], carry)
		dst, src = dst[n:], src[n:]
	}
}

func (s *scan[T]) columns(at, width int) {
	step := s.inner
	if s.reverse {
		at += (s.n - 1) * s.inner
		step = -step
	}
	before := s.inits[:width]
	if s.step == nil {
		for i := range s.n {
			s.env.Pause(i)
			row := s.dst[at : at+width]
			copy(row, s.src[at:at+width])
			s.m.Into(row, before)
			before = row
			at += step
		}
		return
	}
	for i, some := 0, max(1, 1<<14/width); i < s.n; i += some {
		s.env.Check()
		rows := min(some, s.n-i)
		s.step.Rows(s.dst, s.src, at, step, rows, before)
		at += rows * step
		before = s.dst[at-step:][:width]
	}
}

func reverse[T any](x []T) {
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}

// scanBlocks scans lines of many blocks side by side: each by itself; then each takes those before it. It
// reports false where there is no memory for that.
func (s *scan[T]) scanBlocks(lines int) bool {
	perLine := blocks(s.n, scanBlock)
	room, err := s.env.Scratch(lines * perLine * sizeOf[T]())
	if err != nil {
		return false
	}
	defer s.env.Free(room)
	b := &blockScan[T]{scan: *s, perLine: perLine, carries: rt.View[T](room)[:lines*perLine]}
	s.env.Run(len(b.carries), b)
	for i := range b.carries {
		if i%perLine != 0 { // else it is all there is before the next one
			s.m.Into(b.carries[i:i+1], b.carries[i-1:i])
		}
	}
	b.shift = true
	s.env.Run(len(b.carries), b)
	return true
}

// blockScan scans each block of some lines by itself, or, to shift, lets each take what is before it.
type blockScan[T any] struct {
	scan[T]
	perLine int
	carries []T // what each block comes to, then with those before it
	shift   bool
}

func (s *blockScan[T]) Do(_, chunk int) {
	line, b := chunk/s.perLine*s.n, chunk%s.perLine
	lo, hi := s.block(b)
	dst := s.dst[line+lo : line+hi]
	switch {
	case !s.shift && b == 0:
		s.carries[chunk] = s.step.Line(dst, s.src[line+lo:line+hi], s.init, s.reverse)
	case !s.shift:
		s.carries[chunk] = s.step.Line(dst, s.src[line+lo:line+hi], s.m.Identity(), s.reverse)
	case b > 0:
		s.step.Shift(dst, s.carries[chunk-1])
	}
}
