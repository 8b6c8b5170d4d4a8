package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The types of fields in the wire format of protocol buffers.
//
// Source: https://protobuf.dev/programming-guides/encoding
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

const (
	maxDepth    = 100     // of messages in each other
	maxMessages = 1 << 22 // of a file; a node takes some 20 bytes at least
)

// field is a field of a message.
type field struct {
	number   uint64
	kind     uint8
	number64 uint64 // of a varint or a fixed number
	bytes    []byte
}

var (
	errEnd    = errors.New("the file ends within a field")
	errVarint = errors.New("a number has more than ten bytes")
)

// varint reads a number of up to ten bytes.
func varint(b []byte) (v uint64, n int, err error) {
	v, n = binary.Uvarint(b)
	switch {
	case n > 0:
		return v, n, nil
	case n == 0:
		return 0, 0, errEnd
	}
	return 0, 0, errVarint
}

// next reads the first field of a message.
func next(b []byte) (f field, rest []byte, err error) {
	tag, n, err := varint(b)
	if err != nil {
		return f, nil, err
	}
	b = b[n:]
	f.number, f.kind = tag>>3, uint8(tag&7)
	if f.number == 0 || f.number > 1<<29-1 {
		return f, nil, fmt.Errorf("a field has the number %d", f.number)
	}
	switch f.kind {
	case wireVarint:
		f.number64, n, err = varint(b)
		if err != nil {
			return f, nil, err
		}
	case wireFixed64:
		if n = 8; len(b) < n {
			return f, nil, errEnd
		}
		f.number64 = binary.LittleEndian.Uint64(b)
	case wireFixed32:
		if n = 4; len(b) < n {
			return f, nil, errEnd
		}
		f.number64 = uint64(binary.LittleEndian.Uint32(b))
	case wireBytes:
		size, k, err := varint(b)
		if err != nil {
			return f, nil, err
		}
		if size > uint64(len(b)-k) {
			return f, nil, errEnd
		}
		f.bytes, n = b[k:k+int(size)], k+int(size)
	default:
		return f, nil, fmt.Errorf("a field has the wire type %d", f.kind)
	}
	return f, b[n:], nil
}

// decoder reads the messages of a file.
type decoder struct {
	all      []byte // the file
	messages int
	depth    int
}

// at is the place of a part of the file.
func (d *decoder) at(b []byte) int { return cap(d.all) - cap(b) }

// message calls read for each field of a message; the error says where it is.
func (d *decoder) message(name string, b []byte, read func(f field) error) error {
	if d.depth++; d.depth > maxDepth {
		return fmt.Errorf("messages are nested more than %d deep at byte %d", maxDepth, d.at(b))
	}
	defer func() { d.depth-- }()
	if d.messages++; d.messages > maxMessages {
		return fmt.Errorf("the file has more than %d messages", maxMessages)
	}
	for len(b) > 0 {
		f, rest, err := next(b)
		if err == nil {
			err = read(f)
		}
		if err != nil {
			var located *placeError
			if errors.As(err, &located) {
				return err
			}
			return &placeError{d.at(b), name, err}
		}
		b = rest
	}
	return nil
}

// placeError is an error at a byte of the file.
type placeError struct {
	at      int
	message string
	err     error
}

func (e *placeError) Error() string { return fmt.Sprintf("%s at byte %d: %v", e.message, e.at, e.err) }
func (e *placeError) Unwrap() error { return e.err }

// kindError is a field of another wire type than its message has.
func kindError(f field) error {
	return fmt.Errorf("field %d has the wire type %d", f.number, f.kind)
}

func (f field) text() (string, error) {
	if f.kind != wireBytes {
		return "", kindError(f)
	}
	return string(f.bytes), nil
}

func (f field) data() ([]byte, error) {
	if f.kind != wireBytes {
		return nil, kindError(f)
	}
	return f.bytes, nil
}

func (f field) int() (int64, error) {
	if f.kind != wireVarint {
		return 0, kindError(f)
	}
	return int64(f.number64), nil
}

func (f field) float() (float32, error) {
	if f.kind != wireFixed32 {
		return 0, kindError(f)
	}
	return math.Float32frombits(uint32(f.number64)), nil
}

// ints appends a number, or a packed list of them.
func (f field) ints(list []int64) ([]int64, error) {
	switch f.kind {
	case wireVarint:
		return append(list, int64(f.number64)), nil
	case wireBytes:
		for b := f.bytes; len(b) > 0; {
			v, n, err := varint(b)
			if err != nil {
				return nil, err
			}
			list, b = append(list, int64(v)), b[n:]
		}
		return list, nil
	}
	return nil, kindError(f)
}

// fixed appends the bytes of a fixed number, or of a packed list of them.
func (f field) fixed(list []byte, size int) ([]byte, error) {
	switch {
	case f.kind == wireBytes && len(f.bytes)%size == 0:
		if list == nil {
			return f.bytes, nil
		}
		return append(list[:len(list):len(list)], f.bytes...), nil
	case f.kind == wireFixed32 && size == 4:
		return binary.LittleEndian.AppendUint32(list[:len(list):len(list)], uint32(f.number64)), nil
	case f.kind == wireFixed64 && size == 8:
		return binary.LittleEndian.AppendUint64(list[:len(list):len(list)], f.number64), nil
	}
	return nil, kindError(f)
}

// set stores a value that a field has.
func set[T any](to *T, v T, err error) error {
	if err == nil {
		*to = v
	}
	return err
}
