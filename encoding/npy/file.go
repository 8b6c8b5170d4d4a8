package npy

import (
	"io"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

// File provides access to the array of an .npy file. Its header is in memory, the data is read on demand.
// Methods may be called concurrently.
type File struct {
	r      io.ReaderAt
	size   int64
	header fileHeader
	start  int64 // of the data
	bytes  int64 // of the data
	closer arrayfile.Closer
}

// NewFile reads the header of the file of size bytes in r.
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	h, headerSize, err := readHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	bytes, err := h.sizeBytes()
	if err != nil {
		return nil, err
	}
	return &File{r: r, size: size, header: h, start: int64(headerSize), bytes: int64(bytes)}, nil
}

// Open opens the named file. It stays open until Close.
func Open(name string) (*File, error) {
	return arrayfile.Open(name, NewFile, func(f *File) *arrayfile.Closer { return &f.closer })
}

// Close closes the file that Open opened.
func (f *File) Close() error { return f.closer.Close() }

// Header returns the header.
func (f *File) Header() Header {
	h := f.header.Header
	h.Shape = append([]int(nil), h.Shape...)
	return h
}

// Array reads the array.
func (f *File) Array() (Array, error) { return read(io.NewSectionReader(f.r, 0, f.size), f.size) }

// Section returns a reader of the elements in the file. It is nil if their form differs from that of
// [File.Array], in the byte order or the order of indices, or if some are missing.
func (f *File) Section() *io.SectionReader {
	if !f.header.plain() || f.bytes > f.size-f.start {
		return nil
	}
	return io.NewSectionReader(f.r, f.start, f.bytes)
}

// plain reports whether elements have the same form in a file as in an [Array].
func (h *fileHeader) plain() bool { return !h.bigEndian && !h.fortran && h.DType != dtype.Bool }
