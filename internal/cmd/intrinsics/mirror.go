package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// A mirrored type is a type with tensors in it or in its methods, such as a layer: it is declared again with those of
// definitions, and the translator puts that of the source in its place. Other types are the source's own.

// isMirrored reports whether an exported type of the source is mirrored.
func (w *writer) isMirrored(name string) bool {
	if w.mirrored == nil {
		w.mirrored = map[string]bool{}
		for again := true; again; {
			again = false
			for n, t := range w.exports.types {
				if w.mirrored[n] || w.name == "nx" {
					continue
				}
				uses := func(m *ast.FuncDecl) bool { return w.mentions(m.Type) }
				if w.mentions(t.Type) || slices.ContainsFunc(w.exports.methods[n], uses) {
					w.mirrored[n], again = true, true
				}
			}
		}
	}
	return w.mirrored[name]
}

// mentions reports whether a type uses tensors, or mirrored types, in what is exported of it.
func (w *writer) mentions(x ast.Node) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if len(n.Names) > 0 && !slices.ContainsFunc(n.Names, (*ast.Ident).IsExported) {
				_, isType := x.(*ast.FuncType)
				return isType
			}
		case *ast.SelectorExpr:
			p, ok := n.X.(*ast.Ident)
			found = found || ok && p.Name == "nx" && n.Sel.Name == "Tensor"
			return false
		case *ast.Ident:
			found = found || w.mirrored[n.Name]
		}
		return !found
	})
	return found
}

// mentionsMirrored reports whether the parameters or results of a function have mirrored types.
func (w *writer) mentionsMirrored(f *ast.FuncType) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && w.isMirrored(id.Name)
		return true
	})
	return found
}

// mirror declares a mirrored type with its exported fields and methods.
func (w *writer) mirror(name string) error {
	t := w.exports.types[name].Type
	if s, ok := t.(*ast.StructType); ok {
		t = &ast.StructType{Fields: exportedFields(s.Fields)}
	}
	text := w.text(t, nil)
	if _, ok := t.(*ast.SelectorExpr); ok {
		text = "struct{ _ " + text + " }" // a type of its own for tensors: definitions do not compute with it
	}
	fmt.Fprintf(&w.out, "type %s %s\n\n", name, text)
	methods := slices.SortedFunc(slices.Values(w.exports.methods[name]), func(a, b *ast.FuncDecl) int {
		return cmp.Compare(a.Name.Name, b.Name.Name)
	})
	for _, m := range methods {
		doc, err := w.docOf(m)
		if err != nil {
			return err
		}
		full := fmt.Sprintf("%s.%s.%s", w.name, name, m.Name.Name)
		doc = strings.ReplaceAll(doc, fmt.Sprintf("[%s.%s]", w.name, m.Name.Name), "["+full+"]")
		star := ""
		if _, ok := m.Recv.List[0].Type.(*ast.StarExpr); ok {
			star = "*"
		}
		signature := strings.TrimPrefix(w.text(m.Type, nil), "func")
		fmt.Fprintf(&w.out, "%sfunc (%s%s) %s%s {\n\tpanic(scalar.Untranslated(%q))\n}\n\n", doc, star, name,
			m.Name.Name, signature, full)
	}
	return nil
}

// exportedFields returns the fields that are exported.
func exportedFields(l *ast.FieldList) *ast.FieldList {
	out := &ast.FieldList{}
	for _, f := range l.List {
		if len(f.Names) == 0 {
			t := f.Type
			if s, ok := t.(*ast.StarExpr); ok {
				t = s.X
			}
			if n, ok := t.(*ast.Ident); ok && !n.IsExported() {
				continue
			}
			out.List = append(out.List, &ast.Field{Type: f.Type})
			continue
		}
		var names []*ast.Ident
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n)
			}
		}
		if len(names) > 0 {
			out.List = append(out.List, &ast.Field{Names: names, Type: f.Type})
		}
	}
	return out
}

// varType returns the type of a variable, whose value is a call of a function of the source.
func (w *writer) varType(name string) (string, error) {
	if c, ok := w.exports.vars[name].(*ast.CallExpr); ok {
		if f, ok := c.Fun.(*ast.Ident); ok && w.exports.funcs[f.Name] != nil {
			return w.results(w.exports.funcs[f.Name], f.Name), nil
		}
	}
	return "", fmt.Errorf("%s.%s: the value of the variable is not a call of a function of the package", w.name, name)
}
