package model

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

func params(types []stablehlo.Type) []Param {
	out := make([]Param, len(types))
	for i, t := range types {
		out[i].Type = t
	}
	return out
}

func tensorOf(t stablehlo.Type) *stablehlo.TensorType { u, _ := t.(*stablehlo.TensorType); return u }

// tidy removes lists of empty attributes of arguments and results, which exporters
// leave behind; text has no pretty form for them.
func tidy(m *stablehlo.Module) {
	for f := range m.Funcs() {
		for _, name := range []string{"arg_attrs", "res_attrs"} {
			list, ok := f.Attr(name).(stablehlo.ArrayAttr)
			for _, a := range list {
				d, isDict := a.(stablehlo.DictAttr)
				ok = ok && isDict && len(d) == 0
			}
			if ok {
				f.SetAttr(name, nil)
			}
		}
	}
}

// name returns the arguments and results of @main the names that the program holds:
// the locations of arguments, those of the function that they are passed on to
// included, and the jax.result_info of results.
func (p *Program) name() {
	if p.Form != Text {
		tidy(p.Module)
	}
	main, ok := p.Module.Func(entry)
	if !ok || main.IsDeclaration() {
		return
	}
	if p.In == nil {
		p.In = params(main.Type().Ins)
	}
	if p.Out == nil {
		p.Out = params(main.Type().Outs)
	}
	passed := calleeArgNames(p.Module, main)
	for i, v := range main.Args() {
		if i >= len(p.In) || p.In[i].Name != "" {
			continue
		}
		if p.In[i].Name = locName(v.Loc); p.In[i].Name == "" {
			p.In[i].Name = passed[v]
		}
		if p.In[i].Name == "" && !isGenerated(v.Name()) {
			p.In[i].Name, p.In[i].Local = v.Name(), true
		}
	}
	attrs, _ := main.Attr("res_attrs").(stablehlo.ArrayAttr)
	for i := range p.Out {
		if i < len(attrs) && p.Out[i].Name == "" {
			d, _ := attrs[i].(stablehlo.DictAttr)
			s, _ := d.Get("jax.result_info").(stablehlo.StringAttr)
			p.Out[i].Name = string(s)
		}
	}
	uniqueNames(p.In)
	uniqueNames(p.Out)
}

// isGenerated reports whether a name is one that printers generate for values: %0, %arg0.
func isGenerated(name string) bool {
	return strings.Trim(strings.TrimPrefix(name, "arg"), "0123456789") == ""
}

// uniqueNames drops names that occur more than once.
func uniqueNames(list []Param) {
	count := map[string]int{}
	for _, q := range list {
		count[q.Name]++
	}
	for i := range list {
		if count[list[i].Name] > 1 {
			list[i].Name = list[i].Tree
		}
	}
}

// locName returns the name of a location, or "".
func locName(l stablehlo.Location) string {
	if n, ok := l.(*stablehlo.NameLoc); ok {
		return n.Name
	}
	return ""
}

// calleeArgNames returns the names of the arguments of functions that arguments of f are
// passed on to.
func calleeArgNames(m *stablehlo.Module, f stablehlo.Func) map[*stablehlo.Value]string {
	names := map[*stablehlo.Value]string{}
	for _, op := range f.Body().Ops {
		if op.Code != stablehlo.OpCall {
			continue
		}
		callee, ok := m.Func(op.Str("callee"))
		if !ok {
			continue
		}
		for i, a := range callee.Args() {
			if i < len(op.Operands) && names[op.Operands[i]] == "" {
				names[op.Operands[i]] = locName(a.Loc)
			}
		}
	}
	return names
}

// Label returns the name of a parameter for printing, or its index.
func (q *Param) Label(kind string, i int) string {
	switch {
	case q.Name != "":
		return q.Name
	case q.Tree != "":
		return q.Tree
	}
	return fmt.Sprintf("%s%d", kind, i)
}

// Key returns the words of a name: params['layers'][0].w and params/layers/0/w
// have the same, params.layers.0.w.
func Key(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune("[]'\"./() \t", r)
	})
	return strings.Join(words, ".")
}

// TypeText returns the type of a parameter with the sizes as the exporter wrote
// them: tensor<bx3xf32>.
func (q *Param) TypeText() string {
	t := tensorOf(q.Type)
	if t == nil || len(q.Dims) != len(t.Dims) {
		return q.Type.String()
	}
	var b strings.Builder
	b.WriteString("tensor<")
	for i, d := range q.Dims {
		if t.Dims[i] != stablehlo.Dynamic {
			d = fmt.Sprint(t.Dims[i])
		}
		b.WriteString(d + "x")
	}
	b.WriteString(t.Elem.String() + ">")
	return b.String()
}
