package codegen

import (
	"maps"
	"slices"
	"sync"

	"github.com/go-nx/nx/internal/wire"
)

// CodeCache is the machine code of an executable's kernels, by key. A generator with a cache takes code from it, and
// adds the code that it generates. It is safe for concurrent use; a nil cache is empty and ignores additions.
type CodeCache struct {
	mu   sync.Mutex
	code map[string][]Text
}

// Text is position-independent machine code: instructions followed by constants.
type Text struct {
	Bytes            []byte
	InstructionBytes int
}

// Get returns the functions under a key, nil if there are none.
func (m *CodeCache) Get(key string) []Text {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.code[key]
}

// Add stores the functions of a key.
func (m *CodeCache) Add(key string, code []Text) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.code == nil {
		m.code = map[string][]Text{}
	}
	m.code[key] = code
}

// Append appends the cache in its binary format, which [ReadCodeCache] reads.
func (m *CodeCache) Append(b []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := wire.Writer{B: b}
	w.Int(len(m.code))
	for _, key := range slices.Sorted(maps.Keys(m.code)) {
		w.Text(key)
		w.Int(len(m.code[key]))
		for _, t := range m.code[key] {
			w.Int(t.InstructionBytes)
			w.Bytes(t.Bytes)
		}
	}
	return w.B
}

// ReadCodeCache reads what [CodeCache.Append] wrote. The code aliases the bytes of the reader.
func ReadCodeCache(r *wire.Reader) *CodeCache {
	m := &CodeCache{code: map[string][]Text{}}
	for range r.Len(2) {
		key := r.Text()
		code := make([]Text, r.Len(2))
		for i := range code {
			t := &code[i]
			t.InstructionBytes, t.Bytes = r.Int(), r.Bytes()
			if t.InstructionBytes <= 0 || t.InstructionBytes > len(t.Bytes) {
				r.Fail("code of %d bytes, %d of them instructions", len(t.Bytes), t.InstructionBytes)
			}
		}
		m.code[key] = code
	}
	return m
}
