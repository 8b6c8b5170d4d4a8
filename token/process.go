package token

import "fmt"

// processor adds the special tokens around texts.
type processor interface {
	// added is how many tokens it adds.
	added(pair bool) int
	// process changes a text or a pair, and returns it as parts to be put side by side.
	process(parts []Encoding, special bool) []Encoding
}

type processors []processor

func (p processors) added(pair bool) int {
	n := 0
	for _, each := range p {
		n += each.added(pair)
	}
	return n
}

func (p processors) process(parts []Encoding, special bool) []Encoding {
	for _, each := range p {
		parts = each.process(parts, special)
	}
	return parts
}

// trimmer is ByteLevel as a processor.
type trimmer struct{ trim, prefix bool }

func (trimmer) added(bool) int { return 0 }

func (p trimmer) process(parts []Encoding, _ bool) []Encoding {
	if p.trim {
		trimAll(parts, p.prefix)
	}
	return parts
}

func trimAll(parts []Encoding, prefix bool) {
	for i := range parts {
		parts[i].trim(prefix)
		for j := range parts[i].Overflow {
			parts[i].Overflow[j].trim(prefix)
		}
	}
}

// named is a special token.
type named struct {
	token string
	id    int32
}

// special returns the encoding of special tokens.
func special(kind int32, tokens ...named) Encoding {
	var e Encoding
	e.grow(len(tokens))
	for _, t := range tokens {
		e.IDs = append(e.IDs, t.id)
		e.Tokens = append(e.Tokens, t.token)
		e.Offsets = append(e.Offsets, Span{})
		e.Words = append(e.Words, -1)
		e.Types = append(e.Types, kind)
		e.Mask = append(e.Mask, 1)
		e.Special = append(e.Special, true)
	}
	return e
}

// between puts e, and each of its overflows, between two others. What was special inside counts as text, as in the
// reference.
func (e *Encoding) between(before, after Encoding, wrap func(*Encoding)) Encoding {
	single := func(e *Encoding) Encoding {
		inner := *e
		inner.Special = make([]bool, e.Len())
		out := before.joined(&inner).joined(&after)
		for i := range out.Mask {
			out.Mask[i] = 1
		}
		return out
	}
	out := single(e)
	for i := range e.Overflow {
		part := single(&e.Overflow[i])
		if wrap != nil {
			wrap(&part)
		}
		out.Overflow = append(out.Overflow, part)
	}
	return out
}

// bertProcessor is [CLS] A [SEP] B [SEP].
type bertProcessor struct{ sep, cls named }

func (bertProcessor) added(pair bool) int {
	if pair {
		return 3
	}
	return 2
}

func (p bertProcessor) process(parts []Encoding, add bool) []Encoding {
	if !add {
		return parts
	}
	for i := range parts {
		if i == 0 {
			parts[i] = parts[i].between(special(0, p.cls), special(0, p.sep), nil)
		} else {
			parts[i] = parts[i].between(Encoding{}, special(1, p.sep), nil)
		}
	}
	return parts
}

// robertaProcessor is <s> A </s></s> B </s>, all of type 0.
type robertaProcessor struct {
	sep, cls     named
	trim, prefix bool
}

func (robertaProcessor) added(pair bool) int {
	if pair {
		return 4
	}
	return 2
}

func (p robertaProcessor) process(parts []Encoding, add bool) []Encoding {
	if p.trim {
		trimAll(parts, p.prefix)
	}
	for i := range parts {
		parts[i].setTypes(0)
	}
	if !add {
		return parts
	}
	zero := func(e *Encoding) { e.setTypes(0) }
	for i := range parts {
		if i == 0 {
			parts[i] = parts[i].between(special(0, p.cls), special(0, p.sep), zero)
		} else {
			parts[i] = parts[i].between(special(0, p.sep), special(0, p.sep), zero)
		}
	}
	return parts
}

// templatePiece is a text of the pair, or special tokens.
type templatePiece struct {
	text   int // 0 or 1; -1: tokens
	tokens []named
	kind   int32
}

type template struct{ single, pair []templatePiece }

func (p template) pieces(pair bool) []templatePiece {
	if pair {
		return p.pair
	}
	return p.single
}

func (p template) added(pair bool) int {
	n := 0
	for _, piece := range p.pieces(pair) {
		n += len(piece.tokens)
	}
	return n
}

func (p template) process(parts []Encoding, add bool) []Encoding {
	var out []Encoding
	for _, piece := range p.pieces(len(parts) == 2) {
		switch {
		case piece.text >= 0 && piece.text < len(parts):
			e := parts[piece.text].part(0, parts[piece.text].Len())
			e.setTypes(piece.kind)
			e.Overflow = parts[piece.text].Overflow
			out = append(out, e)
		case piece.text < 0 && add:
			out = append(out, special(piece.kind, piece.tokens...))
		}
	}
	return out
}

// maxOverflow bounds the parts of a pair, which are as many as those of one text times those of the other.
const maxOverflow = 1 << 14

// finish cuts, completes and joins a text or a pair.
func (t *Tokenizer) finish(first Encoding, second *Encoding, c *encodeConfig) (Encoding, error) {
	pair := second != nil
	if c.truncation != nil {
		added := 0
		if t.processor != nil && !c.plain {
			added = t.processor.added(pair)
		}
		if err := truncate(&first, second, c.truncation, added); err != nil {
			return Encoding{}, err
		}
	}
	parts := []Encoding{first}
	if pair {
		if a, b := len(first.Overflow), len(second.Overflow); a > 0 && b > maxOverflow/a {
			return Encoding{}, fmt.Errorf("token: both texts were cut, into %d and %d more parts: allow a greater length, "+
				"or cut only one (OnlyFirst, OnlySecond)", a, b)
		}
		parts = append(parts, *second)
	}
	if t.processor != nil {
		for i := range parts {
			parts[i].setTypes(int32(i))
		}
		parts = t.processor.process(parts, !c.plain)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	var out Encoding
	for i := range parts {
		out = out.plus(&parts[i])
	}
	return out, nil
}
