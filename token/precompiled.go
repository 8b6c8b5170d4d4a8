package token

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/unitab"
)

// precompiled is the map of characters that SentencePiece compiles into its models: a double array whose leaves point
// into the replacements, each ended by a zero byte.
type precompiled struct {
	units        []uint32
	replacements []byte
}

func newPrecompiled(encoded string) (*precompiled, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 {
		return nil, fmt.Errorf("%d bytes are too few", len(data))
	}
	size := int(binary.LittleEndian.Uint32(data))
	if size > len(data)-4 {
		return nil, fmt.Errorf("its trie has %d bytes of %d", size, len(data)-4)
	}
	p := &precompiled{units: make([]uint32, size/4), replacements: data[4+size/4*4:]}
	for i := range p.units {
		p.units[i] = binary.LittleEndian.Uint32(data[4+4*i:])
	}
	if !utf8.Valid(p.replacements) {
		return nil, fmt.Errorf("its replacements are not UTF-8")
	}
	return p, nil
}

// lookup returns what the shortest prefix of chunk in the map is replaced by.
func (p *precompiled) lookup(chunk []byte) ([]byte, bool) {
	if len(p.units) == 0 {
		return nil, false
	}
	// A unit: bits 0–7 and 31 the label, bit 8 whether there is a leaf, from bit 10 on the offset, times 256 by bit 9.
	offset := func(u uint32) uint32 { return u >> 10 << (u >> 6 & 8) }
	at := offset(p.units[0])
	for _, c := range chunk {
		if c == 0 {
			break
		}
		at ^= uint32(c)
		if at >= uint32(len(p.units)) {
			break
		}
		u := p.units[at]
		if u&(1<<31|0xff) != uint32(c) {
			break
		}
		at ^= offset(u)
		if at >= uint32(len(p.units)) {
			break
		}
		if u>>8&1 != 0 {
			start := int(p.units[at] & (1<<31 - 1))
			if start > len(p.replacements) {
				return nil, false
			}
			rest := p.replacements[start:]
			for i, c := range rest {
				if c == 0 {
					return rest[:i], true
				}
			}
			return rest, true
		}
	}
	return nil, false
}

func (p *precompiled) normalize(s *state, x text) (text, error) {
	t := unitab.Load()
	s.changes = s.changes[:0]
	modified := false
	// swap records that old is replaced by with: characters too many are put in at the end, characters too few are
	// removed behind the last one.
	swap := func(old, with []byte) {
		modified = true
		extra := utf8.RuneCount(with) - utf8.RuneCount(old)
		for i := 0; i < len(with); {
			r, size := utf8.DecodeRune(with[i:])
			s.changes = append(s.changes, change{r, 0})
			i += size
		}
		for i := 1; i <= extra && i <= len(s.changes); i++ {
			s.changes[len(s.changes)-i].n = 1
		}
		if extra < 0 && len(s.changes) > 0 {
			s.changes[len(s.changes)-1].n += int32(extra)
		}
	}
	for i := 0; i < len(x.b); {
		end := i + 1
		if x.b[i] < ' ' || x.b[i] > '~' || end < len(x.b) && x.b[end] >= utf8.RuneSelf {
			end = i + t.ClusterEnd(x.b[i:])
		}
		cluster := x.b[i:end]
		i = end
		if len(cluster) < 6 {
			if with, ok := p.lookup(cluster); ok {
				swap(cluster, with)
				continue
			}
		}
		for len(cluster) > 0 {
			r, size := utf8.DecodeRune(cluster)
			if with, ok := p.lookup(cluster[:size]); ok {
				swap(cluster[:size], with)
			} else {
				s.changes = append(s.changes, change{r, 0})
			}
			cluster = cluster[size:]
		}
	}
	if !modified {
		return x, nil
	}
	return s.transform(x), nil
}
