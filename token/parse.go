package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-nx/nx/token/internal/onig"
	"github.com/go-nx/nx/token/internal/unitab"
)

// maxNesting is how deep sequences of components may be nested.
const maxNesting = 50

// Parse reads the contents of a tokenizer.json. What is unknown in it is an error that names the field.
func Parse(data []byte) (*Tokenizer, error) {
	var file struct {
		Version       *string         `json:"version"`
		Truncation    json.RawMessage `json:"truncation"`
		Padding       json.RawMessage `json:"padding"`
		AddedTokens   json.RawMessage `json:"added_tokens"`
		Normalizer    json.RawMessage `json:"normalizer"`
		PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
		PostProcessor json.RawMessage `json:"post_processor"`
		Decoder       json.RawMessage `json:"decoder"`
		Model         json.RawMessage `json:"model"`
	}
	if !utf8.Valid(data) { // tokens that differ would become equal
		return nil, errors.New("token: not a tokenizer.json: it is not UTF-8")
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("token: not a tokenizer.json: %w", err)
	}
	if file.Version != nil && *file.Version != "1.0" {
		return nil, fmt.Errorf("token: version: %q is unknown: only 1.0 is", *file.Version)
	}
	if isNull(file.Model) {
		return nil, errors.New("token: model: it is missing, so the file is incomplete")
	}
	t := &Tokenizer{}
	var err error
	t.truncation = parseTruncation(file.Truncation, &err)
	t.padding = parsePadding(file.Padding, &err)
	normalizers := parseNormalizer(file.Normalizer, "normalizer", 0, &err)
	pre := parsePreTokenizer(file.PreTokenizer, "pre_tokenizer", 0, &err)
	t.processor = parseProcessor(file.PostProcessor, "post_processor", 0, &err)
	t.decoder = parseDecoder(file.Decoder, "decoder", 0, &err)
	t.model = parseModel(file.Model, &err)
	if err != nil {
		return nil, err
	}
	if len(normalizers) > 0 {
		t.normalizer = normalizers
	}
	if n := len(pre); n > 0 {
		if last, ok := pre[n-1].(bytesSplit); ok {
			if m, ok := t.model.(*bpe); ok && m.readRaw() {
				last.raw = true
				pre[n-1] = last
			}
		}
		t.pre = pre
		for _, p := range pre {
			if m, ok := p.(metaspace); ok && m.scheme == first {
				t.needsOrigin = true
			}
		}
	}
	t.states.New = func() any { return &state{t: t} }
	if err := t.parseAdded(file.AddedTokens); err != nil {
		return nil, err
	}
	return t, nil
}

// parseAdded reads the added tokens. As in the reference a token that the vocabulary has keeps its id there, and others
// are numbered on from the end.
func (t *Tokenizer) parseAdded(raw json.RawMessage) error {
	t.added, t.addedIDs, t.special = map[string]int32{}, map[int32]string{}, map[string]bool{}
	v := t.model.vocabulary()
	t.size = v.size
	if isNull(raw) {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return errors.New("token: added_tokens: must be a list")
	}
	var err error
	next := int32(v.size)
	byID := map[int32]*addedToken{}
	var order []int32
	patterns := map[int32]string{}
	for i, item := range items {
		o := newObject(item, fmt.Sprintf("added_tokens[%d]", i), &err)
		o.count("id")
		token := &addedToken{content: o.string("content"), word: o.bool("single_word"), left: o.bool("lstrip"),
			right: o.bool("rstrip"), normalized: o.bool("normalized"), special: o.bool("special")}
		o.done()
		if err != nil {
			return err
		}
		if token.content == "" {
			continue
		}
		id, ok := t.ID(token.content)
		if !ok {
			id = next
			next++
		}
		token.id = id
		pattern := token.content
		if token.normalized && t.normalizer != nil {
			if pattern, err = t.normalizeString(token.content); err != nil {
				return fmt.Errorf("%s: %w", o.where, err)
			}
		}
		if byID[id] == nil {
			order = append(order, id)
		}
		byID[id], patterns[id] = token, pattern
		t.added[token.content] = id
		t.addedIDs[id] = pattern
		if token.special {
			t.special[token.content] = true
		}
	}
	var texts [2][]string
	var tokens [2][]*addedToken
	seen := [2]map[string]bool{{}, {}}
	for _, id := range order {
		k := 0
		if byID[id].normalized {
			k = 1
		}
		pattern := patterns[id]
		// A token of which normalisation leaves nothing is never found; of two that become the same the first one is.
		if pattern != "" && !seen[k][pattern] {
			seen[k][pattern] = true
			texts[k], tokens[k] = append(texts[k], pattern), append(tokens[k], byID[id])
		}
		if _, ok := v.token(id); !ok {
			t.size++
		}
	}
	t.raw, t.normalized = newAddedTokens(texts[0], tokens[0]), newAddedTokens(texts[1], tokens[1])
	return nil
}

