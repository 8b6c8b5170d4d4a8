package translate

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-nx/nx/internal/definition"
)

// unit is a package of definitions while it is translated.
type unit struct {
	*Package
	errors       Errors
	isDefinition func(ast.Node) bool

	made   map[*ast.FuncDecl]bool           // instances of generic functions, which are definitions
	decls  []ast.Decl                       // in the order of the source
	funcs  map[*types.Func]*definition.Func // definitions, not static functions
	syntax map[types.Object]ast.Node        // of objects of the package: *ast.FuncDecl, *ast.TypeSpec, *ast.ValueSpec
	static map[types.Object]bool            // objects of the package without tensors
	again  map[*types.TypeName]bool         // types without tensors to declare again, for methods that are definitions
	vars   map[types.Object]*definition.Var // local variables, parameters and fields
	stores []store

	others    counterparts
	externals map[*types.Func]*definition.Func
	order     []*definition.Func // definitions in the order of the source
	all       []*definition.Func // and literals
	named     []*types.TypeName  // containers to declare again
}

// newUnit makes the intermediate form of a package.
func newUnit(p *Package) *unit { return newUnitOf(p, nil) }

// newUnitOf is newUnit with the declarations that isDefinition reports as definitions, where it is not nil.
func newUnitOf(p *Package, isDefinition func(ast.Node) bool) *unit {
	p, made, err := instantiate(p)
	u := &unit{
		isDefinition: isDefinition,
		Package:      p,
		made:         made,
		funcs:        map[*types.Func]*definition.Func{},
		syntax:       map[types.Object]ast.Node{},
		static:       map[types.Object]bool{},
		again:        map[*types.TypeName]bool{},
		vars:         map[types.Object]*definition.Var{},
	}
	u.externals = map[*types.Func]*definition.Func{}
	var wrong types.Error
	if errors.As(err, &wrong) {
		u.report(wrong.Pos, 0, "type-parameter", "write a function of Tensor",
			"with a type argument this does not compile: %s", wrong.Msg)
	} else if err != nil {
		u.report(u.files[0].Name.Pos(), 0, "type-parameter", "write functions of Tensor", "a generic function: %v", err)
	}
	u.collect()
	for _, f := range u.order {
		u.function(f)
	}
	return u
}

// collect finds the declarations, and tells definitions from static Go.
func (u *unit) collect() {
	u.findAgain()
	for _, f := range u.files {
		for _, d := range f.Decls {
			u.decls = append(u.decls, d)
			switch d := d.(type) {
			case *ast.FuncDecl:
				o, _ := u.info.Defs[d.Name].(*types.Func)
				if o == nil {
					continue
				}
				u.syntax[o] = d
				if u.mentions(d) {
					u.declare(o, d)
				} else {
					u.static[o] = true
				}
			case *ast.GenDecl:
				u.collectGen(d)
			}
		}
	}
}

func (u *unit) collectGen(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			o, _ := u.info.Defs[s.Name].(*types.TypeName)
			if o == nil {
				continue
			}
			u.syntax[o] = s
			if !s.Assign.IsValid() {
				u.checkTensorType(s)
			}
			if carries(o.Type()) || u.again[o] {
				u.named = append(u.named, o)
			} else {
				u.static[o] = true
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				o := u.info.Defs[n]
				if o == nil {
					continue
				}
				u.syntax[o] = s
				if !u.mentions(s) {
					u.static[o] = true
				} else if d.Tok == token.VAR && u.carriesAny(s) {
					u.report(n.Pos(), n.End(), "package-variable", "pass it as a parameter, or make it a function "+
						"without parameters", "a variable of the package holds tensors: %s", n.Name)
				}
			}
		}
	}
}

// checkTensorType refuses a type of its own for tensors.
func (u *unit) checkTensorType(s *ast.TypeSpec) {
	if t := u.info.TypeOf(s.Type); t != nil && isTensor(t) {
		u.report(s.Pos(), s.End(), "tensor-type", "write type "+s.Name.Name+" = Tensor, or a struct with a field",
			"a type of its own for tensors: %s", s.Name.Name)
	}
}

// findAgain finds the types without tensors that have definitions as methods, which only the package that declares a
// type can have, and the types that have such types in them.
func (u *unit) findAgain() {
	for more := true; more; {
		more = false
		add := func(o *types.TypeName) {
			if o != nil && o.Pkg() == u.types && !u.again[o] && !carries(o.Type()) {
				u.again[o], more = true, true
			}
		}
		for _, f := range u.files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if o, ok := u.info.Defs[d.Name].(*types.Func); ok && o.Signature().Recv() != nil && u.mentions(d) {
						add(receiverType(o))
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if s, ok := s.(*ast.TypeSpec); ok && u.mentions(s.Type) {
							o, _ := u.info.Defs[s.Name].(*types.TypeName)
							add(o)
						}
					}
				}
			}
		}
	}
}

// receiverType returns the type that a method is of.
func receiverType(o *types.Func) *types.TypeName {
	t := o.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// carriesAny reports whether a declaration uses tensors themselves.
func (u *unit) carriesAny(n ast.Node) bool {
	again := u.again
	u.again = nil
	defer func() { u.again = again }()
	return u.mentions(n)
}

// mentions reports whether a declaration uses tensors, or types that are declared again.
func (u *unit) mentions(n ast.Node) bool {
	if u.isDefinition != nil {
		return u.isDefinition(n)
	}
	if f, ok := n.(*ast.FuncDecl); ok && u.made[f] {
		return true
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			o := u.info.ObjectOf(id)
			if o == nil {
				return true
			}
			if _, isPkg := o.(*types.PkgName); !isPkg && (carries(o.Type()) || u.hasAgain(o)) {
				found = true
			}
		}
		return !found
	})
	return found
}

// hasAgain reports whether an object is, or its type has, a type that is declared again.
func (u *unit) hasAgain(o types.Object) bool {
	if len(u.again) == 0 {
		return false
	}
	return carriesIn(o.Type(), map[types.Type]bool{}, func(n *types.Named) bool { return u.again[n.Obj()] })
}

// declare makes the function of a declaration, without its body.
func (u *unit) declare(o *types.Func, d *ast.FuncDecl) {
	f := &definition.Func{Name: d.Name.Name, Pos: d.Pos(), End: d.End(), Object: o}
	s := o.Signature()
	f.Variadic = s.Variadic()
	if r := s.Recv(); r != nil {
		f.Recv = u.variable(r, f)
	}
	u.signature(f, s)
	u.funcs[o] = f
	u.order = append(u.order, f)
	u.all = append(u.all, f)
}

// signature makes the parameters and results of a function.
func (u *unit) signature(f *definition.Func, s *types.Signature) {
	for p := range s.Params().Variables() {
		f.Params = append(f.Params, u.variable(p, f))
	}
	for r := range s.Results().Variables() {
		f.Results = append(f.Results, u.variable(r, f))
	}
}

// variable returns the variable of an object, which it makes at its first use.
func (u *unit) variable(o *types.Var, f *definition.Func) *definition.Var {
	if v := u.vars[o]; v != nil {
		return v
	}
	v := &definition.Var{Name: o.Name(), Type: o.Type(), Kind: kindOf(o.Type()), Pos: o.Pos(), Func: f}
	if p, ok := o.Type().Underlying().(*types.Pointer); ok {
		_, v.Pointer = p.Elem().Underlying().(*types.Struct)
	}
	u.vars[o] = v
	return v
}
