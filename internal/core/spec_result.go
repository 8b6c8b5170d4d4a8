package core

import (
	"math"
	"slices"
)

// broadcastShapes returns the common shape of the operands: aligned to the right, equal sizes or 1.
func broadcastShapes(op string, ins []Tensor) Shape {
	first := ins[0].p.spec.Shape
	same := true
	rank := 0
	for _, x := range ins {
		same = same && slices.Equal(x.p.spec.Shape, first)
		rank = max(rank, len(x.p.spec.Shape))
	}
	if same {
		return first
	}
	out := make(Shape, rank)
	for i := range out {
		out[i] = 1
	}
	for _, x := range ins {
		s := x.p.spec.Shape
		for i, d := range s {
			j := rank - len(s) + i
			switch {
			case out[j] == d || d == 1:
			case out[j] == 1:
				out[j] = d
			default:
				failOn(ErrShape, op, ins,
					"axes are aligned to the right: sizes must be equal or 1; reshape, or insert an axis (nx.ExpandAxis)",
					"the shapes cannot be broadcast: axis %d has the sizes %d and %d", j-rank, out[j], d)
			}
		}
	}
	return out
}

// commonSpec returns the type of the result of an element-wise op: that of an
// operand where it is the same.
func commonSpec(op string, d DType, weak bool, ins []Tensor) *Spec {
	for _, x := range ins {
		s := x.p.spec
		if s.DType != d || s.weak != weak {
			continue
		}
		same := true
		for _, y := range ins {
			t := y.p.spec
			same = same && (t == s || len(t.Shape) == 0 ||
				t.Names == nil && s.Names == nil && slices.Equal(t.Shape, s.Shape))
		}
		if same {
			return s
		}
	}
	return intern(Spec{DType: d, Shape: broadcastShapes(op, ins), Names: mergeNames(op, ins), weak: weak})
}

// mergeNames returns the names of the result of operands aligned to the right.
func mergeNames(op string, ins []Tensor) []string {
	rank, named := 0, false
	for _, x := range ins {
		rank = max(rank, len(x.p.spec.Shape))
		named = named || x.p.spec.Names != nil
	}
	if !named {
		return nil
	}
	out := make([]string, rank)
	for _, x := range ins {
		s := x.p.spec
		for i := range s.Shape {
			n := s.name(i)
			j := rank - len(s.Shape) + i
			switch {
			case n == "" || n == out[j]:
			case out[j] == "":
				out[j] = n
			default:
				failOn(ErrNames, op, ins, "rename an axis (nx.Rename), or transpose so that equal names meet",
					"axis %d is named %q and %q", j-rank, out[j], n)
			}
		}
	}
	for i, n := range out {
		if n != "" && slices.Index(out, n) != i {
			failOn(ErrNames, op, ins, "rename or transpose an operand", "the result would have two axes named %q", n)
		}
	}
	return out
}

// maxRank bounds the axes of a tensor.
const maxRank = 32

// newSpec checks and interns the type of a new tensor, made of the operands ins.
func newSpec(op string, s Spec, ins ...Tensor) *Spec {
	if !s.DType.IsValid() {
		failOn(ErrDType, op, ins, "use one of the constants, such as nx.F32", "there is no element type %d", s.DType)
	}
	if n := len(s.Shape) + len(s.Vectors); n > maxRank {
		failOn(ErrShape, op, ins, "", "the result would have %d axes, at most %d are supported", n, maxRank)
	}
	n := 1
	for i, d := range s.whole() {
		if d < 0 {
			failOn(ErrShape, op, ins, "", "axis %d has the negative size %d", i, d)
		}
		if d > 0 && n > math.MaxInt/16/d {
			failOn(ErrShape, op, ins, "", "the shape %v does not fit in memory", []int(s.Shape))
		}
		n *= max(d, 1)
	}
	if s.Names != nil && len(s.Names) != len(s.Shape) {
		failOn(ErrNames, op, ins, `give one name per axis, "" for an axis without one`, "got %s for %s",
			plural(len(s.Names), "name", "names"), plural(len(s.Shape), "axis", "axes"))
	}
	for i, n := range s.Names {
		for _, m := range s.Names[:i] {
			if n != "" && n == m {
				if len(ins) > 1 {
					failOn(ErrNames, op, ins, "rename one of them (nx.Rename)",
						"the result would have two axes named %q", n)
				}
				failOn(ErrNames, op, ins, "", "two axes are named %q", n)
			}
		}
	}
	return intern(s)
}