func (t *Tokenizer) normalizeString(in string) (string, error) {
	s := t.states.Get().(*state)
	defer t.states.Put(s)
	s.origin = false
	x, err := t.normalizer.normalize(s, s.sanitise([]byte(in)))
	return string(x.b), err
}

func parseTruncation(raw json.RawMessage, err *error) *Truncation {
	if isNull(raw) {
		return nil
	}
	o := newObject(raw, "truncation", err)
	p := &Truncation{
		MaxLength: o.count("max_length"),
		Strategy: choice(o, "strategy", "", map[string]Strategy{"LongestFirst": LongestFirst, "OnlyFirst": OnlyFirst,
			"OnlySecond": OnlySecond}),
		Stride:   o.count("stride"),
		FromLeft: choice(o, "direction", "Right", map[string]bool{"Left": true, "Right": false}),
	}
	o.done()
	return p
}

func parsePadding(raw json.RawMessage, err *error) *Padding {
	if isNull(raw) {
		return nil
	}
	o := newObject(raw, "padding", err)
	p := &Padding{FromLeft: choice(o, "direction", "", map[string]bool{"Left": true, "Right": false})}
	strategy := o.take("strategy")
	var name string
	none := false
	if strategy == nil {
		o.fail(`field "strategy" is missing: it must be "BatchLongest" or {"Fixed": length}`)
	} else if json.Unmarshal(strategy, &name) == nil {
		if name != "BatchLongest" {
			o.fail(`field "strategy" must be "BatchLongest" or {"Fixed": length}, not %q`, name)
		}
	} else {
		fixed := newObject(strategy, "padding.strategy", err)
		p.Length = fixed.count("Fixed")
		none = p.Length == 0
		fixed.done()
	}
	if !isNull(o.fields["pad_to_multiple_of"]) {
		p.Multiple = o.count("pad_to_multiple_of")
	}
	o.take("pad_to_multiple_of")
	p.ID, p.Type, p.Token = int32(o.count("pad_id")), int32(o.count("pad_type_id")), o.string("pad_token")
	o.done()
	if *err == nil && max(p.Length, p.Multiple) > maxText {
		o.fail("a length of %d is too long", max(p.Length, p.Multiple))
	}
	if none {
		return nil
	}
	return p
}

// component begins to read a component, and returns its type.
func component(raw json.RawMessage, where string, depth int, err *error) (*object, string) {
	o := newObject(raw, where, err)
	if depth > maxNesting {
		o.fail("sequences are nested deeper than %d", maxNesting)
	}
	return o, o.string("type")
}

func (o *object) unknown(kind string) {
	o.fail("%q is not known: this version cannot do what it does", kind)
}

// each calls f for the items of a list of components.
func (o *object) each(field string, f func(raw json.RawMessage, where string)) {
	for i, raw := range o.list(field) {
		f(raw, fmt.Sprintf("%s.%s[%d]", o.where, field, i))
	}
}

