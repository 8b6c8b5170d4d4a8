package token

// model splits a word into tokens.
type model interface {
	// tokenize appends the tokens of s.text from start to end to s.units.
	tokenize(s *state, start, end int32) error
	vocabulary() *vocab
}

// vocab is the tokens of a model.
type vocab struct {
	ids    map[string]int32
	tokens []string // by id, where ids are dense
	known  []bool
	sparse map[int32]string // otherwise
	size   int              // how many there are
}

func newVocab(keys []string, ids []int32) *vocab {
	v := &vocab{ids: make(map[string]int32, len(keys))}
	highest := int32(-1)
	for i, key := range keys {
		v.ids[key] = ids[i]
		highest = max(highest, ids[i])
	}
	v.size = len(v.ids)
	if int(highest) < 4*len(keys)+1024 {
		v.tokens = make([]string, highest+1)
		v.known = make([]bool, highest+1)
		for i, key := range keys {
			v.tokens[ids[i]], v.known[ids[i]] = key, true
		}
		return v
	}
	v.sparse = make(map[int32]string, len(keys))
	for i, key := range keys {
		v.sparse[ids[i]] = key
	}
	return v
}

func (v *vocab) token(id int32) (string, bool) {
	if v.sparse != nil {
		token, ok := v.sparse[id]
		return token, ok
	}
	if id < 0 || int(id) >= len(v.tokens) || !v.known[id] {
		return "", false
	}
	return v.tokens[id], true
}

// bytesTokens returns the ids of <0x00> to <0xFF>, -1 where there is none.
func (v *vocab) byteTokens() (ids [256]int32) {
	const hex = "0123456789ABCDEF"
	for c := range ids {
		id, ok := v.ids["<0x"+hex[c>>4:c>>4+1]+hex[c&15:c&15+1]+">"]
		if !ok {
			id = -1
		}
		ids[c] = id
	}
	return ids
}
