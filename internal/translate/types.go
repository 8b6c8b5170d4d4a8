package translate

import (
	"go/types"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// isDefnPath reports whether a package is defn or one below it.
func isDefnPath(path string) bool { return path == defnPath || strings.HasPrefix(path, defnPath+"/") }

// isDefn reports whether an object is declared in package defn or below it.
func isDefn(o types.Object) bool { return o != nil && o.Pkg() != nil && isDefnPath(o.Pkg().Path()) }

// isTensor reports whether a type is Tensor.
func isTensor(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Tensor" && isDefn(n.Obj())
}

// isPredicateAlias reports whether a type is written as Predicate.
func isPredicateAlias(t types.Type) bool {
	a, ok := t.(*types.Alias)
	return ok && a.Obj().Name() == "Predicate" && isDefn(a.Obj())
}

// isBool reports whether a type is a bool.
func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isParam reports whether a type is a type parameter.
func isParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// hasTensor reports whether a type parameter may be a tensor.
func hasTensor(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	return ok && carries(p.Constraint())
}

// carries reports whether values of a type have tensors in them.
func carries(t types.Type) bool {
	return carriesIn(t, map[types.Type]bool{}, func(n *types.Named) bool { return isTensor(n) })
}

// carriesIn reports whether a type has a type in it that is reports.
func carriesIn(t types.Type, seen map[types.Type]bool, is func(*types.Named) bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	in := func(t types.Type) bool { return carriesIn(t, seen, is) }
	switch t := t.(type) {
	case *types.Alias:
		return isPredicateAlias(t) || in(types.Unalias(t))
	case *types.Named:
		if is(t) {
			return true
		}
		for a := range t.TypeArgs().Types() {
			if in(a) {
				return true
			}
		}
		for m := range t.Origin().Methods() {
			_ = m // methods do not make a type a container
		}
		return in(t.Underlying())
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Map:
		return in(t.Elem()) || in(t.Key())
	case *types.Chan:
		return in(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if in(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return in(t.Params()) || in(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if in(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if in(m.Type()) {
				return true
			}
		}
		for e := range t.EmbeddedTypes() {
			if in(e) {
				return true
			}
		}
	case *types.Union:
		for x := range t.Terms() {
			if in(x.Type()) {
				return true
			}
		}
	case *types.TypeParam:
		return in(t.Constraint())
	}
	return false
}

// kindOf returns the kind of values of a type; bools are static until infer knows better.
func kindOf(t types.Type) definition.Kind {
	switch {
	case t == nil:
		return definition.Static
	case isTensor(t):
		return definition.Tensor
	case isPredicateAlias(t):
		return definition.Predicate
	case carries(t):
		return definition.Container
	}
	return definition.Static
}
