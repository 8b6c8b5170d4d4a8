package gguf

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

// maxAxes is the number of axes that a tensor of the format has at most.
const maxAxes = 4

// File provides access to the tensors of a file. Its metadata is in memory, tensors are read on demand. Methods may be
// called concurrently.
type File struct {
	r       io.ReaderAt
	version int
	keys    []string
	values  map[string]any
	tensors []section
	index   map[string]int
	closer  arrayfile.Closer
}

// section is a tensor and where its data is in the file.
type section struct {
	Info
	at, size int64 // size is that of all types whose blocks are known
	known    bool
}

// New reads the metadata and the list of tensors of the file of size bytes in r.
func New(r io.ReaderAt, size int64) (*File, error) {
	p := newParser(r, size)
	f := &File{r: r, values: map[string]any{}, index: map[string]int{}, version: int(p.start())}
	const leastTensor, leastValue = 8 + 4 + 4 + 8, 8 + 4 + 1
	tensors, values := p.count("tensors", leastTensor), p.count("values", leastValue)
	for range values {
		key := p.key("value")
		if _, ok := f.values[key]; ok {
			p.fail("the metadata %.80q occurs twice", key)
		}
		t := valueType(p.u32())
		v := p.value(t, 0)
		if p.err != nil {
			return nil, fmt.Errorf("%w, in the metadata %.80q", p.err, key)
		}
		f.keys, f.values[key] = append(f.keys, key), v
	}
	for range tensors {
		t := p.tensor()
		if _, ok := f.index[t.Name]; ok {
			p.fail("the tensor %.80q occurs twice", t.Name)
		}
		if p.err != nil {
			return nil, fmt.Errorf("%w, in the description of the tensor %.80q", p.err, t.Name)
		}
		f.index[t.Name] = len(f.tensors)
		f.tensors = append(f.tensors, t)
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, f.place(p.at, size)
}

// tensor reads the description of a tensor, whose place is counted from the end of all.
func (p *parser) tensor() (t section) {
	t.Name = p.key("tensor")
	axes := p.u32()
	if axes > maxAxes {
		p.fail("%d axes, a tensor has at most %d", axes, maxAxes)
		return t
	}
	t.Shape = make([]int, axes)
	for i := range t.Shape {
		d := p.u64()
		if d > math.MaxInt {
			p.fail("an axis of %d elements", d)
		}
		t.Shape[len(t.Shape)-1-i] = int(d)
	}
	t.Type = Type(p.u32())
	at := p.u64()
	if at > math.MaxInt64/2 {
		p.fail("the data is at byte %d", at)
	}
	t.at = int64(at)
	if p.err == nil {
		var err error
		if t.size, t.known, err = t.Info.size(); err != nil {
			p.fail("%w", err)
		}
	}
	return t
}

// place finds where the tensors are, behind a header, and checks that they are in the file.
func (f *File) place(header, size int64) error {
	align := int64(32)
	if v, ok := f.values["general.alignment"]; ok {
		n, isInt := v.(int64)
		if !isInt || n < 1 || n > 1<<30 || n&(n-1) != 0 {
			return fmt.Errorf("gguf: general.alignment must be a power of two, got %v", v)
		}
		align = n
	}
	start := (header + align - 1) / align * align
	var order []*section
	for i := range f.tensors {
		t := &f.tensors[i]
		if t.at%align != 0 {
			return fmt.Errorf("gguf: tensor %.80q is at byte %d of the data, which is not a multiple of %d", t.Name,
				t.at, align)
		}
		if t.at > size-start || t.size > size-start-t.at {
			return fmt.Errorf("gguf: tensor %.80q has %d bytes at byte %d of the data, of which the file has %d", t.Name,
				t.size, t.at, max(0, size-start))
		}
		t.at += start
		order = append(order, t)
	}
	slices.SortStableFunc(order, func(a, b *section) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.size, b.size))
	})
	for i, t := range order[:max(0, len(order)-1)] {
		if next := order[i+1]; t.at+t.size > next.at {
			return fmt.Errorf("gguf: the tensors %.80q and %.80q overlap", t.Name, next.Name)
		}
	}
	return nil
}

// Open opens the named file. It stays open until Close.
func Open(name string) (*File, error) {
	return arrayfile.Open(name, New, func(f *File) *arrayfile.Closer { return &f.closer })
}

// Close closes the file that Open opened.
func (f *File) Close() error { return f.closer.Close() }

// Version is that of the format, 2 or 3.
func (f *File) Version() int { return f.version }

// Metadata yields the metadata, in the order of the file. Values are int64 for all integers, or uint64 for one that
// does not fit, float64, bool, string, and lists of these: []int64, []float64, []bool and []string, and []any for
// lists of lists and of U64. Lists belong to the file: they are not to be changed.
func (f *File) Metadata() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, key := range f.keys {
			if !yield(key, f.values[key]) {
				return
			}
		}
	}
}

