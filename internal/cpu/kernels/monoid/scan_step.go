package monoid

import (
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// scanStepOf returns the step that scans by the operation in groups, that of the tier if it has one; nil for operations
// that are scanned sequentially.
func scanStepOf(env *rt.Env, m Monoid) rt.ScanStep {
	g, ok := m.(groupScanner)
	if !ok {
		return nil
	}
	if env != nil && env.Scans != nil {
		if s := env.Scans.Step(g.scanOp()); s != nil {
			return s
		}
	}
	return goScan{g}
}

// A groupScanner is an operation that scans in groups.
type groupScanner interface {
	Monoid
	// scanOp returns the operation and an element of its type.
	scanOp() (op rt.ScanOp, like any)
	// scanLine scans one block, and shift combines all elements with one.
	scanLine(dst, src, carry []byte)
	shift(dst, by []byte)
}

// goScan scans in plain Go.
type goScan struct{ m groupScanner }

// Line scans a line of one block.
func (s goScan) Line(dst, src, carry []byte, backwards bool) {
	if !backwards {
		s.m.scanLine(dst, src, carry)
		return
	}
	copy(dst, src)
	move.Reverse(dst, len(carry))
	s.m.scanLine(dst, dst, carry)
	move.Reverse(dst, len(carry))
}

// Shift combines all elements with one.
func (s goScan) Shift(dst, by []byte) { s.m.shift(dst, by) }

// Rows scans several rows, element by element.
func (s goScan) Rows(dst, src []byte, at, step, rows int, before []byte) {
	for range rows {
		row := dst[at:][:len(before)]
		copy(row, src[at:])
		s.m.Into(row, before)
		before = row
		at += step
	}
}

func (*Sum[T]) scanOp() (op rt.ScanOp, like any) { return rt.ScanSum, T(0) }

func (*Sum[T]) scanLine(dst, src, carry []byte) {
	d, s, c := rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0]
	chain, full := minusZero[T](), len(s)/scanGroup*scanGroup
	for i := 0; i < full; i += scanGroup {
		chain = sumGroup((*[scanGroup]T)(d[i:]), (*[scanGroup]T)(s[i:]), chain, c)
	}
	if full < len(s) {
		var group [scanGroup]T
		for i := copy(group[:], s[full:]); i < scanGroup; i++ {
			group[i] = minusZero[T]()
		}
		sumGroup(&group, &group, chain, c)
		copy(d[full:], group[:])
	}
}

func (*Sum[T]) shift(dst, by []byte) {
	d, b := rt.View[T](dst), rt.View[T](by)[0]
	for i, v := range d {
		d[i] = b + v
	}
}

// fourSums returns the prefix sums of four elements from i on.
func fourSums[T number](x *[scanGroup]T, i int) (a, b, c, d T) {
	a, c = x[i], x[i+2]
	b, d = a+x[i+1], c+x[i+3]
	return a, b, b + c, b + d
}

// sumGroup sets each element of dst to carry+(chain+the prefix sum of src), and returns chain+the sum of src.
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

func (*Prod[T]) scanOp() (op rt.ScanOp, like any) { return rt.ScanProd, T(0) }

func (*Prod[T]) scanLine(dst, src, carry []byte) {
	d, s, c := rt.View[T](dst), rt.View[T](src), rt.View[T](carry)[0]
	chain, full := T(1), len(s)/scanGroup*scanGroup
	for i := 0; i < full; i += scanGroup {
		chain = multiplyGroup((*[scanGroup]T)(d[i:]), (*[scanGroup]T)(s[i:]), chain, c)
	}
	if full < len(s) {
		var group [scanGroup]T
		for i := copy(group[:], s[full:]); i < scanGroup; i++ {
			group[i] = 1
		}
		multiplyGroup(&group, &group, chain, c)
		copy(d[full:], group[:])
	}
}

func (*Prod[T]) shift(dst, by []byte) {
	d, b := rt.View[T](dst), rt.View[T](by)[0]
	for i, v := range d {
		d[i] = b * v
	}
}

// fourProducts returns the prefix products of four elements from i on.
func fourProducts[T number](x *[scanGroup]T, i int) (a, b, c, d T) {
	a, c = x[i], x[i+2]
	b, d = a*x[i+1], c*x[i+3]
	return a, b, b * c, b * d
}

// multiplyGroup sets each element of dst to carry*(chain*the prefix product of src), and returns chain*the product of
// src.
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
