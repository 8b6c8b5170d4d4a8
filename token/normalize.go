package token

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// normalizer changes a text before it is split.
type normalizer interface {
	normalize(s *state, x text) (text, error)
}

type normalizers []normalizer

func (n normalizers) normalize(s *state, x text) (text, error) {
	for _, each := range n {
		var err error
		if x, err = each.normalize(s, x); err != nil {
			return x, err
		}
	}
	return x, nil
}

// form is a Unicode normalisation form.
type form struct{ compose, compatibility bool }

func (f form) normalize(s *state, x text) (text, error) {
	if ascii(x.b) || f.compose && !f.compatibility && composed(x.b) {
		return x, nil
	}
	s.decompose(x.b, f.compatibility)
	if f.compose {
		s.compose()
	}
	return s.transform(x), nil
}

// composed tells whether NFC changes nothing, where that is easily seen.
func composed(b []byte) bool {
	t := unitab.Load()
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r >= 0x300 && t.Info(r)&unitab.Composed == 0 {
			return false
		}
		i += size
	}
	return true
}

// classed is a character with its combining class.
type classed struct {
	change
	class uint8
}

// decompose sets s.changes to the decomposition of b.
func (s *state) decompose(b []byte, compatibility bool) {
	t := unitab.Load()
	s.class = s.class[:0]
	pending := 0 // from here on marks are still to be sorted
	sort := func() {
		if len(s.class)-pending > 1 {
			slices.SortStableFunc(s.class[pending:], func(a, b classed) int { return int(a.class) - int(b.class) })
		}
		pending = len(s.class)
	}
	push := func(r rune, n int32) {
		class := t.CombiningClass(r)
		if class == 0 {
			sort()
		}
		s.class = append(s.class, classed{change{r, n}, class})
		if class == 0 {
			pending = len(s.class)
		}
	}
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			push(rune(b[i]), 0)
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		d, ok := t.Decompose(r, compatibility)
		if !ok {
			push(r, 0)
			continue
		}
		var n int32
		for _, r := range d {
			push(r, n)
			n = 1
		}
	}
	sort()
	s.changes = s.changes[:0]
	for _, c := range s.class {
		s.changes = append(s.changes, c.change)
	}
}

// compose joins the characters of s.class into s.changes (The Unicode Standard, section 3.11). A composite counts the
// characters that it replaces.
func (s *state) compose() {
	t := unitab.Load()
	s.changes = s.changes[:0]
	starter := -1 // the place of the last starter in s.changes
	last := -1    // the class of the last mark behind it that was kept, -1 where there is none
	for _, c := range s.class {
		if starter >= 0 && last < int(c.class) {
			if r, ok := t.Compose(s.changes[starter].r, c.r); ok {
				s.changes[starter].r = r
				s.changes[starter].n += c.n - 1
				continue
			}
		}
		s.changes = append(s.changes, c.change)
		if c.class == 0 {
			starter, last = len(s.changes)-1, -1
		} else if starter >= 0 {
			last = int(c.class)
		}
	}
}

// lowercase makes each character lower case by itself.
type lowercase struct{}

func (lowercase) normalize(s *state, x text) (text, error) {
	i := 0
	for i < len(x.b) && x.b[i] < utf8.RuneSelf && x.b[i]-'A' > 'Z'-'A' {
		i++
	}
	if i == len(x.b) {
		return x, nil
	}
	t := unitab.Load()
	e := s.edit()
	for i := 0; i < len(x.b); {
		if c := x.b[i]; c < utf8.RuneSelf {
			if c-'A' <= 'Z'-'A' {
				c |= 0x20
			}
			e.out.b = append(e.out.b, c)
			e.origins(1, x.at(i, 1))
			i++
			continue
		}
		r, size := utf8.DecodeRune(x.b[i:])
		if lower, ok := t.Lower(r); ok {
			e.string(lower, x.at(i, size))
		} else {
			e.keep(x, i, i+size)
		}
		i += size
	}
	return e.done(), nil
}

