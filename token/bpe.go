package token

import (
	"fmt"
	"hash/maphash"
	"unicode/utf8"
)

// bpe is byte-pair encoding: a word's characters are joined, the pair of the lowest rank first.
type bpe struct {
	vocab        *vocab
	merges       pairTable
	unk          string
	hasUnk       bool
	prefix       string // of what continues a word
	suffix       string // of what ends a word
	fuse         bool   // join unknown characters to one token
	byteFallback bool
	ignoreMerges bool // a word in the vocabulary is one token whatever the merges say

	fallback [256]int32
	ascii    [128]int32 // the tokens of single characters, -1 where there is none

	// raw is set where words are bytes rather than the characters that stand for them.
	raw     bool
	byteID  [256]int32
	byteEnd [256]int32 // the same with the suffix
	words   map[string]int32
}

func (m *bpe) vocabulary() *vocab { return m.vocab }

// merge is what a pair becomes.
type merge struct {
	rank uint32
	id   int32
}

// noRank is the rank of pairs that are not joined.
const noRank = ^uint32(0)

// pairTable is a hash table from pairs of tokens to merges.
type pairTable struct {
	slots []pairSlot
	shift uint
}

type pairSlot struct {
	key uint64 // the pair plus one, 0 where the slot is free
	merge
}

func pairKey(a, b int32) uint64 { return (uint64(uint32(a))<<32 | uint64(uint32(b))) + 1 }

func newPairTable(n int) pairTable {
	bits := uint(4)
	for 1<<bits < 2*n {
		bits++
	}
	return pairTable{make([]pairSlot, 1<<bits), 64 - bits}
}

// hash is Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
func (t *pairTable) hash(key uint64) uint64 {
	key ^= key >> 32
	return key * 0x9E3779B97F4A7C15 >> t.shift
}

func (t *pairTable) set(a, b int32, m merge) {
	key := pairKey(a, b)
	at := t.hash(key)
	for t.slots[at].key != 0 && t.slots[at].key != key {
		at = (at + 1) & uint64(len(t.slots)-1)
	}
	t.slots[at] = pairSlot{key, m}
}

func (t *pairTable) get(a, b int32) merge {
	key := pairKey(a, b)
	for at := t.hash(key); ; at = (at + 1) & uint64(len(t.slots)-1) {
		switch t.slots[at].key {
		case key:
			return t.slots[at].merge
		case 0:
			return merge{noRank, -1}
		}
	}
}

// symbol is a part of a word.
type symbol struct {
	id         int32
	size       int32 // in bytes; 0: it was joined to the one before
	prev, next int32
	merge      merge // with the next one
}

type bpeState struct {
	symbols []symbol
	heap    []candidate
}

type candidate struct {
	rank uint32
	pos  int32
	id   int32
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.pos < d.pos
}

// readRaw prepares for words of bytes. It answers false where the vocabulary lacks one, so that words must be read as
// the characters that stand for bytes.
func (m *bpe) readRaw() bool {
	if m.prefix != "" {
		return false
	}
	for c, char := range byteChar {
		id, ok := m.vocab.ids[char]
		end, okEnd := m.vocab.ids[char+m.suffix]
		if !ok || !okEnd {
			return false
		}
		m.byteID[c], m.byteEnd[c] = id, end
	}
	m.words = map[string]int32{}
	if m.ignoreMerges {
		var key []byte
		for token, id := range m.vocab.ids {
			var ok bool
			if key, ok = bytesOf(key[:0], token); ok {
				m.words[string(key)] = id
			}
		}
	}
	m.raw = true
	return true
}

// readChars fills in what lets characters be looked up faster.
func (m *bpe) readChars() {
	m.fallback = m.vocab.byteTokens()
	for c := range m.ascii {
		id, ok := m.vocab.ids[string(rune(c))]
		if !ok {
			id = -1
		}
		m.ascii[c] = id
	}
}

// A word in the cache, with its tokens. The cache keeps no order: a word is at its place or not.
type cachedWord struct {
	key   [cachedBytes]byte
	size  uint8
	n     uint8
	sizes [cachedTokens]uint8
	ids   [cachedTokens]int32
}

