package token

import (
	"strings"
	"unicode/utf8"
)

// decoder turns the texts of tokens into the text that they were made from.
type decoder interface {
	decode(tokens []string) ([]string, error)
}

type decoders []decoder

func (d decoders) decode(tokens []string) ([]string, error) {
	for _, each := range d {
		var err error
		if tokens, err = each.decode(tokens); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// byteDecoder is ByteLevel as a decoder.
type byteDecoder struct{}

func (byteDecoder) decode(tokens []string) ([]string, error) {
	size := 0
	for _, token := range tokens {
		size += len(token)
	}
	out := make([]byte, 0, size)
	for _, token := range tokens {
		var ok bool
		if out, ok = bytesOf(out, token); !ok {
			out = append(out, token...)
		}
	}
	return []string{validUTF8(out)}, nil
}

// validUTF8 replaces each longest part of b that could begin a character but does not become one by U+FFFD (The Unicode
// Standard, section 3.9, "U+FFFD Substitution of Maximal Subparts").
func validUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r != utf8.RuneError || size > 1 {
			out.Write(b[:size])
			b = b[size:]
			continue
		}
		out.WriteRune(utf8.RuneError)
		b = b[subpart(b):]
	}
	return out.String()
}

// subpart returns how many bytes of b could begin a character; at least 1.
func subpart(b []byte) int {
	need, low, high := 0, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}

// wordPieceDecoder joins what continues words, and puts spaces between them.
type wordPieceDecoder struct {
	prefix  string
	cleanup bool
}

func (d wordPieceDecoder) decode(tokens []string) ([]string, error) {
	for i, token := range tokens {
		if i > 0 {
			if rest, ok := strings.CutPrefix(token, d.prefix); ok {
				token = rest
			} else {
				token = " " + token
			}
		}
		if d.cleanup {
			token = cleanup(token)
		}
		tokens[i] = token
	}
	return tokens, nil
}

