package translate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/go-nx/nx/internal/definition"
)

// counterparts are the packages that the definitions of other packages were written to.
type counterparts struct {
	byPath map[string]*counterpart
}

// counterpart is such a package, with the functions of the file that defn wrote.
type counterpart struct {
	path  string
	funcs map[string]*ast.FuncDecl // methods as Type.Method
}

// counterpart returns the package that the definitions of a package were written to, nil where there is none.
func (u *unit) counterpart(path string) *counterpart {
	if c, ok := u.written[path]; ok {
		return c
	}
	if c, ok := u.others.byPath[path]; ok {
		return c
	}
	if u.others.byPath == nil {
		u.others.byPath = map[string]*counterpart{}
	}
	c := u.findCounterpart(path)
	u.others.byPath[path] = c
	return c
}

func (u *unit) findCounterpart(path string) *counterpart {
	list, err := packages.Load(&packages.Config{Dir: u.Dir, Mode: packages.NeedName | packages.NeedFiles |
		packages.NeedModule}, path)
	if err != nil || len(list) != 1 || len(list[0].GoFiles) == 0 {
		return nil
	}
	p := &Package{Path: path, Name: list[0].Name, Dir: filepath.Dir(list[0].GoFiles[0])}
	if m := list[0].Module; m != nil {
		p.Module, p.ModuleDir = m.Path, m.Dir
	}
	for _, f := range list[0].GoFiles {
		a, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		p.files = append(p.files, a)
	}
	t, err := TargetOf(p, "")
	if err != nil || t.Path == "" {
		return nil
	}
	text, err := os.ReadFile(t.File(p))
	if err != nil {
		return nil
	}
	c, err := counterpartOf(t.Path, text)
	if err != nil {
		return nil
	}
	return c
}

// counterpartOf returns the counterpart that has the file of a text.
func counterpartOf(path string, text []byte) (*counterpart, error) {
	written, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	c := &counterpart{path: path, funcs: map[string]*ast.FuncDecl{}}
	for _, d := range written.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			c.funcs[qualified(f)] = f
		}
	}
	return c, nil
}

// qualified returns the name of a function, for methods with the type.
func qualified(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		}
		return f.Name.Name
	}
}

// external returns a definition of another package, without its body: the kinds of its bools are those that it was
// written with. It is nil for other functions.
func (u *unit) external(o *types.Func) *definition.Func {
	s := o.Signature()
	if o.Pkg() == nil || o.Pkg() == u.types || isDefn(o) ||
		!carries(s) && (s.Recv() == nil || !carries(s.Recv().Type())) || s.TypeParams().Len() > 0 {
		return nil
	}
	if f, ok := u.externals[o]; ok {
		return f
	}
	f := &definition.Func{Name: o.Name(), Pos: o.Pos(), External: true, Object: o, Variadic: s.Variadic()}
	u.externals[o] = f
	u.signature(f, s)
	c := u.counterpart(o.Pkg().Path())
	if c == nil {
		return f // the emitter reports it
	}
	name := o.Name()
	if r := s.Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	if d := c.funcs[name]; d != nil {
		tensorKinds(f.Params, d.Type.Params)
		tensorKinds(f.Results, d.Type.Results)
	}
	return f
}

// tensorKinds makes the bools that were written as tensors predicates.
func tensorKinds(vars []*definition.Var, fields *ast.FieldList) {
	if fields == nil {
		return
	}
	i := 0
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			if i < len(vars) && isBoolVar(vars[i]) && isTensorText(f.Type) {
				vars[i].Kind = definition.Predicate
			}
			i++
		}
	}
}

func isTensorText(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Tensor"
}

// importsFirst orders packages so that each comes after those of the list that it imports.
func importsFirst(list []*Package) []*Package {
	byPath := map[string]*Package{}
	for _, p := range list {
		byPath[p.Path] = p
	}
	var out []*Package
	seen := map[string]bool{}
	var visit func(p *Package)
	visit = func(p *Package) {
		if seen[p.Path] {
			return
		}
		seen[p.Path] = true
		for _, f := range p.files {
			for _, i := range f.Imports {
				if q := byPath[strings.Trim(i.Path.Value, `"`)]; q != nil {
					visit(q)
				}
			}
		}
		out = append(out, p)
	}
	for _, p := range list {
		visit(p)
	}
	return out
}