const (
	cachedBytes  = 26
	cachedTokens = 8
	cachedWords  = 1 << 13
)

// wordCache remembers how words were split.
type wordCache struct {
	seed  maphash.Seed
	words []cachedWord
}

func (c *wordCache) slot(word []byte) *cachedWord {
	if c.words == nil {
		c.seed = maphash.MakeSeed()
		c.words = make([]cachedWord, cachedWords)
	}
	return &c.words[maphash.Bytes(c.seed, word)&(cachedWords-1)]
}

// keep remembers the tokens of a word that begins at start. Tokens that share places or have texts of their own cannot
// be kept.
func (c *cachedWord) keep(word []byte, units []unit, start int32) {
	if len(units) > cachedTokens {
		return
	}
	at := start
	for _, u := range units {
		if u.own || u.start != at {
			return
		}
		at = u.end
	}
	c.size, c.n = uint8(copy(c.key[:], word)), uint8(len(units))
	for i, u := range units {
		c.ids[i], c.sizes[i] = u.id, uint8(u.end-u.start)
	}
}

func (m *bpe) tokenize(s *state, start, end int32) error {
	word := s.text.b[start:end]
	if m.ignoreMerges {
		words := m.vocab.ids
		if m.raw {
			words = m.words
		}
		if id, ok := words[string(word)]; ok {
			s.units = append(s.units, unit{id: id, start: start, end: end})
			return nil
		}
	}
	var cached *cachedWord
	if len(word) <= cachedBytes {
		cached = s.words.slot(word)
		if int(cached.size) == len(word) && string(cached.key[:cached.size]) == string(word) {
			for i := range cached.n {
				next := start + int32(cached.sizes[i])
				s.units = append(s.units, unit{id: cached.ids[i], start: start, end: next})
				start = next
			}
			return nil
		}
	}
	s.bpe.symbols = s.bpe.symbols[:0]
	if m.raw {
		m.byteSymbols(s, word)
	} else if err := m.charSymbols(s, word); err != nil {
		return err
	}
	m.join(&s.bpe)

	before, first := len(s.units), start
	for i := int32(0); int(i) < len(s.bpe.symbols); i++ {
		if sym := &s.bpe.symbols[i]; sym.size > 0 {
			next := min(start+sym.size, end) // symbols of a prefix may stand for more than the word has
			s.units = append(s.units, unit{id: sym.id, start: start, end: next})
			start = next
		}
	}
	if cached != nil {
		cached.keep(word, s.units[before:], first)
	}
	return nil
}

func (s *bpeState) add(id, size int32) {
	n := int32(len(s.symbols))
	s.symbols = append(s.symbols, symbol{id: id, size: size, prev: n - 1, next: n + 1})
}

func (m *bpe) byteSymbols(s *state, word []byte) {
	for _, c := range word {
		s.bpe.add(m.byteID[c], 1)
	}
	last := len(word) - 1
	s.bpe.symbols[last].id = m.byteEnd[word[last]]
}

func (m *bpe) charSymbols(s *state, word []byte) error {
	unkSize := int32(0) // how many bytes are waiting to become the unknown token
	unkID := int32(-1)
	flush := func() {
		if unkSize > 0 {
			s.bpe.add(unkID, unkSize)
			unkSize = 0
		}
	}
	plain := m.prefix == "" && m.suffix == ""
	for i := 0; i < len(word); {
		size := 1
		if word[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(word[i:])
		}
		id := int32(-1)
		key := word[i : i+size]
		if plain && size == 1 {
			id = m.ascii[word[i]]
		} else {
			if !plain {
				s.key = s.key[:0]
				if i > 0 {
					s.key = append(s.key, m.prefix...)
				}
				s.key = append(s.key, key...)
				if i+size == len(word) {
					s.key = append(s.key, m.suffix...)
				}
				key = s.key
			}
			if found, ok := m.vocab.ids[string(key)]; ok {
				id = found
			}
		}
		i += size
		if id >= 0 {
			flush()
			s.bpe.add(id, int32(size))
			continue
		}
		if m.byteFallback && m.addBytes(s, key) {
			continue // a waiting unknown token comes behind, as in the reference
		}
		if !m.hasUnk {
			continue // the reference drops the character
		}
		if !m.fuse {
			flush()
		}
		if unkSize == 0 {
			var ok bool
			if unkID, ok = m.vocab.ids[m.unk]; !ok {
				return fmt.Errorf("token: the character %q is not in the vocabulary, and neither is unk_token %q", key, m.unk)
			}
		}
		unkSize += int32(size)
	}
	flush()
	return nil
}

