package core

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/backend"
)

// flat returns the tensors of a container that is a tensor or a slice of tensors, in its memory: what most requests
// are, which need not be walked over.
func flat[P any](p *P) (list []Tensor, ok bool) {
	plan := planOf(reflect.TypeFor[P]())
	switch {
	case plan.IsLeaf():
		return unsafe.Slice((*Tensor)(unsafe.Pointer(p)), 1), true
	case plan.IsLeaves():
		return *(*[]Tensor)(unsafe.Pointer(p)), true
	}
	return nil, false
}

// flatOf returns the container that [flat] has seen, with other tensors.
func flatOf[P any](list []Tensor) (p P) {
	if planOf(reflect.TypeFor[P]()).IsLeaf() {
		*(*Tensor)(unsafe.Pointer(&p)) = list[0]
	} else {
		*(*[]Tensor)(unsafe.Pointer(&p)) = list
	}
	return p
}

// ScanRows returns the number of rows of a container, the size of the first axis of all its tensors, and their bytes.
// It appends to key, unless that is nil, what identifies the structure of the container and the types of its rows:
// containers with equal keys can be joined.
func ScanRows[P any](op string, p P, key []byte) (rows, bytes int, _ []byte) {
	if list, ok := flat(&p); ok && evenRows(list) {
		for _, t := range list {
			s := t.p.spec
			bytes += s.sizeBytes()
			if key != nil {
				key = appendRow(key, s)
			}
		}
		return list[0].p.spec.Shape[0], bytes, key
	}
	all := leafList(op, "argument", p)
	list := tensorsIn(all)
	rows, _ = rowsOf(op, list, scanOptions{})
	for _, l := range list {
		s := l.tensor.p.spec
		if len(s.Vectors) > 0 {
			failOn(ErrShape, op, []Tensor{l.tensor}, "give it an axis of rows (nx.Devectorize)",
				"%s is vectorised, which rows are not", l.path)
		}
		bytes += s.sizeBytes()
	}
	if key == nil {
		return rows, bytes, nil
	}
	for _, l := range all {
		key = append(append(key, l.path...), ' ')
		key = append(append(key, l.static...), ' ')
		if l.tensor.p != nil {
			key = appendRow(key, l.tensor.p.spec)
		}
	}
	return rows, bytes, key
}

// evenRows reports whether tensors have a first axis of one size.
func evenRows(list []Tensor) bool {
	for _, t := range list {
		if t.p == nil {
			return false
		}
		s := t.p.spec
		if len(s.Shape) == 0 || len(s.Vectors) > 0 || s.Shape[0] != list[0].p.spec.Shape[0] {
			return false
		}
	}
	return len(list) > 0
}

// appendRow appends what identifies the type of a row.
func appendRow(key []byte, s *Spec) []byte {
	key = append(key, byte(s.DType))
	for _, n := range s.Shape[1:] {
		key = binary.AppendUvarint(append(key, ','), uint64(n))
	}
	for _, name := range s.Names {
		key = append(append(key, name...), ',')
	}
	return append(key, ';')
}

// sized returns the type of n rows like those of s, and the bytes of one.
func (s *Spec) sized(op string, n int) (spec *Spec, row int) {
	shape := slices.Clone(s.Shape)
	shape[0] = n
	row = s.DType.Size()
	for _, n := range shape[1:] {
		row *= n
	}
	return newSpec(op, Spec{DType: s.DType, Shape: shape, Names: s.Names}), row
}

// JoinRows returns a container with the rows of parts, one after another, and zeros behind up to size rows. The parts
// have the same structure, and rows of the same types. Data are copied, as an op would be compiled for each combination
// of sizes.
func JoinRows[P any](op string, parts []P, size int) P {
	lists := make([][]Tensor, len(parts))
	isFlat := false
	for i := range parts {
		if lists[i], isFlat = flat(&parts[i]); !isFlat {
			replace(op, parts[i], func(t Tensor) Tensor { lists[i] = append(lists[i], t); return t })
		}
	}
	join := func(at int, old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		spec, row := old.p.spec.sized(op, size)
		data := make([]byte, size*row)
		next := data
		for _, list := range lists {
			lend(op, list[at], func(from []byte) { next = next[copy(next, from):] })
		}
		return owned(op, spec, data)
	}
	if isFlat {
		out := make([]Tensor, len(lists[0]))
		for at, old := range lists[0] {
			out[at] = join(at, old)
		}
		return flatOf[P](out)
	}
	at := -1
	return replace(op, parts[0], func(old Tensor) Tensor {
		at++
		return join(at, old)
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

// CutRows returns containers with consecutive rows of one, as many as counts say; further rows are left out. Data are
// copied, so that a part does not keep the others in memory.
func CutRows[P any](op string, p P, counts []int) []P {
	var columns [][]Tensor // of each tensor, its parts
	cut := func(old Tensor) Tensor {
		parts := make([]Tensor, len(counts))
		columns = append(columns, parts)
		if old.p == nil {
			return old
		}
		lend(op, old, func(from []byte) {
			var spec *Spec
			row := 0
			for i, n := range counts {
				if spec == nil || spec.Shape[0] != n {
					spec, row = old.p.spec.sized(op, n)
				}
				data := make([]byte, n*row)
				from = from[copy(data, from):]
				parts[i] = owned(op, spec, data)
			}
		})
		return old
	}
	out := make([]P, len(counts))
	if list, ok := flat(&p); ok {
		for _, t := range list {
			cut(t)
		}
		for i := range out {
			tensors := make([]Tensor, len(columns))
			for at, parts := range columns {
				tensors[at] = parts[i]
			}
			out[i] = flatOf[P](tensors)
		}
		return out
	}
	replace(op, p, cut)
	for i := range out {
		at := -1
		out[i] = replace(op, p, func(Tensor) Tensor {
			at++
			return columns[at][i]
		})
	}
	return out
}
