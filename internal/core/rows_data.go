package core

import (
	"slices"

	"github.com/go-nx/nx/backend"
)

// CountRows returns the number of rows of a container, the size of the first axis of all its tensors, and their bytes.
func CountRows[P any](op string, p P) (rows, bytes int) {
	list := tensorsIn(leafList(op, "argument", p))
	rows, _ = rowsOf(op, list, scanOptions{})
	for _, l := range list {
		bytes += l.tensor.p.spec.sizeBytes()
	}
	return rows, bytes
}

// JoinRows returns a container with the rows of parts, one after another, and zeros behind up to size rows. The parts
// have the same structure, and rows of the same types. Data are copied, as an op would be compiled for each combination
// of sizes.
func JoinRows[P any](op string, parts []P, size int) P {
	lists := make([][]Tensor, len(parts))
	for i, p := range parts {
		replace(op, p, func(t Tensor) Tensor { lists[i] = append(lists[i], t); return t })
	}
	at := -1
	return replace(op, parts[0], func(old Tensor) Tensor {
		at++
		if old.p == nil {
			return old
		}
		s := old.p.spec
		shape := slices.Clone(s.Shape)
		shape[0] = size
		row := s.DType.Size()
		for _, n := range shape[1:] {
			row *= n
		}
		data := make([]byte, size*row)
		next := data
		for _, list := range lists {
			lend(op, list[at], func(from []byte) { next = next[copy(next, from):] })
		}
		return owned(op, newSpec(op, Spec{DType: s.DType, Shape: shape, Names: s.Names}), data)
	})
}

// owned returns a tensor on the local device of data that nothing else uses.
func owned(op string, spec *Spec, data []byte) Tensor {
	h := local()
	if c, ok := h.client.(backend.Wrapper); ok && len(data) > 0 {
		if b, err := c.Wrap(spec.bufferType(), data); err == nil {
			return newBuffer(h, spec, b)
		}
	}
	return newBuffer(h, spec, h.upload(op, spec, data))
}

// CutRows returns containers with consecutive rows of one, as many as counts say; further rows are left out.
func CutRows[P any](op string, p P, counts []int) []P {
	out := make([]P, len(counts))
	first := 0
	for i, n := range counts {
		out[i] = replace(op, p, func(old Tensor) Tensor {
			if old.p == nil {
				return old
			}
			s := old.p.spec
			shape := slices.Clone(s.Shape)
			shape[0] = n
			row := s.DType.Size()
			for _, n := range shape[1:] {
				row *= n
			}
			data := make([]byte, n*row)
			lend(op, old, func(from []byte) { copy(data, from[first*row:]) })
			return owned(op, newSpec(op, Spec{DType: s.DType, Shape: shape, Names: s.Names}), data)
		})
		first += n
	}
	return out
}

// RowsKey identifies the structure of a container and the types of its rows: containers with equal keys can be joined.
func RowsKey[P any](op string, p P) string {
	var b []byte
	for _, l := range leafList(op, "argument", p) {
		b = append(append(b, l.path...), ' ')
		if l.tensor.p == nil {
			continue
		}
		s := l.tensor.p.spec
		b = append(b, byte(s.DType))
		for i, n := range s.Shape {
			if i > 0 {
				b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32))
			}
		}
		for _, name := range s.Names {
			b = append(append(b, name...), ',')
		}
		b = append(b, ';')
	}
	return string(b)
}
