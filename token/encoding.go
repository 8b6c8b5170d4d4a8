package token

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Span is the place of a token in its text: from Start to before End.
type Span struct{ Start, End int }

// Encoding is a text, or a pair of texts, as tokens. All lists have one entry for each token.
type Encoding struct {
	IDs     []int32
	Tokens  []string // the texts of the tokens, as the vocabulary has them
	Offsets []Span   // where they stand in the text; 0, 0 for those that were added around it
	Words   []int32  // which word of its text each belongs to, -1 for none
	Types   []int32  // 0 or 1, to tell the texts of a pair apart
	Mask    []int32  // 1 for tokens, 0 for padding
	Special []bool   // whether the token was added around the text

	// Overflow is what was cut off, in parts of the same length: for a pair, all pairs of parts but the first.
	Overflow []Encoding

	runes bool // Offsets count runes
}

// Len returns the number of tokens.
func (e *Encoding) Len() int { return len(e.IDs) }

// encode returns the tokens of one text before anything is added to them.
func (s *state) encode(in string, c *encodeConfig, kind int32, dst *Encoding, word int32) error {
	s.origin = true
	if err := s.find(in); err != nil {
		return err
	}
	if err := s.tokenize(); err != nil {
		return err
	}
	n := len(s.units)
	dst.grow(n)
	dst.runes = c.runes
	var runes []int32
	if c.runes {
		runes = runeIndex(in)
	}
	for _, u := range s.units {
		place := s.text.from(u.start, u.end)
		if runes != nil {
			place.start, place.end = runes[place.start], runes[place.end]
		}
		token := ""
		if u.own {
			token = string(s.text.b[u.start:u.end])
		} else {
			token, _ = s.t.model.vocabulary().token(u.id)
		}
		dst.IDs = append(dst.IDs, u.id)
		dst.Tokens = append(dst.Tokens, token)
		dst.Offsets = append(dst.Offsets, Span{int(place.start), int(place.end)})
		if word < 0 {
			dst.Words = append(dst.Words, u.word)
		} else {
			dst.Words = append(dst.Words, word)
		}
		dst.Types = append(dst.Types, kind)
		dst.Mask = append(dst.Mask, 1)
		dst.Special = append(dst.Special, false)
	}
	return nil
}

// runeIndex returns how many runes begin before each byte of s; nil where each byte is one.
func runeIndex(s string) []int32 {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < utf8.RuneSelf
	}
	if plain {
		return nil
	}
	index := make([]int32, len(s)+1)
	n := int32(0)
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		for range size {
			index[i] = n
			i++
		}
		n++
	}
	index[len(s)] = n
	return index
}

func (e *Encoding) grow(n int) {
	if cap(e.IDs)-len(e.IDs) >= n {
		return
	}
	e.IDs = slices.Grow(e.IDs, n)
	e.Tokens = slices.Grow(e.Tokens, n)
	e.Offsets = slices.Grow(e.Offsets, n)
	e.Words = slices.Grow(e.Words, n)
	e.Types = slices.Grow(e.Types, n)
	e.Mask = slices.Grow(e.Mask, n)
	e.Special = slices.Grow(e.Special, n)
}

// setTypes gives all tokens one type; those of the overflow keep theirs.
func (e *Encoding) setTypes(kind int32) {
	for i := range e.Types {
		e.Types[i] = kind
	}
}

// part returns a copy of the tokens from start to end.
func (e *Encoding) part(start, end int) Encoding {
	return Encoding{
		runes:   e.runes,
		IDs:     slices.Clone(e.IDs[start:end]),
		Tokens:  slices.Clone(e.Tokens[start:end]),
		Offsets: slices.Clone(e.Offsets[start:end]),
		Words:   slices.Clone(e.Words[start:end]),
		Types:   slices.Clone(e.Types[start:end]),
		Mask:    slices.Clone(e.Mask[start:end]),
		Special: slices.Clone(e.Special[start:end]),
	}
}

// plus returns the tokens of e and f. Its overflow is each overflow of one with the other, and with each overflow of
// the other.
func (e *Encoding) plus(f *Encoding) Encoding {
	out := e.joined(f)
	for i := range e.Overflow {
		out.Overflow = append(out.Overflow, e.Overflow[i].joined(f))
		for j := range f.Overflow {
			out.Overflow = append(out.Overflow, e.Overflow[i].joined(&f.Overflow[j]))
		}
	}
	for j := range f.Overflow {
		out.Overflow = append(out.Overflow, e.joined(&f.Overflow[j]))
	}
	return out
}

func (e Encoding) joined(f *Encoding) Encoding {
	return Encoding{
		runes:   e.runes || f.runes,
		IDs:     slices.Concat(e.IDs, f.IDs),
		Tokens:  slices.Concat(e.Tokens, f.Tokens),
		Offsets: slices.Concat(e.Offsets, f.Offsets),
		Words:   slices.Concat(e.Words, f.Words),
		Types:   slices.Concat(e.Types, f.Types),
		Mask:    slices.Concat(e.Mask, f.Mask),
		Special: slices.Concat(e.Special, f.Special),
	}
}

// Strategy says which text of a pair is cut.
type Strategy uint8

const (
	// LongestFirst cuts the longer text until both are equally long, then both.
	LongestFirst Strategy = iota
	// OnlyFirst cuts the first text.
	OnlyFirst
	// OnlySecond cuts the second text.
	OnlySecond
)

// Truncation says how long an encoding may be.
type Truncation struct {
	MaxLength int      // with the special tokens
	Strategy  Strategy // of a pair
	Stride    int      // how many tokens the parts in Overflow have in common with the part before
	FromLeft  bool     // cut at the beginning
}

