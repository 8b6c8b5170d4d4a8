package token

import (
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// addedToken is a token that is found in the text before the model sees it.
type addedToken struct {
	id      int32
	content string
	// word: only between characters that belong to no word. left, right: with the white space on that side.
	word, left, right bool
	normalized        bool // found in the normalised text
	special           bool // left out by Decode
}

// addedTokens are those that are looked for in the same text.
type addedTokens struct {
	trie  *trie
	first [256]bool // what they begin with
	byID  map[int32]*addedToken
}

func newAddedTokens(patterns []string, tokens []*addedToken) *addedTokens {
	if len(tokens) == 0 {
		return nil
	}
	a := &addedTokens{byID: map[int32]*addedToken{}}
	ids := make([]int32, len(tokens))
	for i, token := range tokens {
		ids[i] = token.id
		a.byID[token.id] = token
		a.first[patterns[i][0]] = true
	}
	a.trie = newTrie(patterns, ids)
	return a
}

// longest returns the token that begins b, and its end; -1 where none does.
func (a *addedTokens) longest(b []byte) (id int32, end int) {
	id = -1
	node := int32(0)
	for i, c := range b {
		if node = a.trie.step(node, c); node == 0 {
			break
		}
		if v := a.trie.nodes[node].value; v >= 0 {
			id, end = v, i+1
		}
	}
	return id, end
}

// split appends the parts of x to dst: added tokens, and what lies between. Places are counted from at on. Tokens that
// are found but may not stand where they do are passed over, with all that they cover. White space that a token takes
// with it belongs to no other token: the reference would count it again, with all that follows.
func (a *addedTokens) split(x []byte, at int32, dst []piece) []piece {
	done := 0
	if a != nil {
		t := unitab.Load()
		for i := 0; i < len(x); {
			if !a.first[x[i]] {
				i++
				continue
			}
			id, size := a.longest(x[i:])
			if id < 0 {
				i++
				continue
			}
			token := a.byID[id]
			start, end := i, i+size
			i = end
			if token.word {
				before, sizeBefore := utf8.DecodeLastRune(x[:start])
				after, sizeAfter := utf8.DecodeRune(x[end:])
				if sizeBefore > 0 && t.Info(before)&unitab.Word != 0 ||
					sizeAfter > 0 && t.Info(after)&unitab.Word != 0 {
					continue
				}
			}
			for token.left && start > done {
				r, size := utf8.DecodeLastRune(x[:start])
				if t.Info(r)&unitab.Space == 0 {
					break
				}
				start -= size
			}
			if token.left {
				start = max(start, done)
			}
			for token.right && end < len(x) {
				r, size := utf8.DecodeRune(x[end:])
				if t.Info(r)&unitab.Space == 0 {
					break
				}
				end += size
			}
			if done < start {
				dst = append(dst, piece{at + int32(done), at + int32(start), -1})
			}
			if start < end { // the token before may have taken the white space that this one consists of
				dst = append(dst, piece{at + int32(start), at + int32(end), id})
				done = end
				i = max(i, end)
			}
		}
	}
	if done < len(x) {
		dst = append(dst, piece{at + int32(done), at + int32(len(x)), -1})
	}
	return dst
}
