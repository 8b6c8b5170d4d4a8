// Package memory is the checked memory of emulated processors.
package memory

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"unsafe"
)

// Memory is a set of segments at addresses.
type Memory struct {
	// OfProcess maps all other addresses to the memory of this process, where an access may fault.
	OfProcess bool
	// Accessed counts the bytes that were read and written.
	Accessed uint64

	segments []segment
}

type segment struct {
	at       uint64
	data     []byte
	writable bool
}

// AccessError is an access to memory that is not mapped, not writable, or misaligned.
type AccessError struct {
	At    uint64
	Bytes int
	What  string
}

// Error implements error.
func (e *AccessError) Error() string {
	return fmt.Sprintf("%d bytes at %#x %s", e.Bytes, e.At, e.What)
}

// Map maps memory at an address. It panics if the range is mapped.
func (m *Memory) Map(at uint64, data []byte, writable bool) {
	i := sort.Search(len(m.segments), func(i int) bool { return m.segments[i].at > at })
	if i > 0 && m.segments[i-1].at+uint64(len(m.segments[i-1].data)) > at ||
		i < len(m.segments) && at+uint64(len(data)) > m.segments[i].at {
		panic(fmt.Sprintf("memory: memory at %#x is mapped twice", at))
	}
	m.segments = slices.Insert(m.segments, i, segment{at, data, writable})
}

// Unmap removes the mapping at an address.
func (m *Memory) Unmap(at uint64) {
	m.segments = slices.DeleteFunc(m.segments, func(r segment) bool { return r.at == at })
}

// Bytes returns the memory at an address.
func (m *Memory) Bytes(at uint64, n int, write bool) ([]byte, error) {
	m.Accessed += uint64(n)
	i := sort.Search(len(m.segments), func(i int) bool { return m.segments[i].at > at }) - 1
	if i >= 0 {
		r := &m.segments[i]
		if off := at - r.at; off <= uint64(len(r.data)) && uint64(len(r.data))-off >= uint64(n) {
			if write && !r.writable {
				return nil, &AccessError{at, n, "are read-only"}
			}
			return r.data[off : off+uint64(n)], nil
		}
	}
	if m.OfProcess {
		p := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // through a pointer, since vet rejects the conversion
		return unsafe.Slice((*byte)(p), n), nil
	}
	what := "are read outside of mapped memory"
	if write {
		what = "are written outside of mapped memory"
	}
	return nil, &AccessError{at, n, what}
}

// Code returns the code at an address, at most n bytes.
func (m *Memory) Code(at uint64, n int) ([]byte, error) {
	for _, r := range m.segments {
		if at >= r.at && at < r.at+uint64(len(r.data)) {
			code := r.data[at-r.at:]
			return code[:min(len(code), n)], nil
		}
	}
	return nil, &AccessError{at, 1, "are executed outside of mapped memory"}
}

// Load returns a number in memory.
func (m *Memory) Load(at uint64, n int) (uint64, error) {
	b, err := m.Bytes(at, n, false)
	if err != nil {
		return 0, err
	}
	return Load(b, n), nil
}

// Store writes a number to memory.
func (m *Memory) Store(at uint64, n int, v uint64) error {
	b, err := m.Bytes(at, n, true)
	if err == nil {
		Store(b, n, v)
	}
	return err
}

// Load returns the number in n bytes.
func Load(b []byte, n int) uint64 {
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// Store writes a number to n bytes.
func Store(b []byte, n int, v uint64) {
	switch n {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}
