package safetensors

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-nx/nx/internal/arrayfile"
)

// maxHeader is the most bytes that the text of a header may have.
const maxHeader = 100_000_000

// File provides access to the tensors of a file. Its header is in memory, the data is read on demand. Methods
// may be called concurrently.
type File struct {
	r        io.ReaderAt
	ranges   []byteRange // in the order of the data
	index    map[string]int
	metadata map[string]string
	start    int64 // where the data starts
	closer   arrayfile.Closer
}

// New reads the header of the file of size bytes in r.
func New(r io.ReaderAt, size int64) (*File, error) {
	const lengthBytes = 8
	var length [lengthBytes]byte
	if size < lengthBytes {
		return nil, fmt.Errorf("safetensors: the file must have at least 8 bytes for the length of the header, got %d", size)
	}
	if _, err := r.ReadAt(length[:], 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("safetensors: the length of the header: %w", err)
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxHeader:
		return nil,
			fmt.Errorf("safetensors: the header claims %d bytes, more than the limit of %d; is this another kind of file?",
				n, maxHeader)
	case int64(n) > size-lengthBytes:
		return nil,
			fmt.Errorf("safetensors: the header claims %d bytes, the file has %d after its length", n, size-lengthBytes)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(r, lengthBytes, int64(n)), text); err != nil {
		return nil, fmt.Errorf("safetensors: the header: %w", err)
	}
	f := &File{r: r, start: lengthBytes + int64(n)}
	var err error
	if f.ranges, f.metadata, err = parseHeader(text, size-f.start); err != nil {
		return nil, err
	}
	f.index = make(map[string]int, len(f.ranges))
	for i, p := range f.ranges {
		f.index[p.Name] = i
	}
	return f, nil
}

// Open opens the named file. It stays open until Close.
func Open(name string) (*File, error) {
	return arrayfile.Open(name, New, func(f *File) *arrayfile.Closer { return &f.closer })
}

// Close closes the file that Open opened.
func (f *File) Close() error { return f.closer.Close() }

// Infos describes the tensors, in the order of their data in the file.
func (f *File) Infos() []Info {
	infos := make([]Info, len(f.ranges))
	for i, p := range f.ranges {
		infos[i] = p.Info
		infos[i].Shape = slices.Clone(p.Shape)
	}
	return infos
}

// Metadata returns the metadata in the header, or nil.
func (f *File) Metadata() map[string]string { return maps.Clone(f.metadata) }

// Tensor reads the named tensor.
func (f *File) Tensor(name string) (Tensor, error) {
	r, err := f.Section(name)
	if err != nil {
		return Tensor{}, err
	}
	data := make([]byte, r.Size()) // New has checked that the file is that large
	if _, err := io.ReadFull(r, data); err != nil {
		return Tensor{}, fmt.Errorf("safetensors: tensor %q: %w", name, err)
	}
	info := f.ranges[f.index[name]].Info
	info.Shape = slices.Clone(info.Shape)
	return Tensor{info, unpack(data, info.DType)}, nil
}

// Section returns a reader of the data of the named tensor in the file, for tensors that are too large for
// memory.
func (f *File) Section(name string) (*io.SectionReader, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("safetensors: the file has no tensor named %q", name)
	}
	p := f.ranges[i]
	return io.NewSectionReader(f.r, f.start+p.begin, p.end-p.begin), nil
}

// ReadFile reads all tensors of the named file, in the order of their data.
func ReadFile(name string) ([]Tensor, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tensors := make([]Tensor, len(f.ranges))
	for i, p := range f.ranges {
		if tensors[i], err = f.Tensor(p.Name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return tensors, nil
}
