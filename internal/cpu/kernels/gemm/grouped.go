package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// groupedSource is a pack source whose elements are groups of numbers along k: two of 16 bits (the VDPBF16PS layout,
// see [rt.Dot2Step]) or four of 8 (the VPDPBUSD layout, see [rt.Dot4Step]). The last group is filled up with 0.
type groupedSource[E uint8 | uint16] struct {
	step  rt.Interleaver[E]
	at    Strided[float32] // of the numbers, without elements
	elems []E
	k     int
}

func newGrouped[E uint8 | uint16](step rt.Interleaver[E], elems []E, offset int,
	batch, lines, depths Dims) groupedSource[E] {
	return groupedSource[E]{step, NewStrided[float32](nil, offset, batch, lines, depths), elems, depths.Size()}
}

func (s *groupedSource[E]) Copies() bool { return true }

// group returns the numbers of an element.
func (s *groupedSource[E]) group() int { return 4 / rt.SizeOf[E]() }

func (s *groupedSource[E]) Block(tmp []float32, batch, line, n, k, depth int) ([]float32, int, int) {
	base, group := s.at.Offset+s.at.batch.At(batch), s.group()
	k *= group
	count := min(group*depth, s.k-k)
	if s.at.affine && s.at.ls == 1 && s.at.ks != 1 {
		s.interleave(tmp, s.elems[base+line+k*s.at.ks:], n, count)
		return tmp, 1, n
	}
	along := s.at.affine && s.at.ks == 1
	if first := base + line*s.at.ls + k; along && first%group == 0 && s.at.ls%group == 0 && count%group == 0 {
		return rt.View[float32](rt.Bytes(s.elems[first:][:(n-1)*s.at.ls+count])), s.at.ls / group, 1
	}
	var store offsetTable
	var depths []int
	if !along {
		depths = store.depth(s.at.depths, k, count)
	}
	out := rt.View[E](rt.Bytes(tmp))
	for i, l := range store.lines(s.at.lines, line, n) {
		row := out[group*i*depth:][:group*depth]
		clear(row[count:])
		if along {
			copy(row[:count], s.elems[base+l+k:])
			continue
		}
		from := s.elems[base+l:]
		for j, d := range depths {
			row[j] = from[d]
		}
	}
	return tmp, depth, 1
}

// interleave packs groups of n contiguous lines, of count numbers each.
func (s *groupedSource[E]) interleave(dst []float32, src []E, n, count int) {
	group := s.group()
	full := count / group
	s.step.Interleave(dst, src, s.at.ks, n, full)
	if count%group == 0 {
		return
	}
	last := rt.View[E](rt.Bytes(dst[full*n:][:n]))
	clear(last)
	for k := range count % group {
		for i, x := range src[(full*group+k)*s.at.ks:][:n] {
			last[group*i+k] = x
		}
	}
}
