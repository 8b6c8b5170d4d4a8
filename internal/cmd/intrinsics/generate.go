package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// exports are the exported declarations of a package, by name.
type exports struct {
	funcs  map[string]*ast.FuncDecl
	types  map[string]*ast.TypeSpec
	consts map[string]bool
	vars   map[string]ast.Expr // with the first value
	// methods are the exported ones, by the name of the type.
	methods map[string][]*ast.FuncDecl
}

// read parses a package.
func read(dir string) (*exports, error) {
	e := &exports{map[string]*ast.FuncDecl{}, map[string]*ast.TypeSpec{}, map[string]bool{}, map[string]ast.Expr{},
		map[string][]*ast.FuncDecl{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			e.add(d)
		}
	}
	return e, nil
}

func (e *exports) add(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		switch {
		case !f.Name.IsExported():
		case f.Recv == nil:
			e.funcs[f.Name.Name] = f
		default:
			t := receiver(f)
			e.methods[t] = append(e.methods[t], f)
		}
		return
	}
	g := d.(*ast.GenDecl)
	for _, s := range g.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				e.types[s.Name.Name] = s
			}
		case *ast.ValueSpec:
			for i, n := range s.Names {
				switch {
				case !n.IsExported():
				case g.Tok == token.CONST:
					e.consts[n.Name] = true
				case i < len(s.Values):
					e.vars[n.Name] = s.Values[i]
				default:
					e.vars[n.Name] = nil
				}
			}
		}
	}
}

// receiver returns the name of the type of a method.
func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if n, ok := t.(*ast.Ident); ok {
		return n.Name
	}
	return ""
}

// names are all exported names.
func (e *exports) names() map[string]bool {
	all := maps.Clone(e.consts)
	for n := range e.vars {
		all[n] = true
	}
	for n := range e.funcs {
		all[n] = true
	}
	for n := range e.types {
		all[n] = true
	}
	return all
}

// writer writes the counterparts of a package.
type writer struct {
	source
	exports *exports
	out     bytes.Buffer
	tensor  string // the type of tensors, as the file names it
	value   string // the constraint of tensors and predicates

	mirrored map[string]bool // see isMirrored
}

// generate returns the file of a source, and the rows of its functions in the table of package translate.
func generate(root string, s source) (text []byte, table []string, err error) {
	e, err := read(filepath.Join(root, filepath.FromSlash(s.dir)))
	if err != nil {
		return nil, nil, err
	}
	w := &writer{source: s, exports: e, tensor: "Tensor", value: "Value"}
	if s.name != "nx" {
		w.tensor, w.value = "defn.Tensor", "defn.Value"
	}
	chosen := func(names map[string]bool) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(n string) bool { return !s.has(n) })
	}
	for _, n := range chosen(e.consts) {
		fmt.Fprintf(&w.out, "// %s is [%s.%s].\nconst %s = %s.%s\n\n", n, s.name, n, n, s.name, n)
	}
	types := map[string]bool{}
	for n := range e.types {
		types[n] = true
	}
	for _, n := range chosen(types) {
		fmt.Fprintf(&w.out, "// %s is [%s.%s].\n", n, s.name, n)
		if !w.isMirrored(n) {
			fmt.Fprintf(&w.out, "type %s = %s.%s\n\n", n, s.name, n)
			continue
		}
		if err := w.mirror(n); err != nil {
			return nil, nil, fmt.Errorf("%s.%s: %w", s.name, n, err)
		}
	}
	vars := map[string]bool{}
	for n := range e.vars {
		vars[n] = true
	}
	for _, n := range chosen(vars) {
		typ, err := w.varType(n)
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintf(&w.out, "// %s is [%s.%s], which a definition has when it is translated.\nvar %s %s\n\n", n, s.name, n,
			n, typ)
	}
	funcs := map[string]bool{}
	for n := range e.funcs {
		funcs[n] = true
	}
	for _, n := range chosen(funcs) {
		if err := w.function(e.funcs[n]); err != nil {
			return nil, nil, fmt.Errorf("%s.%s: %w", s.name, n, err)
		}
	}
	if s.name == "nn" {
		if err := w.moved(root); err != nil {
			return nil, nil, err
		}
	}
	text, err = w.file()
	for _, n := range slices.Sorted(maps.Keys(e.funcs)) {
		table = append(table, w.row(e.funcs[n]))
	}
	return text, table, err
}

