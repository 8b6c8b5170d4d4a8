package portable

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// sdyNode returns an attribute of the sharding dialect as that encodes it. It is nil for
// a text in another form than the dialect prints, which bytecode may hold as text.
func (w *writer) sdyNode(text string) *node {
	body, pretty := strings.CutPrefix(text, "sdy.")
	if !pretty {
		var open, closed bool
		if body, open = strings.CutPrefix(text, "sdy<"); open {
			body, closed = strings.CutSuffix(body, ">")
		}
		if !open || !closed {
			return nil
		}
	}
	p := &sdyText{w: w, rest: body}
	n := p.attr()
	if p.skip(); p.bad || p.rest != "" {
		return nil
	}
	return n
}

// sdyText is the rest of a text that is parsed to nodes.
type sdyText struct {
	w    *writer
	rest string
	bad  bool // it is in no form that is known
}

func (p *sdyText) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// accept moves over a token.
func (p *sdyText) accept(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *sdyText) expect(tokens ...string) {
	for _, t := range tokens {
		p.bad = !p.accept(t) || p.bad
	}
}

// word moves over letters, digits and underscores.
func (p *sdyText) word() string {
	p.skip()
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *sdyText) integer() int64 {
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	v, err := strconv.ParseInt(sign+p.word(), 10, 64)
	p.bad = p.bad || err != nil
	return v
}

// quoted moves over a string or a symbol, whose quotes it keeps.
func (p *sdyText) quoted(prefix string) string {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if !ok {
		p.bad = true
		return ""
	}
	n := 0
	if strings.HasPrefix(rest, `"`) {
		for n = 1; n < len(rest) && rest[n] != '"'; n++ {
			if rest[n] == '\\' {
				n++
			}
		}
		n++
	} else {
		n = strings.IndexAny(rest, ", >]})\t\n")
	}
	if n < 0 || n > len(rest) {
		p.bad = true
		return ""
	}
	text := p.rest[:len(prefix)+n]
	p.rest = rest[n:]
	return text
}

// str moves over a string.
func (p *sdyText) str() string {
	a, err := stablehlo.ParseAttr(p.quoted(""))
	s, ok := a.(stablehlo.StringAttr)
	p.bad = p.bad || err != nil || !ok
	return string(s)
}

// items moves over items between brackets, separated by commas.
func (p *sdyText) items(open, end string, item func()) {
	p.expect(open)
	if p.accept(end) {
		return
	}
	for item(); !p.bad && p.accept(","); {
		item()
	}
	p.expect(end)
}

// nodes is items of attributes.
func (p *sdyText) nodes(open, end string, item func() *node) (list []*node) {
	p.items(open, end, func() { list = append(list, item()) })
	return list
}

func (p *sdyText) node(code uint64, parts ...part) *node {
	if p.bad {
		return nil
	}
	return p.w.nodes.add(&node{dialect: "sdy", parts: append([]part{uintOf(code)}, parts...)})
}

// of is node with lists of references.
func (p *sdyText) of(code uint64, lists ...[]*node) *node {
	var parts []part
	for _, list := range lists {
		parts = append(parts, refsTo(list)...)
	}
	return p.node(code, parts...)
}

// attr is an attribute with its name.
func (p *sdyText) attr() *node {
	switch p.word() {
	case "manual_axes":
		return p.of(sdyManualAxes, p.nodes("{", "}", func() *node {
			s := p.str()
			if p.bad {
				return nil
			}
			return p.w.builtinAttr(stablehlo.StringAttr(s))
		}))
	case "mesh":
		return p.mesh()
	case "sharding":
		n, _ := p.sharding()
		return n
	case "sharding_per_value":
		code := uint64(sdyPerValue)
		p.expect("<")
		list := p.nodes("[", "]", func() *node {
			n, unreduced := p.sharding()
			if unreduced {
				code = sdyPerValueUnreduced
			}
			return n
		})
		p.expect(">")
		return p.of(code, list)
	case "op_sharding_rule":
		return p.rule()
	case "axis_ref_list":
		return p.axisRefs()
	case "list_of_axis_ref_lists":
		return p.of(sdyAxisRefLists, p.nodes("[", "]", p.axisRefs))
	case "all_to_all_param":
		return p.allToAll()
	case "all_to_all_param_list":
		return p.of(sdyAllToAlls, p.nodes("[", "]", p.allToAll))
	}
	p.bad = true
	return nil
}

// mesh is <["x"=2], device_ids=[1, 0]>. Devices in order are left out.
func (p *sdyText) mesh() *node {
	p.expect("<")
	size := int64(1)
	axes := p.nodes("[", "]", func() *node {
		name := stringOf(p.str())
		p.expect("=")
		n := p.integer()
		if n > 0 && size <= math.MaxInt64/n {
			size *= n
		}
		return p.node(sdyMeshAxis, name, intOf(n))
	})
	var ids []int64
	inOrder := true
	if p.accept(",") {
		p.expect("device_ids", "=")
		p.items("[", "]", func() {
			ids = append(ids, p.integer())
			inOrder = inOrder && ids[len(ids)-1] == int64(len(ids)-1)
		})
	}
	p.expect(">")
	if inOrder && len(axes) > 0 && int64(len(ids)) == size {
		ids = nil
	}
	return p.node(sdyMesh, append(refsTo(axes), intsOf(ids)...)...)
}

