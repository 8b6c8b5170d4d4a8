package token

import (
	"strings"
	"unicode/utf8"
)

// Stream decodes tokens one by one. It gives text as soon as the text cannot change any more, and never part of a
// character.
type Stream struct {
	t       *Tokenizer
	special bool
	ids     []int32
	before  string // the text of the first known ids, which has been given
	known   int
}

// Stream returns a decoder for one sequence of tokens.
func (t *Tokenizer) Stream(opts ...DecodeOption) *Stream {
	return &Stream{t: t, special: decodeOptions(opts).special}
}

// Push takes a token and returns the text that it completes, "" where that has to wait for more tokens.
func (s *Stream) Push(id int32) (string, error) {
	if s.before == "" && len(s.ids) > 0 {
		before, err := s.t.decode(s.ids, s.special)
		if err != nil {
			return "", err
		}
		if !strings.HasSuffix(before, "\uFFFD") {
			s.before, s.known = before, len(s.ids)
		}
	}
	s.ids = append(s.ids, id)
	text, err := s.t.decode(s.ids, s.special)
	if err != nil {
		return "", err
	}
	if len(text) <= len(s.before) || strings.HasSuffix(text, "\uFFFD") {
		if len(s.ids) < streamWindow {
			return "", nil
		}
		return s.restart(text)
	}
	given := common(text, s.before)
	known := len(s.ids) - s.known
	s.ids = append(s.ids[:0], s.ids[s.known:]...)
	s.known = known
	if s.before, err = s.t.decode(s.ids, s.special); err != nil {
		return "", err
	}
	return text[given:], nil
}

// streamWindow is how many tokens may wait for a whole character. Nothing sensible waits as long, and each token
// decodes all that wait.
const streamWindow = 256

// restart gives what is whole of a text that has waited for long, and goes on behind its last token.
func (s *Stream) restart(text string) (string, error) {
	rest := strings.TrimRight(text[common(text, s.before):], "\uFFFD")
	s.ids = append(s.ids[:0], s.ids[len(s.ids)-1])
	s.known = 1
	var err error
	s.before, err = s.t.decode(s.ids, s.special)
	return rest, err
}

// Flush returns what is left when no more tokens come: an incomplete character becomes U+FFFD.
func (s *Stream) Flush() (string, error) {
	text, err := s.t.decode(s.ids, s.special)
	if err != nil {
		return "", err
	}
	rest := text[common(text, s.before):]
	s.ids, s.before, s.known = s.ids[:0], "", 0
	return rest, nil
}

// common returns the length of what a and b begin with alike, in whole characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}
