package token

import (
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/onig"
	"github.com/go-nx/nx/token/internal/unitab"
)

// preTokenizer splits the pieces of s into smaller ones, and may change the text.
type preTokenizer interface {
	split(s *state) error
}

type preTokenizers []preTokenizer

func (p preTokenizers) split(s *state) error {
	for _, each := range p {
		if err := each.split(s); err != nil {
			return err
		}
	}
	return nil
}

// behavior says what becomes of the delimiters.
type behavior uint8

const (
	removed behavior = iota
	isolated
	mergedWithPrevious
	mergedWithNext
	contiguous
)

var behaviors = map[string]behavior{"Removed": removed, "Isolated": isolated, "MergedWithPrevious": mergedWithPrevious,
	"MergedWithNext": mergedWithNext, "Contiguous": contiguous}

// match is a part of a piece that is a delimiter, or that lies between two.
type match struct {
	start, end int32
	delimiter  bool
}

// regex finds the matches of a regular expression.
type regex struct{ re *onig.Regexp }

func (r regex) all(_ *state, b []byte, dst []int32) ([]int32, error) { return r.re.FindAll(b, dst) }

// runes finds the characters that have any of bits.
type runes uint32

func (bits runes) all(_ *state, b []byte, dst []int32) ([]int32, error) {
	t := unitab.Load()
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		if t.Info(r)&uint32(bits) != 0 {
			dst = append(dst, int32(i), int32(i+size))
		}
		i += size
	}
	return dst, nil
}

// splitter is Split, Punctuation, Digits and their like.
type splitter struct {
	find     finder
	behavior behavior
	invert   bool
}

func (p splitter) split(s *state) error {
	s.spare = s.spare[:0]
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.spare = append(s.spare, q)
			continue
		}
		if err := p.piece(s, q); err != nil {
			return err
		}
	}
	s.pieces, s.spare = s.spare, s.pieces
	return nil
}

// piece appends the parts of q to s.spare.
func (p splitter) piece(s *state, q piece) error {
	var err error
	if s.matches, err = p.find.all(s, s.text.b[q.start:q.end], s.matches[:0]); err != nil {
		return err
	}
	add := func(start, end int32) {
		if start < end {
			s.spare = append(s.spare, piece{start, end, -1})
		}
	}
	if p.behavior == isolated || p.behavior == removed {
		keepMatches := p.behavior == isolated || p.invert
		keepRest := p.behavior == isolated || !p.invert
		at := q.start
		for i := 0; i < len(s.matches); i += 2 {
			start, end := q.start+s.matches[i], q.start+s.matches[i+1]
			if keepRest {
				add(at, start)
			}
			if keepMatches {
				add(start, end)
			}
			at = end
		}
		if keepRest {
			add(at, q.end)
		}
		return nil
	}

	s.found = s.found[:0]
	at := q.start
	for i := 0; i < len(s.matches); i += 2 {
		start, end := q.start+s.matches[i], q.start+s.matches[i+1]
		if at < start {
			s.found = append(s.found, match{at, start, p.invert})
		}
		s.found = append(s.found, match{start, end, !p.invert})
		at = end
	}
	if at < q.end {
		s.found = append(s.found, match{at, q.end, p.invert})
	}
	joined := s.found[:0]
	before := false // whether the last one seen is a delimiter
	if p.behavior == mergedWithNext {
		// From the end: a delimiter joins what follows it. The list is filled from its end.
		to := len(s.found)
		for i := len(s.found) - 1; i >= 0; i-- {
			m := s.found[i]
			if m.delimiter && !before && to < len(s.found) {
				s.found[to].start = m.start
			} else {
				to--
				s.found[to] = m
			}
			before = m.delimiter
		}
		joined = s.found[to:]
	} else {
		for _, m := range s.found {
			join := m.delimiter && !before
			if p.behavior == contiguous {
				join = m.delimiter == before
			}
			if join && len(joined) > 0 {
				joined[len(joined)-1].end = m.end
			} else {
				joined = append(joined, m)
			}
			before = m.delimiter
		}
	}
	for _, m := range joined {
		add(m.start, m.end)
	}
	return nil
}

// bytesSplit is ByteLevel: GPT-2's split, then each byte as a character.
type bytesSplit struct {
	prefix bool // put a space before a piece that begins with none
	words  bool // split by GPT-2's pattern
	raw    bool // leave the bytes as they are, since the model reads bytes
}

func (p bytesSplit) split(s *state) error {
	if p.prefix {
		p.addPrefix(s)
	}
	if p.words {
		if err := (splitter{find: gpt2Scanner, behavior: isolated}).split(s); err != nil {
			return err
		}
	}
	if p.raw {
		return nil
	}
	out := s.rebuild()
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.copyPiece(out, q)
			continue
		}
		x := s.text.slice(q.start, q.end)
		start := int32(len(out.b))
		for i := 0; i < len(x.b); {
			_, size := utf8.DecodeRune(x.b[i:])
			from := x.at(i, size)
			for _, c := range x.b[i : i+size] {
				out.b = append(out.b, byteChar[c]...)
				if s.origin {
					for range len(byteChar[c]) {
						out.origin = append(out.origin, from)
					}
				}
			}
			i += size
		}
		s.spare = append(s.spare, piece{start, int32(len(out.b)), -1})
	}
	s.rebuildDone(out)
	return nil
}

func (p bytesSplit) addPrefix(s *state) {
	needed := false
	for _, q := range s.pieces {
		needed = needed || q.id < 0 && s.text.b[q.start] != ' '
	}
	if !needed {
		return
	}
	out := s.rebuild()
	for _, q := range s.pieces {
		if q.id >= 0 || s.text.b[q.start] == ' ' {
			s.copyPiece(out, q)
			continue
		}
		s.prefixed(out, q, " ")
	}
	s.rebuildDone(out)
}

