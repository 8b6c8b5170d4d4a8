package stablehlo

import "bytes"

// MHLO is the predecessor of StableHLO. Programs of older exporters, and those that were processed by XLA,
// contain its ops. Most are ops of StableHLO or CHLO under another name. Others, such as mhlo.copy, stay
// unregistered and mean the custom_call of that name (CallOfMHLO).

// OpOfMHLO returns the op that mhlo.mnemonic is in StableHLO or CHLO, or Unregistered.
func OpOfMHLO(mnemonic string) OpCode {
	for _, dialect := range []string{"stablehlo.", "chlo."} {
		if c := LookupOp(dialect + mnemonic); c != Unregistered {
			return c
		}
	}
	return Unregistered
}

// isMHLOOp reports whether the attribute of MHLO available, #mhlo.kind<…> or
// #mhlo<kind KEYWORD>, is one of StableHLO.
func (p *parser) isMHLOOp(kind string, dotted bool) bool {
	if dotted {
		return newStructAttr("stablehlo", kind) != nil
	}
	word, _, _ := bytes.Cut(p.src[min(int(p.tok.end)+1, len(p.src)):], []byte(" "))
	return len(word) < 40 && EnumKeywords(string(word)) != nil
}

// prettyMHLO reads the pretty form of an op of MHLO; it reports whether the op has a form that differs from
// that of its StableHLO op. Ops of one type have no arrow.
func (p *parser) prettyMHLO(s *opParts) bool {
	as := Unregistered
	switch name := string(p.text()); {
	case name == "mhlo.topk":
		p.topK(s)
		return true
	case name == "mhlo.copy" || s.info.Dialect() == "chlo" && len(s.info.Operands) == 1:
		as = OpNegate
	case s.info.Dialect() == "chlo" && len(s.info.Operands) == 2:
		as = OpAdd
	default:
		return false
	}
	p.advance()
	p.steps(formOf(as).steps, s)
	return true
}

// topK reads mhlo.topk(%x, k=8, largest=true) : T -> (T, T).
func (p *parser) topK(s *opParts) {
	p.advance()
	p.expect('(', "after mhlo.topk")
	s.operands = append(s.operands, p.operand())
	for p.accept(',') {
		switch name := p.word("k or largest"); name {
		case "k":
			p.expect('=', "after k")
			s.attr("k", I64(p.integer("the number of elements")))
		case "largest":
			p.expect('=', "after largest")
			s.attr("largest", BoolAttr(p.word("true or false") == "true"))
		default:
			p.fail("mhlo.topk has k and largest, but no %s", name)
		}
	}
	p.expect(')', "after the operand of mhlo.topk")
	if p.is('{') {
		p.attrDict(s)
	}
	p.expect(':', "before the type of the operation")
	s.types = append(s.types, p.typ())
	p.expect(tokArrow, "in the type of the operation")
	s.results = p.resultTypes(s.results)
}
