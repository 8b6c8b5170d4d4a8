package gguf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// valueType is the type of a value of the metadata.
type valueType uint32

const (
	typeU8 valueType = iota
	typeS8
	typeU16
	typeS16
	typeU32
	typeS32
	typeF32
	typeBool
	typeString
	typeArray
	typeU64
	typeS64
	typeF64
)

// leastBytes are the bytes that a value of a type has at least.
var leastBytes = [...]int64{typeU8: 1, typeS8: 1, typeU16: 2, typeS16: 2, typeU32: 4, typeS32: 4, typeF32: 4,
	typeBool: 1, typeString: 8, typeArray: 12, typeU64: 8, typeS64: 8, typeF64: 8}

// maxNesting is how deep lists of lists may be nested.
const maxNesting = 8

// parser reads the part of a file before the tensors. After an error it reads zeros.
type parser struct {
	r     *bufio.Reader
	at    int64 // in the file
	size  int64 // of the file
	err   error
	bytes [8]byte
}

func newParser(r io.ReaderAt, size int64) *parser {
	return &parser{r: bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<16), size: size}
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("gguf: byte %d: %w", p.at, fmt.Errorf(format, args...))
	}
}

// left is the number of bytes that follow.
func (p *parser) left() int64 { return p.size - p.at }

// read fills b.
func (p *parser) read(b []byte) {
	if p.err == nil && int64(len(b)) > p.left() {
		p.fail("%w: the file ends here", io.ErrUnexpectedEOF)
	}
	if p.err == nil {
		if _, err := io.ReadFull(p.r, b); err != nil {
			p.fail("%w", err)
		}
	}
	if p.err != nil {
		clear(b)
		return
	}
	p.at += int64(len(b))
}

func (p *parser) u32() uint32 { p.read(p.bytes[:4]); return binary.LittleEndian.Uint32(p.bytes[:]) }
func (p *parser) u64() uint64 { p.read(p.bytes[:8]); return binary.LittleEndian.Uint64(p.bytes[:]) }

// count reads the number of things of which each has some bytes at least, so that the file has room for them.
func (p *parser) count(what string, least int64) int {
	n := p.u64()
	if n > uint64(p.left()/least) {
		p.fail("%d %s do not fit in the %d bytes that follow", n, what, p.left())
		return 0
	}
	return int(n)
}

func (p *parser) text() string {
	b := make([]byte, p.count("bytes of a string", 1))
	p.read(b)
	return string(b)
}

// key reads the name of a value or tensor.
func (p *parser) key(what string) string {
	const most = 1<<16 - 1 // of the format
	n := p.u64()
	if n > most {
		p.fail("the name of a %s has %d bytes, the format allows %d", what, n, most)
		return ""
	}
	b := make([]byte, n)
	p.read(b)
	return string(b)
}

// value reads a value of a type.
func (p *parser) value(t valueType, depth int) any {
	switch t {
	case typeBool:
		b := p.u8()
		if b > 1 {
			p.fail("a bool is the byte %d", b)
		}
		return b == 1
	case typeString:
		return p.text()
	case typeF32:
		return float64(math.Float32frombits(p.u32()))
	case typeF64:
		return math.Float64frombits(p.u64())
	case typeArray:
		return p.array(depth + 1)
	case typeU64:
		n := p.u64()
		if n > math.MaxInt64 {
			return n
		}
		return int64(n)
	}
	return p.integer(t)
}

func (p *parser) u8() byte { p.read(p.bytes[:1]); return p.bytes[0] }

// integer reads an integer that an int64 holds.
func (p *parser) integer(t valueType) int64 {
	switch t {
	case typeU8:
		return int64(p.u8())
	case typeS8:
		return int64(int8(p.u8()))
	case typeU16, typeS16:
		p.read(p.bytes[:2])
		n := binary.LittleEndian.Uint16(p.bytes[:])
		if t == typeS16 {
			return int64(int16(n))
		}
		return int64(n)
	case typeU32:
		return int64(p.u32())
	case typeS32:
		return int64(int32(p.u32()))
	case typeS64:
		return int64(p.u64())
	}
	p.fail("the type %d of a value is not known", t)
	return 0
}

// array reads a list.
func (p *parser) array(depth int) any {
	t := valueType(p.u32())
	if int(t) >= len(leastBytes) {
		p.fail("the type %d of the values of a list is not known", t)
		return nil
	}
	if depth > maxNesting {
		p.fail("lists are nested deeper than %d", maxNesting)
		return nil
	}
	n := p.count("values of a list", leastBytes[t])
	switch t {
	case typeString:
		return list(p, n, p.text)
	case typeF32, typeF64:
		return list(p, n, func() float64 { return p.value(t, depth).(float64) })
	case typeBool:
		return list(p, n, func() bool { return p.value(t, depth).(bool) })
	case typeArray, typeU64:
		return list(p, n, func() any { return p.value(t, depth) })
	}
	return list(p, n, func() int64 { return p.integer(t) })
}

// list reads n values. Memory grows as they are read, so that a wrong count takes none.
func list[T any](p *parser, n int, read func() T) []T {
	values := make([]T, 0, min(n, 1<<12))
	for range n {
		v := read()
		if p.err != nil {
			return nil
		}
		values = append(values, v)
	}
	return values
}

// start reads what files begin with.
func (p *parser) start() (version uint32) {
	var magic [4]byte
	p.read(magic[:])
	if p.err != nil || string(magic[:]) != "GGUF" {
		if p.err == nil || errors.Is(p.err, io.ErrUnexpectedEOF) {
			p.err = fmt.Errorf("gguf: the file does not begin with GGUF but with %q: is this another kind of file?", magic)
		}
		return 0
	}
	version = p.u32()
	switch {
	case p.err != nil, version == 2, version == 3:
	case version&0xffff == 0 && version != 0:
		p.fail("the file is big-endian, only little-endian files are read: convert it with gguf-convert-endian")
	default:
		p.fail("the version %d of the format is not read, only 2 and 3: convert the model again", version)
	}
	return version
}
