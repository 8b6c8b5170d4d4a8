package stablehlo

import "bytes"

// opaqueType keeps a type of another dialect as its text.
func (p *parser) opaqueType() Type {
	start := p.tok.start
	end := p.tok.end
	text := string(p.src[start:end])
	if p.at(end) == '<' {
		text += "<" + p.balanced(end+1, '>') + ">"
		p.expect('>', "at the end of a type")
	} else {
		p.advance()
	}
	return OtherType{text}
}

// opaqueAttr keeps an attribute of another dialect as its text.
func (p *parser) opaqueAttr() Attr {
	text := string(p.text()[1:])
	if end := p.tok.end; p.at(end) == '<' {
		text += "<" + p.balanced(end+1, '>') + ">"
		p.expect('>', "at the end of an attribute")
	} else {
		p.advance()
	}
	return OpaqueAttr{Text: text}
}

// opaqueWord keeps affine_map<…> and the like as text.
func (p *parser) opaqueWord() Attr {
	text := string(p.text())
	p.advance()
	if p.accept('[') {
		text += "[" + p.balanced(p.tok.start, ']') + "]"
		p.expect(']', "after "+text)
	}
	if !p.is('<') {
		p.fail("expected \"<\" after %s, found %s", text, p.shown())
		return nil
	}
	text += "<" + p.balanced(p.tok.end, '>') + ">"
	p.expect('>', "at the end of an attribute")
	return OpaqueAttr{Text: text}
}

// balanced returns the text from the offset to the matching closing bracket, with comments removed, white
// space reduced to one space and attribute and type aliases expanded. The closing bracket becomes the current
// token.
func (p *parser) balanced(off int, close tokenKind) string {
	var out []byte
	var stack []tokenKind
	p.seek(off)
	prev := p.tok.start
	for !p.is(tokEOF) {
		k := p.tok.kind
		if len(stack) == 0 && k == close {
			return string(out)
		}
		switch {
		case k == '>' && len(stack) > 0 && stack[len(stack)-1] != '>' && p.at(p.tok.end) == '=':
			// ">=" of an affine set
		case k == '<' || k == '(' || k == '[' || k == '{':
			if len(stack) >= maxNesting {
				p.fail("nested more than %d levels deep", maxNesting)
			}
			stack = append(stack, closing(k))
		case k == '>' || k == ')' || k == ']' || k == '}':
			if len(stack) == 0 || stack[len(stack)-1] != k {
				p.fail("unexpected %s: brackets do not match", p.shown())
			} else {
				stack = stack[:len(stack)-1]
			}
		}
		if p.tok.start > prev && len(out) > 0 {
			out = append(out, ' ')
		}
		prev = p.tok.end
		out = p.appendAliased(out)
		p.advance()
	}
	p.fail("expected %s, found the end of the text", close)
	return ""
}

// copied is the weight of text that is copied, unlike other values of aliases,
// which are shared.
const copied = 4

// appendAliased appends the current token, an alias in expanded form.
func (p *parser) appendAliased(out []byte) []byte {
	t := p.text()
	if p.failed() || len(t) < 2 || bytes.IndexByte(t, '.') >= 0 {
		return append(out, t...)
	}
	switch p.tok.kind {
	case tokHash:
		if a, ok := p.attrAliases[string(t[1:])]; ok {
			p.spend(copied*a.size, p.pos())
			return appendAttr(out, a.val)
		}
	case tokBang:
		if a, ok := p.typeAliases[string(t[1:])]; ok {
			p.spend(copied*a.size, p.pos())
			return appendType(out, a.val)
		}
	}
	return append(out, t...)
}

func closing(open tokenKind) tokenKind {
	switch open {
	case '<':
		return '>'
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}
