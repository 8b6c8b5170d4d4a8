package unitab

import (
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// The bits of an Info word. The low five bits are the general category, as Category numbers it.
const (
	Letter        = 1 << (iota + 5) // \p{L}
	Number                          // \p{N}
	Punct                           // \p{P}
	Symbol                          // \p{S}
	Mark                            // \p{M}
	Space                           // \s, White_Space
	Newline                         // U+000A and U+000D
	Upper                           // Lu, Lt, Lm, Lo and M: what may begin a word in the pattern of o200k
	Lower                           // Ll, Lm, Lo and M: what may go on
	Word                            // \w of the added tokens and of Whitespace
	Numeric                         // Digits: Nd, Nl and No
	OldPunct                        // Punctuation and BertPreTokenizer: P of Unicode 8 and all punctuation of ASCII
	OldMark                         // StripAccents: Mn, Mc and Me of Unicode 9
	OldNonspacing                   // BertNormalizer's accents: Mn
	Unclean                         // what BertNormalizer's clean_text removes
	Alphabetic                      // the property
	Uppercase                       // the property
	Lowercase                       // the property
	Composed                        // NFC leaves it alone wherever it stands
)

const categoryMask = 31

// numRunes is one more than the greatest code point.
const numRunes = 0x110000

// tables is everything unpacked.
type tables struct {
	ascii   [128]uint32
	pageOf  [numRunes >> 8]uint16
	pages   [][256]uint32
	nfd     map[rune]string
	nfkd    map[rune]string // only where it differs from nfd
	ccc     map[rune]uint8
	compose map[[2]rune]rune
	lower   map[rune]string
	cluster map[rune]uint8 // classes of grapheme clusters, without LV and LVT
	extend  map[rune]bool  // InCB=Extend
	linker  map[rune]bool  // InCB=Linker
	scripts []scriptRange
}

type scriptRange struct {
	first, end rune
	script     uint8
}

// reader reads the packed form. Its input is part of the program, so a fault in it is a fault of the generator.
type reader struct {
	b   []byte
	pos int
}

func (r *reader) uint() int {
	n, shift := 0, 0
	for {
		c := r.b[r.pos]
		r.pos++
		n |= int(c&127) << shift
		if c < 128 {
			return n
		}
		shift += 7
	}
}

func (r *reader) int() int {
	n := r.uint()
	if n&1 != 0 {
		return -(n + 1) / 2
	}
	return n / 2
}

// set reads ranges and calls f for each.
func (r *reader) set(f func(first, end int)) {
	at := 0
	for range r.uint() {
		first := at + r.uint()
		at = first + r.uint()
		f(first, at)
	}
}

// values reads ranges with a value each.
func (r *reader) values(f func(first, end, value int)) {
	at := 0
	for range r.uint() {
		first := at + r.uint()
		at = first + r.uint()
		f(first, at, r.uint())
	}
}

// mapping reads a map from a rune to some.
func (r *reader) mapping() map[rune]string {
	n := r.uint()
	m := make(map[rune]string, n)
	at := 0
	var b strings.Builder
	for range n {
		at += r.uint()
		b.Reset()
		for range r.uint() {
			b.WriteRune(rune(at + r.int()))
		}
		m[rune(at)] = b.String()
	}
	return m
}

func load() *tables {
	compressed := base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed))
	raw, err := io.ReadAll(flate.NewReader(compressed))
	if err != nil {
		panic(fmt.Sprintf("unitab: the packed tables do not unpack: %v", err))
	}
	r := &reader{b: raw}
	t := &tables{}
	info := make([]uint32, numRunes)
	bits := func(bit uint32) func(first, end int) {
		return func(first, end int) {
			for c := first; c < end; c++ {
				info[c] |= bit
			}
		}
	}

	r.values(func(first, end, category int) {
		bits(uint32(category)|categoryBits[category])(first, end)
	})
	r.set(bits(Alphabetic))
	r.set(bits(Uppercase))
	r.set(bits(Lowercase))
	r.set(bits(Word))
	r.set(bits(Numeric))
	r.set(bits(OldPunct))
	r.set(bits(OldMark))
	r.set(bits(OldNonspacing))
	r.set(bits(Unclean))
	for _, c := range []int{'\t', '\n', '\v', '\f', '\r', 0x85} {
		info[c] |= Space
	}
	info['\n'] |= Newline
	info['\r'] |= Newline

	t.nfd = r.mapping()
	t.nfkd = r.mapping()
	changing := map[rune]bool{} // what NFC does not leave alone: no composite
	r.set(func(first, end int) {
		for c := first; c < end; c++ {
			changing[rune(c)] = true
		}
	})
	t.ccc = map[rune]uint8{}
	r.values(func(first, end, class int) {
		for c := first; c < end; c++ {
			t.ccc[rune(c)] = uint8(class)
		}
	})
	t.lower = r.mapping()
	t.cluster = map[rune]uint8{}
	r.values(func(first, end, class int) {
		for c := first; c < end; c++ {
			t.cluster[rune(c)] = uint8(class)
		}
	})
	t.extend, t.linker = map[rune]bool{}, map[rune]bool{}
	for _, m := range []map[rune]bool{t.extend, t.linker} {
		r.set(func(first, end int) {
			for c := first; c < end; c++ {
				m[rune(c)] = true
			}
		})
	}
	r.values(func(first, end, script int) {
		t.scripts = append(t.scripts, scriptRange{rune(first), rune(end), uint8(script)})
	})

	t.pairs(changing)
	t.markComposed(info, changing)
	t.page(info)
	t.ascii = [128]uint32(info)
	return t
}

// page stores info with equal pages of 256 code points once.
func (t *tables) page(info []uint32) {
	seen := map[[256]uint32]uint16{}
	for p := range t.pageOf {
		page := [256]uint32(info[p<<8 : (p+1)<<8])
		at, ok := seen[page]
		if !ok {
			at = uint16(len(t.pages))
			seen[page] = at
			t.pages = append(t.pages, page)
		}
		t.pageOf[p] = at
	}
}

// pairs finds the two characters that compose to each composite: the last of its decomposition, and the composite of
// those before.
func (t *tables) pairs(changing map[rune]bool) {
	t.compose = make(map[[2]rune]rune, len(t.nfd))
	byDecomposition := map[string]rune{}
	for c, d := range t.nfd {
		if !changing[c] {
			byDecomposition[d] = c
		}
	}
	for d, c := range byDecomposition {
		runes := []rune(d)
		last := len(runes) - 1
		if last < 1 {
			continue
		}
		first := runes[0]
		if last > 1 {
			var ok bool
			if first, ok = byDecomposition[string(runes[:last])]; !ok {
				continue
			}
		}
		t.compose[[2]rune{first, runes[last]}] = c
	}
}

// markComposed sets Composed on the characters that neither change, nor move, nor join the one before.
func (t *tables) markComposed(info []uint32, changing map[rune]bool) {
	for c := range info {
		info[c] |= Composed
	}
	for c := range changing {
		info[c] &^= Composed
	}
	for c := range t.ccc {
		info[c] &^= Composed
	}
	for pair := range t.compose {
		info[pair[1]] &^= Composed
	}
	for c := hangulV; c < hangulV+hangulVs; c++ {
		info[c] &^= Composed
	}
	for c := hangulT + 1; c < hangulT+hangulTs; c++ {
		info[c] &^= Composed
	}
}
