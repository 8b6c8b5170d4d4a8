package translate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// instances replaces the generic functions of a package that compute with values of type parameters by functions of
// their type arguments, as no function over package nx is generic in what Go's operators mean. The package is checked
// again, with the same positions.
type instances struct {
	*Package
	generic map[*types.Func]*ast.FuncDecl
	made    map[string]*ast.FuncDecl // by key: the function and its arguments
	names   map[string]string        // by key
	final   map[string]string        // by name, the name in the end
	foreign map[string]types.Type    // types of other packages, by the names that copies have for them
	decls   map[*ast.FuncDecl]bool   // instances
	taken   map[string]bool
}

// maxInstances bounds the functions that type arguments make.
const maxInstances = 200

var errInstances = errors.New("its instances are too many: does it call itself with other types?")

// instantiate returns the package without such functions, and the declarations that are instances.
func instantiate(p *Package) (*Package, map[*ast.FuncDecl]bool, error) {
	in := &instances{Package: p, made: map[string]*ast.FuncDecl{}, names: map[string]string{},
		final: map[string]string{}, foreign: map[string]types.Type{}, taken: map[string]bool{}}
	if !in.find() {
		return p, nil, nil
	}
	for _, n := range p.types.Scope().Names() {
		in.taken[n] = true
	}
	for round := 0; ; round++ {
		n := len(in.made)
		files := in.next(round == 0)
		if round > 20 || len(in.made) > maxInstances {
			return p, nil, errInstances
		}
		done := len(in.made) == n && round > 0
		if done {
			files = in.last()
		}
		q, err := in.check(files)
		if err != nil {
			return p, nil, err
		}
		in.Package = q
		if done {
			return q, in.decls, nil
		}
		in.find()
	}
}

// find collects the generic functions that a tensor can be an argument of, and reports whether there are any.
func (in *instances) find() bool {
	in.generic = map[*types.Func]*ast.FuncDecl{}
	tensor := in.tensor()
	if tensor == nil {
		return false
	}
	for _, f := range in.files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Recv != nil || d.Type.TypeParams == nil || d.Body == nil {
				continue
			}
			if o, ok := in.info.Defs[d.Name].(*types.Func); ok && constrains(o.Signature(), tensor) {
				in.generic[o] = d
			}
		}
	}
	return len(in.generic) > 0
}

// tensor returns the type Tensor, nil where the package does not import defn.
func (in *instances) tensor() types.Type {
	for _, q := range in.types.Imports() {
		if q.Path() == defnPath {
			return q.Scope().Lookup("Tensor").Type()
		}
	}
	return nil
}

// constrains reports whether a type parameter of a function has a constraint that allows operators, and tensors.
func constrains(s *types.Signature, tensor types.Type) bool {
	for p := range s.TypeParams().TypeParams() {
		c, ok := p.Constraint().Underlying().(*types.Interface)
		if ok && !c.IsMethodSet() && types.Satisfies(tensor, c) {
			return true
		}
	}
	return false
}

// next returns copies of the files in which uses of generic functions name their instances, which it makes.
func (in *instances) next(first bool) []*ast.File {
	var out []*ast.File
	for _, f := range in.files {
		c := in.copyOf(f, nil).(*ast.File)
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || !first || in.info.Defs[d.Name] == nil || !d.Name.IsExported() {
				continue
			}
			if o, ok := in.info.Defs[d.Name].(*types.Func); ok && in.generic[o] != nil {
				in.forTensors(o)
			}
		}
		out = append(out, c)
	}
	// instances are declared in the file of the function
	var keys []string
	for k := range in.made {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		d := in.made[k]
		for _, f := range out {
			if in.fset.File(f.Pos()) == in.fset.File(d.Pos()) && !hasFunc(f, d.Name.Name) {
				f.Decls = append(f.Decls, d)
			}
		}
	}
	return out
}

func hasFunc(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		x, ok := d.(*ast.FuncDecl)
		return ok && x.Recv == nil && x.Name.Name == name
	})
}

// forTensors makes the instance of an exported function whose type arguments are all Tensor.
func (in *instances) forTensors(o *types.Func) {
	tensor := in.tensor()
	var args []types.Type
	for p := range o.Signature().TypeParams().TypeParams() {
		if !types.Satisfies(tensor, p.Constraint().Underlying().(*types.Interface)) {
			return
		}
		args = append(args, tensor)
	}
	in.instance(o, args)
}

