package payload

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// File is a file of a new payload.
type File struct {
	Name string // with slashes
	Open func() (io.ReadCloser, error)
	Data []byte // if it is that of Bytes
}

// Bytes is a file with a content.
func Bytes(name string, data []byte) File {
	return File{name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }, data}
}

// Base returns the executable without its payload, if it has one. The error is that of an executable that does not look
// for a payload.
func Base(executable []byte) ([]byte, error) {
	switch length, _, err := readFooter(bytes.NewReader(executable), int64(len(executable))); {
	case err == nil:
		executable = executable[:int64(len(executable))-length]
	case !errors.Is(err, ErrNone):
		return nil, err
	}
	if i := markIn(executable); i < 0 {
		return nil, errors.New("this is not an executable that can have a payload")
	}
	return executable, nil
}

// Write writes the executable, which [Base] has returned, with files. It is the same for the same files in the same
// order.
func Write(w io.Writer, base []byte, files []File) error {
	base, err := marked(base)
	if err != nil {
		return err
	}
	start := (len(base) + startAlign - 1) / startAlign * startAlign
	base = append(base, make([]byte, start-len(base))...)
	if _, err := w.Write(base); err != nil {
		return err
	}
	out := &sealing{w: w, h: sha256.New()}
	z := zip.NewWriter(out)
	z.SetOffset(int64(start))
	for _, f := range files {
		if err := z.Flush(); err != nil {
			return err
		}
		if err := store(z, f, int64(start)+out.n); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err := z.SetComment(string(make([]byte, footerSize))); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.seal()
}

// store adds a file to the archive at an offset, so that its data is aligned. It reads the file twice: its length and
// checksum come before its data.
func store(z *zip.Writer, f File, at int64) error {
	const header, extra = 30, 4 // of the file, and of the field that aligns
	sum := crc32.NewIEEE()
	size, err := f.copyTo(sum)
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: f.Name, Method: zip.Store, CRC32: sum.Sum32(), CompressedSize64: uint64(size),
		UncompressedSize64: uint64(size)}
	pad := -(at + header + int64(len(f.Name)) + extra) & (fileAlign - 1)
	h.Extra = binary.LittleEndian.AppendUint16(nil, 0xd935) // as zipalign of Android has it
	h.Extra = binary.LittleEndian.AppendUint16(h.Extra, uint16(pad))
	h.Extra = append(h.Extra, make([]byte, pad)...)
	w, err := z.CreateRaw(h)
	if err != nil {
		return err
	}
	again := crc32.NewIEEE()
	n, err := f.copyTo(io.MultiWriter(w, again))
	if err == nil && (n != size || again.Sum32() != sum.Sum32()) {
		err = errors.New("the file has changed while it was read")
	}
	return err
}

// copyTo copies the content of a file.
func (f File) copyTo(w io.Writer) (int64, error) {
	r, err := f.Open()
	if err != nil {
		return 0, err
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{w}, r, make([]byte, 1<<20))
	return n, errors.Join(err, r.Close())
}

// sealing writes an archive, whose last bytes it holds back for the footer.
type sealing struct {
	w    io.Writer
	h    hash.Hash
	n    int64 // bytes that were given
	held []byte
}

func (s *sealing) Write(b []byte) (int, error) {
	s.n += int64(len(b))
	out := max(len(s.held)+len(b)-footerSize, 0)
	fromHeld := min(out, len(s.held))
	for _, part := range [][]byte{s.held[:fromHeld], b[:out-fromHeld]} {
		s.h.Write(part)
		if _, err := s.w.Write(part); err != nil {
			return 0, err
		}
	}
	s.held = append(slices.Clone(s.held[fromHeld:]), b[out-fromHeld:]...)
	return len(b), nil
}

// seal writes the footer in the place of the bytes that were held back, which are the comment of the archive.
func (s *sealing) seal() error {
	footer := []byte(magic)
	footer = binary.LittleEndian.AppendUint64(footer, version)
	footer = binary.LittleEndian.AppendUint64(footer, uint64(s.n))
	footer = s.h.Sum(footer)
	_, err := s.w.Write(footer)
	return err
}