// has reports whether a name of the source has a counterpart in the package of the source.
func (s source) has(name string) bool {
	switch s.name {
	case "nx":
		return excluded["nx"][name] == "" && !slices.Contains(moved, name)
	}
	return excluded[s.name][name] == ""
}

// moved writes the functions of package nx that are in the package.
func (w *writer) moved(root string) error {
	e, err := read(root)
	if err != nil {
		return err
	}
	m := &writer{source: source{name: "nx", out: w.source.out}, exports: e, tensor: w.tensor, value: w.value}
	for _, n := range moved {
		if e.funcs[n] == nil {
			return fmt.Errorf("package nx has no %s", n)
		}
		if err := m.function(e.funcs[n]); err != nil {
			return err
		}
	}
	w.out.Write(m.out.Bytes())
	return nil
}

// file puts the header before the declarations.
func (w *writer) file() ([]byte, error) {
	var head bytes.Buffer
	fmt.Fprintf(&head, "// Code generated by internal/cmd/intrinsics from package %s. DO NOT EDIT.\n\n", w.name)
	if w.doc != "" {
		fmt.Fprintf(&head, "// %s\n", strings.ReplaceAll(w.doc, "\n", "\n// "))
	}
	fmt.Fprintf(&head, "package %s\n\nimport (\n", filepath.Base(w.source.out))
	body := w.out.String()
	for _, p := range []struct{ name, path string }{
		{"nx", ""}, {"defn", "/defn"}, {"scalar", "/defn/internal/scalar"}, {w.name, "/" + w.dir},
	} {
		if p.path == "/." || !strings.Contains(body, p.name+".") {
			continue
		}
		fmt.Fprintf(&head, "\t%q\n", "github.com/go-nx/nx"+p.path)
	}
	head.WriteString(")\n\n")
	head.WriteString(body)
	return format.Source(head.Bytes())
}

// role is what a parameter is.
type role int

const (
	static role = iota
	tensor
	tensors   // a slice, or the last parameter of any number
	condition // a predicate
	value     // a tensor or a predicate
)

// param is a parameter of a function.
type param struct {
	name, typ string
	role      role
	variadic  bool
}

// function writes the counterpart of a function.
func (w *writer) function(f *ast.FuncDecl) error {
	name := f.Name.Name
	typeParams, operands := w.typeParams(f)
	var params []param
	for _, field := range f.Type.Params.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, n := range names {
			if n.Name == "_" {
				n = ast.NewIdent(fmt.Sprintf("p%d", len(params)))
			}
			p := w.param(name, n.Name, field.Type, operands)
			if p.role == value {
				t := strings.ToUpper(p.name)
				typeParams = append(typeParams, t+" "+w.value)
				p.typ = t
			}
			params = append(params, p)
		}
	}
	var list, args []string
	runs := true // on scalars
	for _, p := range params {
		list = append(list, p.name+" "+p.typ)
		a := p.name
		switch {
		case p.role == tensor:
			a = "scalar.In(" + a + ")"
		case p.role == tensors:
			a = "scalar.Ins(" + a + ")"
		case p.role == condition:
			a = "scalar.Bool(" + a + ")"
		case p.role == value:
			a = "scalar.Value(" + a + ")"
		case strings.Contains(p.typ, w.tensor):
			runs = false
		}
		if p.variadic {
			a += "..."
		}
		args = append(args, a)
	}
	results := w.results(f, name)
	doc, err := w.docOf(f)
	if err != nil {
		return err
	}
	own := cmp.Or(renamed[name], name)
	if w.tensor == "Tensor" {
		own = name
	} else if own != name {
		doc = strings.Replace(doc, "// "+name+" ", "// "+own+" ", 1)
	}
	w.out.WriteString(doc)
	fmt.Fprintf(&w.out, "func %s", own)
	if len(typeParams) > 0 {
		fmt.Fprintf(&w.out, "[%s]", strings.Join(typeParams, ", "))
	}
	fmt.Fprintf(&w.out, "(%s)", strings.Join(list, ", "))
	fmt.Fprintf(&w.out, " %s {\n", results)
	full := name
	if w.name != "nx" {
		full = w.name + "." + name
	}
	runs = runs && !w.mentionsMirrored(f.Type)
	call := fmt.Sprintf("%s.%s(%s)", w.name, name, strings.Join(args, ", "))
	switch {
	case runs && results == w.tensor:
		fmt.Fprintf(&w.out, "\treturn scalar.Out[%s](%q, func() nx.Tensor { return %s })\n", w.tensor, full, call)
	case runs && strings.HasSuffix(results, "Predicate"):
		fmt.Fprintf(&w.out, "\treturn scalar.Predicate(%q, func() nx.Tensor { return %s })\n", full, call)
	case runs && !strings.Contains(results, w.tensor):
		fmt.Fprintf(&w.out, "\treturn %s\n", call)
	default:
		fmt.Fprintf(&w.out, "\tpanic(scalar.Untranslated(%q))\n", full)
	}
	w.out.WriteString("}\n\n")
	return nil
}

