package onnx

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx/encoding/onnx"
)

// body is a list of nodes with what they may use: of a graph, or of a function.
type body struct {
	name            string
	nodes           []*onnx.Node
	inputs, outputs []string
	inits           map[string]*onnx.Tensor
	sparse          map[string]*onnx.SparseTensor
	opsets          map[string]int64 // of a function, nil for a graph
	// uses[i] has the names that node i and those after it use, and the results.
	uses []map[string]bool
}

// initial returns what the file has for a name: a tensor, a sparse tensor, or nil.
func (b *body) initial(name string) any {
	if t := b.inits[name]; t != nil {
		return t
	}
	if t := b.sparse[name]; t != nil {
		return t
	}
	return nil
}

// bodyOf returns the nodes of a graph.
func (p *Program) bodyOf(g *onnx.Graph) (*body, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if b := p.bodies[g]; b != nil {
		return b, nil
	}
	b := &body{name: g.Name, nodes: g.Nodes, inits: map[string]*onnx.Tensor{}, sparse: map[string]*onnx.SparseTensor{}}
	for _, t := range g.Initializers {
		if b.inits[t.Name] != nil {
			return nil, fmt.Errorf("onnx: there are two initializers %q", t.Name)
		}
		b.inits[t.Name] = t
	}
	for _, t := range g.Sparse {
		if t.Values != nil {
			b.sparse[t.Values.Name] = t
		}
	}
	for _, v := range g.Inputs {
		b.inputs = append(b.inputs, v.Name)
	}
	for _, v := range g.Outputs {
		b.outputs = append(b.outputs, v.Name)
	}
	b.uses = p.usesOf(b)
	p.bodies[g] = b
	return b, nil
}

// bodyOfFunction returns the nodes of a function.
func (p *Program) bodyOfFunction(f *onnx.Function) *body {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if b := p.called[f]; b != nil {
		return b
	}
	b := &body{name: f.Name, nodes: f.Nodes, inputs: f.Inputs, outputs: f.Outputs, opsets: versions(f.Opsets)}
	b.uses = p.usesOf(b)
	p.called[f] = b
	return b
}

// usesOf returns what the nodes of a body use from each on.
func (p *Program) usesOf(b *body) []map[string]bool {
	uses := make([]map[string]bool, len(b.nodes)+1)
	last := map[string]bool{}
	for _, name := range b.outputs {
		last[name] = true
	}
	uses[len(b.nodes)] = last
	for i := len(b.nodes) - 1; i >= 0; i-- {
		missing := slices.DeleteFunc(p.captured(b.nodes[i]), func(name string) bool { return uses[i+1][name] })
		if len(missing) == 0 {
			uses[i] = uses[i+1]
			continue
		}
		uses[i] = maps.Clone(uses[i+1])
		for _, name := range missing {
			uses[i][name] = true
		}
	}
	return uses
}

// captured returns the names that a node uses: its inputs, and what its graphs take from outside.
func (p *Program) captured(n *onnx.Node) []string {
	if names, ok := p.free1[n]; ok {
		return slices.Clone(names)
	}
	set := map[string]bool{}
	for _, name := range n.Inputs {
		if name != "" {
			set[name] = true
		}
	}
	for _, a := range n.Attributes {
		graphs := a.Graphs
		if a.Graph != nil {
			graphs = append(slices.Clone(graphs), a.Graph)
		}
		for _, g := range graphs {
			own := map[string]bool{}
			for _, t := range g.Initializers {
				own[t.Name] = true
			}
			for _, v := range g.Inputs {
				own[v.Name] = true
			}
			for _, inner := range g.Nodes {
				for _, name := range p.captured(inner) {
					if !own[name] {
						set[name] = true
					}
				}
				for _, name := range inner.Outputs {
					own[name] = true
				}
			}
			for _, v := range g.Outputs {
				if !own[v.Name] {
					set[v.Name] = true
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(set))
	p.free1[n] = names
	return slices.Clone(names)
}
