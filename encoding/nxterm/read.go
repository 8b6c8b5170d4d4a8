package nxterm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/go-nx/nx/dtype"
)

// ReadFile reads the tensors of a file in the order of the file.
func ReadFile(name string) ([]Tensor, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tensors, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return tensors, nil
}

// Read reads the tensors of a file in memory. Their data may share that memory.
func Read(file []byte) ([]Tensor, error) {
	r := &reader{}
	if err := r.read(file); err != nil {
		return nil, fmt.Errorf("nxterm: %w", err)
	}
	return r.tensors, nil
}

// reader collects the tensors of a term.
type reader struct {
	big     bool // the order of bytes
	buffers []byte
	used    int // bytes of the buffers that tensors have taken
	tensors []Tensor
	names   map[string]bool
}

func (r *reader) read(file []byte) error {
	r.names = map[string]bool{}
	switch {
	case len(file) > 0 && file[0] == 131:
		return r.old(file)
	case len(file) < 2 || file[0] != 'n' || file[1] != 'x':
		return errors.New(`the file was not written by Nx.serialize: it does not begin with "nx"`)
	case len(file) < 12:
		return errors.New("the file is truncated")
	case file[2] != 1:
		return fmt.Errorf("the format version must be 1, got %d", file[2])
	case file[3] > 1:
		return fmt.Errorf("the byte order must be 0 or 1, got %d", file[3])
	}
	r.big = file[3] == 1
	n := binary.BigEndian.Uint64(file[4:])
	if n > uint64(len(file)-12) {
		return fmt.Errorf("the header has %d bytes, but only %d follow: the file is truncated", n, len(file)-12)
	}
	if n > maxHeader {
		return fmt.Errorf("the header must have at most %[2]d bytes, got %[1]d", n, maxHeader)
	}
	t, err := decodeTerm(file[12 : 12+n])
	if err != nil {
		return fmt.Errorf("the header: %w", err)
	}
	r.buffers = file[12+n:]
	return r.entry("", t)
}

// old reads the format before version 1: {1, endianness, term}.
func (r *reader) old(file []byte) error {
	t, err := decodeTerm(file)
	if err != nil {
		return err
	}
	outer, ok := t.(tuple)
	if !ok || len(outer) != 3 || outer[0] != int64(1) {
		return errors.New("the term must be {1, endianness, tensors}")
	}
	switch outer[1] {
	case atom("big"):
		r.big = true
	case atom("little"):
	default:
		return fmt.Errorf("the byte order must be little or big, got %v", outer[1])
	}
	return r.entry("", outer[2])
}

