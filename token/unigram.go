package token

import (
	"errors"
	"math"
	"slices"
	"unicode/utf8"
)

// unigram splits a word into the pieces whose scores add up to the most (Kudo 2018, doi:10.18653/v1/P18-1007).
type unigram struct {
	vocab        *vocab
	scores       []float64
	unk          int32 // -1: none
	unkScore     float64
	byteFallback bool
	fallback     [256]int32
	trie         *trie
}

// unkPenalty is how far an unknown character scores below the worst piece.
const unkPenalty = 10

func newUnigram(keys []string, scores []float64, unk int32, byteFallback bool) *unigram {
	ids := make([]int32, len(keys))
	worst := math.Inf(1)
	for i := range ids {
		ids[i] = int32(i)
		worst = min(worst, scores[i])
	}
	m := &unigram{vocab: newVocab(keys, ids), scores: scores, unk: unk, unkScore: worst - unkPenalty,
		byteFallback: byteFallback, trie: newTrie(keys, ids)}
	m.vocab.size = len(keys)
	m.fallback = m.vocab.byteTokens()
	return m
}

func (m *unigram) vocabulary() *vocab { return m.vocab }

// best is the best way to a place in the word.
type best struct {
	score float64
	from  int32 // where its last piece begins; -1: no way leads here yet
	id    int32
}

type unigramState struct {
	ways   []best
	pieces []unit
}

func (m *unigram) tokenize(s *state, start, end int32) error {
	word := s.text.b[start:end]
	if len(word) <= cachedBytes {
		cached := s.words.slot(word)
		if int(cached.size) == len(word) && string(cached.key[:cached.size]) == string(word) {
			for i := range cached.n {
				next := start + int32(cached.sizes[i])
				s.units = append(s.units, unit{id: cached.ids[i], start: start, end: next})
				start = next
			}
			return nil
		}
		before := len(s.units)
		if err := m.search(s, word, start); err != nil {
			return err
		}
		cached.keep(word, s.units[before:], start)
		return nil
	}
	return m.search(s, word, start)
}

var errNoUnk = errors.New("token: a character is not in the vocabulary, and the model has no unk_id")

func (m *unigram) search(s *state, word []byte, start int32) error {
	n := len(word)
	ways := s.uni.ways
	if cap(ways) < n+1 {
		ways = make([]best, n+1+n/2)
		s.uni.ways = ways
	}
	ways = ways[:n+1]
	for i := range ways {
		ways[i].from = -1
	}
	ways[0].score = 0
	nodes := m.trie.nodes
	for at := 0; at < n; {
		here := ways[at].score
		size := 1
		if word[at] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(word[at:])
		}
		single := false
		node := int32(0)
		for i := at; i < n; i++ {
			if node = m.trie.step(node, word[i]); node == 0 {
				break
			}
			id := nodes[node].value
			if id < 0 {
				continue
			}
			if way := &ways[i+1]; way.from < 0 || here+m.scores[id] > way.score {
				*way = best{here + m.scores[id], int32(at), id}
			}
			single = single || i+1 == at+size
		}
		if !single {
			if way := &ways[at+size]; way.from < 0 || here+m.unkScore > way.score {
				if m.unk < 0 {
					return errNoUnk
				}
				*way = best{here + m.unkScore, int32(at), m.unk}
			}
		}
		at += size
	}

	// From the end: unknown pieces side by side are one.
	pieces := s.uni.pieces[:0]
	joining := false
	for end := int32(n); end > 0; {
		way := ways[end]
		unknown := way.id == m.unk && m.unk >= 0
		if unknown && joining {
			pieces[len(pieces)-1].start = way.from
		} else {
			pieces = append(pieces, unit{id: way.id, start: way.from, end: end, own: unknown})
		}
		joining = unknown
		end = way.from
	}
	s.uni.pieces = pieces
	slices.Reverse(pieces)
	for _, p := range pieces {
		if p.own {
			m.unknown(s, word, p, start)
			continue
		}
		p.start, p.end = p.start+start, p.end+start
		s.units = append(s.units, p)
	}
	return nil
}

// unknown appends the token of an unknown piece: the token of its text where the join is one, its bytes, or the unknown
// token.
func (m *unigram) unknown(s *state, word []byte, p unit, start int32) {
	piece := word[p.start:p.end]
	p.start, p.end = p.start+start, p.end+start
	if id, ok := m.vocab.ids[string(piece)]; ok {
		p.id = id
	} else if m.byteFallback && m.known(piece) {
		for _, c := range piece {
			s.units = append(s.units, unit{id: m.fallback[c], start: p.start, end: p.end})
		}
		return
	}
	s.units = append(s.units, p)
}

func (m *unigram) known(piece []byte) bool {
	for _, c := range piece {
		if m.fallback[c] < 0 {
			return false
		}
	}
	return true
}
