package kernel

import (
	"math"
	"math/bits"
)

// Access maps a point of the iteration space to an element, counted in elements:
//
//	Offset + Σ Strides[d]·index[d] + Σ clamp(lookup.Index, 0, lookup.Limit)·lookup.Stride
//
// The parts that are lookups are known when the kernel runs: the base of a slice, which
// is the same at all points, or an index an element, of a gather. A load with guards
// reads only where all of them hold and is its Fill elsewhere: padding. What an access
// may reach is known without running the kernel, see [Kernel.Verify].
type Access struct {
	Param   int // the parameter (buffer) loaded or stored; unused by Index
	Offset  int64
	Strides []int64 // as many as Dims
	Lookups []Lookup
	Guards  []Guard
	Fill    Value // of a load with guards
}

// Lookup is a part of an access that an instruction computes: an integer, brought into
// the range from 0 to Limit, times Stride. Unsigned integers are clamped as such.
type Lookup struct {
	Index         Value
	Limit, Stride int64
}

// Guard holds at the points where Offset + Σ Strides[d]·index[d] is at least 0 and less
// than Size.
type Guard struct {
	Offset  int64
	Strides []int64
	Size    int64
}

// IsAffine reports whether the access depends on the point of the iteration space alone
// and reads at all of them.
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

// Operands returns the values that the instruction reads, those of its access last.
func (in *Instr) Operands() []Value {
	args := in.Args[:in.Op.NumArgs()]
	if in.At == nil || in.At.IsAffine() {
		return args
	}
	return append(args[:len(args):len(args)], in.At.values()...)
}

// span is a range of integers, both ends included; lo > hi when there are none.
type span struct{ lo, hi int64 }

// checked does arithmetic that notes when a result does not fit.
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

// widen adds step·i, for all i from 0 to most, to a span.
func (c *checked) widen(s span, step, most int64) span {
	if reach := c.mul(step, most); reach < 0 {
		s.lo = c.add(s.lo, reach)
	} else {
		s.hi = c.add(s.hi, reach)
	}
	return s
}

// form returns the values of a linear form over dims.
func (c *checked) form(offset int64, strides, dims []int64) span {
	s := span{offset, offset}
	for d, step := range strides {
		s = c.widen(s, step, dims[d]-1)
	}
	return s
}

// reach returns the elements that the access may touch over dims, none of which is
// empty; ok is false when that does not fit 64 bits. A guard whose form the access
// follows, each step of it a step of some elements, bounds it by its size.
func (a *Access) reach(dims []int64) (s span, ok bool) {
	var c checked
	s = span{a.Offset, a.Offset}
	rest := append([]int64(nil), a.Strides...)
	for i := range a.Guards {
		g := &a.Guards[i]
		inside := c.form(g.Offset, g.Strides, dims)
		inside = span{max(inside.lo, 0), min(inside.hi, g.Size-1)}
		if inside.lo > inside.hi {
			return span{0, -1}, !c.overflow // nothing is read
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

// scale returns how many elements an access with the given strides moves for a step of
// the guard's form; ok is false when it does not follow the form.
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
