package compiler

import (
	"encoding/binary"
	"sync"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// Elements with a small stride are loaded with contiguous loads and combined by shuffles: a gather takes several times
// as long. No load reaches before the first element or past the last.

// span is a contiguous vector in memory that contains some of the strided elements.
type span struct {
	from  int // offset from the first strided element in memory, in elements
	first int // index of the first strided element in the span, in memory order
	count int // strided elements that the span provides
}

// spanKind is the number of elements of a vector, and their stride.
type spanKind struct{ n, stride int }

var spanCache sync.Map // spanKind → []span, for AVX2

// spansOf returns the loads of strided elements of size bytes; nil if they are gathered.
func spansOf(w target.Width, size int, stride int64) []span {
	maxStride := int64(maxSpanStride)
	if w == target.V512 {
		maxStride = maxSpanStrideWide
	}
	distance := max(stride, -stride)
	if size != 4 && size != 8 || distance < 1 || distance > maxStride {
		return nil
	}
	n := w.VectorBytes() / size
	if w == target.V512 {
		return sequentialSpans(n, int(distance))
	}
	kind := spanKind{n, int(distance)}
	if of, ok := spanCache.Load(kind); ok {
		return of.([]span)
	}
	of := kind.disjointSpans(0, 0, map[[2]int][]span{})
	spanCache.Store(kind, of)
	return of
}

// extent returns the number of elements in memory from the first strided element to the last.
func (k spanKind) extent() int { return (k.n-1)*k.stride + 1 }

// sequentialSpans returns consecutive spans; the last ends with the last element.
func sequentialSpans(n, stride int) (out []span) {
	k := spanKind{n, stride}
	for i := 0; i < n; {
		s := span{from: min(i*stride, k.extent()-n), first: i}
		for i < n && i*stride < s.from+n {
			i++
		}
		s.count = i - s.first
		out = append(out, s)
	}
	return out
}

// disjointSpans returns the fewest spans of the elements from i on whose elements are in disjoint lanes, none of them
// used: such vectors can be blended before they are permuted. A span of one element can start anywhere, so there is
// always a solution.
func (k spanKind) disjointSpans(i, used int, known map[[2]int][]span) []span {
	if i == k.n {
		return []span{}
	}
	at := [2]int{i, used}
	if best, ok := known[at]; ok {
		return best
	}
	var best []span
	for from := max((i*k.stride)-(k.n-1), 0); from <= min(i*k.stride, k.extent()-k.n); from++ {
		lanes := 0
		for j := i; j < k.n && j*k.stride < from+k.n; j++ {
			lanes |= 1 << (j*k.stride - from)
			if lanes&used != 0 {
				break
			}
			rest := k.disjointSpans(j+1, used|lanes, known)
			if rest != nil && (best == nil || len(rest)+1 < len(best)) {
				best = append([]span{{from, i, j + 1 - i}}, rest...)
			}
		}
	}
	known[at] = best
	return best
}

// loadSpans loads part p of an access with spans, in a copy of the body.
func (s *Selector) loadSpans(elem, part, access, copyNum int) regalloc.Operand {
	pl := &s.Addressing[access]
	spans, base := pl.Spans, s.addressOf(access)
	n := s.Width.VectorBytes() / elem
	stride := int(pl.Stride) / elem
	disp := (copyNum*s.lanes + part*n) * int(pl.Stride)
	if stride < 0 {
		disp -= (spanKind{n, -stride}.extent() - 1) * elem
	}
	memoryOf := func(sp span) regalloc.Operand { return s.Memory(asm.Mem(base, disp+sp.from*elem)) }
	if s.IsWide() {
		return s.permuteSpans(elem, stride, spans, memoryOf)
	}
	x := s.To(asm.VMOVUPS, memoryOf(spans[0]))
	lanes := make([]int, n) // the lane of each element
	for i, sp := range spans {
		taken := 0
		for j := range sp.count {
			at := (sp.first+j)*max(stride, -stride) - sp.from
			lanes[memoryOrder(sp.first+j, n, stride)] = at
			taken |= 1 << at
		}
		if i > 0 {
			x = s.To(ByLane(elem, asm.VBLENDPS, asm.VBLENDPD), x, memoryOf(sp), regalloc.Imm(int64(taken)))
		}
	}
	if elem == 4 {
		return s.To(asm.VPERMPS, s.indexVector(elem, lanes), x)
	}
	of := 0
	for i, lane := range lanes {
		of |= lane << (2 * i)
	}
	return s.To(asm.VPERMPD, x, regalloc.Imm(int64(of)))
}

// memoryOrder returns the index of element i of n in ascending memory order.
func memoryOrder(i, n, stride int) int {
	if stride < 0 {
		return n - 1 - i
	}
	return i
}

// permuteSpans is loadSpans for AVX-512, which permutes the elements of two vectors.
func (s *Selector) permuteSpans(elem, stride int, spans []span, memoryOf func(span) regalloc.Operand) regalloc.Operand {
	n := s.Width.VectorBytes() / elem
	from := make([]int, n) // lanes in the result so far and the next span
	take := func(sp span, base int) {
		for j := range sp.count {
			from[memoryOrder(sp.first+j, n, stride)] = base + (sp.first+j)*max(stride, -stride) - sp.from
		}
	}
	take(spans[0], 0)
	if len(spans) == 1 {
		return s.To(ByLane(elem, asm.VPERMD, asm.VPERMQ), s.indexVector(elem, from), memoryOf(spans[0]))
	}
	x := s.To(asm.VMOVUPS, memoryOf(spans[0]))
	for _, sp := range spans[1:] {
		take(sp, n)
		s.Update(ByLane(elem, asm.VPERMT2D, asm.VPERMT2Q), x, s.indexVector(elem, from), memoryOf(sp))
		for i := range sp.first + sp.count {
			at := memoryOrder(i, n, stride)
			from[at] = at
		}
	}
	return x
}

// indexVector returns a vector of constants with lanes of elem bytes.
func (s *Selector) indexVector(elem int, of []int) regalloc.Operand {
	data := make([]byte, 0, 64)
	for _, x := range of {
		if elem == 4 {
			data = binary.LittleEndian.AppendUint32(data, uint32(x))
		} else {
			data = binary.LittleEndian.AppendUint64(data, uint64(x))
		}
	}
	return s.Constant(data)
}
