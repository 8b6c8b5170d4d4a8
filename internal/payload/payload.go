// Package payload appends files to an executable, which finds them when it starts.
//
// Behind the executable, from a multiple of 4096 bytes on, is an archive of zip whose files are stored as they are and
// aligned, so that they can be mapped to memory. Its comment, the last 64 bytes of the file, is the footer:
//
//	16 bytes  "nx payload\r\n\x00\xff\x1a\n"
//	 8 bytes  the version, 1, little endian
//	 8 bytes  the length of the archive with the footer, little endian
//	32 bytes  the SHA-256 of the archive without the footer
//
// The executable itself has a mark, by which it knows that there must be a payload, also if the end of the file is
// gone.
package payload

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	magic      = "nx payload\r\n\x00\xff\x1a\n"
	version    = 1
	footerSize = len(magic) + 8 + 8 + sha256.Size

	startAlign = 4096 // of the archive in the executable
	fileAlign  = 64   // of the files
	maxFiles   = 1 << 20
)

// ErrNone is the error for an executable without a payload, by errors.Is.
var ErrNone = errors.New("there is no payload")

// Payload is the files that were appended to an executable. It is safe for concurrent use.
type Payload struct {
	r           io.ReaderAt
	file        *os.File // r if that is a file
	start, size int64    // of the executable without the payload, and of all
	sum         [sha256.Size]byte
	files       map[string]span
	folders     map[string][]fs.DirEntry
}

// span is where a file is.
type span struct{ offset, size int64 }

// Open returns the payload of an executable, which must stay open. [Payload.Verify] must be called before its files are
// relied on. The error is ErrNone if there is none.
func Open(f *os.File) (*Payload, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := Read(f, info.Size())
	if err != nil {
		return nil, err
	}
	p.file = f
	return p, nil
}

// Read returns the payload of an executable of size bytes.
func Read(r io.ReaderAt, size int64) (*Payload, error) {
	length, sum, err := readFooter(r, size)
	if err != nil {
		return nil, err
	}
	p := &Payload{r: r, start: size - length, size: size, sum: sum, files: map[string]span{},
		folders: map[string][]fs.DirEntry{".": nil}}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("the payload is damaged: %w", err)
	}
	if len(z.File) > maxFiles {
		return nil, fmt.Errorf("the payload is damaged: it has %d files", len(z.File))
	}
	for _, f := range z.File {
		if err := p.add(f); err != nil {
			return nil, fmt.Errorf("the payload is damaged: %w", err)
		}
	}
	for _, list := range p.folders {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return p, nil
}

// readFooter returns what the end of an executable says of its payload.
func readFooter(r io.ReaderAt, size int64) (length int64, sum [sha256.Size]byte, err error) {
	var footer [footerSize]byte
	if size < int64(footerSize) {
		return 0, sum, ErrNone
	}
	if _, err := r.ReadAt(footer[:], size-int64(footerSize)); err != nil {
		return 0, sum, err
	}
	rest, ok := bytes.CutPrefix(footer[:], []byte(magic))
	if !ok {
		return 0, sum, ErrNone
	}
	if v := binary.LittleEndian.Uint64(rest); v != version {
		return 0, sum, fmt.Errorf("the payload has the version %d, want %d", v, version)
	}
	n := binary.LittleEndian.Uint64(rest[8:])
	if n < uint64(footerSize) || n > uint64(size) || (size-int64(n))%startAlign != 0 {
		return 0, sum, fmt.Errorf("the payload is damaged: it should have %d bytes, in a file of %d", n, size)
	}
	return int64(n), [sha256.Size]byte(rest[16:]), nil
}

// add adds a file of the archive.
func (p *Payload) add(f *zip.File) error {
	name := f.Name
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) ||
		strings.ContainsAny(name, "\\:\x00") {
		return fmt.Errorf("%.80q is not a name of a file in it", name)
	}
	if f.Method != zip.Store || f.Flags&1 != 0 || f.CompressedSize64 != f.UncompressedSize64 || !f.Mode().IsRegular() {
		return fmt.Errorf("%.80q is not a file that is stored as it is", name)
	}
	offset, err := f.DataOffset()
	if err != nil {
		return fmt.Errorf("%.80q: %w", name, err)
	}
	end := p.size - int64(footerSize)
	if offset < p.start || offset > end || f.UncompressedSize64 > uint64(end-offset) {
		return fmt.Errorf("%.80q is not inside of it", name)
	}
	if _, ok := p.folders[name]; ok || p.has(name) {
		return fmt.Errorf("%.80q is there twice", name)
	}
	s := span{offset, int64(f.UncompressedSize64)}
	p.files[name] = s
	var entry fs.DirEntry = fs.FileInfoToDirEntry(info{path.Base(name), s.size, false})
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if p.has(dir) {
			return fmt.Errorf("%.80q is a file and a folder", dir)
		}
		_, known := p.folders[dir]
		p.folders[dir] = append(p.folders[dir], entry)
		if known {
			return nil
		}
		entry = fs.FileInfoToDirEntry(info{path.Base(dir), 0, true})
	}
}

func (p *Payload) has(name string) bool {
	_, ok := p.files[name]
	return ok
}

// Size returns the bytes of the payload, Sum the SHA-256 of the archive as its footer has it.
func (p *Payload) Size() int64            { return p.size - p.start }
func (p *Payload) Sum() [sha256.Size]byte { return p.sum }

// Verify compares the archive with its SHA-256.
func (p *Payload) Verify() error {
	h := sha256.New()
	n := p.Size() - int64(footerSize)
	if _, err := io.CopyBuffer(h, io.NewSectionReader(p.r, p.start, n), make([]byte, 1<<20)); err != nil {
		return fmt.Errorf("reading the payload: %w", err)
	}
	if got := h.Sum(nil); !bytes.Equal(got, p.sum[:]) {
		return fmt.Errorf("the payload is damaged: its SHA-256 is %x, want %x", got, p.sum)
	}
	return nil
}