// pattern reads {"String": …} or {"Regex": …}.
func (o *object) pattern(name string) finder {
	raw := o.take(name)
	if raw == nil {
		o.fail(`field %q is missing: it must be {"String": …} or {"Regex": …}`, name)
		return nil
	}
	p := newObject(raw, o.where+"."+name, o.err)
	if _, ok := p.fields["String"]; ok {
		s := p.string("String")
		p.done()
		return literal(s)
	}
	text := p.string("Regex")
	p.done()
	if *o.err != nil {
		return nil
	}
	if known := scanners[text]; known != nil {
		return known
	}
	re, err := onig.Compile(text)
	if err != nil {
		o.fail("field %q: %v", name, err)
		return nil
	}
	return regex{re}
}

func parseNormalizer(raw json.RawMessage, where string, depth int, err *error) normalizers {
	if isNull(raw) {
		return nil
	}
	o, kind := component(raw, where, depth, err)
	if *err != nil {
		return nil
	}
	var n normalizer
	switch kind {
	case "Sequence":
		var all normalizers
		o.each("normalizers", func(raw json.RawMessage, where string) {
			all = append(all, parseNormalizer(raw, where, depth+1, err)...)
		})
		o.done()
		return all
	case "NFC":
		n = form{compose: true}
	case "NFD":
		n = form{}
	case "NFKC":
		n = form{compose: true, compatibility: true}
	case "NFKD":
		n = form{compatibility: true}
	case "Lowercase":
		n = lowercase{}
	case "StripAccents":
		n = stripAccents{}
	case "Strip":
		n = strip{o.bool("strip_left"), o.bool("strip_right")}
	case "Replace":
		n = replace{o.pattern("pattern"), o.string("content")}
	case "Prepend":
		n = prepend{o.string("prepend")}
	case "BertNormalizer":
		b := bertNormalizer{clean: o.bool("clean_text"), chinese: o.bool("handle_chinese_chars"),
			lower: o.bool("lowercase")}
		b.accents = o.boolOr("strip_accents", b.lower)
		n = b
	case "Precompiled":
		p, e := newPrecompiled(o.string("precompiled_charsmap"))
		if e != nil {
			o.fail("precompiled_charsmap: %v", e)
		}
		n = p
	case "Nmt":
		n = nmt{}
	case "ByteLevel":
		n = byteChars{}
	default:
		o.unknown(kind)
	}
	o.done()
	return normalizers{n}
}

func parsePreTokenizer(raw json.RawMessage, where string, depth int, err *error) preTokenizers {
	if isNull(raw) {
		return nil
	}
	o, kind := component(raw, where, depth, err)
	if *err != nil {
		return nil
	}
	var p preTokenizer
	switch kind {
	case "Sequence":
		var all preTokenizers
		o.each("pretokenizers", func(raw json.RawMessage, where string) {
			all = append(all, parsePreTokenizer(raw, where, depth+1, err)...)
		})
		o.done()
		return all
	case "ByteLevel":
		b := bytesSplit{prefix: o.bool("add_prefix_space")}
		o.bool("trim_offsets")
		b.words = o.boolOr("use_regex", true)
		p = b
	case "Split":
		p = splitter{o.pattern("pattern"), choice(o, "behavior", "", behaviors), o.bool("invert")}
	case "Whitespace":
		p = splitter{wordRuns{}, removed, true}
	case "WhitespaceSplit":
		p = splitter{runes(unitab.Space), removed, false}
	case "BertPreTokenizer":
		p = bertSplit{}
	case "Metaspace":
		p = parseMetaspace(o)
	case "Punctuation":
		p = splitter{runes(unitab.OldPunct), choice(o, "behavior", "Isolated", behaviors), false}
	case "Digits":
		how := contiguous
		if o.bool("individual_digits") {
			how = isolated
		}
		p = splitter{runes(unitab.Numeric), how, false}
	case "CharDelimiterSplit":
		p = splitter{literal(o.char("delimiter")), removed, false}
	case "UnicodeScripts":
		p = scriptSplit{}
	case "FixedLength":
		n := 5
		if !isNull(o.fields["length"]) {
			n = o.count("length")
		}
		o.take("length")
		if n == 0 {
			o.fail(`field "length" must be at least 1`)
		}
		p = fixedLength(n)
	default:
		o.unknown(kind)
	}
	o.done()
	return preTokenizers{p}
}

