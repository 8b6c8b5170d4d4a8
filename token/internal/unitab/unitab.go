package unitab

import (
	"sort"
	"sync"
)

// categories are the names of the general categories; their places are their numbers. 0 is unassigned.
var categories = [...]string{"Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No",
	"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co"}

// categoryBits are the bits that follow from the category.
var categoryBits = func() (bits [32]uint32) {
	for i, name := range categories {
		switch name[0] {
		case 'L':
			bits[i] = Letter
		case 'M':
			bits[i] = Mark | Upper | Lower
		case 'N':
			bits[i] = Number
		case 'P':
			bits[i] = Punct
		case 'S':
			bits[i] = Symbol
		case 'Z':
			bits[i] = Space
		}
		switch name {
		case "Lu", "Lt":
			bits[i] |= Upper
		case "Ll":
			bits[i] |= Lower
		case "Lm", "Lo":
			bits[i] |= Upper | Lower
		}
	}
	return bits
}()

var loaded = sync.OnceValue(load)

// Table is the classes of all characters.
type Table struct{ t *tables }

// Load returns the table, unpacked at the first call.
func Load() Table { return Table{loaded()} }

// Info returns the bits of r.
func (t Table) Info(r rune) uint32 {
	if uint32(r) < 128 {
		return t.t.ascii[r]
	}
	if uint32(r) >= numRunes {
		return 0
	}
	return t.t.pages[t.t.pageOf[r>>8]][r&255]
}

// ASCII returns the bits of the 128 first characters.
func (t Table) ASCII() *[128]uint32 { return &t.t.ascii }

// Category returns the general category of r as a number, the place in the order of categories.
func (t Table) Category(r rune) int { return int(t.Info(r) & categoryMask) }

// CategoryNamed returns the set of categories, as bits by number, that a name of one or of two letters means; false
// where there is no such category.
func CategoryNamed(name string) (set uint32, ok bool) {
	for i, c := range categories {
		if c == name || len(name) == 1 && c[0] == name[0] {
			set |= 1 << i
		}
	}
	if name == "LC" {
		set = 1<<1 | 1<<2 | 1<<3
	}
	return set, set != 0
}

// Lower returns r in lower case, each character by itself, and false where that is r.
func (t Table) Lower(r rune) (string, bool) {
	s, ok := t.t.lower[r]
	return s, ok
}

// Decompose returns the full decomposition of r, canonical or of compatibility, and false where that is r.
func (t Table) Decompose(r rune, compatibility bool) (string, bool) {
	if compatibility {
		if s, ok := t.t.nfkd[r]; ok {
			return s, true
		}
	}
	if s, ok := t.t.nfd[r]; ok {
		return s, true
	}
	if i := int(r - hangulBase); i >= 0 && i < hangulCount {
		out := []rune{hangulL + rune(i/(hangulVs*hangulTs)), hangulV + rune(i/hangulTs%hangulVs)}
		if last := i % hangulTs; last != 0 {
			out = append(out, hangulT+rune(last))
		}
		return string(out), true
	}
	return "", false
}

// Hangul syllables compose by arithmetic: The Unicode Standard, section 3.12.
const (
	hangulBase, hangulL, hangulV, hangulT = 0xAC00, 0x1100, 0x1161, 0x11A7
	hangulLs, hangulVs, hangulTs          = 19, 21, 28
	hangulCount                           = hangulLs * hangulVs * hangulTs
)

// CombiningClass returns the canonical combining class of r.
func (t Table) CombiningClass(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return t.t.ccc[r]
}

// Compose returns the character that a and b compose to.
func (t Table) Compose(a, b rune) (rune, bool) {
	if b < 0x300 {
		return 0, false
	}
	if l := a - hangulL; l >= 0 && l < hangulLs {
		if v := b - hangulV; v >= 0 && v < hangulVs {
			return hangulBase + (l*hangulVs+v)*hangulTs, true
		}
	}
	if s := a - hangulBase; s >= 0 && s < hangulCount && s%hangulTs == 0 {
		if last := b - hangulT; last > 0 && last < hangulTs {
			return a + last, true
		}
	}
	c, ok := t.t.compose[[2]rune{a, b}]
	return c, ok
}

// Script returns a number for the script of r, by the tables of SentencePiece: 0 is "any". Kana count as Han, as does
// the mark of a long vowel.
func (t Table) Script(r rune) uint8 {
	switch {
	case r == 0x30FC:
		return scriptHan
	case r == ' ':
		return 0
	}
	i := sort.Search(len(t.t.scripts), func(i int) bool { return t.t.scripts[i].end > r })
	if i == len(t.t.scripts) || t.t.scripts[i].first > r {
		return 0
	}
	if s := t.t.scripts[i].script; s != scriptHiragana && s != scriptKatakana {
		return s
	}
	return scriptHan
}