// Padding says how encodings are filled up.
type Padding struct {
	Length   int // 0: to the longest of the batch
	Multiple int // > 0: to a multiple of it
	FromLeft bool
	ID       int32
	Type     int32
	Token    string
}

var errStride = errors.New("token: the stride of the truncation must be less than what is left of its length")

// cut shortens e to n tokens and puts the rest into its overflow.
func (e *Encoding) cut(n, stride int, fromLeft bool) error {
	length := e.Len()
	if n >= length {
		return nil
	}
	if n == 0 {
		whole := *e
		*e = Encoding{Overflow: []Encoding{whole}}
		return nil
	}
	if stride >= n {
		return errStride
	}
	var parts []Encoding
	if fromLeft {
		for end := length; end > 0; end -= n - stride {
			start := max(end-n, 0)
			parts = append(parts, e.part(start, end))
			if start == 0 {
				break
			}
		}
	} else {
		for start := 0; start < length; start += n - stride {
			end := min(start+n, length)
			parts = append(parts, e.part(start, end))
			if end == length {
				break
			}
		}
	}
	*e = parts[0]
	e.Overflow = parts[1:]
	return nil
}

// truncate cuts a text or a pair to what p allows, less what is added around it.
func truncate(first, second *Encoding, p *Truncation, added int) error {
	length := p.MaxLength - added
	if length < 0 {
		return fmt.Errorf("token: a length of %d has no room for the %d special tokens: allow more", p.MaxLength, added)
	}
	if length == 0 {
		if err := first.cut(0, p.Stride, p.FromLeft); err != nil || second == nil {
			return err
		}
		return second.cut(0, p.Stride, p.FromLeft)
	}
	total := first.Len()
	if second != nil {
		total += second.Len()
	}
	excess := total - length
	if excess <= 0 {
		return nil
	}
	if p.Strategy == LongestFirst {
		if second == nil {
			return first.cut(length, p.Stride, p.FromLeft)
		}
		short, long := first.Len(), second.Len()
		swapped := short > long
		if swapped {
			short, long = long, short
		}
		if short > length {
			long = short
		} else {
			long = max(short, length-short)
		}
		if short+long > length {
			short = length / 2
			long = short + length%2
		}
		if swapped {
			short, long = long, short
		}
		if err := first.cut(short, p.Stride, p.FromLeft); err != nil {
			return err
		}
		return second.cut(long, p.Stride, p.FromLeft)
	}
	target := first
	if p.Strategy == OnlySecond {
		if target = second; target == nil {
			return errors.New("token: the truncation cuts the second text, and there is none: give a pair, or use LongestFirst")
		}
	}
	if target.Len() <= excess {
		return fmt.Errorf("token: the text to be cut has %d tokens, of which %d would have to go: allow a greater length "+
			"than %d, or use LongestFirst", target.Len(), excess, p.MaxLength)
	}
	return target.cut(target.Len()-excess, p.Stride, p.FromLeft)
}

// pad fills encodings up.
func (p *Padding) pad(encodings []Encoding) {
	length := p.Length
	if length == 0 {
		for i := range encodings {
			length = max(length, encodings[i].Len())
		}
	}
	if p.Multiple > 0 && length%p.Multiple > 0 {
		length += p.Multiple - length%p.Multiple
	}
	for i := range encodings {
		p.fill(&encodings[i], length)
	}
}

func (p *Padding) fill(e *Encoding, length int) {
	for i := range e.Overflow {
		p.fill(&e.Overflow[i], length)
	}
	n := length - e.Len()
	if n <= 0 {
		return
	}
	var fill Encoding
	fill.grow(n)
	for range n {
		fill.IDs = append(fill.IDs, p.ID)
		fill.Tokens = append(fill.Tokens, p.Token)
		fill.Offsets = append(fill.Offsets, Span{})
		fill.Words = append(fill.Words, -1)
		fill.Types = append(fill.Types, p.Type)
		fill.Mask = append(fill.Mask, 0)
		fill.Special = append(fill.Special, true)
	}
	overflow := e.Overflow
	if p.FromLeft {
		*e = fill.joined(e)
	} else {
		*e = e.joined(&fill)
	}
	e.Overflow = overflow
}

// trim takes the white space of tokens out of their places: that which a prefix space made counts as none.
func (e *Encoding) trim(prefix bool) {
	for i, token := range e.Tokens {
		o := &e.Offsets[i]
		leading, spaces := 0, 0
		for _, r := range token {
			size := e.blank(r)
			if size == 0 {
				break
			}
			leading += size
			spaces++
		}
		trailing := 0
		for rest := token; rest != ""; {
			r, length := utf8.DecodeLastRuneInString(rest)
			size := e.blank(r)
			if size == 0 {
				break
			}
			trailing += size
			rest = rest[:len(rest)-length]
		}
		if leading > 0 {
			if (i == 0 || o.Start == 0) && prefix && spaces == 1 {
				leading = 0
			}
			o.Start = min(o.Start+leading, o.End)
		}
		if trailing > 0 && o.End >= trailing {
			o.End = max(o.End-trailing, o.Start)
		}
	}
}

// blank returns how long r is in the text where it is white space, and 0 for other characters. Ġ stands for a space.
func (e *Encoding) blank(r rune) int {
	switch {
	case r == 'Ġ':
		return 1
	case r < utf8.RuneSelf && r != ' ' && (r < '\t' || r > '\r') || !isSpace(r):
		return 0
	case e.runes:
		return 1
	}
	return utf8.RuneLen(r)
}