// typeParams returns the type parameters that the counterpart keeps, and those that are operands, which are Tensors.
func (w *writer) typeParams(f *ast.FuncDecl) (kept []string, operands map[string]bool) {
	operands = map[string]bool{}
	if f.Type.TypeParams == nil {
		return nil, operands
	}
	for _, field := range f.Type.TypeParams.List {
		c := w.text(field.Type, nil)
		for _, n := range field.Names {
			if c == "nx.Operand" {
				operands[n.Name] = true
			} else {
				kept = append(kept, n.Name+" "+c)
			}
		}
	}
	return kept, operands
}

// param describes a parameter.
func (w *writer) param(fun, name string, typ ast.Expr, operands map[string]bool) param {
	p := param{name: name, typ: w.text(typ, operands)}
	e, ok := typ.(*ast.Ellipsis)
	if p.variadic = ok; ok {
		p.typ = "..." + w.text(e.Elt, operands)
	}
	switch {
	case w.name == "nx" && conditions[fun][name]:
		p.role, p.typ = condition, "Predicate"
	case w.name == "nx" && values[fun][name]:
		p.role = value
	case p.typ == w.tensor:
		p.role = tensor
	case p.typ == "[]"+w.tensor, p.typ == "..."+w.tensor:
		p.role = tensors
	}
	return p
}

// results returns the results as text.
func (w *writer) results(f *ast.FuncDecl, name string) string {
	if f.Type.Results == nil {
		return ""
	}
	if w.name == "nx" && predicates[name] {
		return "Predicate"
	}
	var list []string
	named := false
	for _, r := range f.Type.Results.List {
		t := w.text(r.Type, nil)
		if len(r.Names) == 0 {
			list = append(list, t)
			continue
		}
		named = true
		var names []string
		for _, n := range r.Names {
			names = append(names, n.Name)
		}
		list = append(list, strings.Join(names, ", ")+" "+t)
	}
	if len(list) == 1 && !named {
		return list[0]
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// text prints a type for the package that is written: names of the source qualified, tensors those of definitions.
func (w *writer) text(typ ast.Expr, operands map[string]bool) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), w.rewrite(typ, operands)); err != nil {
		panic(err) // the expression was parsed
	}
	return b.String()
}