// addBytes adds the tokens of the bytes of key; false where one is missing.
func (m *bpe) addBytes(s *state, key []byte) bool {
	for _, c := range key {
		if m.fallback[c] < 0 {
			return false
		}
	}
	for _, c := range key {
		s.bpe.add(m.fallback[c], 1)
	}
	return true
}

// shortWord is up to how many symbols the lowest rank is searched for in a line rather than kept in a heap.
const shortWord = 32

// join joins pairs of symbols, the lowest rank first and the leftmost of equal ones, until none is left.
func (m *bpe) join(s *bpeState) {
	n := len(s.symbols)
	if n < 2 {
		return
	}
	for i := range s.symbols[:n-1] {
		s.symbols[i].merge = m.merges.get(s.symbols[i].id, s.symbols[i+1].id)
	}
	s.symbols[n-1].merge = merge{noRank, -1}
	s.symbols[n-1].next = -1
	if n <= shortWord {
		m.joinShort(s)
	} else {
		m.joinLong(s)
	}
}

// apply joins the symbol at pos with the next one, and finds the new merges on both sides.
func (m *bpe) apply(s *bpeState, pos int32) {
	sym := &s.symbols[pos]
	right := &s.symbols[sym.next]
	sym.id = sym.merge.id
	sym.size += right.size
	sym.next = right.next
	right.size = 0
	right.merge.rank = noRank
	sym.merge = merge{noRank, -1}
	if sym.next >= 0 {
		s.symbols[sym.next].prev = pos
		sym.merge = m.merges.get(sym.id, s.symbols[sym.next].id)
	}
	if sym.prev >= 0 {
		left := &s.symbols[sym.prev]
		left.merge = m.merges.get(left.id, sym.id)
	}
}

func (m *bpe) joinShort(s *bpeState) {
	for {
		best, at := noRank, int32(-1)
		for i := range s.symbols {
			if rank := s.symbols[i].merge.rank; rank < best {
				best, at = rank, int32(i)
			}
		}
		if at < 0 {
			return
		}
		m.apply(s, at)
	}
}

func (m *bpe) joinLong(s *bpeState) {
	s.heap = s.heap[:0]
	push := func(pos int32) {
		if sym := &s.symbols[pos]; sym.merge.rank != noRank {
			s.push(candidate{sym.merge.rank, pos, sym.merge.id})
		}
	}
	for i := range s.symbols {
		push(int32(i))
	}
	for len(s.heap) > 0 {
		c := s.pop()
		sym := &s.symbols[c.pos]
		if sym.size == 0 || sym.merge.rank != c.rank || sym.merge.id != c.id {
			continue // joined meanwhile, or its neighbour was
		}
		m.apply(s, c.pos)
		push(c.pos)
		if sym.prev >= 0 {
			push(sym.prev)
		}
	}
}

func (s *bpeState) push(c candidate) {
	s.heap = append(s.heap, c)
	i := len(s.heap) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !c.before(s.heap[parent]) {
			break
		}
		s.heap[i] = s.heap[parent]
		i = parent
	}
	s.heap[i] = c
}

func (s *bpeState) pop() candidate {
	top := s.heap[0]
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	n := len(s.heap)
	if n == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for j := child + 1; j < min(child+4, n); j++ {
			if s.heap[j].before(s.heap[least]) {
				least = j
			}
		}
		if !s.heap[least].before(last) {
			break
		}
		s.heap[i] = s.heap[least]
		i = least
	}
	s.heap[i] = last
	return top
}