// prefixed copies q behind a prefix, which comes from where its first character does.
func (s *state) prefixed(out *text, q piece, prefix string) {
	start := len(out.b)
	out.b = append(out.b, prefix...)
	if s.origin {
		x := s.text.slice(q.start, q.end)
		_, size := utf8.DecodeRune(x.b)
		from := x.at(0, size)
		for range len(prefix) {
			out.origin = append(out.origin, from)
		}
	}
	s.copyPiece(out, q)
	s.spare[len(s.spare)-1].start = int32(start)
}

// scheme says when Metaspace puts a mark before a piece.
type scheme uint8

const (
	always scheme = iota
	first
	never
)

var schemes = map[string]scheme{"always": always, "first": first, "never": never}

// metaspace writes spaces as a mark and splits before it.
type metaspace struct {
	mark   string
	scheme scheme
	words  bool
}

func (p metaspace) split(s *state) error {
	out := s.rebuild()
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.copyPiece(out, q)
			continue
		}
		x := s.text.slice(q.start, q.end)
		start := int32(len(out.b))
		begins := x.b[0] == ' ' || hasPrefix(x.b, p.mark)
		if !begins && (p.scheme == always || p.scheme == first && x.at(0, 0).start == 0) {
			out.b = append(out.b, p.mark...)
			if s.origin {
				_, size := utf8.DecodeRune(x.b)
				from := x.at(0, size)
				for range len(p.mark) {
					out.origin = append(out.origin, from)
				}
			}
		}
		at := 0
		for i, c := range x.b {
			if c != ' ' {
				continue
			}
			out.b = append(append(out.b, x.b[at:i]...), p.mark...)
			if s.origin {
				out.origin = x.slice(int32(at), int32(i)).appendOrigins(out.origin)
				for range len(p.mark) {
					out.origin = append(out.origin, x.at(i, 1))
				}
			}
			at = i + 1
		}
		out.b = append(out.b, x.b[at:]...)
		if s.origin {
			out.origin = x.slice(int32(at), int32(len(x.b))).appendOrigins(out.origin)
		}
		s.spare = append(s.spare, piece{start, int32(len(out.b)), -1})
	}
	s.rebuildDone(out)
	if !p.words {
		return nil
	}
	return splitter{find: literal(p.mark), behavior: mergedWithNext}.split(s)
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// bertSplit splits at white space and around punctuation.
type bertSplit struct{}

func (bertSplit) split(s *state) error {
	t := unitab.Load()
	s.spare = s.spare[:0]
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.spare = append(s.spare, q)
			continue
		}
		b, word := s.text.b, q.start
		end := func(at int32) {
			if word < at {
				s.spare = append(s.spare, piece{word, at, -1})
			}
		}
		for i := q.start; i < q.end; {
			r, size := rune(b[i]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(b[i:])
			}
			next := i + int32(size)
			switch info := t.Info(r); {
			case info&unitab.Space != 0:
				end(i)
				word = next
			case info&unitab.OldPunct != 0:
				end(i)
				s.spare = append(s.spare, piece{i, next, -1})
				word = next
			}
			i = next
		}
		end(q.end)
	}
	s.pieces, s.spare = s.spare, s.pieces
	return nil
}

// wordRuns finds \w+|[^\w\s]+.
type wordRuns struct{}

func (wordRuns) all(_ *state, b []byte, dst []int32) ([]int32, error) {
	t := unitab.Load()
	class := func(i int) (int, int) {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		switch info := t.Info(r); {
		case info&unitab.Word != 0:
			return 1, size
		case info&unitab.Space != 0:
			return 0, size
		}
		return 2, size
	}
	start, kind := 0, 0
	for i := 0; i < len(b); {
		k, size := class(i)
		if k != kind {
			if kind != 0 {
				dst = append(dst, int32(start), int32(i))
			}
			start, kind = i, k
		}
		i += size
	}
	if kind != 0 {
		dst = append(dst, int32(start), int32(len(b)))
	}
	return dst, nil
}

// scriptSplit splits where the script changes.
type scriptSplit struct{}

func (scriptSplit) split(s *state) error {
	t := unitab.Load()
	s.spare = s.spare[:0]
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.spare = append(s.spare, q)
			continue
		}
		// A piece begins at the first character that has a script; what comes before is left out.
		start, last, known := int32(-1), uint8(0), false
		for i := q.start; i < q.end; {
			r, size := utf8.DecodeRune(s.text.b[i:])
			if script := t.Script(r); script != 0 {
				if !known || script != last {
					if start >= 0 && start < i {
						s.spare = append(s.spare, piece{start, i, -1})
					}
					start = i
				}
				last, known = script, true
			}
			i += int32(size)
		}
		if start >= 0 {
			s.spare = append(s.spare, piece{start, q.end, -1})
		}
	}
	s.pieces, s.spare = s.spare, s.pieces
	return nil
}

// fixedLength splits into so many characters each.
type fixedLength int

func (n fixedLength) split(s *state) error {
	s.spare = s.spare[:0]
	for _, q := range s.pieces {
		if q.id >= 0 {
			s.spare = append(s.spare, q)
			continue
		}
		start, count := q.start, 0
		for i := q.start; i < q.end; {
			if count == int(n) {
				s.spare = append(s.spare, piece{start, i, -1})
				start, count = i, 0
			}
			_, size := utf8.DecodeRune(s.text.b[i:])
			i += int32(size)
			count++
		}
		s.spare = append(s.spare, piece{start, q.end, -1})
	}
	s.pieces, s.spare = s.spare, s.pieces
	return nil
}
