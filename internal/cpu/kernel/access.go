package kernel

import (
	"math"
	"math/bits"
)

// Access maps a point of the iteration space to the index of an element:
//
//	Offset + Σ Strides[d]·index[d] + Σ clamp(lookup.Index, 0, lookup.Limit)·lookup.Stride
//
// The lookups are known when the kernel runs: the base of a slice, which is the same at all points,
// or an index per element of a gather. A load with guards reads only where all of them hold and is
// its Fill elsewhere: padding. The elements that an access may reach are known without running the
// kernel, see [Kernel.Verify].
type Access struct {
	Param   int // the parameter (buffer) that is loaded or stored; unused by Index
	Offset  int64
	Strides []int64 // as many as Dims
	Lookups []Lookup
	Guards  []Guard
	Fill    Value // of a load with guards
}

// Lookup is a term of an access that an instruction computes: an integer, clamped to 0…Limit, times
// Stride. Unsigned integers are clamped as unsigned.
type Lookup struct {
	Index         Value
	Limit, Stride int64
}

// Guard holds at the points where 0 ≤ Offset + Σ Strides[d]·index[d] < Size.
type Guard struct {
	Offset  int64
	Strides []int64
	Size    int64
}

// IsAffine reports whether the access is an affine function of the point, without guards.
func (a *Access) IsAffine() bool { return len(a.Lookups) == 0 && len(a.Guards) == 0 }

// values returns the instructions that the access depends on.
func (a *Access) values() []Value {
	var out []Value
	for i := range a.Lookups {
		out = append(out, a.Lookups[i].Index)
	}
	if len(a.Guards) > 0 {
		out = append(out, a.Fill)
	}
	return out
}

// Operands returns the operands of the instruction, those of its access last.
func (in *Instr) Operands() []Value {
	args := in.Args[:in.Op.NumArgs()]
	if in.At == nil || in.At.IsAffine() {
		return args
	}
	return append(args[:len(args):len(args)], in.At.values()...)
}

// span is a range of integers, both ends included; it is empty if lo > hi.
type span struct{ lo, hi int64 }

// checked is arithmetic that records overflow.
type checked struct{ overflow bool }

func (c *checked) add(a, b int64) int64 {
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		c.overflow = true
	}
	return s
}

func (c *checked) mul(a, b int64) int64 {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		c.overflow = true
	}
	return a * b
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// widen adds step·i, for i from 0 to most, to a span.
func (c *checked) widen(s span, step, most int64) span {
	if reach := c.mul(step, most); reach < 0 {
		s.lo = c.add(s.lo, reach)
	} else {
		s.hi = c.add(s.hi, reach)
	}
	return s
}

// form returns the range of a linear form over dims.
func (c *checked) form(offset int64, strides, dims []int64) span {
	s := span{offset, offset}
	for d, step := range strides {
		s = c.widen(s, step, dims[d]-1)
	}
	return s
}

// reach returns the range of elements that the access may touch over dims, which must not be empty;
// ok is false if it does not fit 64 bits. A guard whose form the access follows, by a fixed number
// of elements per step, bounds the range by its size.
func (a *Access) reach(dims []int64) (s span, ok bool) {
	var c checked
	s = span{a.Offset, a.Offset}
	rest := append([]int64(nil), a.Strides...)
	for i := range a.Guards {
		g := &a.Guards[i]
		inside := c.form(g.Offset, g.Strides, dims)
		inside = span{max(inside.lo, 0), min(inside.hi, g.Size-1)}
		if inside.lo > inside.hi {
			return span{0, -1}, !c.overflow // no element is read
		}
		scale, follows := g.scale(rest)
		if !follows {
			continue
		}
		// Offset + scale·(form - g.Offset) + the other dimensions
		s = span{c.add(s.lo, -c.mul(scale, g.Offset)), c.add(s.hi, -c.mul(scale, g.Offset))}
		s = c.widen(span{c.add(s.lo, c.mul(scale, inside.lo)), c.add(s.hi, c.mul(scale, inside.lo))},
			scale, inside.hi-inside.lo)
		for d, k := range g.Strides {
			if k != 0 {
				rest[d] = 0
			}
		}
	}
	for d, step := range rest {
		s = c.widen(s, step, dims[d]-1)
	}
	for _, l := range a.Lookups {
		s = c.widen(s, l.Stride, l.Limit)
	}
	return s, !c.overflow
}

// scale returns how many elements an access with the given strides moves per step of the guard's
// form; ok is false if it does not follow the form.
func (g *Guard) scale(strides []int64) (scale int64, ok bool) {
	for d, k := range g.Strides {
		if k == 0 {
			continue
		}
		if strides[d]%k != 0 || ok && strides[d]/k != scale {
			return 0, false
		}
		scale, ok = strides[d]/k, true
	}
	return scale, ok
}