// parseMetaspace reads the form of today, with prepend_scheme, and the older one, with add_prefix_space.
func parseMetaspace(o *object) metaspace {
	m := metaspace{mark: o.char("replacement")}
	named := !isNull(o.fields["prepend_scheme"])
	m.scheme = choice(o, "prepend_scheme", "always", schemes)
	if !isNull(o.fields["add_prefix_space"]) && !o.bool("add_prefix_space") {
		if named && m.scheme != never {
			o.fail(`"add_prefix_space" is false, and "prepend_scheme" is not "never": remove one of them`)
		}
		m.scheme = never
	}
	o.take("add_prefix_space")
	o.take("str_rep")
	m.words = o.boolOr("split", true)
	return m
}

func parseProcessor(raw json.RawMessage, where string, depth int, err *error) processor {
	if isNull(raw) {
		return nil
	}
	o, kind := component(raw, where, depth, err)
	if *err != nil {
		return nil
	}
	var p processor
	switch kind {
	case "Sequence":
		var all processors
		o.each("processors", func(raw json.RawMessage, where string) {
			if each := parseProcessor(raw, where, depth+1, err); each != nil {
				all = append(all, each)
			}
		})
		p = all
	case "ByteLevel":
		t := trimmer{prefix: o.bool("add_prefix_space"), trim: o.bool("trim_offsets")}
		o.boolOr("use_regex", true)
		p = t
	case "BertProcessing":
		p = bertProcessor{o.named("sep"), o.named("cls")}
	case "RobertaProcessing":
		p = robertaProcessor{sep: o.named("sep"), cls: o.named("cls"), trim: o.bool("trim_offsets"),
			prefix: o.bool("add_prefix_space")}
	case "TemplateProcessing":
		p = parseTemplate(o)
	default:
		o.unknown(kind)
	}
	o.done()
	return p
}

// named reads a token and its id as a list of two.
func (o *object) named(name string) (t named) {
	var pair []json.RawMessage
	if !o.field(name, true, "a token and its id", &pair) {
		return t
	}
	if len(pair) != 2 || json.Unmarshal(pair[0], &t.token) != nil || json.Unmarshal(pair[1], &t.id) != nil || t.id < 0 {
		o.fail("field %q must be a list of a token and its id", name)
	}
	return t
}

func parseTemplate(o *object) template {
	tokens := map[string][]named{}
	if raw := o.take("special_tokens"); raw != nil {
		all := newObject(raw, o.where+".special_tokens", o.err)
		for name, raw := range all.fields {
			one := newObject(raw, all.where+"."+name, o.err)
			one.string("id")
			var ids []int32
			var texts []string
			one.field("ids", true, "a list of ids", &ids)
			one.field("tokens", true, "a list of tokens", &texts)
			one.done()
			if *o.err == nil && len(ids) != len(texts) {
				one.fail("%d ids and %d tokens: there must be as many of each", len(ids), len(texts))
			}
			if *o.err != nil {
				return template{}
			}
			tokens[name] = []named{}
			for i := range ids {
				if ids[i] < 0 {
					one.fail("id %d is negative", ids[i])
				}
				tokens[name] = append(tokens[name], named{texts[i], ids[i]})
			}
		}
	}
	read := func(field string, texts int) (pieces []templatePiece) {
		o.each(field, func(raw json.RawMessage, where string) {
			outer := newObject(raw, where, o.err)
			piece := templatePiece{text: -1}
			if inner := outer.take("Sequence"); inner != nil {
				in := newObject(inner, where+".Sequence", o.err)
				piece.text = choice(in, "id", "", map[string]int{"A": 0, "B": 1})
				piece.kind = int32(in.count("type_id"))
				in.done()
				if piece.text >= texts {
					in.fail("a single text has no sequence B")
				}
			} else {
				in := newObject(outer.take("SpecialToken"), where+".SpecialToken", o.err)
				name := in.string("id")
				piece.kind = int32(in.count("type_id"))
				in.done()
				var ok bool
				if piece.tokens, ok = tokens[name]; !ok {
					in.fail("%q is not among special_tokens", name)
				}
			}
			outer.done()
			pieces = append(pieces, piece)
		})
		return pieces
	}
	return template{read("single", 1), read("pair", 2)}
}

