package onnx

import (
	"fmt"

	"github.com/go-nx/nx/encoding/onnx"
)

// scope has the values of names in a graph. Those of graphs inside of nodes see the scopes around them.
type scope struct {
	parent *scope // nil for a function and the main graph
	body   *body
	values map[string]Value
	attrs  map[string]*onnx.Attribute // of the call of a function, nil for a graph
	opsets map[string]int64
	depth  int // in how many graphs of traced ops it is
}

func (p *Program) newScope(b *body, parent *scope, depth int) *scope {
	s := &scope{parent: parent, body: b, values: map[string]Value{}, depth: depth, opsets: p.opsets}
	if parent != nil {
		s.opsets, s.attrs = parent.opsets, parent.attrs
	}
	if b.opsets != nil {
		s.opsets = b.opsets
	}
	return s
}

// owner returns the scope in which a name has its value, nil for none.
func (s *scope) owner(name string) *scope {
	for ; s != nil; s = s.parent {
		if _, ok := s.values[name]; ok {
			return s
		}
		if s.body.initial(name) != nil {
			return s
		}
	}
	return nil
}

// lookup returns the value of a name.
func (p *Program) lookup(s *scope, name string) (Value, error) {
	in := s.owner(name)
	if in == nil {
		return Value{}, fmt.Errorf("there is no value %q", name)
	}
	if v, ok := in.values[name]; ok {
		return v, nil
	}
	if t := in.body.inits[name]; t != nil {
		return p.weight(t)
	}
	return p.dense(in.body.sparse[name])
}

// attribute returns the value that the call of a function gives to an attribute, or its default; nil for none.
func (s *scope) attribute(name string) *onnx.Attribute { return s.attrs[name] }

// version returns the version of a domain.
func (s *scope) version(domain string) int64 { return s.opsets[domainOf(domain)] }
