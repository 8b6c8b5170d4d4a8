package token

import (
	"fmt"
	"math"
	"unsafe"
)

// maxText is the longest text that can be encoded, in bytes: places in it are counted in 32 bits.
const maxText = math.MaxInt32 / 8

// find sets s.text and s.pieces: the input, normalised and split into added tokens and words.
func (s *state) find(in string) error {
	if len(in) > maxText {
		return fmt.Errorf("token: a text of %d bytes is too long: split it into parts of at most %d", len(in), maxText)
	}
	t := s.t
	s.pieces, s.units = s.pieces[:0], s.units[:0]
	s.text = s.sanitise(unsafe.Slice(unsafe.StringData(in), len(in)))
	s.pieces = t.raw.split(s.text.b, 0, s.pieces)
	if t.normalizer != nil || t.normalized != nil {
		if err := s.normalize(); err != nil {
			return err
		}
	}
	if t.pre == nil {
		return nil
	}
	return t.pre.split(s)
}

// normalize normalises the pieces between added tokens, and finds the others in them.
func (s *state) normalize() error {
	t := s.t
	if t.normalizer == nil {
		s.spare = s.spare[:0]
		for _, p := range s.pieces {
			if p.id >= 0 {
				s.spare = append(s.spare, p)
			} else {
				s.spare = t.normalized.split(s.text.b[p.start:p.end], p.start, s.spare)
			}
		}
		s.pieces, s.spare = s.spare, s.pieces
		return nil
	}
	if len(s.pieces) == 1 && s.pieces[0].id < 0 {
		s.begin = s.text.start()
		x, err := t.normalizer.normalize(s, s.text)
		if err != nil {
			return err
		}
		s.text = x
		s.pieces = t.normalized.split(x.b, 0, s.pieces[:0])
		return nil
	}
	out := &s.joined
	out.b, out.origin = out.b[:0], out.origin[:0]
	s.spare = s.spare[:0]
	for _, p := range s.pieces {
		x := s.text.slice(p.start, p.end)
		if p.id < 0 {
			s.begin = x.start()
			var err error
			if x, err = t.normalizer.normalize(s, x); err != nil {
				return err
			}
		}
		start := int32(len(out.b))
		out.b = append(out.b, x.b...)
		if s.origin {
			out.origin = x.appendOrigins(out.origin)
		}
		if p.id >= 0 {
			s.spare = append(s.spare, piece{start, int32(len(out.b)), p.id})
		} else {
			s.spare = t.normalized.split(x.b, start, s.spare)
		}
	}
	s.text = *out
	if !s.origin {
		s.text.origin = nil
	}
	s.pieces, s.spare = s.spare, s.pieces
	return nil
}

// tokenize sets s.units to the tokens of the pieces.
func (s *state) tokenize() error {
	s.units = s.units[:0]
	for i := range s.pieces {
		if err := s.word(i); err != nil {
			return err
		}
	}
	return nil
}

// word appends the tokens of piece i.
func (s *state) word(i int) error {
	p := s.pieces[i]
	before := len(s.units)
	if p.id >= 0 {
		s.units = append(s.units, unit{id: p.id, start: p.start, end: p.end, own: true})
	} else if err := s.t.model.tokenize(s, p.start, p.end); err != nil {
		return err
	}
	for j := before; j < len(s.units); j++ {
		s.units[j].word = int32(i)
	}
	return nil
}

// AppendIDs appends the ids of the tokens of text to dst. It adds no special tokens, cuts nothing off and fills nothing
// up, and allocates nothing but room in dst.
func (t *Tokenizer) AppendIDs(dst []int32, text string) ([]int32, error) {
	s := t.states.Get().(*state)
	defer t.states.Put(s)
	s.origin = t.needsOrigin
	if err := s.find(text); err != nil {
		return dst, err
	}
	if err := s.tokenize(); err != nil {
		return dst, err
	}
	for i := range s.units {
		dst = append(dst, s.units[i].id)
	}
	return dst, nil
}