// instance returns the name of an instance, "" where its types have no name.
func (in *instances) instance(o *types.Func, args []types.Type) string {
	key := o.Name()
	allTensors := true
	var parts []string
	for _, a := range args {
		if hasTypeParam(a) {
			return ""
		}
		key += "," + types.TypeString(a, nil)
		allTensors = allTensors && isTensor(a)
		parts = append(parts, plainName(types.TypeString(a, func(*types.Package) string { return "" })))
	}
	if n := in.names[key]; n != "" {
		return n
	}
	d := in.generic[o]
	exprs := map[types.Object]ast.Expr{}
	for i, a := range args {
		x := in.typeExpr(a)
		if x == nil {
			return ""
		}
		exprs[o.Signature().TypeParams().At(i).Obj()] = x
	}
	name := o.Name() + "__" + strings.Join(parts, "_")
	for in.taken[name] {
		name += "_"
	}
	in.taken[name] = true
	in.names[key] = name
	in.final[name] = o.Name() + strings.Join(parts, "")
	if allTensors {
		in.final[name] = o.Name()
	}
	c := in.copyOf(d, exprs).(*ast.FuncDecl)
	c.Type.TypeParams = nil
	c.Name = &ast.Ident{NamePos: d.Name.NamePos, Name: name}
	in.made[key] = c
	return name
}

// plainName makes part of an identifier of a type.
func plainName(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' && up:
			b.WriteRune(r - 'a' + 'A')
			up = false
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	return b.String()
}

func hasTypeParam(t types.Type) bool {
	found := false
	var visit func(t types.Type)
	visit = func(t types.Type) {
		switch t := types.Unalias(t).(type) {
		case *types.TypeParam:
			found = true
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Pointer:
			visit(t.Elem())
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				visit(a)
			}
		case *types.Signature:
			for v := range t.Params().Variables() {
				visit(v.Type())
			}
			for v := range t.Results().Variables() {
				visit(v.Type())
			}
		}
	}
	visit(t)
	return found
}

// typeExpr returns a type as syntax, nil where it has no name.
func (in *instances) typeExpr(t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return in.named(t, t.Name())
	case *types.Named:
		o := t.Obj()
		switch {
		case o.Pkg() == nil || o.Pkg() != in.types:
			return in.named(t, o.Name())
		case o.Parent() != o.Pkg().Scope() || t.TypeArgs().Len() > 0:
			return nil
		}
		return ast.NewIdent(o.Name())
	case *types.Slice:
		if x := in.typeExpr(t.Elem()); x != nil {
			return &ast.ArrayType{Elt: x}
		}
	case *types.Array:
		if x := in.typeExpr(t.Elem()); x != nil {
			return &ast.ArrayType{Len: &ast.BasicLit{Kind: token.INT, Value: fmt.Sprint(t.Len())}, Elt: x}
		}
	case *types.Pointer:
		if x := in.typeExpr(t.Elem()); x != nil {
			return &ast.StarExpr{X: x}
		}
	}
	return nil
}

// named returns a name of a type of another package, which no import can hide.
func (in *instances) named(t types.Type, name string) ast.Expr {
	n := "type__" + name
	for in.foreign[n] != nil && !types.Identical(in.foreign[n], t) {
		n += "_"
	}
	in.foreign[n] = t
	return ast.NewIdent(n)
}

// check checks the files.
func (in *instances) check(files []*ast.File) (*Package, error) {
	pkg := types.NewPackage(in.types.Path(), in.types.Name())
	for n, t := range in.foreign {
		pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, n, t))
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{}}
	imported := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, q := range in.types.Imports() {
		imported[q.Path()] = q
	}
	conf := &types.Config{Importer: importerOf(imported)}
	if err := types.NewChecker(conf, in.fset, pkg, info).Files(files); err != nil {
		return nil, err
	}
	q := *in.Package
	q.files, q.types, q.info = files, pkg, info
	return &q, nil
}

type importerOf map[string]*types.Package

