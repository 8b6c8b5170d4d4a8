package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// scanStepOf returns what scans by the operation in groups, that of the tier where it has one; nil for
// operations that take one element after the other.
func scanStepOf[T any](env *rt.Env, m Monoid[T]) rt.ScanStep[T] {
	g, ok := m.(groupScanner[T])
	if !ok {
		return nil
	}
	if env != nil && env.Scans != nil {
		var zero T
		if s, ok := env.Scans.Step(g.scanOp(), zero).(rt.ScanStep[T]); ok {
			return s
		}
	}
	return goScan[T]{g}
}

// A groupScanner is an operation that scans in groups.
type groupScanner[T any] interface {
	Monoid[T]
	scanOp() rt.ScanOp
	// scanLine scans one block, and shift lets all elements take one.
	scanLine(dst, src []T, carry T)
	shift(dst []T, by T)
}

// goScan scans in plain Go.
type goScan[T any] struct{ m groupScanner[T] }

// Line scans a line of one block.
func (s goScan[T]) Line(dst, src []T, carry T, backwards bool) T {
	switch {
	case len(dst) == 0:
		return carry
	case backwards:
		copy(dst, src)
		reverse(dst)
		s.m.scanLine(dst, dst, carry)
		reverse(dst)
		return dst[0]
	}
	s.m.scanLine(dst, src, carry)
	return dst[len(dst)-1]
}

// Shift lets all elements take one.
func (s goScan[T]) Shift(dst []T, by T) { s.m.shift(dst, by) }

// Rows scans rows side by side.
func (s goScan[T]) Rows(dst, src []T, at, step, rows int, before []T) {
	for range rows {
		row := dst[at:][:len(before)]
		copy(row, src[at:])
		s.m.Into(row, before)
		before = row
		at += step
	}
}

func (Sum[T]) scanOp() rt.ScanOp { return rt.ScanSum }

func (m Sum[T]) scanLine(dst, src []T, carry T) {
	chain, whole := m.Identity(), len(src)/scanGroup*scanGroup
	for i := 0; i < whole; i += scanGroup {
		chain = sumGroup((*[scanGroup]T)(dst[i:]), (*[scanGroup]T)(src[i:]), chain, carry)
	}
	if whole < len(src) {
		var group [scanGroup]T
		fill1(group[copy(group[:], src[whole:]):], m.Identity())
		sumGroup(&group, &group, chain, carry)
		copy(dst[whole:], group[:])
	}
}

func (Sum[T]) shift(dst []T, by T) {
	for i := range dst {
		dst[i] = by + dst[i]
	}
}

// fourSums returns the sums of four elements from i on, of each with those before it.
func fourSums[T number](x *[scanGroup]T, i int) (a, b, c, d T) {
	a, c = x[i], x[i+2]
	b, d = a+x[i+1], c+x[i+3]
	return a, b, b + c, b + d
}

// sumGroup sets each element of dst to carry+(chain+those of src up to it), and returns chain+all of src.
func sumGroup[T number](dst, src *[scanGroup]T, chain, carry T) T {
	a, b, c, first := fourSums(src, 0)
	dst[0], dst[1], dst[2], dst[3] = carry+(chain+a), carry+(chain+b), carry+(chain+c), carry+(chain+first)
	a, b, c, d := fourSums(src, 4)
	half := first + d
	dst[4], dst[5] = carry+(chain+(first+a)), carry+(chain+(first+b))
	dst[6], dst[7] = carry+(chain+(first+c)), carry+(chain+half)
	a, b, c, third := fourSums(src, 8)
	dst[8], dst[9] = carry+(chain+(half+a)), carry+(chain+(half+b))
	dst[10], dst[11] = carry+(chain+(half+c)), carry+(chain+(half+third))
	a, b, c, d = fourSums(src, 12)
	all := half + (third + d)
	dst[12], dst[13] = carry+(chain+(half+(third+a))), carry+(chain+(half+(third+b)))
	dst[14], dst[15] = carry+(chain+(half+(third+c))), carry+(chain+all)
	return chain + all
}

func (Prod[T]) scanOp() rt.ScanOp { return rt.ScanProd }

func (m Prod[T]) scanLine(dst, src []T, carry T) {
	chain, whole := m.Identity(), len(src)/scanGroup*scanGroup
	for i := 0; i < whole; i += scanGroup {
		chain = multiplyGroup((*[scanGroup]T)(dst[i:]), (*[scanGroup]T)(src[i:]), chain, carry)
	}
	if whole < len(src) {
		var group [scanGroup]T
		fill1(group[copy(group[:], src[whole:]):], m.Identity())
		multiplyGroup(&group, &group, chain, carry)
		copy(dst[whole:], group[:])
	}
}

func (Prod[T]) shift(dst []T, by T) {
	for i := range dst {
		dst[i] = by * dst[i]
	}
}

// fourProducts returns the products of four elements from i on, of each with those before it.
func fourProducts[T number](x *[scanGroup]T, i int) (a, b, c, d T) {
	a, c = x[i], x[i+2]
	b, d = a*x[i+1], c*x[i+3]
	return a, b, b * c, b * d
}

// multiplyGroup sets each element of dst to carry*(chain*those of src up to it), and returns chain*all of src.
func multiplyGroup[T number](dst, src *[scanGroup]T, chain, carry T) T {
	a, b, c, first := fourProducts(src, 0)
	dst[0], dst[1], dst[2], dst[3] = carry*(chain*a), carry*(chain*b), carry*(chain*c), carry*(chain*first)
	a, b, c, d := fourProducts(src, 4)
	half := first * d
	dst[4], dst[5] = carry*(chain*(first*a)), carry*(chain*(first*b))
	dst[6], dst[7] = carry*(chain*(first*c)), carry*(chain*half)
	a, b, c, third := fourProducts(src, 8)
	dst[8], dst[9] = carry*(chain*(half*a)), carry*(chain*(half*b))
	dst[10], dst[11] = carry*(chain*(half*c)), carry*(chain*(half*third))
	a, b, c, d = fourProducts(src, 12)
	all := half * (third * d)
	dst[12], dst[13] = carry*(chain*(half*(third*a))), carry*(chain*(half*(third*b)))
	dst[14], dst[15] = carry*(chain*(half*(third*c))), carry*(chain*all)
	return chain * all
}
