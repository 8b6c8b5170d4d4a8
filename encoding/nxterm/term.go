package nxterm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// The terms that a header may have, as Go values: int64 for integers of 64 bits, atom, float64,
// []byte for binaries, tuple, []any for lists, and mapping for maps.
type (
	atom    string
	tuple   []any
	mapping [][2]any
)

// maxHeader is the most bytes of a header, maxDepth the most terms within each other.
const (
	maxHeader = 64 << 20
	maxDepth  = 200
)

// decoder reads a term.
type decoder struct {
	b     []byte
	depth int
}

var errTruncated = errors.New("the term is truncated")

// decodeTerm reads a term, which must take all of b, and unpacks it if it is compressed.
func decodeTerm(b []byte) (any, error) {
	if len(b) == 0 || b[0] != 131 {
		return nil, errors.New("the first byte of a term must be 131")
	}
	b = b[1:]
	if len(b) > 0 && b[0] == 80 { // compressed
		if len(b) < 5 {
			return nil, errTruncated
		}
		n := binary.BigEndian.Uint32(b[1:])
		if n > maxHeader {
			return nil, fmt.Errorf("the compressed term must have at most %[2]d bytes, got %[1]d", n, maxHeader)
		}
		z, err := zlib.NewReader(bytes.NewReader(b[5:]))
		if err != nil {
			return nil, fmt.Errorf("the compressed term: %w", err)
		}
		plain, err := io.ReadAll(io.LimitReader(z, int64(n)+1))
		if err != nil {
			return nil, fmt.Errorf("the compressed term: %w", err)
		}
		if len(plain) != int(n) {
			return nil, fmt.Errorf("the compressed term must have the announced size of %d bytes", n)
		}
		b = plain
	}
	d := &decoder{b: b}
	t, err := d.term()
	if err == nil && len(d.b) > 0 {
		err = fmt.Errorf("%d bytes follow the term", len(d.b))
	}
	return t, err
}

// take returns the next n bytes.
func (d *decoder) take(n uint64) ([]byte, error) {
	if n > uint64(len(d.b)) {
		return nil, errTruncated
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b, nil
}

// number reads an integer of n bytes.
func (d *decoder) number(bytes uint64) (n uint64, err error) {
	b, err := d.take(bytes)
	for _, v := range b {
		n = n<<8 | uint64(v)
	}
	return n, err
}

// bytes reads a length of n bytes, and that many bytes.
func (d *decoder) bytes(lengthBytes uint64) ([]byte, error) {
	n, err := d.number(lengthBytes)
	if err != nil {
		return nil, err
	}
	return d.take(n)
}

// terms reads a number of terms.
func (d *decoder) terms(n uint64) ([]any, error) {
	if n > uint64(len(d.b)) { // each takes a byte
		return nil, errTruncated
	}
	out := make([]any, 0, min(n, 1<<16))
	for range n {
		t, err := d.term()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func (d *decoder) term() (any, error) {
	if d.depth++; d.depth > maxDepth {
		return nil, fmt.Errorf("more than %d nested terms", maxDepth)
	}
	defer func() { d.depth-- }()
	tag, err := d.number(1)
	if err != nil {
		return nil, err
	}
	switch tag {
	case 97: // SMALL_INTEGER_EXT
		n, err := d.number(1)
		return int64(n), err
	case 98: // INTEGER_EXT
		n, err := d.number(4)
		return int64(int32(n)), err
	case 110: // SMALL_BIG_EXT
		return d.big()
	case 70: // NEW_FLOAT_EXT
		n, err := d.number(8)
		return math.Float64frombits(n), err
	case 100, 118: // ATOM_EXT, ATOM_UTF8_EXT
		b, err := d.bytes(2)
		return atom(b), err
	case 115, 119: // SMALL_ATOM_EXT, SMALL_ATOM_UTF8_EXT
		b, err := d.bytes(1)
		return atom(b), err
	case 109: // BINARY_EXT
		return d.bytes(4)
	case 77: // BIT_BINARY_EXT: the bits of the last byte that count are its highest
		n, err := d.number(4)
		if err != nil {
			return nil, err
		}
		if _, err := d.number(1); err != nil {
			return nil, err
		}
		return d.take(n)
	case 104, 105: // SMALL_TUPLE_EXT, LARGE_TUPLE_EXT
		n, err := d.number(map[uint64]uint64{104: 1, 105: 4}[tag])
		if err != nil {
			return nil, err
		}
		list, err := d.terms(n)
		return tuple(list), err
	case 106: // NIL_EXT
		return []any{}, nil
	case 107: // STRING_EXT, a list of bytes
		b, err := d.bytes(2)
		list := make([]any, len(b))
		for i, v := range b {
			list[i] = int64(v)
		}
		return list, err
	case 108: // LIST_EXT
		return d.list()
	case 116: // MAP_EXT
		n, err := d.number(4)
		if err != nil {
			return nil, err
		}
		list, err := d.terms(2 * n)
		var m mapping
		for i := 0; i+1 < len(list); i += 2 {
			m = append(m, [2]any{list[i], list[i+1]})
		}
		return m, err
	}
	return nil, fmt.Errorf("terms with the tag %d, such as functions and processes, are not data", tag)
}

// big reads an integer of up to 255 bytes.
func (d *decoder) big() (any, error) {
	n, err := d.number(1)
	if err != nil {
		return nil, err
	}
	sign, err := d.number(1)
	if err != nil {
		return nil, err
	}
	b, err := d.take(n)
	if err != nil {
		return nil, err
	}
	digits := bytes.TrimRight(b, "\x00") // of base 256, the lowest first
	var low [8]byte
	copy(low[:], digits)
	magnitude := binary.LittleEndian.Uint64(low[:])
	negative := sign != 0
	if len(digits) > len(low) || magnitude > math.MaxInt64 && !(negative && magnitude == 1<<63) {
		return nil, fmt.Errorf("an integer of %d bytes does not fit in 64 bits", len(digits))
	}
	if negative {
		return -int64(magnitude), nil
	}
	return int64(magnitude), nil
}

// list reads a list after its tag; its tail must be empty.
func (d *decoder) list() (any, error) {
	n, err := d.number(4)
	if err != nil {
		return nil, err
	}
	list, err := d.terms(n)
	if err != nil {
		return nil, err
	}
	tail, err := d.number(1)
	if err == nil && tail != 106 {
		err = errors.New("the tail of a list must be a list")
	}
	return list, err
}

// The encoders append a term.

func appendInt(b []byte, n int64) []byte {
	switch {
	case 0 <= n && n < 256:
		return append(b, 97, byte(n))
	case math.MinInt32 <= n && n <= math.MaxInt32:
		return binary.BigEndian.AppendUint32(append(b, 98), uint32(n))
	}
	size := 0 // sizes are not negative
	for u := uint64(n); u > 0; u >>= 8 {
		size++
	}
	b = append(b, 110, byte(size), 0)
	for i := range size {
		b = append(b, byte(n>>(8*i)))
	}
	return b
}

// appendAtom appends an atom of up to 255 bytes.
func appendAtom(b []byte, name string) []byte {
	return append(append(b, 119, byte(len(name))), name...)
}

func appendTuple(b []byte, n int) []byte {
	if n < 256 {
		return append(b, 104, byte(n))
	}
	return binary.BigEndian.AppendUint32(append(b, 105), uint32(n))
}

// appendList appends the head of a list of n terms, which 106 ends if it has any.
func appendList(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	return binary.BigEndian.AppendUint32(append(b, 108), uint32(n))
}

func appendBinary(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(append(b, 109), uint32(len(s))), s...)
}
