package npy

import (
	"errors"
	"fmt"
	"math"
)

// fileHeader is a header with the information to decode the data.
type fileHeader struct {
	Header
	fortran   bool // the first index varies fastest
	bigEndian bool
}

// parseHeader reads the text of a header: a Python dict literal with the keys
// descr, fortran_order and shape, in any order, as Python's repr writes it.
func parseHeader(text []byte) (fileHeader, error) {
	p := headerParser{text: text, seen: make(map[string]bool)}
	h, err := p.parse()
	if err != nil {
		return fileHeader{}, fmt.Errorf("npy: header, byte %d: %w", p.at, err)
	}
	return h, nil
}

// headerParser walks over the text; on an error, at is where it went wrong.
type headerParser struct {
	text []byte
	at   int
	seen map[string]bool // keys
}

func (p *headerParser) parse() (fileHeader, error) {
	var h fileHeader
	if err := p.expect('{'); err != nil {
		return h, err
	}
	for p.peek() != '}' {
		if err := p.entry(&h); err != nil {
			return h, err
		}
		if p.peek() != ',' {
			break
		}
		p.at++
	}
	if err := p.expect('}'); err != nil {
		return h, err
	}
	if p.peek() != 0 || p.at < len(p.text) {
		return h, errors.New("unexpected text after the dict")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !p.seen[key] {
			return h, fmt.Errorf("the key %q is missing", key)
		}
	}
	return h, nil
}

// entry reads one key and its value.
func (p *headerParser) entry(h *fileHeader) error {
	p.space()
	start := p.at
	key, err := p.string()
	if err != nil {
		return err
	}
	if p.seen[key] {
		p.at = start
		return fmt.Errorf("the key %q occurs twice", key)
	}
	p.seen[key] = true
	if err := p.expect(':'); err != nil {
		return err
	}
	p.space()
	value := p.at
	switch key {
	case "descr":
		h.bigEndian, err = p.descr(&h.Header)
		if errors.Is(err, errors.ErrUnsupported) {
			p.at = value
		}
	case "fortran_order":
		h.fortran, err = p.bool()
	case "shape":
		h.Shape, err = p.shape()
	default:
		p.at = start
		return fmt.Errorf("the key %q is unexpected, want descr, fortran_order and shape", key)
	}
	return err
}

// descr reads the dtype: a string, or for structured ones a list or a tuple.
func (p *headerParser) descr(h *Header) (bigEndian bool, err error) {
	if c := p.peek(); c == '[' || c == '(' {
		return false, fmt.Errorf("structured dtypes are not supported: %w", errors.ErrUnsupported)
	}
	s, err := p.string()
	if err != nil {
		return false, err
	}
	return h.setDescr(s)
}

// string reads a string in single or double quotes. Nothing that belongs in a
// header has an escape.
func (p *headerParser) string() (string, error) {
	const most = 64
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		return "", errors.New("want a string in quotes")
	}
	start := p.at + 1
	for i := start; i < len(p.text) && i < start+most; i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.at = i + 1
			return string(p.text[start:i]), nil
		case c == '\\' || c < ' ':
			p.at = i
			return "", fmt.Errorf("a string in a header cannot contain %q", c)
		}
	}
	return "", fmt.Errorf("the string does not end, or is longer than %d bytes", most)
}

// bool reads True or False.
func (p *headerParser) bool() (bool, error) {
	p.space()
	for word, value := range map[string]bool{"True": true, "False": false} {
		if rest := p.text[p.at:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			p.at += len(word)
			return value, nil
		}
	}
	return false, errors.New("want True or False")
}

// shape reads a tuple of sizes: (), (3,), (3, 4). Python 2 wrote 3L for 3.
func (p *headerParser) shape() ([]int, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	shape := []int{}
	for p.peek() != ')' {
		if len(shape) == maxRank {
			return nil, fmt.Errorf("the shape has more than %d dimensions", maxRank)
		}
		n, err := p.size()
		if err != nil {
			return nil, err
		}
		shape = append(shape, n)
		if p.peek() != ',' {
			if len(shape) == 1 {
				return nil, errors.New("want a comma: in Python (n) is not a tuple")
			}
			break
		}
		p.at++
	}
	return shape, p.expect(')')
}

// size reads a decimal number.
func (p *headerParser) size() (int, error) {
	p.space()
	start, n := p.at, 0
	for ; p.at < len(p.text) && p.text[p.at]-'0' < 10; p.at++ {
		digit := int(p.text[p.at] - '0')
		if n > (math.MaxInt-digit)/10 {
			p.at = start
			return 0, errors.New("the size is too large")
		}
		n = 10*n + digit
	}
	if p.at == start {
		return 0, errors.New("want a size, a number that is not negative")
	}
	if p.at < len(p.text) && p.text[p.at] == 'L' {
		p.at++
	}
	return n, nil
}

// space skips white space.
func (p *headerParser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\n', '\t', '\r', '\f':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, or 0 at the end.
func (p *headerParser) peek() byte {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// expect reads the byte c.
func (p *headerParser) expect(c byte) error {
	if got := p.peek(); got != c {
		if p.at == len(p.text) {
			return fmt.Errorf("the header ends where %q is expected", c)
		}
		return fmt.Errorf("want %q, not %q", c, got)
	}
	p.at++
	return nil
}