// filter keeps characters without any of bits.
func (s *state) filter(x text, bits uint32) text {
	if ascii(x.b) {
		return x
	}
	t := unitab.Load()
	e := s.edit()
	for i := 0; i < len(x.b); {
		r, size := utf8.DecodeRune(x.b[i:])
		if t.Info(r)&bits == 0 {
			e.keep(x, i, i+size)
		}
		i += size
	}
	return e.done()
}

type stripAccents struct{}

func (stripAccents) normalize(s *state, x text) (text, error) {
	return s.filter(x, unitab.OldMark), nil
}

// strip removes white space at the ends.
type strip struct{ left, right bool }

func (n strip) normalize(s *state, x text) (text, error) {
	start, end := 0, len(x.b)
	for n.left && start < end {
		r, size := utf8.DecodeRune(x.b[start:end])
		if !isSpace(r) {
			break
		}
		start += size
	}
	for n.right && start < end {
		r, size := utf8.DecodeLastRune(x.b[start:end])
		if !isSpace(r) {
			break
		}
		end -= size
	}
	return x.slice(int32(start), int32(end)), nil
}

// replace puts content in the place of each match.
type replace struct {
	find    finder
	content string
}

func (n replace) normalize(s *state, x text) (text, error) {
	var err error
	if s.matches, err = n.find.all(s, x.b, s.matches[:0]); err != nil {
		return x, err
	}
	if len(s.matches) == 0 || len(x.b) == 0 {
		return x, nil
	}
	e := s.edit()
	at := 0
	for i := 0; i < len(s.matches); i += 2 {
		start, end := int(s.matches[i]), int(s.matches[i+1])
		e.keep(x, at, start)
		at = end
		var from span
		if s.origin {
			if end == 0 {
				from = span{s.begin, s.begin}
			} else {
				_, size := utf8.DecodeLastRune(x.b[:end])
				from = x.at(end-size, size)
			}
		}
		e.string(n.content, from)
	}
	e.keep(x, at, len(x.b))
	return e.done(), nil
}

// prepend puts a string before a text that is not empty.
type prepend struct{ prefix string }

func (n prepend) normalize(s *state, x text) (text, error) {
	if len(x.b) == 0 {
		return x, nil
	}
	e := s.edit()
	_, size := utf8.DecodeRune(x.b)
	e.string(n.prefix, x.at(0, size))
	e.keep(x, 0, len(x.b))
	return e.done(), nil
}

// bertNormalizer is what BERT does: clean_text, handle_chinese_chars, strip_accents, lowercase.
type bertNormalizer struct{ clean, chinese, accents, lower bool }

func (n bertNormalizer) normalize(s *state, x text) (text, error) {
	if ascii(x.b) {
		return n.ascii(s, x), nil
	}
	t := unitab.Load()
	if n.clean {
		e := s.edit()
		for i := 0; i < len(x.b); {
			r, size := utf8.DecodeRune(x.b[i:])
			switch info := t.Info(r); {
			case info&unitab.Unclean != 0:
			case info&unitab.Space != 0:
				e.rune(' ', x.at(i, size))
			default:
				e.keep(x, i, i+size)
			}
			i += size
		}
		x = e.done()
	}
	if n.chinese {
		e := s.edit()
		for i := 0; i < len(x.b); {
			r, size := utf8.DecodeRune(x.b[i:])
			if chinese(r) {
				from := x.at(i, size)
				e.rune(' ', from)
				e.rune(r, from)
				e.rune(' ', from)
			} else {
				e.keep(x, i, i+size)
			}
			i += size
		}
		x = e.done()
	}
	if n.accents {
		x, _ = form{}.normalize(s, x)
		x = s.filter(x, unitab.OldNonspacing)
	}
	if n.lower {
		return lowercase{}.normalize(s, x)
	}
	return x, nil
}

