package stablehlo

import (
	"encoding/hex"
	"math"
	"strconv"
)

// resourceAttr reads dense_resource<name> : tensor<…>; its bytes are at the end
// of the file.
func (p *parser) resourceAttr() Attr {
	p.advance()
	p.expect('<', "after dense_resource")
	at := p.pos()
	var name string
	if p.is(tokString) {
		name = p.stringLit("the name of a resource")
	} else {
		name = p.word("the name of a resource")
	}
	p.expect('>', "after the name of a resource")
	a := p.elements()
	if a == nil {
		return nil
	}
	if p.blobs == nil {
		p.blobs = map[string][]blobUse{}
	}
	p.blobs[name] = append(p.blobs[name], blobUse{a, at})
	return a
}

// blobUse is a constant that waits for its resource.
type blobUse struct {
	attr *ElementsAttr
	pos  Pos
}

// resources reads {-# dialect_resources: {builtin: {name: "0x…"}} #-}. Other
// sections are passed over.
func (p *parser) resources() {
	p.advance()
	for !p.is(tokMetaClose) && !p.is(tokEOF) {
		section := p.metaKey()
		if section != "dialect_resources" {
			p.metaValue()
		} else {
			p.list('{', '}', "before the resources", func() {
				if dialect := p.metaKey(); dialect != "builtin" {
					p.metaValue()
					return
				}
				p.list('{', '}', "before the resources", p.resource)
			})
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(tokMetaClose, "at the end of the resources")
}

// metaKey reads name: in a resource section.
func (p *parser) metaKey() string {
	var key string
	if p.is(tokString) {
		key = p.stringLit("a key")
	} else {
		key = p.word("a key")
	}
	p.expect(':', "after "+strconv.Quote(key))
	return key
}

// metaValue passes over a value of a resource section.
func (p *parser) metaValue() {
	if p.is('{') {
		p.advance()
		p.balanced(p.tok.start, '}')
	}
	p.advance()
}

// resource reads name: "0x<alignment><bytes>" and fills the constants that use it.
func (p *parser) resource() {
	name := p.metaKey()
	lit, at := p.text(), p.pos()
	if !p.is(tokString) || len(lit) < 12 || string(lit[1:3]) != "0x" || len(lit)%2 != 0 {
		p.fail("expected the alignment and the bytes of resource %s as a string, \"0x…\"", name)
		return
	}
	lit = lit[11 : len(lit)-1] // behind the quote, 0x and four bytes of alignment
	p.advance()
	data := make([]byte, len(lit)/2)
	if i, err := hex.Decode(data, lit); err != nil {
		p.failAt(at+Pos(11+2*i), "expected hexadecimal digits")
		return
	}
	uses := p.blobs[name]
	delete(p.blobs, name)
	for _, u := range uses {
		n, _ := u.attr.Type.NumElems()
		size := int64(u.attr.Type.DType().Size())
		if n > math.MaxInt64/size || int64(len(data)) != n*size {
			p.failAt(at, "resource %s has %d bytes, which do not fill %s", name, len(data), u.attr.Type)
			return
		}
		u.attr.Data = data
		d := denseReader{p: p, out: u.attr, elem: u.attr.Type.DType()}
		d.canonical()
		u.attr.normalise()
	}
}

// missingBlobs reports a constant whose resource did not come.
func (p *parser) missingBlobs() {
	for name, uses := range p.blobs {
		p.failAt(uses[0].pos, "resource %s is not in a {-# dialect_resources #-} section of the text", name)
	}
}
