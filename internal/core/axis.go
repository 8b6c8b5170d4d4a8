package core

import (
	"fmt"
	"slices"
	"strconv"
)

// axisLabel names an axis for messages: axis 1 "features".
func axisLabel(s *Spec, i int) string {
	if n := s.name(i); n != "" {
		return fmt.Sprintf("axis %d %q", i, n)
	}
	return fmt.Sprintf("axis %d", i)
}

// AxisRef refers to an axis by position, negative from the end, or by name.
type AxisRef interface{ int | string }

type axisRef struct {
	i     int
	name  string
	named bool // else it is by position: the empty name is that of no axis
}

func axisOf[A AxisRef](a A) axisRef {
	switch a := any(a).(type) {
	case int:
		return axisRef{i: a}
	case string:
		return axisRef{name: a, named: true}
	}
	return axisRef{}
}

func (a axisRef) String() string {
	if a.named {
		return strconv.Quote(a.name)
	}
	return strconv.Itoa(a.i)
}

// axisIndex returns the position of an axis of t.
func axisIndex(op string, t Tensor, a axisRef) int { return axisIndexOf(op, t, "", a) }

// axisIndexOf is [axisIndex] with the place of the tensor for errors, such as a path in an
// argument.
func axisIndexOf(op string, t Tensor, place string, a axisRef) int {
	if place != "" {
		place = " of " + place
	}
	s := t.p.spec
	rank := len(s.Shape)
	if a.named {
		if i := slices.Index(s.Names, a.name); i >= 0 && a.name != "" {
			return i
		}
		hint := "name the axes when creating the tensor (nx.Names), or give the axis by position"
		if len(s.Names) > 0 {
			hint = "its axes are named " + nameList(s.Names) + nearest(a.name, s.Names)
		}
		failOn(ErrAxis, op, []Tensor{t}, hint, "there is no axis %q%s", a.name, place)
	}
	i := a.i
	if i < 0 {
		i += rank
	}
	if i < 0 || i >= rank {
		hint := "axes count from 0, or from -1 at the end"
		if rank == 0 {
			hint = "a scalar has no axes"
		}
		failOn(ErrAxis, op, []Tensor{t}, hint, "axis %d is out of range for rank %d%s", a.i, rank, place)
	}
	return i
}

// axisIndices returns the positions of axes, in the order given, each once.
func axisIndices(op string, t Tensor, axes []axisRef) []int {
	out := make([]int, 0, len(axes))
	for _, a := range axes {
		i := axisIndex(op, t, a)
		if slices.Contains(out, i) {
			failOn(ErrAxis, op, []Tensor{t}, "", "axis %s is given twice", a)
		}
		out = append(out, i)
	}
	return out
}

// AxisSize implements nx.AxisSize.
func AxisSize[A AxisRef](t Tensor, axis A) int {
	s := t.must("AxisSize")
	return s.Shape[axisIndex("AxisSize", t, axisOf(axis))]
}
