package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-nx/nx/dtype"
)

// magic starts every file; two bytes of version follow.
const magic = "\x93NUMPY"

// maxHeader bounds the text of a header. That of the largest possible shape
// has less than 2 kB; NumPy's own limit is 10 kB.
const maxHeader = 1 << 16

// Read reads one array from r, and not one byte more.
func Read(r io.Reader) (Array, error) { return read(r, unknown) }

// ReadFile reads the array in the named file.
func ReadFile(name string) (Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return Array{}, err
	}
	defer f.Close()
	size := int64(unknown)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	a, err := read(f, size)
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// unknown stands for the size of a file that cannot be trusted or known.
const unknown = -1

// read reads one array from r, which is known to hold fileSize bytes unless
// that is unknown.
func read(r io.Reader, fileSize int64) (Array, error) {
	h, headerSize, err := readHeader(r)
	if err != nil {
		return Array{}, err
	}
	size, err := h.sizeBytes()
	if err != nil {
		return Array{}, err
	}
	present := int64(unknown)
	if fileSize != unknown {
		present = max(0, fileSize-int64(headerSize))
	}
	a := Array{Header: h.Header}
	if a.Data, err = readData(r, size, present); err != nil {
		return Array{}, fmt.Errorf("npy: the data of %s%v: %w", h.ItemType(), h.Shape, err)
	}
	if h.bigEndian {
		swapBytes(a.Data, a.DType.Real().Size())
	}
	if h.fortran {
		a.Data = fromFortran(a.Data, a.Shape, a.ItemSize())
	}
	if a.DType == dtype.Bool {
		for i, b := range a.Data {
			if b != 0 {
				a.Data[i] = 1
			}
		}
	}
	return a, nil
}

// readHeader reads the magic string, the version and the header, and returns
// how many bytes these took.
func readHeader(r io.Reader) (fileHeader, int, error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil {
		return fileHeader{}, 0, fmt.Errorf("npy: the first bytes: %w", truncated(err))
	}
	if !bytes.HasPrefix(start, []byte(magic)) {
		return fileHeader{}, 0,
			fmt.Errorf("npy: a .npy file must start with %[2]q, got %[1]q", start[:len(magic)], magic)
	}
	var length []byte
	switch major, minor := start[len(magic)], start[len(magic)+1]; {
	case major == 1 && minor == 0:
		length = make([]byte, 2)
	case (major == 2 || major == 3) && minor == 0:
		length = make([]byte, 4)
	default:
		return fileHeader{}, 0,
			fmt.Errorf("npy: the format version must be 1.0, 2.0 or 3.0, got %d.%d", major, minor)
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return fileHeader{}, 0, fmt.Errorf("npy: the length of the header: %w", truncated(err))
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if len(length) == 4 {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return fileHeader{}, 0, fmt.Errorf("npy: the header claims %d bytes, more than the limit of %d", n, maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return fileHeader{}, 0, fmt.Errorf("npy: the header of %d bytes: %w", n, truncated(err))
	}
	h, err := parseHeader(text)
	return h, len(start) + len(length) + len(text), err
}

// readData reads size bytes. Where it is not known how many are present, the
// buffer grows as they come.
func readData(r io.Reader, size int, present int64) ([]byte, error) {
	if present != unknown && int64(size) > present {
		return nil, fmt.Errorf("%d bytes are needed, %d are available: %w", size, present, io.ErrUnexpectedEOF)
	}
	const first = 1 << 16
	n := min(size, first)
	if present != unknown {
		n = size
	}
	data := make([]byte, 0, n)
	for {
		from := len(data)
		data = data[:n]
		if got, err := io.ReadFull(r, data[from:]); err != nil {
			return nil, fmt.Errorf("%d bytes are needed, %d are available: %w", size, from+got, truncated(err))
		}
		if n == size {
			return data, nil
		}
		n += min(n, size-n)
		data = append(make([]byte, 0, n), data...)
	}
}

// truncated converts an early end of the input to an error.
func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
