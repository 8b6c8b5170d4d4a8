package kernel

import "slices"

// Split returns the kernel with dimension d, which must not be reduced, split in two: the inner one
// has inner points, which must divide its size.
func (k *Kernel) Split(d int, inner int64) *Kernel {
	s := k.Clone()
	s.Dims = slices.Insert(slices.Clone(k.Dims), d, k.Dims[d]/inner)
	s.Dims[d+1] = inner
	split := func(strides []int64) []int64 {
		return slices.Insert(slices.Clone(strides), d, strides[d]*inner)
	}
	access := func(a *Access) {
		a.Strides, a.Guards = split(a.Strides), slices.Clone(a.Guards)
		for i := range a.Guards {
			a.Guards[i].Strides = split(a.Guards[i].Strides)
		}
	}
	for i := range s.Body.Instrs {
		if at := s.Body.Instrs[i].At; at != nil {
			access(at)
		}
	}
	for i := range s.Stores {
		access(&s.Stores[i].At)
	}
	for i := range s.Reduces {
		for j := range s.Reduces[i].At {
			access(&s.Reduces[i].At[j])
		}
	}
	return s
}

// RowLocal reports whether the kernel can run row by row with respect to parameter p, a buffer of
// elems elements: rows are the first dimensions of the iteration space, and if the buffer is cut
// into as many rows, every point reads and writes p only in its own row.
func (k *Kernel) RowLocal(p int, rows []int64, elems int64) bool {
	count := int64(1)
	for _, n := range rows {
		count *= n
	}
	if count == 0 || elems%count != 0 {
		return false
	}
	local := func(a *Access) bool { return a.Param != p || a.rowLocal(k.Dims, rows, elems/count) }
	for i := range k.Body.Instrs {
		if in := &k.Body.Instrs[i]; in.Op == Load && !local(in.At) {
			return false
		}
	}
	for i := range k.Stores {
		if !local(&k.Stores[i].At) {
			return false
		}
	}
	for i := range k.Reduces {
		r := &k.Reduces[i]
		for j := range r.At {
			if !local(&r.At[j]) || !local(&r.Inits[j]) {
				return false
			}
		}
	}
	return true
}

// rowLocal reports whether the access, whose strides are over dims or fewer of them, stays in the
// row, of width elements, of its point.
func (a *Access) rowLocal(dims, rows []int64, width int64) bool {
	if len(a.Lookups) > 0 {
		return false
	}
	below := width
	for d := len(rows) - 1; d >= 0; d-- {
		if rows[d] > 1 && (d >= len(a.Strides) || a.Strides[d] != below) {
			return false
		}
		below *= rows[d]
	}
	lo, hi := a.Offset, a.Offset
	for d := len(rows); d < len(a.Strides); d++ {
		if reach := a.Strides[d] * (dims[d] - 1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return lo >= 0 && hi < width
}
