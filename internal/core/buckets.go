package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/model"
)

// bucketsOption is the option made by [Buckets].
type bucketsOption struct {
	name  string
	sizes []int
}

// Buckets implements nx.Buckets.
func Buckets(name string, sizes ...int) LoadOption { return bucketsOption{name, sizes} }

func (o bucketsOption) loadOption(l *loadOptions) { l.buckets = append(l.buckets, o) }

func (o bucketsOption) contradicts(other any) bool { return other.(bucketsOption).name == o.name }

// bucketed is a named size of a program that calls round up.
type bucketed struct {
	name  string
	sizes []int // in order
	ins   []axisAt
	outs  []axisAt
}

// axisAt is an axis of an argument, or of a result.
type axisAt struct{ param, axis int }

// bucket finds the axes of the sizes that options name.
func (m *Model) bucket(list []bucketsOption) error {
	for _, o := range list {
		b := bucketed{name: o.name, sizes: slices.Sorted(slices.Values(o.sizes))}
		if len(b.sizes) == 0 || b.sizes[0] < 1 {
			return fmt.Errorf("%s: nx.Buckets(%q) takes sizes from 1 on, got %v", m.program.Path, o.name, o.sizes)
		}
		var names []string
		for _, arg := range m.inputs {
			at, others := axesNamed(m.program.In[arg], arg, o.name)
			b.ins, names = append(b.ins, at...), append(names, others...)
		}
		if len(b.ins) == 0 {
			slices.Sort(names)
			return fmt.Errorf("%s: no input has a size %q for nx.Buckets; the sizes that callers choose are: %s",
				m.program.Path, o.name, strings.Join(slices.Compact(names), ", "))
		}
		for i, p := range m.program.Out {
			at, _ := axesNamed(p, i, o.name)
			b.outs = append(b.outs, at...)
		}
		m.buckets = append(m.buckets, b)
	}
	return nil
}

// axesNamed returns the axes of a parameter with a name, and the names of its other sizes that are not fixed.
func axesNamed(p model.Param, at int, name string) (axes []axisAt, others []string) {
	t := p.Tensor()
	if t == nil {
		return nil, nil
	}
	for i, n := range shapeFromDims(t.Dims) {
		switch {
		case n >= 0 || i >= len(p.Dims):
		case p.Dims[i] == name:
			axes = append(axes, axisAt{at, i})
		default:
			others = append(others, p.Dims[i])
		}
	}
	return axes, others
}

// padded calls run with arguments whose sizes are rounded up, and cuts its results.
func (m *Model) padded(args []Tensor, run func(args []Tensor) ([]Tensor, error)) ([]Tensor, error) {
	args = slices.Clone(args)
	sizes := make([][2]int, len(m.buckets)) // before and after
	for k, b := range m.buckets {
		first := b.ins[0]
		n := args[first.param].p.spec.Shape[first.axis]
		to := n // larger sizes than all are compiled as they are
		if i, _ := slices.BinarySearch(b.sizes, n); i < len(b.sizes) {
			to = b.sizes[i]
		}
		sizes[k] = [2]int{n, to}
		for _, at := range b.ins {
			if got := args[at.param].p.spec.Shape[at.axis]; got != n {
				in := m.params([]int{first.param, at.param})
				return nil, fmt.Errorf("%s: %q is %d of %s, and %d of %s", m.program.Path, b.name, n, in[0].Name, got,
					in[1].Name)
			}
			args[at.param] = ResizeEnd(args[at.param], at.axis, to)
		}
	}
	results, err := run(args)
	if err != nil {
		return nil, err
	}
	for k, b := range m.buckets {
		for _, at := range b.outs {
			r := results[at.param]
			if s := r.p.spec.Shape; at.axis < len(s) && s[at.axis] == sizes[k][1] {
				results[at.param] = ResizeEnd(r, at.axis, sizes[k][0])
			}
		}
	}
	return results, nil
}

// ResizeEnd returns a tensor with n elements along an axis: with zeros behind, or without the last ones. Data in the
// memory of the program are copied: an op would be compiled for each pair of sizes.
func ResizeEnd(t Tensor, axis, n int) Tensor {
	s := t.p.spec
	old := s.Shape[axis]
	if old == n {
		return t
	}
	shape := slices.Clone(s.Shape)
	shape[axis] = n
	if t.p.tr == nil && s.DType.Size() > 0 && (t.p.buf == nil || t.p.buf.home == local()) {
		inner := s.DType.Size()
		for _, d := range shape[axis+1:] {
			inner *= d
		}
		outer := 1
		for _, d := range shape[:axis] {
			outer *= d
		}
		data := make([]byte, outer*n*inner)
		lend("Load", t, func(from []byte) {
			for i := range outer {
				copy(data[i*n*inner:(i+1)*n*inner], from[i*old*inner:(i+1)*old*inner])
			}
		})
		return FromBytes(data, shape, s.DType, namesOption{s.Names})
	}
	if n < old {
		return Slice(t, make([]int, len(shape)), shape)
	}
	lohi := make([][2]int, len(shape))
	lohi[axis][1] = n - old
	return Pad(t, 0, lohi...)
}
