package stablehlo

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// tokenKind is a class of tokens. Punctuation of one byte is its own kind; the
// named kinds start above all bytes.
type tokenKind int

const (
	tokEOF       tokenKind = iota + 256
	tokIdent               // add, stablehlo.add, x3xf32
	tokValue               // %0, %arg
	tokHash                // #loc, #stablehlo.dot, #1
	tokBang                // !stablehlo.token
	tokSymbol              // @main, @"any text"
	tokBlock               // ^bb0
	tokInt                 // 12, 0xFF
	tokFloat               // 1.0e-5
	tokString              // "text"
	tokArrow               // ->
	tokEllipsis            // ...
	tokMetaOpen            // {-#
	tokMetaClose           // #-}
)

// token is a piece of the source text: src[start:end].
type token struct {
	kind       tokenKind
	start, end int
}

// lexer cuts a source into tokens without allocation. The parser may advance it to read dimension lists and
// constants from the bytes themselves.
type lexer struct {
	src []byte
	off int
	// bad holds the message and position of a malformed token, which is returned as tokEOF.
	bad    string
	badOff int
}

// Byte classes of identifiers.
const (
	clsLetter = 1 << iota // a letter or '_'
	clsDigit
	clsPunct // $ . of identifiers
	clsDash  // - of the suffixes of % # ! ^
	clsHex
)

var byteClass = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= clsLetter
		t[c-'a'+'A'] |= clsLetter
	}
	t['_'] |= clsLetter
	for c := '0'; c <= '9'; c++ {
		t[c] |= clsDigit | clsHex
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= clsHex
		t[c-'a'+'A'] |= clsHex
	}
	t['$'] |= clsPunct
	t['.'] |= clsPunct
	t['-'] |= clsDash
	return t
}()

// skip returns the offset of the first byte at or after i that is neither
// white space nor in a comment.
func (l *lexer) skip(i int) int {
	for i < len(l.src) {
		switch l.src[i] {
		case ' ', '\t', '\n', '\r':
			i++
		case '/':
			if i+1 >= len(l.src) || l.src[i+1] != '/' {
				return i
			}
			n := bytes.IndexByte(l.src[i:], '\n')
			if n < 0 {
				return len(l.src)
			}
			i += n + 1
		default:
			return i
		}
	}
	return i
}

// next returns the next token and moves behind it.
func (l *lexer) next() token {
	i := l.skip(l.off)
	if i >= len(l.src) {
		l.off = len(l.src)
		return token{tokEOF, l.off, l.off}
	}
	c := l.src[i]
	var t token
	switch {
	case byteClass[c]&clsLetter != 0:
		t = token{tokIdent, i, l.run(i+1, clsLetter|clsDigit|clsPunct)}
	case byteClass[c]&clsDigit != 0:
		t = l.number(i)
	default:
		t = l.other(i, c)
	}
	l.off = t.end
	return t
}

func (l *lexer) other(i int, c byte) token {
	switch c {
	case '%':
		return l.suffixed(tokValue, i)
	case '#':
		if l.at(i+1) == '-' && l.at(i+2) == '}' {
			return token{tokMetaClose, i, i + 3}
		}
		return l.suffixed(tokHash, i)
	case '!':
		return l.suffixed(tokBang, i)
	case '^':
		return l.suffixed(tokBlock, i)
	case '@':
		if l.at(i+1) == '"' {
			t := l.str(i + 1)
			if t.kind == tokString {
				return token{tokSymbol, i, t.end}
			}
			return t
		}
		if end := l.run(i+1, clsLetter|clsDigit|clsPunct); end > i+1 && byteClass[l.src[i+1]]&clsLetter != 0 {
			return token{tokSymbol, i, end}
		}
		return l.fail(i, `expected a name or "…" after @`)
	case '"':
		return l.str(i)
	case '-':
		if l.at(i+1) == '>' {
			return token{tokArrow, i, i + 2}
		}
		return token{'-', i, i + 1}
	case '.':
		if l.at(i+1) == '.' && l.at(i+2) == '.' {
			return token{tokEllipsis, i, i + 3}
		}
		return l.fail(i, `unexpected "."`)
	case '{':
		if l.at(i+1) == '-' && l.at(i+2) == '#' {
			return token{tokMetaOpen, i, i + 3}
		}
		return token{'{', i, i + 1}
	case ',', ':', '=', '(', ')', '}', '[', ']', '<', '>', '+', '?', '*', '|', '/':
		return token{tokenKind(c), i, i + 1}
	}
	r, n := utf8.DecodeRune(l.src[i:])
	if r == utf8.RuneError {
		return l.fail(i, fmt.Sprintf("unexpected byte 0x%02x", l.src[i]))
	}
	return l.fail(i, fmt.Sprintf("unexpected character %q", l.src[i:i+n]))
}

// at returns the byte at i, or 0 behind the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// run returns the end of the run of bytes of the classes that starts at i.
func (l *lexer) run(i int, classes uint8) int {
	for i < len(l.src) && byteClass[l.src[i]]&classes != 0 {
		i++
	}
	return i
}

// suffixed reads a name after the sigil at i: digits, or an identifier that may
// hold dashes.
func (l *lexer) suffixed(kind tokenKind, i int) token {
	end := i + 1
	switch c := byteClass[l.at(i+1)]; {
	case c&clsDigit != 0:
		end = l.run(end, clsDigit)
	case c&(clsLetter|clsPunct) != 0 || c&clsDash != 0 && kind != tokHash:
		end = l.run(end, clsLetter|clsDigit|clsPunct|clsDash)
		// A dash belongs to "->" when an arrow follows the name.
		if l.src[end-1] == '-' && l.at(end) == '>' {
			end--
		}
	}
	if end == i+1 {
		return l.fail(i, "expected a name after "+string(l.src[i:i+1]))
	}
	return token{kind, i, end}
}

// number reads 12, 0xFF or 1.5e-3; the sign is a separate token.
func (l *lexer) number(i int) token {
	if l.src[i] == '0' && l.at(i+1) == 'x' && byteClass[l.at(i+2)]&clsHex != 0 {
		return token{tokInt, i, l.run(i+2, clsHex)}
	}
	end := l.run(i, clsDigit)
	if l.at(end) != '.' {
		return token{tokInt, i, end}
	}
	end = l.run(end+1, clsDigit)
	if c := l.at(end); c == 'e' || c == 'E' {
		exp := end + 1
		if c := l.at(exp); c == '+' || c == '-' {
			exp++
		}
		if byteClass[l.at(exp)]&clsDigit != 0 {
			end = l.run(exp, clsDigit)
		}
	}
	return token{tokFloat, i, end}
}

// str reads a string on one line; escapes are checked when it is decoded. The common string, long constants
// included, has no escapes and is searched by bytes.IndexByte.
func (l *lexer) str(i int) token {
	n := bytes.IndexByte(l.src[i+1:], '"')
	if n < 0 {
		return l.fail(i, "string without closing quote")
	}
	body := l.src[i+1 : i+1+n]
	if bytes.IndexByte(body, '\\') < 0 && bytes.IndexByte(body, '\n') < 0 {
		return token{tokString, i, i + n + 2}
	}
	for j := i + 1; j < len(l.src) && l.src[j] != '\n'; j++ {
		switch l.src[j] {
		case '"':
			return token{tokString, i, j + 1}
		case '\\':
			j++
		}
	}
	return l.fail(i, "string without closing quote on this line")
}

func (l *lexer) fail(off int, msg string) token {
	if l.bad == "" {
		l.bad, l.badOff = msg, off
	}
	return token{tokEOF, off, len(l.src)}
}
