package portable

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// node is an attribute or a type to be written: a list of parts, which serve both to number its references and
// to write it. Equal nodes are shared.
type node struct {
	dialect string
	isType  bool
	text    string // its text when the dialect has no encoding for it
	parts   []part
	id      int // of the node among all

	refs   int // uses
	number int
}

// partKind is the form of a part.
type partKind uint8

const (
	varintPart partKind = iota
	bytePart
	refPart      // of an attribute or a type
	optionalPart // an optional attribute
	stringPart
	blobPart
)

type part struct {
	kind partKind
	v    uint64
	ref  *node
	str  string
	data []byte
}

func uintOf(v uint64) part    { return part{kind: varintPart, v: v} }
func intOf(v int64) part      { return part{kind: varintPart, v: zigzag(v)} }
func byteOf(v byte) part      { return part{kind: bytePart, v: uint64(v)} }
func refTo(n *node) part      { return part{kind: refPart, ref: n} }
func optional(n *node) part   { return part{kind: optionalPart, ref: n} }
func stringOf(s string) part  { return part{kind: stringPart, str: s} }
func blobOf(data []byte) part { return part{kind: blobPart, data: data} }
func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func floatOf(v float64) part  { return intOf(int64(math.Float64bits(v))) }

// bitsOf is an integer of a known width: a byte, or a signed varint of its bits.
func bitsOf(v uint64, width int) part {
	v &= 1<<width - 1
	if width <= 8 {
		return byteOf(byte(v))
	}
	return intOf(int64(v))
}

// intsOf is a list of integers.
func intsOf(v []int64) []part {
	parts := []part{uintOf(uint64(len(v)))}
	for _, x := range v {
		parts = append(parts, intOf(x))
	}
	return parts
}

// refsTo is a list of references.
func refsTo(nodes []*node) []part {
	parts := []part{uintOf(uint64(len(nodes)))}
	for _, n := range nodes {
		parts = append(parts, refTo(n))
	}
	return parts
}

// nodes makes equal nodes one.
type nodes struct {
	byKey map[string]*node
	key   []byte
}

func (t *nodes) add(n *node) *node {
	k := t.key[:0]
	k = append(k, n.dialect...)
	if n.isType {
		k = append(k, '!')
	} else {
		k = append(k, '#')
	}
	str := func(s string) {
		k = binary.AppendUvarint(k, uint64(len(s)))
		k = append(k, s...)
	}
	str(n.text)
	for _, p := range n.parts {
		k = append(k, byte(p.kind))
		switch p.kind {
		case varintPart, bytePart:
			k = binary.AppendUvarint(k, p.v)
		case refPart, optionalPart:
			id := uint64(0)
			if p.ref != nil {
				id = uint64(p.ref.id) + 1
			}
			k = binary.AppendUvarint(k, id)
		case stringPart:
			str(p.str)
		case blobPart:
			if k = binary.AppendUvarint(k, uint64(len(p.data))); len(p.data) <= sha256.Size {
				k = append(k, p.data...)
			} else {
				sum := sha256.Sum256(p.data)
				k = append(k, sum[:]...)
			}
		}
	}
	t.key = k
	if old := t.byKey[string(k)]; old != nil {
		return old
	}
	n.id = len(t.byKey)
	t.byKey[string(k)] = n
	return n
}

// emitter collects the bytes of a section. Long data are kept as they are, so that
// constants are not copied on their way to the file.
type emitter struct {
	chunks [][]byte // complete chunks
	buf    []byte   // the current chunk
	done   int      // bytes of chunks
}

func (e *emitter) size() int { return e.done + len(e.buf) }

func (e *emitter) byte(b byte) { e.buf = append(e.buf, b) }

func (e *emitter) bytes(b []byte) {
	const long = 1 << 12
	if len(b) < long {
		e.buf = append(e.buf, b...)
		return
	}
	e.flush()
	e.chunks = append(e.chunks, b)
	e.done += len(b)
}

func (e *emitter) flush() {
	if len(e.buf) > 0 {
		e.chunks = append(e.chunks, e.buf)
		e.done += len(e.buf)
		e.buf = nil
	}
}

// varint writes an integer in as few bytes as it takes, their number in the low
// zeros of the first one.
func (e *emitter) varint(v uint64) { e.buf = appendVarint(e.buf, v) }

func appendVarint(b []byte, v uint64) []byte {
	n := max(1, (bits.Len64(v)+6)/7)
	if n > 8 {
		return binary.LittleEndian.AppendUint64(append(b, 0), v)
	}
	v = (v<<1 | 1) << (n - 1)
	for range n {
		b = append(b, byte(v))
		v >>= 8
	}
	return b
}

func (e *emitter) flagged(v uint64, flag bool) {
	v <<= 1
	if flag {
		v |= 1
	}
	e.varint(v)
}

// section writes a section. No section needs to be aligned: what would (resources)
// is written as constants.
func (e *emitter) section(id byte, body *emitter) {
	e.byte(id)
	e.varint(uint64(body.size()))
	body.flush()
	for _, c := range body.chunks {
		e.bytes(c)
	}
}

// table is the strings, in the order of their first use.
type table struct {
	index map[string]int
	list  []string
}

func (t *table) add(s string) uint64 {
	i, ok := t.index[s]
	if !ok {
		i = len(t.list)
		t.index[s] = i
		t.list = append(t.list, s)
	}
	return uint64(i)
}

// write writes a node.
func (n *node) write(e *emitter, strings *table) {
	if n.text != "" {
		e.bytes([]byte(n.text))
		e.byte(0)
		return
	}
	for _, p := range n.parts {
		p.write(e, strings)
	}
}

func (p *part) write(e *emitter, strings *table) {
	switch p.kind {
	case varintPart:
		e.varint(p.v)
	case bytePart:
		e.byte(byte(p.v))
	case refPart:
		e.varint(uint64(p.ref.number))
	case optionalPart:
		if p.ref == nil {
			e.varint(0)
		} else {
			e.flagged(uint64(p.ref.number), true)
		}
	case stringPart:
		e.varint(strings.add(p.str))
	case blobPart:
		e.varint(uint64(len(p.data)))
		e.bytes(p.data)
	}
}

// byUse sorts by the number of uses, the most used first, which get the shortest
// numbers, and then groups by dialect those whose numbers take the same number of
// bytes.
func byUse[T any](list []T, uses, dialect func(T) int) {
	slices.SortStableFunc(list, func(a, b T) int { return uses(b) - uses(a) })
	first, group, rest := 0, 0, list
	for i := 1; i < 9 && len(rest) > 0; i++ {
		group = 1<<(7*i) - group
		part := rest[:min(group, len(rest))]
		rest = rest[len(part):]
		rank := func(x T) int {
			if d := dialect(x); d != first {
				return d + 1
			}
			return 0
		}
		slices.SortStableFunc(part, func(a, b T) int { return rank(a) - rank(b) })
		first = dialect(part[len(part)-1])
	}
}
