package npy

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/atomicfile"
)

// Entry is a named array of an archive.
type Entry struct {
	Name string
	Array
}

// suffix ends the name of an array's file inside an archive.
const suffix = ".npy"

// Zip returns access to the arrays of an .npz archive, one at a time, under the names that NumPy gives them: those
// of their files without ".npy". A file that does not begin as .npy files do, whatever its name, is a vector of its
// bytes, of type u8. Folders are left out. Methods may be called concurrently.
type Zip struct {
	r      io.ReaderAt
	names  []string
	files  map[string]*zip.File
	closer io.Closer
}

// NewZip reads the directory of the archive of size bytes in r.
func NewZip(r io.ReaderAt, size int64) (*Zip, error) {
	zr, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // files are not extracted, so names are harmless
		return nil, fmt.Errorf("npy: this is not an .npz archive: %w", err)
	}
	z := &Zip{r: r, files: make(map[string]*zip.File)}
	left := uint64(size)
	for _, f := range zr.File {
		// Files that share their bytes would multiply the size of an archive.
		if f.CompressedSize64 > left {
			return nil, errors.New("npy: the files in the archive have more bytes than the archive: they overlap or are cut off")
		}
		left -= f.CompressedSize64
	}
	other := map[string]bool{} // the files of other names
	for _, f := range zr.File {
		if !strings.HasSuffix(f.Name, suffix) {
			other[f.Name] = true
		}
	}
	for _, f := range zr.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := strings.TrimSuffix(f.Name, suffix)
		if other[name] { // as in NumPy, which finds files by their full names too
			name = f.Name
		}
		if z.files[name] != nil {
			return nil, fmt.Errorf("npy: the archive has two arrays named %q", name)
		}
		z.files[name] = f
		z.names = append(z.names, name)
	}
	return z, nil
}

// OpenZip opens the named archive. It stays open until Close.
func OpenZip(name string) (*Zip, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	z, err := NewZip(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	z.closer = f
	return z, nil
}

// Close closes the file that OpenZip opened.
func (z *Zip) Close() error {
	if z.closer == nil {
		return nil
	}
	return z.closer.Close()
}

// Names returns the names of the arrays in the order of the archive.
func (z *Zip) Names() []string { return append([]string(nil), z.names...) }

// Header reads the header of the named array.
func (z *Zip) Header(name string) (Header, error) {
	var h Header
	err := z.open(name, func(r io.Reader) error {
		fh, _, err := z.readHeader(name, r)
		if err == nil {
			_, err = fh.sizeBytes()
		}
		h = fh.Header
		return err
	})
	if err != nil {
		return Header{}, err
	}
	return h, nil
}

// readHeader reads the header of the named array. That of raw bytes takes none.
func (z *Zip) readHeader(name string, r io.Reader) (fileHeader, int, error) {
	raw, r, err := isRaw(r)
	switch {
	case err != nil:
		return fileHeader{}, 0, err
	case !raw:
		return readHeader(r)
	}
	h, err := rawHeader(z.files[name].UncompressedSize64)
	return fileHeader{Header: h}, 0, err
}

// isRaw reports whether a file is other than .npy, as NumPy does: by its first bytes. The reader is of the whole.
func isRaw(r io.Reader) (bool, io.Reader, error) {
	head := make([]byte, len(magic))
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, nil, fmt.Errorf("npy: the first bytes: %w", err)
	}
	return string(head[:n]) != magic, io.MultiReader(bytes.NewReader(head[:n]), r), nil
}

// rawHeader describes the bytes of a file as an array.
func rawHeader(size uint64) (Header, error) {
	if size > math.MaxInt {
		return Header{}, fmt.Errorf("npy: %d bytes are too many", size)
	}
	return Header{DType: dtype.U8, Shape: []int{int(size)}}, nil
}

// Array reads the named array.
func (z *Zip) Array(name string) (Array, error) {
	var a Array
	err := z.open(name, func(r io.Reader) (err error) {
		f, size := z.files[name], int64(unknown)
		if f.Method == zip.Store { // then these bytes are in the archive
			size = int64(f.CompressedSize64)
		}
		raw, r, err := isRaw(r)
		if err != nil {
			return err
		}
		if raw {
			if a.Header, err = rawHeader(f.UncompressedSize64); err == nil {
				if a.Data, err = readData(r, a.Shape[0], size); err != nil {
					err = fmt.Errorf("npy: %w", err)
				}
			}
		} else {
			a, err = read(r, size)
		}
		if err != nil {
			return err
		}
		// The checksum is compared where the data ends.
		var more [1]byte
		switch _, err := io.ReadFull(r, more[:]); {
		case err == nil:
			return errors.New("npy: unexpected bytes after the array")
		case err != io.EOF:
			return fmt.Errorf("npy: %w", err)
		}
		return nil
	})
	if err != nil {
		return Array{}, err
	}
	return a, nil
}