// sharding is <@mesh, [{"x"}, {?}p1], replicated={"y"}, unreduced={"z"}>.
func (p *sdyText) sharding() (n *node, isUnreduced bool) {
	p.expect("<")
	var mesh *node
	if p.accept("mesh") {
		mesh = p.mesh()
	} else if a, err := stablehlo.ParseAttr(p.quoted("@")); err == nil && !p.bad {
		mesh = p.w.builtinAttr(a)
	} else {
		p.bad = true
	}
	p.expect(",")
	dims := p.nodes("[", "]", p.dimSharding)
	var replicated, unreduced []*node
	reduction := 0
	for !p.bad && p.accept(",") {
		switch p.word() {
		case "replicated":
			p.expect("=")
			replicated = p.nodes("{", "}", p.axisRef)
		case "unreduced":
			if p.accept("=") {
				word := p.word()
				for i, r := range sdyReductions {
					if r == word {
						reduction = i
					}
				}
				p.bad = p.bad || word != sdyReductions[reduction] && word != "sum"
			}
			unreduced = p.nodes("{", "}", p.axisRef)
		default:
			p.bad = true
		}
	}
	p.expect(">")
	if p.bad {
		return nil, false
	}
	code, lists := uint64(sdySharding), append(refsTo(dims), refsTo(replicated)...)
	if isUnreduced = len(unreduced) > 0; isUnreduced {
		code, lists = sdyShardingUnreduced, append(lists, refsTo(unreduced)...)
		if reduction > 0 {
			code, lists = sdyShardingReduced, append(lists, intOf(int64(reduction)))
		}
	}
	return p.node(code, append([]part{refTo(mesh)}, lists...)...), isUnreduced
}

// dimSharding is {"x", ?}p1.
func (p *sdyText) dimSharding() *node {
	closed := byte(1)
	var axes []*node
	p.items("{", "}", func() {
		if closed == 0 { // the end of the open list
			p.bad = true
		} else if p.accept("?") {
			closed = 0
		} else {
			axes = append(axes, p.axisRef())
		}
	})
	priority := uint64(0)
	if strings.HasPrefix(p.rest, "p") {
		p.rest = p.rest[1:]
		v := p.integer()
		p.bad = p.bad || v < 0
		priority = uint64(v)<<1 | 1
	}
	return p.node(sdyDimSharding, append(refsTo(axes), byteOf(closed), uintOf(priority))...)
}

// axisRef is "x" or "x":(1)2.
func (p *sdyText) axisRef() *node {
	name := stringOf(p.str())
	var sub *node
	if p.accept(":") {
		p.expect("(")
		pre := p.integer()
		p.expect(")")
		sub = p.node(sdySubAxis, intOf(pre), intOf(p.integer()))
	}
	return p.node(sdyAxisRef, name, optional(sub))
}

func (p *sdyText) axisRefs() *node { return p.of(sdyAxisRefs, p.nodes("{", "}", p.axisRef)) }

// allToAll is {"x"}:0->1.
func (p *sdyText) allToAll() *node {
	axes := p.nodes("{", "}", p.axisRef)
	p.expect(":")
	from := p.integer()
	p.expect("->")
	return p.node(sdyAllToAll, append(refsTo(axes), intOf(from), intOf(p.integer()))...)
}

// rule is <([i, j], [j, k])->([i, k]) {i=8, j=16, k=8} reduction={j}, custom>.
func (p *sdyText) rule() *node {
	p.expect("<")
	operands := p.nodes("(", ")", p.tensorMapping)
	p.expect("->")
	results := p.nodes("(", ")", p.tensorMapping)
	var sizes []int64
	if strings.HasPrefix(strings.TrimLeft(p.rest, " "), "{") {
		p.items("{", "}", func() {
			p.bad = p.word() != sdySymbol(int64(len(sizes))) || p.bad
			p.expect("=")
			sizes = append(sizes, p.integer())
		})
	}
	var factors []part
	for _, name := range sdyFactors {
		var list []int64
		if p.accept(name) {
			p.expect("=")
			p.items("{", "}", func() { list = append(list, p.symbols()...) })
		}
		factors = append(factors, intsOf(list)...)
	}
	custom := byte(0)
	if p.accept(",") {
		p.expect("custom")
		custom = 1
	}
	p.expect(">")
	if p.bad {
		return nil
	}
	parts := append(intsOf(sizes), append(refsTo(operands), refsTo(results)...)...)
	return p.node(sdyRule, append(append(parts, factors...), byteOf(custom))...)
}

func (p *sdyText) tensorMapping() *node {
	return p.of(sdyTensorMapping, p.nodes("[", "]",
		func() *node { return p.node(sdyDimMapping, intsOf(p.symbols())...) }))
}

// symbols is some factors without anything between: ij, z_2z_1.
func (p *sdyText) symbols() (list []int64) {
	word := p.word()
	for word != "" && !p.bad {
		if word[0] < 'i' || word[0] > 'z' {
			p.bad = true
			return nil
		}
		i, rest := int64(word[0]-'i'), word[1:]
		if digits, ok := strings.CutPrefix(word, "z_"); ok {
			n := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
			v, err := strconv.ParseInt(digits[:n], 10, 32)
			p.bad = p.bad || err != nil
			i, rest = 'z'-'i'+v, digits[n:]
		}
		list, word = append(list, i), rest
	}
	return list
}
