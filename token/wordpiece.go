package token

import (
	"fmt"
	"unicode/utf8"
)

// wordPiece takes the longest token that begins a word, then the longest that goes on, and so forth; a word that cannot
// be covered is unknown as a whole.
type wordPiece struct {
	vocab    *vocab
	unk      string
	maxChars int // longer words are unknown

	trie *trie
	more int32 // the node of the prefix of what continues a word; 0 where nothing does
	any  bool  // the prefix is empty
}

func newWordPiece(v *vocab, keys []string, ids []int32, unk, prefix string, maxChars int) *wordPiece {
	m := &wordPiece{vocab: v, unk: unk, maxChars: maxChars, trie: newTrie(keys, ids), any: prefix == ""}
	m.more = m.trie.walk(0, prefix)
	return m
}

func (m *wordPiece) vocabulary() *vocab { return m.vocab }

func (m *wordPiece) tokenize(s *state, start, end int32) error {
	word := s.text.b[start:end]
	before := len(s.units)
	if len(word) > m.maxChars && utf8.RuneCount(word) > m.maxChars {
		return m.unknown(s, start, end)
	}
	for at := start; at < end; {
		node := int32(0)
		if at > start {
			if node = m.more; node == 0 && !m.any {
				s.units = s.units[:before]
				return m.unknown(s, start, end)
			}
		}
		id, stop := int32(-1), at
		for i := at; i < end; i++ {
			if node = m.trie.step(node, s.text.b[i]); node == 0 {
				break
			}
			if v := m.trie.nodes[node].value; v >= 0 {
				id, stop = v, i+1
			}
		}
		if id < 0 {
			s.units = s.units[:before]
			return m.unknown(s, start, end)
		}
		s.units = append(s.units, unit{id: id, start: at, end: stop})
		at = stop
	}
	return nil
}

func (m *wordPiece) unknown(s *state, start, end int32) error {
	id, ok := m.vocab.ids[m.unk]
	if !ok {
		return fmt.Errorf("token: the word %q is not in the vocabulary, and neither is unk_token %q", s.text.b[start:end], m.unk)
	}
	s.units = append(s.units, unit{id: id, start: start, end: end})
	return nil
}

// wordLevel has whole words only.
type wordLevel struct {
	vocab *vocab
	unk   string
}

func (m *wordLevel) vocabulary() *vocab { return m.vocab }

func (m *wordLevel) tokenize(s *state, start, end int32) error {
	word := s.text.b[start:end]
	id, ok := m.vocab.ids[string(word)]
	if !ok {
		if id, ok = m.vocab.ids[m.unk]; !ok {
			return fmt.Errorf("token: the word %q is not in the vocabulary, and neither is unk_token %q", word, m.unk)
		}
	}
	s.units = append(s.units, unit{id: id, start: start, end: end})
	return nil
}
