package onig

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// kind says what a node is.
type kind uint8

const (
	kEmpty  kind = iota
	kSet         // one character of set
	kCat         // subs, one after another
	kAlt         // subs, the first that leads to a match
	kRepeat      // subs[0], min to max times; max < 0: without end
	kGroup       // subs[0], remembered as group num
	kAtomic      // subs[0], without going back into it
	kLook        // subs[0] ahead or behind, consuming nothing
	kAssert      // an anchor, by op
	kBack        // what group num matched
)

type node struct {
	kind           kind
	set            *set
	subs           []*node
	min, max       int
	lazy           bool
	num            int
	behind, negate bool
	op             opcode
	fold           bool
}

// flags are the options that (?imx) sets.
type flags struct{ fold, dotAll, extended bool }

type parser struct {
	t      unitab.Table
	in     string
	pos    int
	flags  flags
	groups int
	names  map[string]int
	depth  int
}

// maxDepth is how deep groups and classes may be nested.
const maxDepth = 200

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("at byte %d of the pattern: %s", p.pos, fmt.Sprintf(format, args...))
}

func (p *parser) more() bool { return p.pos < len(p.in) }

func (p *parser) peek() byte { return p.in[p.pos] }

func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.in[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *parser) rune() rune {
	r, size := utf8.DecodeRuneInString(p.in[p.pos:])
	p.pos += size
	return r
}

// alternatives reads up to the closing parenthesis or the end.
func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("groups are nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	saved := p.flags
	defer func() { p.flags = saved }()
	var alts []*node
	for {
		seq, err := p.sequence()
		if err != nil {
			return nil, err
		}
		alts = append(alts, seq)
		if !p.take("|") {
			break
		}
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	return &node{kind: kAlt, subs: alts}, nil
}

func (p *parser) sequence() (*node, error) {
	seq := &node{kind: kCat}
	for p.more() && p.peek() != '|' && p.peek() != ')' {
		if p.flags.extended {
			if c := p.peek(); c == ' ' || c >= '\t' && c <= '\r' {
				p.pos++
				continue
			} else if c == '#' {
				for p.more() && p.peek() != '\n' {
					p.pos++
				}
				continue
			}
		}
		n, err := p.atom()
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue
		}
		if n, err = p.repeat(n); err != nil {
			return nil, err
		}
		seq.subs = append(seq.subs, n)
	}
	if len(seq.subs) == 1 {
		return seq.subs[0], nil
	}
	return seq, nil
}

// repeat reads the quantifiers behind n.
func (p *parser) repeat(n *node) (*node, error) {
	for p.more() {
		low, high, braces := 0, -1, false
		switch p.peek() {
		case '*':
		case '+':
			low = 1
		case '?':
			high = 1
		case '{':
			end := strings.IndexByte(p.in[p.pos:], '}')
			if end < 0 || !interval(p.in[p.pos+1:p.pos+end], &low, &high) {
				return n, nil // a plain brace
			}
			if low > maxRepeat || high > maxRepeat {
				return nil, p.fail("a repetition of more than %d", maxRepeat)
			}
			if high >= 0 && high < low {
				return nil, p.fail("a repetition of at least %d and at most %d", low, high)
			}
			braces = true
			p.pos += end
		default:
			return n, nil
		}
		p.pos++
		if n.kind == kAssert || n.kind == kLook {
			return nil, p.fail("a repetition of what consumes nothing")
		}
		n = &node{kind: kRepeat, subs: []*node{n}, min: low, max: high}
		switch {
		case p.take("?"):
			n.lazy = true
		case !braces && p.take("+"):
			n = &node{kind: kAtomic, subs: []*node{n}}
		}
	}
	return n, nil
}

// maxRepeat bounds {n,m}, which is compiled by copying.
const maxRepeat = 1000

func interval(s string, low, high *int) bool {
	number := func(s string, n *int) bool {
		if s == "" || len(s) > 6 {
			return false
		}
		*n = 0
		for _, c := range []byte(s) {
			if c < '0' || c > '9' {
				return false
			}
			*n = *n*10 + int(c-'0')
		}
		return true
	}
	before, after, comma := strings.Cut(s, ",")
	if !comma {
		if !number(before, low) {
			return false
		}
		*high = *low
		return true
	}
	if before == "" && after == "" || before != "" && !number(before, low) {
		return false
	}
	return after == "" || number(after, high)
}

