package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// columnTile is how many neighbouring columns are combined together: they fit the
// first-level cache, and the piece of a row is worth the jump to the next.
const columnTile = 256

// Scan sets dst[o,i,j] to src[o,0,j]·…·src[o,i,j], or with reverse to
// src[o,n-1,j]·…·src[o,i,j], of arrays seen as [outer, n, inner]: cumulative sums,
// products, maxima. The elements are combined one after the other, so that each
// result is its neighbour combined with one element. dst and src may be the same.
func Scan[T any](env *rt.Env, dst, src []T, outer, n, inner int, m Monoid[T], reverse bool) {
	if outer*n*inner == 0 {
		return
	}
	s := &scan[T]{env: env, dst: dst, src: src, n: n, inner: inner, m: m, reverse: reverse,
		tiles: blocks(inner, columnTile)}
	s.units = outer * s.tiles
	s.perChunk = max(1, 1<<14/(n*min(inner, columnTile)))
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
	reverse  bool
	tiles    int
	units    int
	perChunk int
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
	if !s.reverse {
		scanLine(s.env, s.m, dst, src)
		return
	}
	copy(dst, src)
	reverse(dst)
	scanLine(s.env, s.m, dst, dst)
	reverse(dst)
}

// scanLine is the scan of a line from the identity on, which may be stopped on the way.
func scanLine[T any](env *rt.Env, m Monoid[T], dst, src []T) {
	const piece = 1 << 14
	carry := m.Identity()
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
	copy(s.dst[at:at+width], s.src[at:at+width])
	for i := range s.n - 1 {
		s.env.Pause(i)
		prev := s.dst[at : at+width]
		at += step
		row := s.dst[at : at+width]
		copy(row, s.src[at:at+width])
		s.m.Into(row, prev)
	}
}

func reverse[T any](x []T) {
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}