func (m importerOf) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// last returns copies of the files without the generic functions, with the names that instances have in the end.
func (in *instances) last() []*ast.File {
	in.decls = map[*ast.FuncDecl]bool{}
	gone := map[string]bool{}
	for o := range in.generic {
		gone[o.Name()] = true
	}
	for n, f := range in.final {
		if in.taken[f] && !gone[f] {
			in.final[n] = n
		}
	}
	var out []*ast.File
	for _, f := range in.files {
		c := in.copyOf(f, nil).(*ast.File)
		c.Decls = slices.DeleteFunc(c.Decls, func(d ast.Decl) bool {
			x, ok := d.(*ast.FuncDecl)
			return ok && x.Recv == nil && x.Type.TypeParams != nil && gone[x.Name.Name]
		})
		for _, d := range c.Decls {
			if x, ok := d.(*ast.FuncDecl); ok && x.Recv == nil && in.final[x.Name.Name] != "" {
				in.decls[x] = true
			}
		}
		ast.Inspect(c, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && in.final[id.Name] != "" {
				id.Name = in.final[id.Name]
			}
			return true
		})
		slices.SortStableFunc(c.Decls, func(a, b ast.Decl) int { return int(a.Pos() - b.Pos()) })
		out = append(out, c)
	}
	return out
}

// copyOf copies a tree with its positions. Type parameters become what params has for them, and uses of generic
// functions their instances.
func (in *instances) copyOf(n ast.Node, params map[types.Object]ast.Expr) ast.Node {
	c := &copier{in: in, params: params, seen: map[any]reflect.Value{}}
	return c.value(reflect.ValueOf(n)).Interface().(ast.Node)
}

type copier struct {
	in     *instances
	params map[types.Object]ast.Expr
	seen   map[any]reflect.Value
}

func (c *copier) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(c.value(v.Elem()))
		return out
	case reflect.Pointer:
		if v.IsNil() || isScoped(v.Type().Elem().Name()) {
			return reflect.Zero(v.Type())
		}
		if x := c.replaced(v.Interface()); x != nil {
			return reflect.ValueOf(x)
		}
		if out, ok := c.seen[v.Interface()]; ok {
			return out
		}
		out := reflect.New(v.Type().Elem())
		c.seen[v.Interface()] = out
		out.Elem().Set(c.value(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(c.value(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(c.value(v.Index(i)))
		}
		return out
	case reflect.Map:
		return reflect.Zero(v.Type()) // scopes of the parser
	}
	return v
}

// replaced returns what stands for a node in the copy, nil for a copy of it.
func (c *copier) replaced(n any) ast.Expr {
	switch n := n.(type) {
	case *ast.Ident:
		o := c.in.info.Uses[n]
		if x := c.params[o]; o != nil && x != nil {
			x = c.value(reflect.ValueOf(&x).Elem()).Interface().(ast.Expr)
			if id, ok := x.(*ast.Ident); ok {
				id.NamePos = n.NamePos
			}
			return x
		}
		if name := c.instance(n); name != "" {
			return &ast.Ident{NamePos: n.NamePos, Name: name}
		}
	case *ast.IndexExpr:
		if id, ok := n.X.(*ast.Ident); ok && c.instance(id) != "" {
			return &ast.Ident{NamePos: id.NamePos, Name: c.instance(id)}
		}
	case *ast.IndexListExpr:
		if id, ok := n.X.(*ast.Ident); ok && c.instance(id) != "" {
			return &ast.Ident{NamePos: id.NamePos, Name: c.instance(id)}
		}
	}
	return nil
}

// instance returns the name of the instance that an identifier is of, "" for others.
func (c *copier) instance(id *ast.Ident) string {
	o, ok := c.in.info.Uses[id].(*types.Func)
	if !ok || c.in.generic[o.Origin()] == nil || c.params != nil {
		return "" // the types of a copy are known when it is checked
	}
	at, ok := c.in.info.Instances[id]
	if !ok {
		return ""
	}
	var args []types.Type
	for t := range at.TypeArgs.Types() {
		args = append(args, t)
	}
	return c.in.instance(o.Origin(), args)
}

// isScoped reports whether a node is of the parser's own resolution of names, which the type checker does not use.
func isScoped(name string) bool { return name == "Object" || name == "Scope" }
