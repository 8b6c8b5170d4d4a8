package portable

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Error describes an error in an artifact and its offset.
type Error struct {
	Name   string // the file
	Offset int    // the byte, from 0
	What   string
}

// Error returns "model.bc: byte 120: …".
func (e *Error) Error() string {
	name := e.Name
	if name == "" {
		name = "<input>"
	}
	return fmt.Sprintf("%s: byte %d: %s", name, e.Offset, e.What)
}

// failure carries an *Error out of the recursive descent; Read recovers it.
type failure struct{ err error }

// cursor reads a part of an artifact from off to end.
type cursor struct {
	r        *reader
	off, end int
}

func (c *cursor) fail(format string, args ...any) { c.r.failAt(c.off, format, args...) }

// left returns the number of bytes that are left.
func (c *cursor) left() int { return c.end - c.off }

func (c *cursor) byte() byte {
	if c.left() < 1 {
		c.fail("the data ends too early")
	}
	b := c.r.data[c.off]
	c.off++
	return b
}

// bytes returns the next n bytes, which are not copied.
func (c *cursor) bytes(n uint64) []byte {
	if n > uint64(c.left()) {
		c.fail("%d bytes are needed, %d are left", n, c.left())
	}
	b := c.r.data[c.off : c.off+int(n) : c.off+int(n)]
	c.off += int(n)
	return b
}

// varint reads an integer; the low zeros of its first byte encode its length.
func (c *cursor) varint() uint64 {
	first := c.byte()
	if first == 0 {
		return binary.LittleEndian.Uint64(c.bytes(8))
	}
	n := bits.TrailingZeros8(first) // bytes after the first
	v := uint64(first)
	for i, b := range c.bytes(uint64(n)) {
		v |= uint64(b) << (8 * (i + 1))
	}
	return v >> (n + 1)
}

// svarint reads an integer whose low bit is its sign.
func (c *cursor) svarint() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// flagged reads an integer with a flag in its low bit.
func (c *cursor) flagged() (v uint64, flag bool) {
	v = c.varint()
	return v >> 1, v&1 != 0
}

// count reads the length of a list whose items take at least size bytes each, so
// that no list is longer than the data.
func (c *cursor) count(size int, what string) int {
	at := c.off
	n := c.varint()
	if n > uint64(c.left()/size) {
		c.r.failAt(at, "%d %s do not fit in the %d bytes that are left", n, what, c.left())
	}
	return int(n)
}

// index reads the number of an entry of a table.
func (c *cursor) index(n int, what string) int {
	at := c.off
	i := c.varint()
	if i >= uint64(n) {
		c.r.failAt(at, "there is no %s %d: there are %d", what, i, n)
	}
	return int(i)
}

// integer reads an integer of a known width: a byte, or a signed varint of its bits.
func (c *cursor) integer(width int) uint64 {
	var v uint64
	if width <= 8 {
		v = uint64(c.byte())
	} else {
		v = uint64(c.svarint())
	}
	return v & (1<<width - 1) // all bits for a width of 64
}

// float64 reads the bits of a float64.
func (c *cursor) float64() float64 { return math.Float64frombits(c.integer(64)) }

func (c *cursor) svarints() []int64 {
	n := c.count(1, "integers")
	out := make([]int64, n)
	for i := range out {
		out[i] = c.svarint()
	}
	return out
}

// blob reads bytes behind their number.
func (c *cursor) blob() []byte { return c.bytes(c.varint()) }

// done fails when something is left.
func (c *cursor) done(what string) {
	if c.left() != 0 {
		c.fail("%d bytes are left after %s", c.left(), what)
	}
}

func (r *reader) failAt(off int, format string, args ...any) {
	panic(failure{&Error{r.name, off, fmt.Sprintf(format, args...)}})
}