func parseDecoder(raw json.RawMessage, where string, depth int, err *error) decoder {
	if isNull(raw) {
		return nil
	}
	o, kind := component(raw, where, depth, err)
	if *err != nil {
		return nil
	}
	var d decoder
	switch kind {
	case "Sequence":
		all := decoders{}
		o.each("decoders", func(raw json.RawMessage, where string) {
			if each := parseDecoder(raw, where, depth+1, err); each != nil {
				all = append(all, each)
			}
		})
		d = all
	case "ByteLevel":
		o.boolOr("add_prefix_space", true)
		o.boolOr("trim_offsets", true)
		o.boolOr("use_regex", true)
		d = byteDecoder{}
	case "WordPiece":
		d = wordPieceDecoder{o.string("prefix"), o.bool("cleanup")}
	case "Metaspace":
		m := parseMetaspace(o)
		d = metaspaceDecoder{m.mark, m.scheme != never}
	case "BPEDecoder":
		d = suffixDecoder{o.string("suffix")}
	case "CTC":
		d = ctcDecoder{o.string("pad_token"), o.string("word_delimiter_token"), o.bool("cleanup")}
	case "Fuse":
		d = fuseDecoder{}
	case "Strip":
		d = stripDecoder{o.char("content"), o.count("start"), o.count("stop")}
	case "Replace":
		d = replaceDecoder{replace{o.pattern("pattern"), o.string("content")}}
	case "ByteFallback":
		d = byteFallbackDecoder{}
	default:
		o.unknown(kind)
	}
	o.done()
	return d
}

func parseModel(raw json.RawMessage, err *error) model {
	o := newObject(raw, "model", err)
	if *err != nil {
		return nil
	}
	kind := ""
	if !o.field("type", false, "a string", &kind) { // the old form
		_, merges := o.fields["merges"]
		_, chars := o.fields["max_input_chars_per_word"]
		switch {
		case merges:
			kind = "BPE"
		case chars:
			kind = "WordPiece"
		case !isNull(o.fields["vocab"]) && strings.HasPrefix(strings.TrimSpace(string(o.fields["vocab"])), "["):
			kind = "Unigram"
		default:
			kind = "WordLevel"
		}
	}
	var m model
	switch kind {
	case "BPE":
		m = parseBPE(o)
	case "WordPiece":
		unk, prefix := o.string("unk_token"), o.string("continuing_subword_prefix")
		most := o.count("max_input_chars_per_word")
		keys, ids := stringNumbers(o.take("vocab"), "model.vocab", err)
		if *err == nil {
			m = newWordPiece(newVocab(keys, ids), keys, ids, unk, prefix, most)
		}
	case "WordLevel":
		unk := o.string("unk_token")
		keys, ids := stringNumbers(o.take("vocab"), "model.vocab", err)
		if *err == nil {
			m = &wordLevel{newVocab(keys, ids), unk}
		}
	case "Unigram":
		m = parseUnigram(o)
	default:
		o.unknown(kind)
	}
	o.done()
	return m
}

