package nx_test

import (
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
)

// name returns the function without its module and arity.
func (c *recorded) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(c.Fn, "Nx."), "/")
	return name
}

// number returns a number as a weakly typed tensor, like a Go number.
func number(v any) (nx.Tensor, bool) {
	switch v := v.(type) {
	case int64:
		return nx.New(int(v)), true
	case uint64:
		return nx.New(v), true
	case float64:
		return nx.New(v), true
	case complex128:
		return nx.New(v), true
	case bool:
		return nx.New(v), true
	}
	return nx.Tensor{}, false
}

// t returns an argument that is a tensor or a plain number.
func (c *recorded) t(i int) nx.Tensor {
	if i >= len(c.Args) {
		refuse("there is no argument %d", i)
	}
	return toTensor(c.Args[i])
}

func toTensor(v any) nx.Tensor {
	if t, ok := v.(nx.Tensor); ok {
		return t
	}
	t, ok := number(v)
	if !ok {
		refuse("%T is not a tensor", v)
	}
	return t
}

// i returns an argument that is an integer.
func (c *recorded) i(i int) int { return toInt(c.Args[i]) }

func toInt(v any) int {
	n, ok := v.(int64)
	if !ok {
		refuse("%v is not an int", v)
	}
	return int(n)
}

// ints returns a list or tuple of integers.
func ints(v any) []int {
	var list []any
	switch v := v.(type) {
	case []any:
		list = v
	case tuple:
		list = v
	default:
		refuse("%v is not a list", v)
	}
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = toInt(x)
	}
	return out
}

// shapeOf returns the shape of an argument: a tuple, or that of a tensor.
func shapeArgument(v any) nx.Shape {
	if t, ok := v.(nx.Tensor); ok {
		return t.Shape()
	}
	return ints(v)
}

// tensorsOf returns the tensors of a list or tuple.
func tensorsOf(v any) []nx.Tensor {
	var list []any
	switch v := v.(type) {
	case []any:
		list = v
	case tuple:
		list = v
	case pairs:
		for _, p := range v {
			list = append(list, p.value)
		}
	default:
		refuse("%v is not a list", v)
	}
	out := make([]nx.Tensor, len(list))
	for i, x := range list {
		out[i] = toTensor(x)
	}
	return out
}

// options returns the options, which must be among those known.
func (c *recorded) options(known ...string) map[string]any {
	out := map[string]any{}
	all := c.Opts
	for _, a := range c.Args {
		if p, ok := a.(pairs); ok && len(all) == 0 {
			all = p
		}
	}
next:
	for _, o := range all {
		for _, k := range known {
			if o.key == k {
				if o.value != nil {
					out[o.key] = o.value
				}
				continue next
			}
		}
		refuse("%s has no option %s", c.name(), o.key)
	}
	return out
}

// dtypeOf returns an element type.
func dtypeOf(v any) nx.DType {
	switch v := v.(type) {
	case nx.DType:
		if v != dtype.Invalid {
			return v
		}
	case atom:
		if d := typeNamed(string(v)); d != dtype.Invalid {
			return d
		}
	}
	refuse("%v is not an element type", v)
	return dtype.Invalid
}

// axisOf returns the option that chooses one axis.
func axisOf(v any) nx.AxisOption {
	switch v := v.(type) {
	case int64:
		return nx.Axis(int(v))
	case atom:
		return nx.Axis(string(v))
	}
	refuse("%v is not an axis", v)
	return nil
}

// axesOf returns the option that chooses axes of t. Names and positions do not mix in
// Go, so names are looked up unless all are names.
func axesOf(t nx.Tensor, v any) nx.AxisOption {
	list, ok := v.([]any)
	if !ok {
		refuse("%v is not a list of axes", v)
	}
	var at []int
	var names []string
	for _, x := range list {
		switch x := x.(type) {
		case int64:
			at = append(at, int(x))
		case atom:
			names = append(names, string(x))
			for i, n := range t.Names() {
				if n == string(x) {
					at = append(at, i)
				}
			}
		default:
			refuse("%v is not an axis", x)
		}
	}
	if len(names) == len(list) && len(names) > 0 {
		return nx.Axis(names...)
	}
	if len(at) != len(list) {
		refuse("%v mixes positions and names", v)
	}
	return nx.Axis(at...)
}

// isTrue returns whether an option is given and true.
func isTrue(v any) bool { b, _ := v.(bool); return b }

// namesOf returns names of axes.
func namesOf(v any) []string {
	list, ok := v.([]any)
	if !ok {
		refuse("%v is not a list of names", v)
	}
	out := make([]string, len(list))
	for i, x := range list {
		switch x := x.(type) {
		case nil:
		case atom:
			out[i] = string(x)
		default:
			refuse("%v is not a name", x)
		}
	}
	return out
}

// named returns a tensor with names, where some are given.
func named(t nx.Tensor, v any) nx.Tensor {
	if v == nil {
		return t
	}
	return nx.Rename(t, namesOf(v)...)
}

// operands returns two operands. A tensor with a Go number that it cannot hold is cast to the type that Nx
// widens it to.
func (c *recorded) operands() (a, b nx.Tensor) {
	a, b = c.t(0), c.t(1)
	_, aTensor := c.Args[0].(nx.Tensor)
	_, bTensor := c.Args[1].(nx.Tensor)
	switch {
	case aTensor && !bTensor:
		a = widened(a, c.Args[1])
	case bTensor && !aTensor:
		b = widened(b, c.Args[0])
	}
	return a, b
}