func (p *parser) one(s *set) *node { return &node{kind: kSet, set: s.finish(p.t)} }

func (p *parser) literal(r rune) *node {
	return p.one(&set{ranges: []rune{r, r}, fold: p.flags.fold})
}

func (p *parser) atom() (*node, error) {
	switch c := p.peek(); c {
	case '(':
		p.pos++
		return p.group()
	case '[':
		p.pos++
		s, err := p.class()
		if err != nil {
			return nil, err
		}
		return p.one(s), nil
	case '.':
		p.pos++
		if p.flags.dotAll {
			return p.one(&set{negated: true}), nil
		}
		return p.one(&set{ranges: []rune{'\n', '\n'}, negated: true}), nil
	case '^':
		p.pos++
		return &node{kind: kAssert, op: opLineStart}, nil
	case '$':
		p.pos++
		return &node{kind: kAssert, op: opLineEnd}, nil
	case '*', '+', '?':
		return nil, p.fail("nothing to repeat before %q", c)
	case '\\':
		p.pos++
		return p.escape()
	}
	return p.literal(p.rune()), nil
}

// group reads what follows an opening parenthesis. A nil node is a group that only sets flags.
func (p *parser) group() (*node, error) {
	n := &node{kind: kCat}
	if !p.take("?") {
		p.groups++
		n = &node{kind: kGroup, num: p.groups}
	} else {
		switch {
		case p.take(":"):
		case p.take("="):
			n = &node{kind: kLook}
		case p.take("!"):
			n = &node{kind: kLook, negate: true}
		case p.take("<="):
			n = &node{kind: kLook, behind: true}
		case p.take("<!"):
			n = &node{kind: kLook, behind: true, negate: true}
		case p.take(">"):
			n = &node{kind: kAtomic}
		case p.take("#"):
			end := strings.IndexByte(p.in[p.pos:], ')')
			if end < 0 {
				return nil, p.fail("a comment without an end")
			}
			p.pos += end + 1
			return nil, nil
		case p.take("<") || p.take("P<"):
			end := strings.IndexByte(p.in[p.pos:], '>')
			if end <= 0 {
				return nil, p.fail("a group's name without an end")
			}
			p.groups++
			p.names[p.in[p.pos:p.pos+end]] = p.groups
			p.pos += end + 1
			n = &node{kind: kGroup, num: p.groups}
		default:
			return p.options()
		}
	}
	sub, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if !p.take(")") {
		return nil, p.fail("a group without its closing parenthesis")
	}
	n.subs = []*node{sub}
	return n, nil
}

// options reads (?imx-imx) and (?imx-imx: … ).
func (p *parser) options() (*node, error) {
	outer, next, on := p.flags, p.flags, true
	for p.more() {
		c := p.peek()
		p.pos++
		switch c {
		case '-':
			on = false
		case 'i':
			next.fold = on
		case 'm':
			next.dotAll = on
		case 'x':
			next.extended = on
		case ')':
			// The rest of the enclosing group, its alternatives included, is under the flags.
			p.flags = next
			sub, err := p.rest()
			return sub, err
		case ':':
			p.flags = next
			sub, err := p.alternatives()
			p.flags = outer
			if err != nil {
				return nil, err
			}
			if !p.take(")") {
				return nil, p.fail("a group without its closing parenthesis")
			}
			return sub, nil
		default:
			return nil, p.fail("an unknown kind of group: (?%c", c)
		}
	}
	return nil, p.fail("a group without its closing parenthesis")
}

// rest reads what the flags just set hold for.
func (p *parser) rest() (*node, error) { return p.alternatives() }

