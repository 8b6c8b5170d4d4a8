package unitab

import "unicode/utf8"

// Classes of characters in grapheme clusters; the numbers are those of the packed table.
const (
	clusterAny = iota
	clusterCR
	clusterLF
	clusterControl
	clusterExtend
	clusterPictographic
	clusterConsonant
	clusterL
	clusterLV
	clusterLVT
	clusterPrepend
	clusterRegional
	clusterSpacing
	clusterT
	clusterV
	clusterZWJ
)

func (t Table) clusterOf(r rune) uint8 {
	if r >= ' ' && r < 0x7f {
		return clusterAny
	}
	if i := int(r - hangulBase); i >= 0 && i < hangulCount {
		if i%hangulTs == 0 {
			return clusterLV
		}
		return clusterLVT
	}
	return t.t.cluster[r]
}

// ClusterEnd returns where the extended grapheme cluster that begins text ends (Unicode Standard Annex 29).
func (t Table) ClusterEnd(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	r, at := utf8.DecodeRune(text)
	before := t.clusterOf(r)
	regional := 0                   // how many regional indicators came before
	emoji := false                  // a pictograph and only extending characters came before
	consonant, link := false, false // a consonant and only extending characters came before, one of them a linker
	for {
		switch {
		case before == clusterPictographic:
			emoji = true
		case before != clusterExtend && before != clusterZWJ:
			emoji = false
		}
		switch {
		case before == clusterConsonant:
			consonant, link = true, false
		case t.t.linker[r]:
			link = true
		case !t.t.extend[r]:
			consonant = false
		}
		if before == clusterRegional {
			regional++
		} else {
			regional = 0
		}
		if at == len(text) {
			return at
		}
		next, size := utf8.DecodeRune(text[at:])
		after := t.clusterOf(next)
		joined := false
		switch {
		case before == clusterCR && after == clusterLF:
			joined = true
		case before <= clusterControl && before != clusterAny || after <= clusterControl && after != clusterAny:
		case before == clusterL &&
			(after == clusterL || after == clusterV || after == clusterLV || after == clusterLVT),
			(before == clusterLV || before == clusterV) && (after == clusterV || after == clusterT),
			(before == clusterLVT || before == clusterT) && after == clusterT,
			after == clusterExtend, after == clusterZWJ, after == clusterSpacing, before == clusterPrepend,
			after == clusterConsonant && consonant && link,
			before == clusterZWJ && after == clusterPictographic && emoji,
			before == clusterRegional && after == clusterRegional && regional%2 == 1:
			joined = true
		}
		if !joined {
			return at
		}
		r, before, at = next, after, at+size
	}
}