// cleanup takes out the spaces that a tokenizer of English puts before punctuation and contractions: each in turn.
func cleanup(s string) string {
	for _, pair := range [][2]string{{" .", "."}, {" ?", "?"}, {" !", "!"}, {" ,", ","}, {" ' ", "'"}, {" n't", "n't"},
		{" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}} {
		s = strings.ReplaceAll(s, pair[0], pair[1])
	}
	return s
}

type metaspaceDecoder struct {
	mark   string
	prefix bool // there is a mark before the text
}

func (d metaspaceDecoder) decode(tokens []string) ([]string, error) {
	for i, token := range tokens {
		with := " "
		if i == 0 && d.prefix {
			with = ""
		}
		tokens[i] = strings.ReplaceAll(token, d.mark, with)
	}
	return tokens, nil
}

// suffixDecoder is BPEDecoder: the suffix of what ends a word becomes a space.
type suffixDecoder struct{ suffix string }

func (d suffixDecoder) decode(tokens []string) ([]string, error) {
	for i, token := range tokens {
		with := " "
		if i == len(tokens)-1 {
			with = ""
		}
		tokens[i] = strings.ReplaceAll(token, d.suffix, with)
	}
	return tokens, nil
}

// ctcDecoder joins equal neighbours and leaves out the blank (Graves 2006, doi:10.1145/1143844.1143891).
type ctcDecoder struct {
	pad, delimiter string
	cleanup        bool
}

func (d ctcDecoder) decode(tokens []string) ([]string, error) {
	out := tokens[:0]
	before := ""
	for i, token := range tokens {
		if i > 0 && token == before {
			continue
		}
		before = token
		if d.pad != "" {
			token = strings.ReplaceAll(token, d.pad, "")
		}
		if d.cleanup {
			token = strings.ReplaceAll(cleanup(token), d.delimiter, " ")
		}
		if token != "" {
			out = append(out, token)
		}
	}
	return out, nil
}

type fuseDecoder struct{}

func (fuseDecoder) decode(tokens []string) ([]string, error) {
	return []string{strings.Join(tokens, "")}, nil
}

// stripDecoder removes up to so many characters at the ends of each token.
type stripDecoder struct {
	content     string
	start, stop int
}

func (d stripDecoder) decode(tokens []string) ([]string, error) {
	for i, token := range tokens {
		for n := 0; n < d.start; n++ {
			rest, ok := strings.CutPrefix(token, d.content)
			if !ok {
				break
			}
			token = rest
		}
		for n := 0; n < d.stop; n++ {
			rest, ok := strings.CutSuffix(token, d.content)
			if !ok {
				break
			}
			token = rest
		}
		tokens[i] = token
	}
	return tokens, nil
}

// replaceDecoder puts content in the place of each match.
type replaceDecoder struct{ replace }

func (d replaceDecoder) decode(tokens []string) ([]string, error) {
	for i, token := range tokens {
		if text, ok := d.find.(literal); ok && text != "" {
			tokens[i] = strings.ReplaceAll(token, string(text), d.content)
			continue
		}
		if token == "" {
			continue
		}
		matches, err := d.find.all(nil, []byte(token), nil)
		if err != nil {
			return nil, err
		}
		var out strings.Builder
		at := 0
		for j := 0; j < len(matches); j += 2 {
			out.WriteString(token[at:matches[j]])
			out.WriteString(d.content)
			at = int(matches[j+1])
		}
		out.WriteString(token[at:])
		tokens[i] = out.String()
	}
	return tokens, nil
}

// byteFallbackDecoder turns runs of tokens like <0xE2> into characters; a run that is not UTF-8 becomes one
// U+FFFD each.
type byteFallbackDecoder struct{}

func (byteFallbackDecoder) decode(tokens []string) ([]string, error) {
	out := make([]string, 0, len(tokens))
	var run []byte
	flush := func() {
		if len(run) == 0 {
			return
		}
		if utf8.Valid(run) {
			out = append(out, string(run))
		} else {
			for range run {
				out = append(out, "\uFFFD")
			}
		}
		run = run[:0]
	}
	for _, token := range tokens {
		if c, ok := byteToken(token); ok {
			run = append(run, c)
			continue
		}
		flush()
		out = append(out, token)
	}
	flush()
	return out, nil
}

// byteToken reads a token like <0xE2>. A plus sign may stand for the first digit, as in the reference.
func byteToken(token string) (byte, bool) {
	if len(token) != 6 || token[:3] != "<0x" || token[5] != '>' {
		return 0, false
	}
	digit := func(c byte) (byte, bool) {
		switch {
		case c >= '0' && c <= '9':
			return c - '0', true
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			return c | 0x20 - 'a' + 10, true
		}
		return 0, false
	}
	high, ok := digit(token[3])
	if token[3] == '+' {
		high, ok = 0, true
	}
	low, okLow := digit(token[4])
	return high<<4 | low, ok && okLow
}

// DecodeOption is an option of Decode and of Stream.
type DecodeOption interface{ decodeOption(*decodeConfig) }

type decodeConfig struct{ special bool }

type keepSpecial struct{}

func (keepSpecial) decodeOption(c *decodeConfig) { c.special = true }

// KeepSpecial keeps special tokens in the text.
var KeepSpecial DecodeOption = keepSpecial{}

func decodeOptions(opts []DecodeOption) (c decodeConfig) {
	for _, opt := range opts {
		if opt != nil {
			opt.decodeOption(&c)
		}
	}
	return c
}

// Decode returns the text of tokens. Special tokens are left out, unless KeepSpecial is given; ids that the vocabulary
// does not have are left out too.
func (t *Tokenizer) Decode(ids []int32, opts ...DecodeOption) (string, error) {
	return t.decode(ids, decodeOptions(opts).special)
}

func (t *Tokenizer) decode(ids []int32, special bool) (string, error) {
	tokens := make([]string, 0, len(ids))
	for _, id := range ids {
		token, ok := t.Token(id)
		if !ok || !special && t.special[token] {
			continue
		}
		tokens = append(tokens, token)
	}
	if t.decoder == nil {
		return strings.Join(tokens, " "), nil
	}
	tokens, err := t.decoder.decode(tokens)
	if err != nil {
		return "", err
	}
	return strings.Join(tokens, ""), nil
}
