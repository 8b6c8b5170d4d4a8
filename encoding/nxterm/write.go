package nxterm

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/go-nx/nx/internal/atomicfile"
)

// Write writes tensors: a map with their names as keys, or a single tensor without a name.
func Write(w io.Writer, tensors []Tensor) error {
	header, err := appendHeader(nil, tensors)
	if err != nil {
		return fmt.Errorf("nxterm: %w", err)
	}
	start := []byte{'n', 'x', 1, 0}
	start = binary.BigEndian.AppendUint64(start, uint64(len(header)))
	if _, err := w.Write(append(start, header...)); err != nil {
		return err
	}
	for i := range tensors {
		if _, err := w.Write(pack(tensors[i].Data, tensors[i].DType)); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile is Write to the named file, which is complete or, if an error is returned, as it
// was before.
func WriteFile(name string, tensors []Tensor) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Write(w, tensors) })
}

func appendHeader(b []byte, tensors []Tensor) ([]byte, error) {
	b = append(b, 131)
	alone := len(tensors) == 1 && tensors[0].Name == ""
	if !alone {
		b = appendTuple(b, 3)
		b = appendAtom(b, "Elixir.Nx.Container.Map")
		b = appendList(b, len(tensors))
	}
	offset := 0
	names := map[string]bool{}
	for i := range tensors {
		t := &tensors[i]
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("%s%w", prefix(t.Name), err)
		}
		if !alone {
			if names[t.Name] || t.Name == "" {
				return nil, fmt.Errorf("the tensors of a map must have distinct names, got %q", t.Name)
			}
			names[t.Name] = true
			b = appendBinary(appendTuple(b, 2), t.Name)
		}
		b = t.append(b, offset)
		n, _ := t.elems()
		offset += fileSize(t.DType, n)
	}
	if !alone {
		b = appendAtom(append(b, 106), "ok")
	}
	if len(b) > maxHeader {
		return nil, fmt.Errorf("the header must have at most %[2]d bytes, got %[1]d", len(b), maxHeader)
	}
	return b, nil
}

// append appends the term of a tensor whose elements are at offset.
func (t *Tensor) append(b []byte, offset int) []byte {
	b = appendAtom(appendTuple(b, 7), "t")
	b = appendTuple(b, len(t.Shape))
	for _, d := range t.Shape {
		b = appendInt(b, int64(d))
	}
	kind, bits := typeName(t.DType)
	b = appendInt(appendAtom(appendTuple(b, 2), kind), int64(bits))
	b = appendList(b, len(t.Shape))
	for i := range t.Shape {
		if t.Names == nil || t.Names[i] == "" {
			b = appendAtom(b, "nil")
		} else {
			b = appendAtom(b, t.Names[i])
		}
	}
	b = append(b, 106)
	b = appendList(b, t.Vectors)
	for i := range t.Vectors {
		b = appendInt(appendAtom(appendTuple(b, 2), t.Names[i]), int64(t.Shape[i]))
	}
	b = append(b, 106)
	n, _ := t.elems()
	return appendInt(appendInt(b, int64(offset)), int64(fileSize(t.DType, n)))
}
