package token

import (
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// The patterns that most tokenizers split by are scanned by hand. A scanner is chosen by the text of its pattern, and
// tests compare each with the pattern itself.

const (
	letters  = unitab.Letter
	numbers  = unitab.Number
	spaces   = unitab.Space
	newlines = unitab.Newline
	puncts   = unitab.Punct
	symbols  = unitab.Symbol
	marks    = unitab.Mark
	uppers   = unitab.Upper
	lowers   = unitab.Lower
)

const (
	gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

	cl100kHead  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}`
	cl100kTail  = `| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	o200kUpper  = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
	o200kLower  = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
	contraction = `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
	o200kWord   = `[^\r\n\p{L}\p{N}]?` + o200kUpper
	o200kTail   = `| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	deepseek    = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|" +
		` ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	clipPattern = `<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`
)

// scanner finds the matches of a pattern one by one: next returns the end of the match that begins at i, and i where
// none does.
type scanner struct {
	next   func(c *cursor, i int) int
	digits int // the most digits in one match; 0: without bound
	suffix bool
	slash  bool
}

// cursor is a text with the classes of its characters.
type cursor struct {
	b      []byte
	t      unitab.Table
	ascii  *[128]uint32
	digits int
	suffix bool
	slash  bool
}

// at returns the class of the character at i and its size; 0, 0 at the end.
func (c *cursor) at(i int) (uint32, int) {
	if i >= len(c.b) {
		return 0, 0
	}
	if b := c.b[i]; b < utf8.RuneSelf {
		return c.ascii[b], 1
	}
	r, size := utf8.DecodeRune(c.b[i:])
	return c.t.Info(r), size
}

// run returns the end of the characters from i on that have any of bits.
func (c *cursor) run(i int, bits uint32) int {
	for i < len(c.b) {
		info, size := c.at(i)
		if info&bits == 0 {
			break
		}
		i += size
	}
	return i
}

// runNot returns the end of the characters from i on that have none of bits.
func (c *cursor) runNot(i int, bits uint32) int {
	for i < len(c.b) {
		info, size := c.at(i)
		if info&bits != 0 {
			break
		}
		i += size
	}
	return i
}

func (sc *scanner) all(s *state, b []byte, dst []int32) ([]int32, error) {
	if s == nil { // a decoder
		s = new(state)
	}
	c, t := &s.cursor, unitab.Load()
	*c = cursor{b, t, t.ASCII(), sc.digits, sc.suffix, sc.slash}
	for i := 0; i < len(b); {
		end := sc.next(c, i)
		if end == i {
			_, size := c.at(i)
			i += size
			continue
		}
		dst = append(dst, int32(i), int32(end))
		i = end
	}
	return dst, nil
}

var gpt2Scanner = &scanner{next: scanGPT2}

// scanners are the known patterns.
var scanners = map[string]*scanner{
	gpt2Pattern:                             gpt2Scanner,
	cl100kHead + cl100kTail:                 {next: scanCL100K, digits: 1},
	cl100kHead + `{1,3}` + cl100kTail:       {next: scanCL100K, digits: 3},
	cl100kHead + `+` + cl100kTail:           {next: scanCL100K},
	o200kPattern(contraction, `\p{N}{1,3}`): {next: scanO200K, digits: 3, suffix: true, slash: true},
	o200kPattern(contraction, `\p{N}`):      {next: scanO200K, digits: 1, suffix: true, slash: true},
	o200kPattern("", `\p{N}{1,3}`):          {next: scanO200K, digits: 3, slash: true},
	o200kPattern("", `\p{N}`):               {next: scanO200K, digits: 1, slash: true},
	deepseek:                                {next: scanDeepSeek},
	clipPattern:                             {next: scanCLIP},
	`\p{N}{1,3}`:                            {next: scanDigits, digits: 3},
	`\p{N}`:                                 {next: scanDigits, digits: 1},
}

func o200kPattern(suffix, digits string) string {
	first := o200kWord + "*" + o200kLower + "+" + suffix
	second := o200kWord + "+" + o200kLower + "*" + suffix
	return first + "|" + second + "|" + digits + o200kTail
}

// contracted returns the end of 's, 't, 're, 've, 'm, 'll or 'd at i, or i.
func (c *cursor) contracted(i int, fold bool) int {
	if i+1 >= len(c.b) || c.b[i] != '\'' {
		return i
	}
	letter := func(at int) byte {
		if at >= len(c.b) {
			return 0
		}
		if b := c.b[at]; !fold || b-'A' > 'Z'-'A' {
			return b
		}
		return c.b[at] | 0x20
	}
	switch letter(i + 1) {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if letter(i+2) == 'e' {
			return i + 3
		}
	case 'l':
		if letter(i+2) == 'l' {
			return i + 3
		}
	case 0xC5: // ſ, which is an s in another case
		if fold && letter(i+2) == 0xBF {
			return i + 3
		}
	}
	return i
}

// digitRun returns the end of at most c.digits digits from i on.
func (c *cursor) digitRun(i int) int {
	for n := 0; i < len(c.b) && (c.digits == 0 || n < c.digits); n++ {
		info, size := c.at(i)
		if info&numbers == 0 {
			break
		}
		i += size
	}
	return i
}

// blank returns the end of \s+(?!\S)|\s+ at i: white space but for the last character before a word. With lines,
// \s*[\r\n]+ comes first.
func (c *cursor) blank(i int, lines bool) int {
	last, count, afterLine := i, 0, 0
	at := i
	for at < len(c.b) {
		info, size := c.at(at)
		if info&spaces == 0 {
			break
		}
		last = at
		at += size
		count++
		if info&newlines != 0 {
			afterLine = at
		}
	}
	switch {
	case lines && afterLine > 0:
		return afterLine
	case at == len(c.b) || count <= 1:
		return at
	}
	return last
}

func scanGPT2(c *cursor, i int) int {
	if end := c.contracted(i, false); end > i {
		return end
	}
	info, size := c.at(i)
	at := i
	if c.b[i] == ' ' {
		at++
		info, size = c.at(at)
	}
	switch {
	case size == 0 || info&spaces != 0:
		return c.blank(i, false)
	case info&letters != 0:
		return c.run(at+size, letters)
	case info&numbers != 0:
		return c.run(at+size, numbers)
	}
	return c.runNot(at+size, spaces|letters|numbers)
}

func scanCL100K(c *cursor, i int) int {
	if end := c.contracted(i, true); end > i {
		return end
	}
	info, size := c.at(i)
	switch {
	case info&letters != 0:
		return c.run(i+size, letters)
	case info&numbers != 0:
		return c.digitRun(i)
	}
	next, nextSize := c.at(i + size)
	if info&newlines == 0 && next&letters != 0 {
		return c.run(i+size+nextSize, letters)
	}
	at := i
	if c.b[i] == ' ' {
		at, info = i+1, next
		if nextSize == 0 {
			info = spaces
		}
	}
	if info&(spaces|numbers|letters) == 0 {
		return c.run(c.runNot(at, spaces|letters|numbers), newlines)
	}
	return c.blank(i, true)
}

func scanO200K(c *cursor, i int) int {
	info, size := c.at(i)
	suffixed := func(end int) int {
		if c.suffix {
			return c.contracted(end, true)
		}
		return end
	}
	if info&(newlines|numbers) == 0 {
		if info&letters == 0 { // the optional character before the word
			if end := c.cased(i + size); end > 0 {
				return suffixed(end)
			}
		}
		if info&(uppers|lowers) != 0 {
			if end := c.cased(i); end > 0 {
				return suffixed(end)
			}
		}
		if info&letters == 0 {
			if end := c.capital(i + size); end > 0 {
				return suffixed(end)
			}
		}
		if info&(uppers|lowers) != 0 {
			if end := c.capital(i); end > 0 {
				return suffixed(end)
			}
		}
	}
	if info&numbers != 0 {
		return c.digitRun(i)
	}
	at := i
	if c.b[i] == ' ' {
		at = i + 1
		if info, size = c.at(at); size == 0 {
			info = spaces
		}
	}
	if info&(spaces|numbers|letters) == 0 {
		end := c.runNot(at, spaces|letters|numbers)
		for end < len(c.b) && (c.b[end] == '\r' || c.b[end] == '\n' || c.slash && c.b[end] == '/') {
			end++
		}
		return end
	}
	return c.blank(i, true)
}

// cased returns the end of upper* lower+ at i, or 0.
func (c *cursor) cased(i int) int {
	both := 0 // behind the last character that may also be lower
	at := i
	for at < len(c.b) {
		info, size := c.at(at)
		if info&uppers == 0 {
			if info&lowers != 0 {
				return c.run(at+size, lowers)
			}
			break
		}
		at += size
		if info&lowers != 0 {
			both = at
		}
	}
	return both
}

// capital returns the end of upper+ lower* at i, or 0.
func (c *cursor) capital(i int) int {
	end := c.run(i, uppers)
	if end == i {
		return 0
	}
	return c.run(end, lowers)
}

func scanDeepSeek(c *cursor, i int) int {
	b := c.b[i]
	if b < utf8.RuneSelf && c.ascii[b]&(puncts|symbols) != 0 && i+1 < len(c.b) && c.b[i+1]|0x20-'a' <= 'z'-'a' {
		i++
		for i < len(c.b) && c.b[i]|0x20-'a' <= 'z'-'a' {
			i++
		}
		return i
	}
	info, size := c.at(i)
	if info&(newlines|letters|puncts|symbols) == 0 {
		if next, nextSize := c.at(i + size); next&(letters|marks) != 0 {
			return c.run(i+size+nextSize, letters|marks)
		}
	}
	if info&(letters|marks) != 0 {
		return c.run(i+size, letters|marks)
	}
	at, class := i, info
	if b == ' ' {
		at = i + 1
		class, _ = c.at(at)
	}
	if class&(puncts|symbols) != 0 {
		return c.run(c.run(at, puncts|symbols), newlines)
	}
	if info&spaces == 0 {
		return i
	}
	return c.blank(i, true)
}

func scanCLIP(c *cursor, i int) int {
	for _, special := range []string{"<|startoftext|>", "<|endoftext|>"} {
		if hasPrefix(c.b[i:], special) {
			return i + len(special)
		}
	}
	if end := c.contracted(i, false); end > i {
		return end
	}
	info, size := c.at(i)
	switch {
	case info&letters != 0:
		return c.run(i+size, letters)
	case info&numbers != 0:
		return i + size
	case info&spaces != 0:
		return i
	}
	return c.runNot(i+size, spaces|letters|numbers)
}

func scanDigits(c *cursor, i int) int { return c.digitRun(i) }