func parseUnigram(o *object) model {
	unk := int32(-1)
	if !isNull(o.fields["unk_id"]) {
		unk = int32(o.count("unk_id"))
	}
	o.take("unk_id")
	fallback := o.boolOr("byte_fallback", false)
	var keys []string
	var scores []float64
	for i, raw := range o.list("vocab") {
		var pair []json.RawMessage
		var key string
		var score float64
		if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &key) != nil ||
			!readScore(pair[1], &score) {
			o.fail("vocab[%d] must be a list of a token and its score, not %s", i, shorten(raw))
			return nil
		}
		keys, scores = append(keys, key), append(scores, score)
	}
	if *o.err == nil && int(unk) >= len(keys) {
		o.fail("unk_id is %d, and there are %d tokens", unk, len(keys))
	}
	if *o.err != nil {
		return nil
	}
	return newUnigram(keys, scores, unk, fallback)
}

func parseBPE(o *object) model {
	m := &bpe{}
	var dropout float64
	if o.field("dropout", false, "a number", &dropout) && dropout != 0 {
		o.fail("field \"dropout\" is %g: tokens would be random: set it to null", dropout)
	}
	m.hasUnk = o.field("unk_token", false, "a string", &m.unk)
	o.field("continuing_subword_prefix", false, "a string", &m.prefix)
	o.field("end_of_word_suffix", false, "a string", &m.suffix)
	m.fuse = o.boolOr("fuse_unk", false)
	m.byteFallback = o.boolOr("byte_fallback", false)
	m.ignoreMerges = o.boolOr("ignore_merges", false)
	keys, ids := stringNumbers(o.take("vocab"), "model.vocab", o.err)
	raw := o.take("merges")
	if raw == nil {
		o.fail(`field "merges" is missing: it must be a list of pairs`)
	}
	pairs := parseMerges(raw, o)
	if *o.err != nil {
		return nil
	}
	m.vocab = newVocab(keys, ids)
	m.merges = newPairTable(len(pairs))
	for rank, pair := range pairs {
		m.addMerge(o, rank, pair[0], pair[1])
		if *o.err != nil {
			return nil
		}
	}
	m.readChars()
	return m
}

func (m *bpe) addMerge(o *object, rank int, a, b string) {
	first, ok := m.vocab.ids[a]
	second, okSecond := m.vocab.ids[b]
	if !ok || !okSecond {
		if ok {
			a = b
		}
		o.fail("merges[%d]: %q is not in the vocabulary", rank, a)
		return
	}
	if len(b) < len(m.prefix) {
		o.fail("merges[%d]: %q is shorter than continuing_subword_prefix %q", rank, b, m.prefix)
		return
	}
	joined := a + b[len(m.prefix):]
	id, ok := m.vocab.ids[joined]
	if !ok {
		o.fail("merges[%d]: %q and %q become %q, which is not in the vocabulary", rank, a, b, joined)
		return
	}
	m.merges.set(first, second, merge{uint32(rank), id})
}

// parseMerges reads both forms: lists of two, and strings with a space between.
func parseMerges(raw json.RawMessage, o *object) [][2]string {
	if *o.err != nil {
		return nil
	}
	var lists [][]string
	if json.Unmarshal(raw, &lists) == nil {
		pairs := make([][2]string, len(lists))
		for i, list := range lists {
			if len(list) != 2 {
				o.fail("merges[%d] has %d tokens in the place of two", i, len(list))
				return nil
			}
			pairs[i] = [2]string{list[0], list[1]}
		}
		return pairs
	}
	var lines []string
	if json.Unmarshal(raw, &lines) != nil {
		o.fail(`field "merges" must be a list of pairs`)
		return nil
	}
	pairs := make([][2]string, 0, len(lines))
	for i, line := range lines {
		if strings.HasPrefix(line, "#version") {
			continue
		}
		a, b, ok := strings.Cut(line, " ")
		if !ok || strings.Contains(b, " ") {
			o.fail("merges[%d] must be two tokens with a space between, not %q", i, line)
			return nil
		}
		pairs = append(pairs, [2]string{a, b})
	}
	return pairs
}