// entry reads a tensor or a container.
func (r *reader) entry(name string, t any) error {
	e, _ := t.(tuple)
	var err error
	switch {
	case len(e) == 7 && e[0] == atom("t"):
		err = r.tensor(name, e)
	case len(e) == 5 && e[0] == atom("tensor"):
		err = r.oldTensor(name, e)
	case len(e) == 2 && e[0] == atom("container"):
		return fmt.Errorf("%sa container of Nx 0.1 is not supported: read and write it again with Nx", prefix(name))
	case len(e) == 3:
		return r.container(name, e)
	default:
		err = errors.New("it is neither a tensor nor a container")
	}
	if err != nil {
		return fmt.Errorf("%s%w", prefix(name), err)
	}
	return nil
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// container reads {module, pairs, metadata}; a tuple's pairs have no keys.
func (r *reader) container(name string, e tuple) error {
	if _, ok := e[0].(atom); !ok {
		return fmt.Errorf("%sthe module of a container must be an atom", prefix(name))
	}
	pairs, ok := e[1].([]any)
	if !ok {
		return fmt.Errorf("%sthe pairs of a container must be a list", prefix(name))
	}
	for i, p := range pairs {
		pair, ok := p.(tuple)
		if !ok || len(pair) != 2 {
			return fmt.Errorf("%sentry %d of a container must be a pair", prefix(name), i)
		}
		inner := ""
		switch key := pair[0].(type) {
		case []any:
			inner = name + "[" + strconv.Itoa(i) + "]"
		case int64:
			inner = name + "[" + strconv.FormatInt(key, 10) + "]"
		case atom:
			inner = join(name, string(key))
		case []byte:
			inner = join(name, string(key))
		default:
			return fmt.Errorf("%sa key of type %T is not supported", prefix(name), key)
		}
		if err := r.entry(inner, pair[1]); err != nil {
			return err
		}
	}
	return nil
}

func join(name, key string) string {
	if name == "" {
		return key
	}
	return name + "." + key
}

// tensor reads {:t, shape, type, names, vectorized_axes, offset, size}.
func (r *reader) tensor(name string, e tuple) error {
	t, err := describe(name, e[1], e[2], e[3])
	if err != nil {
		return err
	}
	vectors, ok := e[4].([]any)
	if !ok || len(vectors) > len(t.Shape) {
		return errors.New("the vectorised axes must be a list of axes")
	}
	for i, v := range vectors {
		pair, ok := v.(tuple)
		if !ok || len(pair) != 2 {
			return errors.New("the vectorised axes must be pairs of a name and a size")
		}
		key, ok := pair[0].(atom)
		if n, isInt := pair[1].(int64); !ok || !isInt || n != int64(t.Shape[i]) {
			return fmt.Errorf("the vectorised axis %v must have the size of axis %d of the shape %v", pair, i, t.Shape)
		}
		if t.Names == nil {
			t.Names = make([]string, len(t.Shape))
		}
		t.Names[i] = string(key)
	}
	t.Vectors = len(vectors)
	offset, ok1 := e[5].(int64)
	size, ok2 := e[6].(int64)
	if !ok1 || !ok2 || offset < 0 || size < 0 || offset > int64(len(r.buffers)) || size > int64(len(r.buffers))-offset {
		return fmt.Errorf("its elements, %v bytes from %v on, are not in the file, which has %d", e[6], e[5], len(r.buffers))
	}
	if r.used += int(size); r.used > len(r.buffers) {
		return errors.New("the elements of tensors overlap")
	}
	return r.add(t, r.buffers[offset:offset+size])
}

// oldTensor reads {:tensor, shape, type, names, binary}.
func (r *reader) oldTensor(name string, e tuple) error {
	t, err := describe(name, e[1], e[2], e[3])
	if err != nil {
		return err
	}
	b, ok := e[4].([]byte)
	if !ok {
		return errors.New("the elements must be a binary")
	}
	return r.add(t, b)
}

// add appends a tensor with its elements.
func (r *reader) add(t *Tensor, b []byte) error {
	n, err := t.elems()
	if err != nil {
		return err
	}
	if want := fileSize(t.DType, n); len(b) != want {
		return fmt.Errorf("it has %d bytes, %v of %s take %d", len(b), t.Shape, t.DType, want)
	}
	t.Data = unpack(b, t.DType, n, r.big)
	if r.names[t.Name] {
		return errors.New("two tensors have this name")
	}
	r.names[t.Name] = true
	if err := t.check(); err != nil {
		return err
	}
	r.tensors = append(r.tensors, *t)
	return nil
}

// describe reads shape, type and names of a tensor.
func describe(name string, shape, typ, names any) (*Tensor, error) {
	t := &Tensor{Name: name, Shape: []int{}}
	sizes, ok := shape.(tuple)
	if !ok {
		return nil, errors.New("the shape must be a tuple")
	}
	for _, d := range sizes {
		n, ok := d.(int64)
		if !ok || n < 0 || n != int64(int(n)) {
			return nil, fmt.Errorf("the shape %v is invalid", sizes)
		}
		t.Shape = append(t.Shape, int(n))
	}
	var err error
	if t.DType, err = typeOf(typ); err != nil {
		return nil, err
	}
	list, ok := names.([]any)
	if !ok || len(list) != 0 && len(list) != len(t.Shape) {
		return nil, fmt.Errorf("there must be one name for each of the %d axes", len(t.Shape))
	}
	for i, n := range list {
		key, ok := n.(atom)
		if !ok {
			return nil, fmt.Errorf("the name of axis %d must be an atom", i)
		}
		if key == "nil" {
			continue
		}
		if t.Names == nil {
			t.Names = make([]string, len(t.Shape))
		}
		t.Names[i] = string(key)
	}
	return t, nil
}

// typeOf reads {:f, 32}.
func typeOf(term any) (dtype.Type, error) {
	pair, _ := term.(tuple)
	if len(pair) != 2 {
		return 0, fmt.Errorf("the type %v is invalid", term)
	}
	kind, _ := pair[0].(atom)
	bits, _ := pair[1].(int64)
	for d := dtype.Type(1); d.IsValid(); d++ {
		if k, n := typeName(d); k == string(kind) && int64(n) == bits {
			return d, nil
		}
	}
	return 0, fmt.Errorf("the type {%s, %d} is not known", kind, bits)
}

// typeName returns a type as Nx writes it, {:bf, 16}.
func typeName(d dtype.Type) (kind string, bits int) {
	switch d {
	case dtype.BF16:
		return "bf", 16
	case dtype.F8E5M2:
		return "f", 8
	case dtype.F8E4M3FN:
		return "f8_e4m3fn", 8
	case dtype.F16, dtype.F32, dtype.F64:
		return "f", d.Bits()
	}
	switch {
	case d.IsComplex():
		return "c", d.Bits()
	case d.IsSigned():
		return "s", d.Bits()
	case d.IsUnsigned():
		return "u", d.Bits()
	}
	return d.String(), packedBits(d)
}