func (w *writer) rewrite(x ast.Expr, operands map[string]bool) ast.Expr {
	again := func(x ast.Expr) ast.Expr { return w.rewrite(x, operands) }
	fields := func(l *ast.FieldList) *ast.FieldList {
		if l == nil {
			return nil
		}
		out := &ast.FieldList{Opening: l.Opening, Closing: l.Closing}
		for _, f := range l.List {
			out.List = append(out.List, &ast.Field{Names: f.Names, Type: again(f.Type)})
		}
		return out
	}
	switch x := x.(type) {
	case *ast.Ident:
		switch {
		case operands[x.Name] || w.name == "nx" && x.Name == "Tensor":
			return ast.NewIdent(w.tensor)
		case w.isMirrored(x.Name):
		case w.exports.types[x.Name] != nil:
			return ast.NewIdent(w.name + "." + x.Name)
		}
	case *ast.SelectorExpr:
		if p, ok := x.X.(*ast.Ident); ok && p.Name == "nx" && x.Sel.Name == "Tensor" {
			return ast.NewIdent(w.tensor)
		}
	case *ast.ArrayType:
		return &ast.ArrayType{Len: x.Len, Elt: again(x.Elt)}
	case *ast.StarExpr:
		return &ast.StarExpr{X: again(x.X)}
	case *ast.Ellipsis:
		return &ast.Ellipsis{Elt: again(x.Elt)}
	case *ast.MapType:
		return &ast.MapType{Key: again(x.Key), Value: again(x.Value)}
	case *ast.FuncType:
		return &ast.FuncType{Params: fields(x.Params), Results: fields(x.Results)}
	case *ast.InterfaceType:
		return &ast.InterfaceType{Methods: fields(x.Methods)}
	case *ast.StructType:
		return &ast.StructType{Fields: fields(x.Fields)}
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: again(x.X), Index: again(x.Index)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: again(x.X), Op: x.Op, Y: again(x.Y)}
	}
	return x
}

// docOf returns the first paragraph of a comment, and a link to the function.
func (w *writer) docOf(f *ast.FuncDecl) (string, error) {
	var p comment.Parser
	first := f.Name.Name
	if d := p.Parse(f.Doc.Text()); len(d.Content) > 0 {
		para, ok := d.Content[0].(*comment.Paragraph)
		if !ok {
			return "", fmt.Errorf("the comment has no paragraph")
		}
		text := (&comment.Printer{TextWidth: 100}).Text(&comment.Doc{Content: []comment.Block{para}})
		first = strings.TrimSpace(string(text))
	}
	if strings.HasSuffix(first, ":") {
		first = strings.TrimSuffix(first, ":") + "."
	}
	return fmt.Sprintf("// %s\n//\n// It is [%s.%s].\n", strings.ReplaceAll(first, "\n", "\n// "), w.name,
		f.Name.Name), nil
}

// row is the row of a function in the table of package translate: a letter for each parameter says what it takes.
// o is an operand, a tensor or a number; t a tensor; l a list of tensors; s what is static; c anything else, such as
// containers and functions. + says that the last one is variadic. The number is that of the type parameters that are
// operands.
func (w *writer) row(f *ast.FuncDecl) string {
	all := map[string]string{}
	operands := 0
	if l := f.Type.TypeParams; l != nil {
		for _, field := range l.List {
			c := w.text(field.Type, nil)
			for _, n := range field.Names {
				all[n.Name] = c
				if c == "nx.Operand" {
					operands++
				}
			}
		}
	}
	var roles strings.Builder
	variadic := ""
	for _, field := range f.Type.Params.List {
		typ := field.Type
		if e, ok := typ.(*ast.Ellipsis); ok {
			typ, variadic = e.Elt, "+"
		}
		t := w.text(typ, nil)
		letter := "s"
		switch {
		case all[t] == "nx.Operand":
			letter = "o"
		case t == w.tensor:
			letter = "t"
		case t == "[]"+w.tensor:
			letter = "l"
		case t == "any", strings.HasPrefix(t, "func("), strings.HasPrefix(t, "[]any"):
			letter = "c"
		default:
			for n, c := range all {
				if c == "any" && (t == n || t == "[]"+n) {
					letter = "c"
				}
			}
		}
		roles.WriteString(strings.Repeat(letter, max(1, len(field.Names))))
	}
	return fmt.Sprintf("\t%q: {%q, %d},\n", w.key()+"."+f.Name.Name, roles.String()+variadic, operands)
}
