// Package wire encodes numbers, texts and lists as bytes, and decodes them. Decoding accepts any bytes: it
// stops at the first error, after which values are zero, and lists are never longer than the remaining bytes.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Writer appends to B.
type Writer struct{ B []byte }

// Number appends a number with a sign: small ones are short.
//
//go:noinline
func (w *Writer) Number(n int64) { w.B = binary.AppendVarint(w.B, n) }

// Int is Number of an int.
//
//go:noinline
func (w *Writer) Int(n int) { w.Number(int64(n)) }

// Unsigned appends a number without a sign.
func (w *Writer) Unsigned(n uint64) { w.B = binary.AppendUvarint(w.B, n) }

// Flag appends a bool.
func (w *Writer) Flag(is bool) {
	if is {
		w.B = append(w.B, 1)
	} else {
		w.B = append(w.B, 0)
	}
}

// Bytes appends bytes behind their number, Text those of a text.
func (w *Writer) Bytes(b []byte) {
	w.Int(len(b))
	w.B = append(w.B, b...)
}

// Text is Bytes of a text.
func (w *Writer) Text(s string) {
	w.Int(len(s))
	w.B = append(w.B, s...)
}

// Numbers appends a list behind its length, Ints one of ints.
func (w *Writer) Numbers(list []int64) {
	w.Int(len(list))
	for _, n := range list {
		w.Number(n)
	}
}

// Ints is Numbers of ints.
func (w *Writer) Ints(list []int) {
	w.Int(len(list))
	for _, n := range list {
		w.Int(n)
	}
}

// Reader reads the output of a [Writer], in the same order.
type Reader struct {
	b   []byte
	err error
}

// NewReader returns a reader of bytes, which [Reader.Bytes] returns parts of.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// errTruncated is the error of bytes that end too early.
var errTruncated = errors.New("the bytes end too early")

// Fail notes a mistake, if it is the first.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err, r.b = fmt.Errorf(format, args...), nil
	}
}

// Err returns the first mistake.
func (r *Reader) Err() error { return r.err }

// Rest returns the unread bytes.
func (r *Reader) Rest() []byte { return r.b }

// End returns the first mistake; bytes that are left are one.
func (r *Reader) End() error {
	if len(r.b) > 0 {
		r.Fail("%d unread bytes at the end", len(r.b))
	}
	return r.err
}

// advance skips a number of n bytes, in the convention of package binary.
func (r *Reader) advance(n int) {
	if n <= 0 {
		r.Fail("%w", errTruncated)
		return
	}
	r.b = r.b[n:]
}

// Number reads a number with a sign.
func (r *Reader) Number() int64 {
	x, n := binary.Varint(r.b)
	if r.advance(n); r.err != nil {
		return 0
	}
	return x
}

// Int reads a number that is an int.
func (r *Reader) Int() int {
	x := r.Number()
	if x < math.MinInt || x > math.MaxInt {
		r.Fail("the number %d is too large", x)
		return 0
	}
	return int(x)
}

// Below reads a number from 0 to n-1.
func (r *Reader) Below(n int) int {
	x := r.Number()
	if x < 0 || x >= int64(n) {
		r.Fail("the number %d is not below %d", x, n)
		return 0
	}
	return int(x)
}

// Unsigned reads a number without a sign.
func (r *Reader) Unsigned() uint64 {
	x, n := binary.Uvarint(r.b)
	if r.advance(n); r.err != nil {
		return 0
	}
	return x
}

// Flag reads a bool.
func (r *Reader) Flag() bool {
	if len(r.b) == 0 || r.b[0] > 1 {
		r.Fail("a flag must be 0 or 1, got %x", r.b[:min(len(r.b), 8)])
		return false
	}
	is := r.b[0] == 1
	r.b = r.b[1:]
	return is
}

// Len reads the length of a list whose elements take at least bytesEach bytes each.
func (r *Reader) Len(bytesEach int) int {
	n := r.Number()
	if n < 0 || n > int64(len(r.b)/max(bytesEach, 1)) {
		r.Fail("%w: a list of %d", errTruncated, n)
		return 0
	}
	return int(n)
}

// Bytes reads bytes; they are a part of those that are read.
func (r *Reader) Bytes() []byte {
	n := r.Len(1)
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

// Text reads a text.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Numbers reads a list of numbers, nil for an empty one.
func (r *Reader) Numbers() []int64 {
	n := r.Len(1)
	if n == 0 {
		return nil
	}
	list := make([]int64, n)
	for i := range list {
		list[i] = r.Number()
	}
	return list
}

// Ints reads a list of ints, nil for an empty one.
func (r *Reader) Ints() []int {
	n := r.Len(1)
	if n == 0 {
		return nil
	}
	list := make([]int, n)
	for i := range list {
		list[i] = r.Int()
	}
	return list
}
