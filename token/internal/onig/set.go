package onig

import (
	"unicode"

	"github.com/go-nx/nx/token/internal/unitab"
)

// set is a class of characters.
type set struct {
	ascii   [2]uint64 // the answers for the 128 first characters
	ranges  []rune    // pairs: first and last
	cats    uint32    // general categories, by number
	bits    uint32    // any of these bits of unitab
	script  *unicode.RangeTable
	union   []*set
	both    []*set // all of these, an intersection, united with the rest
	fold    bool   // ignore case
	negated bool
}

func (s *set) add(first, last rune) { s.ranges = append(s.ranges, first, last) }

// finish fills in the answers for ASCII; the set must not change after it.
func (s *set) finish(t unitab.Table) *set {
	for r := range rune(128) {
		if s.slow(t, r) {
			s.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return s
}

func (s *set) has(t unitab.Table, r rune) bool {
	if uint32(r) < 128 {
		return s.ascii[r>>6]>>(r&63)&1 != 0
	}
	return s.slow(t, r)
}

func (s *set) slow(t unitab.Table, r rune) bool {
	found := s.plain(t, r)
	if s.fold && !found {
		for f := unicode.SimpleFold(r); f != r && !found; f = unicode.SimpleFold(f) {
			found = s.plain(t, f)
		}
	}
	return found != s.negated
}

func (s *set) plain(t unitab.Table, r rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		if s.ranges[i] <= r && r <= s.ranges[i+1] {
			return true
		}
	}
	if s.cats|s.bits != 0 {
		info := t.Info(r)
		if s.bits&info != 0 || s.cats>>(info&31)&1 != 0 {
			return true
		}
	}
	if s.script != nil && unicode.Is(s.script, r) {
		return true
	}
	for _, u := range s.union {
		if u.slow(t, r) {
			return true
		}
	}
	if s.both == nil {
		return false
	}
	for _, u := range s.both {
		if !u.slow(t, r) {
			return false
		}
	}
	return true
}

// graph is the categories that are visible: all but unassigned, controls and separators.
const graph = ^uint32(0) &^ (1<<0 | 1<<23 | 1<<24 | 1<<25 | 1<<26)

// named returns the class of a property or of a POSIX bracket; nil where there is no such name. name is in lower case
// without spaces, hyphens and underscores.
func named(name string) *set {
	switch name {
	case "alpha", "alphabetic":
		return &set{bits: unitab.Alphabetic}
	case "upper", "uppercase":
		return &set{bits: unitab.Uppercase}
	case "lower", "lowercase":
		return &set{bits: unitab.Lowercase}
	case "digit":
		return &set{cats: 1 << 9}
	case "alnum":
		return &set{bits: unitab.Alphabetic, cats: 1 << 9}
	case "word":
		return &set{bits: unitab.Alphabetic | unitab.Mark, cats: 1<<9 | 1<<12}
	case "space", "whitespace":
		return &set{bits: unitab.Space}
	case "blank":
		return &set{cats: 1 << 23, ranges: []rune{'\t', '\t'}}
	case "punct":
		return &set{bits: unitab.Punct | unitab.Symbol}
	case "cntrl":
		return &set{cats: 1 << 26}
	case "graph":
		return &set{cats: graph}
	case "print":
		return &set{cats: graph | 1<<23}
	case "xdigit", "asciihexdigit":
		return &set{ranges: []rune{'0', '9', 'a', 'f', 'A', 'F'}}
	case "ascii":
		return &set{ranges: []rune{0, 127}}
	case "any":
		return &set{ranges: []rune{0, unicode.MaxRune}}
	case "assigned":
		return &set{cats: ^uint32(1)}
	}
	return nil
}

// longCategories are the long names of the general categories.
var longCategories = map[string]string{
	"letter": "L", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm",
	"otherletter": "Lo", "mark": "M", "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me", "number": "N",
	"decimalnumber": "Nd", "letternumber": "Nl", "othernumber": "No", "punctuation": "P", "connectorpunctuation": "Pc",
	"dashpunctuation": "Pd", "openpunctuation": "Ps", "closepunctuation": "Pe", "initialpunctuation": "Pi",
	"finalpunctuation": "Pf", "otherpunctuation": "Po", "symbol": "S", "mathsymbol": "Sm", "currencysymbol": "Sc",
	"modifiersymbol": "Sk", "othersymbol": "So", "separator": "Z", "spaceseparator": "Zs", "lineseparator": "Zl",
	"paragraphseparator": "Zp", "other": "C", "control": "Cc", "format": "Cf", "unassigned": "Cn", "privateuse": "Co",
	"casedletter": "LC",
}

// word is \w outside of a class, where Oniguruma takes six characters of Latin-1 from another table than inside. Rust's
// regular expressions (unitab.Word) count two joiners in the place of these.
func word() *set {
	return &set{bits: unitab.Alphabetic | unitab.Mark, cats: 1<<9 | 1<<12,
		ranges: []rune{0xB2, 0xB3, 0xB9, 0xB9, 0xBC, 0xBE}}
}