func (p *parser) escape() (*node, error) {
	if !p.more() {
		return nil, p.fail("a backslash at the end")
	}
	switch c := p.peek(); c {
	case 'w', 'W':
		p.pos++
		s := word()
		s.negated = c == 'W'
		return p.one(s), nil
	case 'A':
		p.pos++
		return &node{kind: kAssert, op: opTextStart}, nil
	case 'z':
		p.pos++
		return &node{kind: kAssert, op: opTextEnd}, nil
	case 'Z':
		p.pos++
		return &node{kind: kAssert, op: opLastLine}, nil
	case 'b':
		p.pos++
		return &node{kind: kAssert, op: opWordEdge}, nil
	case 'B':
		p.pos++
		return &node{kind: kAssert, op: opNoWordEdge}, nil
	case 'G':
		p.pos++
		return &node{kind: kAssert, op: opSearchStart}, nil
	case 'R':
		p.pos++
		cr, lf := p.one(&set{ranges: []rune{'\r', '\r'}}), p.one(&set{ranges: []rune{'\n', '\n'}})
		pair := &node{kind: kCat, subs: []*node{cr, lf}}
		single := p.one(&set{ranges: []rune{'\n', '\r', 0x85, 0x85, 0x2028, 0x2029}})
		return &node{kind: kAtomic, subs: []*node{{kind: kAlt, subs: []*node{pair, single}}}}, nil
	case 'k':
		p.pos++
		if !p.take("<") {
			return nil, p.fail(`\k without a name`)
		}
		end := strings.IndexByte(p.in[p.pos:], '>')
		if end < 0 {
			return nil, p.fail(`\k without a name`)
		}
		num, ok := p.names[p.in[p.pos:p.pos+end]]
		if !ok {
			return nil, p.fail("no group is called %q", p.in[p.pos:p.pos+end])
		}
		p.pos += end + 1
		return &node{kind: kBack, num: num, fold: p.flags.fold}, nil
	case 'X', 'K', 'g', 'y', 'Y', 'Q', 'E':
		return nil, p.fail(`\%c is not supported`, c)
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		next := p.pos + 1
		if num := int(c - '0'); num <= p.groups && (next == len(p.in) || p.in[next] < '0' || p.in[next] > '9') {
			p.pos++
			return &node{kind: kBack, num: num, fold: p.flags.fold}, nil
		}
	}
	s, r, err := p.classEscape()
	if err != nil {
		return nil, err
	}
	if s != nil {
		s.fold = p.flags.fold && !s.negated
		return p.one(s), nil
	}
	return p.literal(r), nil
}

// classEscape reads what follows a backslash inside a class or outside: a set, or else a character.
func (p *parser) classEscape() (*set, rune, error) {
	if !p.more() {
		return nil, 0, p.fail("a backslash at the end")
	}
	c := p.rune()
	negated := func(s *set) (*set, rune, error) { s.negated = true; return s, 0, nil }
	switch c {
	case 's':
		return &set{bits: unitab.Space}, 0, nil
	case 'S':
		return negated(&set{bits: unitab.Space})
	case 'd':
		return named("digit"), 0, nil
	case 'D':
		return negated(named("digit"))
	case 'w':
		return named("word"), 0, nil
	case 'W':
		return negated(named("word"))
	case 'h':
		return named("xdigit"), 0, nil
	case 'H':
		return negated(named("xdigit"))
	case 'N':
		return &set{ranges: []rune{'\n', '\n'}, negated: true}, 0, nil
	case 'O':
		return &set{negated: true}, 0, nil
	case 'p', 'P':
		return p.property(c == 'P')
	case 'n':
		return nil, '\n', nil
	case 't':
		return nil, '\t', nil
	case 'r':
		return nil, '\r', nil
	case 'f':
		return nil, '\f', nil
	case 'v':
		return nil, '\v', nil
	case 'a':
		return nil, '\a', nil
	case 'e':
		return nil, 0x1b, nil
	case 'x':
		if p.take("{") {
			end := strings.IndexByte(p.in[p.pos:], '}')
			if end < 1 {
				return nil, 0, p.fail(`\x{ without an end`)
			}
			r, err := p.hex(end)
			p.pos++
			return nil, r, err
		}
		digits := 0
		for digits < 2 && p.pos+digits < len(p.in) && isHex(p.in[p.pos+digits]) {
			digits++
		}
		r, err := p.hex(digits)
		return nil, r, err
	case 'u':
		r, err := p.hex(4)
		return nil, r, err
	}
	if c >= '0' && c <= '7' {
		r := c - '0'
		for i := 0; i < 2 && p.more() && p.peek() >= '0' && p.peek() <= '7'; i++ {
			r = r*8 + rune(p.peek()-'0')
			p.pos++
		}
		return nil, r, nil
	}
	if c < 128 && unicode.IsLetter(c) {
		return nil, 0, p.fail(`\%c is not supported`, c)
	}
	return nil, c, nil
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'f' }

