package stablehlo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// dimText formats a dimension size as in a type, when a message is written.
type dimText int64

func (d dimText) String() string {
	if int64(d) == Dynamic {
		return "?"
	}
	return strconv.FormatInt(int64(d), 10)
}

// dimsText formats a shape, [2, ?, 3], when a
// message is written.
type dimsText []int64

func (d dimsText) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, n := range d {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(dimText(n).String())
	}
	b.WriteByte(']')
	return b.String()
}

// listText formats a list of numbers, [2, -1], when a message is written.
type listText []int64

func (l listText) String() string { return strings.ReplaceAll(fmt.Sprint([]int64(l)), " ", ", ") }

// repeated returns a number that occurs twice in the concatenated lists.
func repeated(lists ...[]int64) (int64, bool) {
	seen := map[int64]bool{}
	for _, list := range lists {
		for _, d := range list {
			if seen[d] {
				return d, true
			}
			seen[d] = true
		}
	}
	return 0, false
}

// marked reports for each dimension of a tensor of that rank whether it is in one of the lists, whose numbers
// are in range.
func marked(rank int, lists ...[]int64) []bool {
	in := make([]bool, rank)
	for _, list := range lists {
		for _, d := range list {
			in[d] = true
		}
	}
	return in
}

// dimList is a list of dimension numbers with the name under which messages
// speak of it.
type dimList struct {
	name string
	dims []int64
}

// inRange requires that every number of the list be a dimension of a tensor of
// that rank; of names the tensor.
func (c *check) inRange(constraint string, l dimList, rank int, of string) bool {
	for _, d := range l.dims {
		if d < 0 || d >= int64(rank) {
			c.fail(constraint, "%s %s holds %d, but %s has rank %d", l.name, listText(l.dims), d, of, rank)
			return false
		}
	}
	return true
}

// distinct requires that no number occur twice in the concatenated lists.
func (c *check) distinct(constraint string, lists ...dimList) bool {
	all := make([][]int64, len(lists))
	for i, l := range lists {
		all[i] = l.dims
	}
	d, twice := repeated(all...)
	if !twice {
		return true
	}
	parts := make([]string, len(lists))
	for i, l := range lists {
		parts[i] = l.name + " " + listText(l.dims).String()
	}
	c.fail(constraint, "%s must not repeat a dimension, but %d occurs twice", strings.Join(parts, " and "), d)
	return false
}

// sorted requires that the list be in ascending order.
func (c *check) sorted(constraint string, l dimList) bool {
	return c.require(slices.IsSorted(l.dims), constraint, "%s %s must be sorted", l.name, listText(l.dims))
}

// constInts returns the elements of a value when it is an integer constant. A
// splat is expanded: check the shape of the value first.
func constInts(v *Value) ([]int64, bool) {
	op := v.Op()
	if op == nil || op.Code != OpConstant && op.Code != OpChloConstant {
		return nil, false
	}
	a, ok := op.Attr("value").(*ElementsAttr)
	if !ok || a.Type == nil || !a.Type.IsStatic() || !SameType(a.Type, v.Type()) {
		return nil, false
	}
	ints := a.Int64s()
	return ints, ints != nil
}

// structOf returns the structured attribute of that name; it reports a missing
// one or one of another kind.
func structOf[T Attr](c *check, name string) (T, bool) {
	a, ok := c.Attr(name).(T)
	if !ok {
		c.fail("", "needs the attribute %s", name)
	}
	return a, ok
}