// Section returns a reader of the elements of the named array in the file of the archive. It is nil if their
// form differs from that of [Zip.Array]: if they are compressed, or in another byte order or order of indices.
// The checksum is not verified.
func (z *Zip) Section(name string) *io.SectionReader {
	f := z.files[name]
	if f == nil || f.Method != zip.Store {
		return nil
	}
	at, err := f.DataOffset()
	if err != nil {
		return nil
	}
	var section *io.SectionReader
	err = z.open(name, func(r io.Reader) error {
		h, headerSize, err := z.readHeader(name, r)
		if err != nil {
			return err
		}
		size, err := h.sizeBytes()
		if err == nil && h.plain() && int64(headerSize+size) == int64(f.UncompressedSize64) {
			section = io.NewSectionReader(z.r, at+int64(headerSize), int64(size))
		}
		return err
	})
	if err != nil {
		return nil
	}
	return section
}

// open calls f with the content of the named array's file.
func (z *Zip) open(name string, f func(io.Reader) error) error {
	file := z.files[name]
	if file == nil {
		return fmt.Errorf("npy: the archive has no array named %q", name)
	}
	r, err := file.Open()
	if err != nil {
		return fmt.Errorf("array %q: npy: %w", name, err)
	}
	defer r.Close()
	if err := f(r); err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	return nil
}

// ReadZip reads all arrays of the archive of size bytes in r.
func ReadZip(r io.ReaderAt, size int64) ([]Entry, error) {
	z, err := NewZip(r, size)
	if err != nil {
		return nil, err
	}
	return z.all()
}

// ReadZipFile reads all arrays of the named archive.
func ReadZipFile(name string) ([]Entry, error) {
	z, err := OpenZip(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	entries, err := z.all()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, nil
}

func (z *Zip) all() ([]Entry, error) {
	entries := make([]Entry, 0, len(z.names))
	for _, name := range z.names {
		a, err := z.Array(name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, Entry{name, a})
	}
	return entries, nil
}

// ZipWriter writes an .npz archive array by array.
type ZipWriter struct {
	// Deflate reports whether the arrays that follow are compressed.
	Deflate bool

	w     *zip.Writer
	names map[string]bool
}

// NewZipWriter returns a writer of an archive to w.
func NewZipWriter(w io.Writer) *ZipWriter {
	return &ZipWriter{w: zip.NewWriter(w), names: make(map[string]bool)}
}

// The time that all files of an archive bear, the first that a zip archive can
// hold: equal arrays make equal archives.
func fileTime() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

// Write adds an array.
func (z *ZipWriter) Write(name string, a Array) error {
	switch {
	case name == "":
		return errors.New("npy: an array in an archive needs a name")
	case z.names[name]:
		return fmt.Errorf("npy: the archive already has an array named %q", name)
	}
	header, err := a.encodeHeader()
	if err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	z.names[name] = true
	h := zip.FileHeader{Name: name + suffix, Modified: fileTime()}
	if z.Deflate {
		h.Method = zip.Deflate
	}
	w, err := z.w.CreateHeader(&h)
	if err != nil {
		return fmt.Errorf("array %q: npy: %w", name, err)
	}
	if _, err := io.WriteString(w, header); err != nil {
		return fmt.Errorf("array %q: npy: %w", name, err)
	}
	for piece := range slices.Chunk(a.Data, 1<<20) { // a writer that is to stop does so between two
		if _, err := w.Write(piece); err != nil {
			return fmt.Errorf("array %q: npy: %w", name, err)
		}
	}
	return nil
}

// Close writes the directory of the archive. It does not close the writer
// below.
func (z *ZipWriter) Close() error { return z.w.Close() }

// WriteZip writes an archive of the arrays in order, not compressed.
func WriteZip(w io.Writer, entries []Entry) error {
	z := NewZipWriter(w)
	for _, e := range entries {
		if err := z.Write(e.Name, e.Array); err != nil {
			return err
		}
	}
	return z.Close()
}

// WriteZipFile is WriteZip to the named file, which is complete or, if an
// error is returned, as it was before.
func WriteZipFile(name string, entries []Entry) error {
	return atomicfile.Write(name, func(w io.Writer) error { return WriteZip(w, entries) })
}