func (p *parser) hex(digits int) (rune, error) {
	if digits == 0 || digits > 8 || p.pos+digits > len(p.in) {
		return 0, p.fail("a character by number without its digits")
	}
	r := 0
	for _, c := range []byte(p.in[p.pos : p.pos+digits]) {
		switch {
		case !isHex(c):
			return 0, p.fail("a character by number without its digits")
		case c <= '9':
			r = r<<4 | int(c-'0')
		default:
			r = r<<4 | int(c|32-'a'+10)
		}
	}
	p.pos += digits
	if r > unicode.MaxRune {
		return 0, p.fail("no character has the number %x", r)
	}
	return rune(r), nil
}

// property reads {Name} or {^Name} behind \p.
func (p *parser) property(negated bool) (*set, rune, error) {
	if !p.take("{") {
		return nil, 0, p.fail(`\p without a name in braces`)
	}
	end := strings.IndexByte(p.in[p.pos:], '}')
	if end < 0 {
		return nil, 0, p.fail(`\p without a name in braces`)
	}
	name := p.in[p.pos : p.pos+end]
	if rest, ok := strings.CutPrefix(name, "^"); ok {
		name, negated = rest, !negated
	}
	s := property(name)
	if s == nil {
		return nil, 0, p.fail("an unknown property: %q", name)
	}
	p.pos += end + 1
	s.negated = negated
	return s, 0, nil
}

func property(name string) *set {
	key := strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))
	short := key
	if len(key) > 0 && len(key) <= 2 {
		short = strings.ToUpper(key[:1]) + key[1:]
		if key == "lc" {
			short = "LC"
		}
	} else if long, ok := longCategories[key]; ok {
		short = long
	}
	if set := named(key); set != nil {
		return set
	}
	if cats, ok := unitab.CategoryNamed(short); ok && len(short) <= 2 {
		return &set{cats: cats}
	}
	for script, table := range unicode.Scripts {
		if strings.ToLower(strings.ReplaceAll(script, "_", "")) == key {
			return &set{script: table}
		}
	}
	return nil
}

// class reads a class up to its closing bracket.
func (p *parser) class() (*set, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("classes are nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	negated := p.take("^")
	s := &set{}
	var both []*set
	for first := true; ; first = false {
		if !p.more() {
			return nil, p.fail("a class without its closing bracket")
		}
		if p.peek() == ']' && !first {
			p.pos++
			break
		}
		if p.take("&&") {
			both = append(both, s)
			s = &set{}
			continue
		}
		if p.take("[:") {
			end := strings.Index(p.in[p.pos:], ":]")
			if end < 0 {
				return nil, p.fail("[: without :]")
			}
			name, not := strings.CutPrefix(p.in[p.pos:p.pos+end], "^")
			u := named(name)
			if u == nil {
				return nil, p.fail("an unknown class: %q", name)
			}
			u.negated = not
			s.union = append(s.union, u)
			p.pos += end + 2
			continue
		}
		if p.take("[") {
			u, err := p.class()
			if err != nil {
				return nil, err
			}
			s.union = append(s.union, u)
			continue
		}
		u, low, err := p.member()
		if err != nil {
			return nil, err
		}
		if u != nil {
			s.union = append(s.union, u)
			continue
		}
		high := low
		if p.pos+1 < len(p.in) && p.peek() == '-' && p.in[p.pos+1] != ']' {
			mark := p.pos
			p.pos++
			if u, high, err = p.member(); err != nil {
				return nil, err
			}
			if u != nil || p.in[mark+1] == '[' { // a hyphen before a class is a hyphen
				p.pos, high = mark, low
				s.add('-', '-')
				p.pos++
			} else if high < low {
				return nil, p.fail("a range from %q down to %q", low, high)
			}
		}
		s.add(low, high)
	}
	if both != nil {
		s = &set{both: append(both, s)}
	}
	s.fold, s.negated = p.flags.fold, negated
	return s, nil
}

// member reads a character or an escape inside a class.
func (p *parser) member() (*set, rune, error) {
	if p.take(`\`) {
		if p.take("b") {
			return nil, '\b', nil
		}
		return p.classEscape()
	}
	if !p.more() {
		return nil, 0, p.fail("a class without its closing bracket")
	}
	return nil, p.rune(), nil
}