// ascii does the same to a text of ASCII, in one pass.
func (n bertNormalizer) ascii(s *state, x text) text {
	e := s.edit()
	for i, c := range x.b {
		if n.clean {
			switch {
			case c == '\t' || c == '\n' || c == '\r':
				c = ' '
			case c < ' ' || c == 0x7f:
				continue
			}
		}
		if n.lower && c-'A' <= 'Z'-'A' {
			c |= 0x20
		}
		e.out.b = append(e.out.b, c)
		if s.origin {
			e.out.origin = append(e.out.origin, x.at(i, 1))
		}
	}
	return e.done()
}

// chinese tells whether r is in the blocks that BERT puts spaces around.
func chinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F ||
		r >= 0x2B920 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F)
}

// nmt is the clean-up of the NMT rules of SentencePiece.
type nmt struct{}

func (nmt) normalize(s *state, x text) (text, error) {
	e := s.edit()
	for i := 0; i < len(x.b); {
		r, size := utf8.DecodeRune(x.b[i:])
		switch {
		case r >= 0x01 && r <= 0x08, r == 0x0B, r >= 0x0E && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
		case r == 0x09, r == 0x0A, r == 0x0C, r == 0x0D, r == 0x1680, r >= 0x200B && r <= 0x200F, r == 0x2028,
			r == 0x2029, r == 0x2581, r == 0xFEFF, r == 0xFFFD:
			e.rune(' ', x.at(i, size))
		default:
			e.keep(x, i, i+size)
		}
		i += size
	}
	return e.done(), nil
}

// byteChars writes each byte as a character of its own, as GPT-2 does.
type byteChars struct{}

func (byteChars) normalize(s *state, x text) (text, error) {
	e := s.edit()
	for i := 0; i < len(x.b); {
		_, size := utf8.DecodeRune(x.b[i:])
		from := x.at(i, size)
		for _, c := range x.b[i : i+size] {
			e.string(byteChar[c], from)
		}
		i += size
	}
	return e.done(), nil
}

// byteChar is the character that stands for each byte: itself where it is visible in Latin-1, and the characters from
// U+0100 on for the others in turn.
var byteChar = func() (chars [256]string) {
	next := rune(0x100)
	for c := range chars {
		if c >= '!' && c <= '~' || c >= 0xA1 && c <= 0xAC || c >= 0xAE {
			chars[c] = string(rune(c))
			continue
		}
		chars[c] = string(next)
		next++
	}
	return chars
}()

// charByte is the inverse of byteChar, for the characters below U+0144; -1 elsewhere.
var charByte = func() (values [0x144]int16) {
	for i := range values {
		values[i] = -1
	}
	for c, char := range byteChar {
		r, _ := utf8.DecodeRuneInString(char)
		values[r] = int16(c)
	}
	return values
}()

// bytesOf returns the bytes that the characters of s stand for; false where one stands for none.
func bytesOf(dst []byte, s string) ([]byte, bool) {
	start := len(dst)
	for _, r := range s {
		if r >= rune(len(charByte)) || charByte[r] < 0 {
			return dst[:start], false
		}
		dst = append(dst, byte(charByte[r]))
	}
	return dst, true
}

// finder finds the matches of a pattern in a text.
type finder interface {
	// all appends start and end of each match.
	all(s *state, b []byte, dst []int32) ([]int32, error)
}

// literal finds a string.
type literal string

func (l literal) all(_ *state, b []byte, dst []int32) ([]int32, error) {
	if l == "" { // matches between all characters
		for i := range string(b) {
			dst = append(dst, int32(i), int32(i))
		}
		return append(dst, int32(len(b)), int32(len(b))), nil
	}
	for at := 0; ; {
		var i int
		if len(l) == 1 {
			i = bytes.IndexByte(b[at:], l[0])
		} else {
			i = bytes.Index(b[at:], []byte(l))
		}
		if i < 0 {
			return dst, nil
		}
		at += i
		dst = append(dst, int32(at), int32(at+len(l)))
		at += len(l)
	}
}