// Has reports whether there is a value in the metadata.
func (f *File) Has(key string) bool {
	_, ok := f.values[key]
	return ok
}

// metadata are the types of values that [Value] returns.
type metadata interface {
	int64 | float64 | bool | string | []int64 | []float64 | []bool | []string
}

// Value returns a value of the metadata, of the type that [File.Metadata] gives it. A value that is missing or of
// another type is an error.
func Value[T metadata](f *File, key string) (T, error) {
	var zero T
	v, ok := f.values[key]
	if !ok {
		return zero, fmt.Errorf("gguf: the metadata %s is missing", key)
	}
	x, ok := v.(T)
	if !ok {
		return zero, fmt.Errorf("gguf: the metadata %s is of the type %T, want %T", key, v, zero)
	}
	return x, nil
}

// Infos describes the tensors, in the order of the file.
func (f *File) Infos() []Info {
	infos := make([]Info, len(f.tensors))
	for i, t := range f.tensors {
		infos[i] = t.Info
		infos[i].Shape = slices.Clone(t.Shape)
	}
	return infos
}

// Info describes the named tensor; ok is false where there is none.
func (f *File) Info(name string) (info Info, ok bool) {
	i, ok := f.index[name]
	if !ok {
		return Info{}, false
	}
	info = f.tensors[i].Info
	info.Shape = slices.Clone(info.Shape)
	return info, true
}

// Tensor reads the named tensor: numbers as they are, blocks as f32. The error of a type that is not read names it and
// wraps errors.ErrUnsupported.
//
// Accuracy: elements of blocks are products of f32, and their sums with offsets, to the bit those of llama.cpp.
func (f *File) Tensor(name string) (Tensor, error) {
	r, err := f.Section(name)
	if err != nil {
		return Tensor{}, err
	}
	info, _ := f.Info(name)
	l := layouts[info.Type]
	if l.elem == dtype.Invalid {
		return Tensor{}, fmt.Errorf("gguf: tensor %.80q is of the type %s: %w", name, info.Type, errNoType)
	}
	data := make([]byte, r.Size()) // New has checked that the file is that large
	if _, err := io.ReadFull(r, data); err != nil {
		return Tensor{}, fmt.Errorf("gguf: tensor %.80q: %w", name, err)
	}
	if l.decode != nil {
		data = l.decoded(data)
	}
	return Tensor{info, l.elem, data}, nil
}

// Split reads the named tensor of Q8_0 or Q4_0 as its integers and its scales, without decoding. A tensor […, out, in]
// has integers s8 of that shape, or u8 […, out, in/2], where byte i of the 16 of 32 elements has element i in its lower
// and element i+16 in its upper 4 bits, both plus 8; and scales f32 […, out, in/32].
func (f *File) Split(name string) (integers, scales Tensor, err error) {
	r, err := f.Section(name)
	if err != nil {
		return integers, scales, err
	}
	info, _ := f.Info(name)
	if info.Type != Q8_0 && info.Type != Q4_0 {
		return integers, scales, fmt.Errorf("gguf: tensor %.80q is of the type %s, which has no integers with one scale",
			name, info.Type)
	}
	integers, scales = Tensor{info, dtype.S8, nil}, Tensor{info, dtype.F32, nil}
	elems, size := info.Type.Blocks()
	last := len(info.Shape) - 1
	integers.Shape, scales.Shape = slices.Clone(info.Shape), slices.Clone(info.Shape)
	scales.Shape[last] /= elems
	if info.Type == Q4_0 {
		integers.DType = dtype.U8
		integers.Shape[last] /= 2
	}
	data := make([]byte, r.Size())
	if _, err := io.ReadFull(r, data); err != nil {
		return Tensor{}, Tensor{}, fmt.Errorf("gguf: tensor %.80q: %w", name, err)
	}
	n := len(data) / size
	integers.Data, scales.Data = make([]byte, 0, n*(size-2)), make([]byte, 0, n*4)
	for ; len(data) > 0; data = data[size:] {
		scales.Data = binary.LittleEndian.AppendUint32(scales.Data, math.Float32bits(half(data)))
		integers.Data = append(integers.Data, data[2:size]...)
	}
	return integers, scales, nil
}

// Section returns a reader of the data of the named tensor in the file: its numbers, or its blocks, row by row. The
// type must be one whose blocks are known.
func (f *File) Section(name string) (*io.SectionReader, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("gguf: the file has no tensor named %.80q", name)
	}
	t := &f.tensors[i]
	if !t.known {
		return nil, fmt.Errorf("gguf: tensor %.80q is of %s: %w", name, t.Type, errNoType)
	}
	return io.NewSectionReader(f.r, t.at, t.size), nil
}
