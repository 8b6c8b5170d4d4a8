package stablehlo

import "slices"

// Operands and results come in groups, one per [ValueSpec] of the op's row: a group of a variadic spec holds
// any number of values. Several variadic specs have equally many values, unless the op has segment attributes
// (the trait Segments).

// OperandGroup returns the operands of spec i of the op's row; nil when the
// number of operands does not fit the row.
func (o *Op) OperandGroup(i int) []*Value {
	return group(o.Code.Info().Operands, o.Operands, o.segments("operandSegmentSizes"), i)
}

// ResultGroup returns the results of spec i of the op's row; nil when the
// number of results does not fit the row.
func (o *Op) ResultGroup(i int) []*Value {
	return group(o.Code.Info().Results, o.Results, o.segments("resultSegmentSizes"), i)
}

func (o *Op) segments(attr string) []int64 {
	if o.Code.Info().Traits&Segments == 0 {
		return nil
	}
	return o.Ints(attr)
}

func group(specs []ValueSpec, values []*Value, segments []int64, i int) []*Value {
	if i >= len(specs) {
		return nil
	}
	var buf [4]int
	sizes, ok := groupSizes(buf[:0], specs, len(values), segments)
	if !ok {
		return nil
	}
	lo := 0
	for _, n := range sizes[:i] {
		lo += n
	}
	return values[lo : lo+sizes[i] : lo+sizes[i]]
}

// groupSizes returns the number of the n values for each spec, in buf if its capacity suffices; ok is false
// when they do not fit.
func groupSizes(buf []int, specs []ValueSpec, n int, segments []int64) (sizes []int, ok bool) {
	sizes = slices.Grow(buf, len(specs))[:len(specs)]
	if segments != nil {
		return segmentSizes(sizes, n, segments)
	}
	rest, variadic := n, 0
	for i, s := range specs {
		if s.Count == One {
			sizes[i] = 1
			rest--
		} else {
			variadic++
		}
	}
	if rest < 0 || variadic == 0 && rest > 0 || variadic > 0 && rest%variadic != 0 {
		return nil, false
	}
	for i, s := range specs {
		if s.Count != One {
			sizes[i] = rest / variadic
			if s.Count == Optional && sizes[i] > 1 {
				return nil, false
			}
		}
	}
	return sizes, true
}

func segmentSizes(sizes []int, n int, segments []int64) ([]int, bool) {
	if len(segments) != len(sizes) {
		return nil, false
	}
	for i, s := range segments {
		if s < 0 || s > int64(n) {
			return nil, false
		}
		sizes[i] = int(s)
		n -= int(s)
	}
	return sizes, n == 0
}
