package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/encoding/onnx"
)

// Unsupported is what of a model cannot be imported: an op with the nodes that have it.
type Unsupported struct {
	Domain, Op string
	Version    int64
	Nodes      []string // their names
	Reason     string
}

// String returns "com.acme.Foo (opset 1): node1, node2, … 7 nodes".
func (u Unsupported) String() string {
	op := u.Op
	if u.Domain != "" {
		op = u.Domain + "." + op
	}
	nodes := quoted(u.Nodes[:min(len(u.Nodes), 3)])
	if len(u.Nodes) > 3 {
		nodes += ", …"
	}
	what := "nodes"
	if len(u.Nodes) == 1 {
		what = "node"
	}
	text := fmt.Sprintf("%s (opset %d), %d %s: %s", op, u.Version, len(u.Nodes), what, nodes)
	if u.Reason != "" {
		text += ": " + u.Reason
	}
	return text
}

// UnsupportedError is the error of a model with nodes that cannot be imported.
type UnsupportedError struct{ List []Unsupported }

func (e *UnsupportedError) Error() string {
	lines := make([]string, len(e.List))
	for i, u := range e.List {
		lines[i] = "    " + u.String()
	}
	return "the model has ops that are not supported:\n" + strings.Join(lines, "\n") +
		"\n  export it with other ops, or define each as a function of the model"
}

// check walks all nodes: their ops must have rows, and their operands values, and functions must not call themselves.
func (p *Program) check() error {
	c := &checker{p: p, found: map[string]*Unsupported{}, functions: map[*onnx.Function]int{}}
	if err := c.body(p.main, nil, p.opsets, 0); err != nil {
		return err
	}
	if len(c.order) == 0 {
		return nil
	}
	e := &UnsupportedError{}
	for _, key := range c.order {
		e.List = append(e.List, *c.found[key])
	}
	slices.SortStableFunc(e.List, func(a, b Unsupported) int { return len(b.Nodes) - len(a.Nodes) })
	return e
}

type checker struct {
	p         *Program
	found     map[string]*Unsupported
	order     []string
	functions map[*onnx.Function]int // 1 while it is walked, 2 after
}

// names are those that are visible in a body.
type names struct {
	parent *names
	have   map[string]bool
}

func (n *names) has(name string) bool {
	for ; n != nil; n = n.parent {
		if n.have[name] {
			return true
		}
	}
	return false
}

func (c *checker) body(b *body, around *names, opsets map[string]int64, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("graphs are nested deeper than %d", maxDepth)
	}
	visible := &names{around, map[string]bool{}}
	for _, name := range b.inputs {
		visible.have[name] = true
	}
	for name := range b.inits {
		visible.have[name] = true
	}
	for name := range b.sparse {
		visible.have[name] = true
	}
	for _, n := range b.nodes {
		version := opsets[domainOf(n.Domain)]
		for _, name := range n.Inputs {
			if name != "" && !visible.has(name) {
				return fmt.Errorf("%s: there is no value %q before it", labelOf(n, version), name)
			}
		}
		if err := c.node(n, visible, opsets, depth); err != nil {
			return err
		}
		for _, name := range n.Outputs {
			if name == "" {
				continue
			}
			if visible.have[name] {
				return fmt.Errorf("%s: there is another value %q", labelOf(n, version), name)
			}
			visible.have[name] = true
		}
	}
	for _, name := range b.outputs {
		if name != "" && !visible.has(name) {
			return fmt.Errorf("graph %q: there is no value for the result %q", b.name, name)
		}
	}
	return nil
}

func (c *checker) node(n *onnx.Node, visible *names, opsets map[string]int64, depth int) error {
	domain := domainOf(n.Domain)
	version := opsets[domain]
	for _, a := range n.Attributes {
		graphs := a.Graphs
		if a.Graph != nil {
			graphs = append(slices.Clone(graphs), a.Graph)
		}
		for _, g := range graphs {
			b, err := c.p.bodyOf(g)
			if err != nil {
				return err
			}
			if err := c.body(b, visible, opsets, depth+1); err != nil {
				return err
			}
		}
	}
	if fn := c.p.functions[functionName{domain, n.OpType, n.Overload}]; fn != nil {
		switch c.functions[fn] {
		case 1:
			return fmt.Errorf("the function %s calls itself", fn.Name)
		case 2:
			return nil
		}
		c.functions[fn] = 1
		b := c.p.bodyOfFunction(fn)
		err := c.body(b, nil, b.opsets, depth+1)
		c.functions[fn] = 2
		return err
	}
	if rowOf(domain, n.OpType, version) != nil {
		return nil
	}
	key := fmt.Sprint(domain, " ", n.OpType, " ", version)
	u := c.found[key]
	if u == nil {
		u = &Unsupported{Domain: domain, Op: n.OpType, Version: version, Reason: refusals[opName{domain, n.OpType}]}
		if version == 0 {
			u.Reason = "the model does not say which version of this domain it uses"
		}
		c.found[key] = u
		c.order = append(c.order, key)
	}
	name := n.Name
	if name == "" && len(n.Outputs) > 0 {
		name = n.Outputs[0]
	}
	u.Nodes = append(u.Nodes, name)
	return nil
}

// IsUnsupported returns what of a model is not supported, if that is the error.
func IsUnsupported(err error) []Unsupported {
	var e *UnsupportedError
	if errors.As(err, &e) {
		return e.List
	}
	return nil
}
