package token

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// span is a range of bytes of the input.
type span struct{ start, end int32 }

// text is a text under way to tokens, and where in the input its bytes come from.
type text struct {
	b []byte
	// origin is, for each byte, the range of the character of the input that it comes from. It is nil where the bytes
	// are those of the input from base on, or where it is not wanted.
	origin []span
	base   int32
}

// from returns the range of the input that the bytes from start to end come from, in whole characters.
func (x text) from(start, end int32) span {
	if x.origin != nil {
		if start >= end {
			if start > 0 {
				return span{x.origin[start-1].end, x.origin[start-1].end}
			}
			return span{}
		}
		return span{x.origin[start].start, x.origin[end-1].end}
	}
	for start > 0 && int(start) < len(x.b) && !utf8.RuneStart(x.b[start]) {
		start--
	}
	for int(end) < len(x.b) && !utf8.RuneStart(x.b[end]) {
		end++
	}
	return span{x.base + start, x.base + end}
}

// at returns where the character of size bytes at i comes from.
func (x text) at(i, size int) span {
	if x.origin != nil {
		return x.origin[i]
	}
	return span{x.base + int32(i), x.base + int32(i+size)}
}

// start returns where x begins.
func (x text) start() int32 {
	if len(x.origin) > 0 {
		return x.origin[0].start
	}
	return x.base
}

// slice returns a part of x.
func (x text) slice(start, end int32) text {
	y := text{b: x.b[start:end], base: x.base + start}
	if x.origin != nil {
		y.origin = x.origin[start:end]
	}
	return y
}

// appendOrigins appends where the bytes of x come from.
func (x text) appendOrigins(dst []span) []span {
	if x.origin != nil {
		return append(dst, x.origin...)
	}
	for i := 0; i < len(x.b); {
		size := 1
		if x.b[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(x.b[i:])
		}
		sp := span{x.base + int32(i), x.base + int32(i+size)}
		for range size {
			dst = append(dst, sp)
		}
		i += size
	}
	return dst
}

// piece is a part of the text: a word to be split by the model, or a token found before.
type piece struct {
	start, end int32
	id         int32 // ≥ 0: an added token
}

// unit is a token that was found, with its place in the text.
type unit struct {
	id         int32
	start, end int32
	word       int32
	own        bool // its text is that of its place, not that of the vocabulary
}

// state is what one call needs for its work. States are kept between calls.
type state struct {
	t      *Tokenizer
	origin bool // somebody asks where tokens come from

	text   text
	pieces []piece
	spare  []piece
	units  []unit

	clean   text    // the input with bytes that are not UTF-8 replaced
	bufs    [2]text // what the normalisers write to in turn
	flip    int
	begin   int32 // where the text being normalised begins
	joined  text  // normalised segments, one after another
	rebuilt [2]text
	turn    int

	cursor  cursor
	matches []int32
	found   []match
	changes []change
	class   []classed

	words wordCache
	bpe   bpeState
	uni   unigramState
	key   []byte
}

// editor writes a text that replaces another.
type editor struct {
	s   *state
	out text
}

func (s *state) edit() editor {
	s.flip ^= 1
	return editor{s, text{b: s.bufs[s.flip].b[:0], origin: s.bufs[s.flip].origin[:0]}}
}

func (e *editor) rune(r rune, from span) {
	before := len(e.out.b)
	e.out.b = utf8.AppendRune(e.out.b, r)
	e.origins(len(e.out.b)-before, from)
}

func (e *editor) string(str string, from span) {
	e.out.b = append(e.out.b, str...)
	e.origins(len(str), from)
}

func (e *editor) origins(n int, from span) {
	if e.s.origin {
		for range n {
			e.out.origin = append(e.out.origin, from)
		}
	}
}

// keep copies bytes of x as they are.
func (e *editor) keep(x text, start, end int) {
	e.out.b = append(e.out.b, x.b[start:end]...)
	if e.s.origin {
		e.out.origin = x.slice(int32(start), int32(end)).appendOrigins(e.out.origin)
	}
}

// done returns the text written.
func (e *editor) done() text {
	e.s.bufs[e.s.flip] = e.out
	out := e.out
	if !e.s.origin {
		out.origin = nil
	} else if out.origin == nil {
		out.origin = []span{}
	}
	return out
}

// change is a character of a new text: 0 replaces the next character of the old one, 1 is put before it, and -n
// replaces it and removes the n after it.
type change struct {
	r rune
	n int32
}

// transform applies s.changes.
func (s *state) transform(x text) text {
	e := s.edit()
	if !s.origin {
		for _, c := range s.changes {
			e.out.b = utf8.AppendRune(e.out.b, c.r)
		}
		return e.done()
	}
	before := span{s.begin, s.begin}
	at := 0
	skip := func() {
		if at == len(x.b) {
			return
		}
		_, size := utf8.DecodeRune(x.b[at:])
		before = x.at(at, size)
		at += size
	}
	for _, c := range s.changes {
		from := before
		if c.n <= 0 {
			if at < len(x.b) {
				_, size := utf8.DecodeRune(x.b[at:])
				from = x.at(at, size)
			}
			skip()
			for range -c.n {
				skip()
			}
		}
		e.rune(c.r, from)
	}
	return e.done()
}

// ascii tells whether b is.
func ascii(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// sanitise returns the input with every byte that is not UTF-8 replaced by U+FFFD.
func (s *state) sanitise(in []byte) text {
	if ascii(in) || utf8.Valid(in) {
		return text{b: in}
	}
	out := text{b: s.clean.b[:0], origin: s.clean.origin[:0]}
	for i := 0; i < len(in); {
		r, size := utf8.DecodeRune(in[i:])
		before := len(out.b)
		out.b = utf8.AppendRune(out.b, r)
		if s.origin {
			for range len(out.b) - before {
				out.origin = append(out.origin, span{int32(i), int32(i + size)})
			}
		}
		i += size
	}
	s.clean = out
	if !s.origin {
		out.origin = nil
	}
	return out
}

// rebuild begins a text that replaces s.text, and the list of its pieces.
func (s *state) rebuild() *text {
	s.turn ^= 1
	out := &s.rebuilt[s.turn]
	out.b, out.origin = out.b[:0], out.origin[:0]
	s.spare = s.spare[:0]
	return out
}

// copyPiece copies a piece as it is to the new text.
func (s *state) copyPiece(out *text, p piece) {
	start := int32(len(out.b))
	out.b = append(out.b, s.text.b[p.start:p.end]...)
	if s.origin {
		out.origin = s.text.slice(p.start, p.end).appendOrigins(out.origin)
	}
	s.spare = append(s.spare, piece{start, int32(len(out.b)), p.id})
}

// rebuilding ends what rebuild began.
func (s *state) rebuildDone(out *text) {
	s.text = *out
	if !s.origin {
		s.text.origin = nil
	}
	s.pieces, s.spare = s.spare, s.pieces
}

// isSpace is White_Space.
func isSpace(r rune) bool { return unitab.Load().Info(r)&unitab.Space != 0 }
