package stablehlo

import (
	"math"
	"strings"
)

// alias is the value of a top-level name.
type alias[T any] struct {
	val T
	// size is the length of val as text, with the aliases in it written out.
	size int
}

// aliasName reads #name = or !name =.
func (p *parser) aliasName() (name string, at Pos) {
	name, at = string(p.text()[1:]), p.pos()
	if strings.IndexByte(name, '.') >= 0 {
		p.fail("the name of an alias has no \".\": %s belongs to a dialect", p.text())
	}
	p.advance()
	p.expect('=', "after the name of an alias")
	return name, at
}

// attrAlias reads the definition of an attribute or location alias.
func (p *parser) attrAlias() {
	name, at := p.aliasName()
	if p.isWord("loc") {
		p.locAlias(name, at)
		return
	}
	before, start := p.expanded, p.tok.start
	a := p.attr()
	if _, ok := p.attrAliases[name]; ok {
		p.failAt(at, "alias #%s is defined twice", name)
	}
	if p.attrAliases == nil {
		p.attrAliases = map[string]alias[Attr]{}
	}
	p.attrAliases[name] = alias[Attr]{a, p.expanded - before + p.tok.start - start}
}

// typeAlias reads the definition of a type alias.
func (p *parser) typeAlias() {
	name, at := p.aliasName()
	before, start := p.expanded, p.tok.start
	t := p.typ()
	if _, ok := p.typeAliases[name]; ok {
		p.failAt(at, "alias !%s is defined twice", name)
	}
	if p.typeAliases == nil {
		p.typeAliases = map[string]alias[Type]{}
	}
	p.typeAliases[name] = alias[Type]{t, p.expanded - before + p.tok.start - start}
}

// spend counts the expanded text of a use of an alias. Aliases of aliases can expand exponentially, and a walk
// over them visits the whole expansion, so the sum is limited.
func (p *parser) spend(size int, at Pos) {
	limit := 1<<26 + 64*len(p.src)
	if p.expanded += size; p.expanded > limit || p.expanded < 0 {
		p.expanded = math.MaxInt / 4
		p.failAt(at, "the aliases expand to more than %d bytes of text", limit)
	}
}
