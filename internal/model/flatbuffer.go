package model

import (
	"encoding/binary"
	"fmt"
)

// A FlatBuffer (flatbuffers.dev, "FlatBuffer Internals") is a tree of tables. A table starts with the distance
// back to its vtable, which holds the offset of each field in the table, 0 for an absent one. Strings, vectors
// and tables are stored as forward distances.

// flat is a FlatBuffer.
type flat struct{ data []byte }

// flatError is a mistake in a FlatBuffer.
type flatError struct {
	off  int
	what string
}

func (e flatError) Error() string { return fmt.Sprintf("byte %d: %s", e.off, e.what) }

// at returns n bytes at an offset.
func (f flat) at(off, n int) []byte {
	if off < 0 || n < 0 || off > len(f.data)-n {
		panic(flatError{off, fmt.Sprintf("%d bytes are needed, the file has %d", n, len(f.data))})
	}
	return f.data[off : off+n : off+n]
}

func (f flat) u16(off int) int { return int(binary.LittleEndian.Uint16(f.at(off, 2))) }

func (f flat) u32(off int) int { return int(binary.LittleEndian.Uint32(f.at(off, 4))) }

// forward follows the distance at an offset.
func (f flat) forward(off int) int { return off + f.u32(off) }

// flatTable is a table at an offset.
type flatTable struct {
	flat
	off    int
	vtable []byte
}

func (f flat) table(off int) flatTable {
	back := int(int32(f.u32(off)))
	v := off - back
	n := f.u16(v)
	if n < 4 || n%2 != 0 {
		panic(flatError{v, fmt.Sprintf("a vtable of %d bytes", n)})
	}
	return flatTable{f, off, f.at(v, n)}
}

// field returns the offset of a field, 0 when it is absent.
func (t flatTable) field(slot int) int {
	if at := 4 + 2*slot; at+2 <= len(t.vtable) {
		if rel := int(binary.LittleEndian.Uint16(t.vtable[at:])); rel != 0 {
			return t.off + rel
		}
	}
	return 0
}

func (t flatTable) byte(slot int) byte {
	if at := t.field(slot); at != 0 {
		return t.at(at, 1)[0]
	}
	return 0
}

func (t flatTable) uint16(slot int) int {
	if at := t.field(slot); at != 0 {
		return t.u16(at)
	}
	return 0
}

// sub returns the table of a field.
func (t flatTable) sub(slot int) (flatTable, bool) {
	if at := t.field(slot); at != 0 {
		return t.table(t.forward(at)), true
	}
	return flatTable{}, false
}

func (f flat) stringAt(off int) string {
	n := f.u32(off)
	return string(f.at(off+4, n))
}

func (t flatTable) string(slot int) string {
	if at := t.field(slot); at != 0 {
		return t.stringAt(t.forward(at))
	}
	return ""
}

// vector returns the offset of the first item of a vector and their number; items
// take size bytes each.
func (t flatTable) vector(slot, size int) (off, n int) {
	at := t.field(slot)
	if at == 0 {
		return 0, 0
	}
	v := t.forward(at)
	n = t.u32(v)
	if n > len(t.data)/size {
		panic(flatError{v, fmt.Sprintf("a list of %d items in a file of %d bytes", n, len(t.data))})
	}
	t.at(v+4, n*size)
	return v + 4, n
}

func (t flatTable) bytes(slot int) []byte {
	off, n := t.vector(slot, 1)
	return t.at(off, n)
}

func (t flatTable) strings(slot int) []string {
	off, n := t.vector(slot, 4)
	out := make([]string, n)
	for i := range out {
		out[i] = t.stringAt(t.forward(off + 4*i))
	}
	return out
}

func (t flatTable) tables(slot int) []flatTable {
	off, n := t.vector(slot, 4)
	out := make([]flatTable, n)
	for i := range out {
		out[i] = t.table(t.forward(off + 4*i))
	}
	return out
}
