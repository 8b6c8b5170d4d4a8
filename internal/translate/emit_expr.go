package translate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// push and pop begin and end a scope of Go.
func (e *emitter) push() {
	e.scope = append(e.scope, map[string]*definition.Var{})
	e.renamed = append(e.renamed, nil)
}

func (e *emitter) pop() {
	n := len(e.scope) - 1
	for v, name := range e.renamed[n] {
		e.printed[v] = name
	}
	e.scope, e.renamed = e.scope[:n], e.renamed[:n]
}

// declare gives a variable its name in the current scope: that of the source, unless another variable or a declaration
// of the package has it. A copy of statements may declare a variable again, which then has the same name, if it can.
func (e *emitter) declare(v *definition.Var) string {
	n := e.printed[v]
	if n == "" || e.isTaken(n, v) {
		old := n
		n = v.Name
		for i := 2; !e.isFree(n, v); i++ {
			n = v.Name + strconv.Itoa(i)
		}
		if last := len(e.renamed) - 1; old != "" {
			if e.renamed[last] == nil {
				e.renamed[last] = map[*definition.Var]string{}
			}
			e.renamed[last][v] = old
		}
	}
	e.printed[v] = n
	e.scope[len(e.scope)-1][n] = v
	return n
}

// isTaken reports whether another variable of the scopes around has a name.
func (e *emitter) isTaken(n string, v *definition.Var) bool {
	for _, s := range e.scope {
		if w := s[n]; w != nil && w != v {
			return true
		}
	}
	return false
}

func (e *emitter) isFree(n string, v *definition.Var) bool {
	if e.names[n] || types.Universe.Lookup(n) != nil && n != "len" && n != "min" && n != "max" && n != "new" {
		return false
	}
	return !e.isTaken(n, v)
}

// fresh returns a name that no variable has.
func (e *emitter) fresh(name string) string {
	return e.declare(&definition.Var{Name: name})
}

// param declares a parameter.
func (e *emitter) param(v *definition.Var) string {
	if v.Name == "" || v.Name == "_" {
		return "_"
	}
	if e.f.Outer == nil || e.names[v.Name] {
		return e.declare(v)
	}
	e.printed[v] = v.Name // a literal cannot mean a variable that its parameter hides
	e.scope[len(e.scope)-1][v.Name] = v
	return v.Name
}

// nx returns a name of package nx.
func (e *emitter) nx(name string) string { return e.importPath(modulePath) + "." + name }

// value writes a value for a place of a kind: a predicate may be a static bool in the source.
func (e *emitter) value(x definition.Expr, k definition.Kind) {
	if k == definition.Predicate && definition.KindOf(x) == definition.Static {
		e.writef("%s(", e.nx("New"))
		e.expr(x, 0)
		e.write(")")
		return
	}
	e.expr(x, 0)
}

// operand writes an operand, for which a static number is enough.
func (e *emitter) operand(x definition.Expr) {
	if l, ok := x.(*definition.Lift); ok {
		e.expr(l.X, 0)
		return
	}
	e.expr(x, 0)
}

const unaryPrecedence = 6

// expr writes an expression, in parentheses where it binds less than precedence says.
func (e *emitter) expr(x definition.Expr, precedence int) {
	switch x := x.(type) {
	case *definition.Lit:
		e.write(litText(x))
	case *definition.Ref:
		e.write(e.refText(x.Var))
	case *definition.Name:
		e.write(e.nameText(x))
		e.typeArgs(x.TypeArgs)
	case *definition.Op:
		e.op(x)
	case *definition.Lift:
		e.writef("%s(", e.nx("New"))
		e.expr(x.X, 0)
		e.write(")")
	case *definition.Call:
		e.call(x)
	case *definition.Builtin:
		if e.made(x) {
			return
		}
		e.write(x.Func + "(")
		if x.Of != nil {
			e.write(e.typeText(x.Of, definition.Static))
			if len(x.Args) > 0 {
				e.write(", ")
			}
		}
		for i, a := range x.Args {
			if i > 0 {
				e.write(", ")
			}
			e.expr(a, 0)
		}
		if x.Spread {
			e.write("...")
		}
		e.write(")")
	case *definition.Lambda:
		e.lambda(x)
	case *definition.Select:
		e.expr(x.X, 7)
		e.write("." + x.Name)
	case *definition.Index:
		e.expr(x.X, 7)
		e.write("[")
		e.expr(x.Index, 0)
		e.write("]")
	case *definition.Part:
		e.part(x)
	case *definition.Composite:
		e.composite(x)
	case *definition.Convert:
		t := e.typeText(x.To, definition.Static)
		if strings.HasPrefix(t, "*") || strings.HasPrefix(t, "func") {
			t = "(" + t + ")"
		}
		e.write(t)
		if x.X != nil {
			e.write("(")
			e.expr(x.X, 0)
			e.write(")")
		}
	case *definition.Unary:
		e.unary(x, precedence)
	case *definition.Binary:
		e.binary(x, precedence)
	case *definition.Source:
		e.write(e.verbatim(x.Syntax.(ast.Node)))
	}
}

// refText returns the name of a variable.
func (e *emitter) refText(v *definition.Var) string {
	if n := e.printed[v]; n != "" {
		return n
	}
	return v.Name
}

func (e *emitter) nameText(x *definition.Name) string {
	if x.Instance {
		return e.importPath(e.counterpart(x.Path).path) + "." + x.Name
	}
	if o, ok := x.Object.(types.Object); ok {
		return e.objectText(o)
	}
	return x.Name
}

func (e *emitter) typeArgs(list []definition.Type) {
	if len(list) == 0 {
		return
	}
	var texts []string
	for _, t := range list {
		texts = append(texts, e.typeText(t, definition.Static))
	}
	e.writef("[%s]", strings.Join(texts, ", "))
}

// litText returns a constant as Go has it.
func litText(x *definition.Lit) string {
	if x.Text != "" {
		return x.Text
	}
	switch x.Value.Kind() {
	case constant.String:
		return strconv.Quote(constant.StringVal(x.Value))
	case constant.Bool:
		return x.Value.String()
	case constant.Int:
		if _, ok := constant.Int64Val(x.Value); ok {
			return x.Value.ExactString()
		}
		if _, ok := constant.Uint64Val(x.Value); ok {
			return "uint64(" + x.Value.ExactString() + ")"
		}
	}
	f, _ := constant.Float64Val(constant.ToFloat(x.Value))
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") && !math.IsInf(f, 0) {
		s += ".0"
	}
	return s
}

// op writes an operation of package nx.
func (e *emitter) op(x *definition.Op) {
	e.writef("%s.%s", e.importPath(pathOf(x.Pkg)), x.Func)
	if x.Nullary {
		if n := intrinsics[x.Pkg+"."+x.Func].operands; n > 0 {
			e.writef("[%s]", strings.TrimSuffix(strings.Repeat(e.nx("Tensor")+", ", n), ", "))
		}
		e.typeArgs(x.TypeArgs)
		return
	}
	e.typeArgs(x.TypeArgs)
	e.write("(")
	for i, a := range x.Args {
		e.separate(i, a)
		switch role(x.Roles, i) {
		case 'o':
			e.operand(a)
		case 't':
			k := definition.Tensor
			if t, ok := exprType(a); ok && isBool(t) {
				k = definition.Predicate
			}
			e.value(a, k)
		default:
			e.expr(a, 0)
		}
	}
	if x.Spread {
		e.write("...")
	}
	e.write(")")
}

// separate begins an element of a list: on a line of its own where it computes something on a later line of the source,
// so that errors and stacks name that line.
func (e *emitter) separate(i int, x definition.Expr) {
	if i > 0 {
		e.write(",")
	}
	switch x.(type) {
	case *definition.Op, *definition.Call, *definition.Composite:
		if p := e.fset.Position(x.At()); p.IsValid() && p.Line > e.line && e.inFile(p) {
			e.write("\n")
			e.at(x.At())
			e.write(e.tabs() + "\t")
			return
		}
	}
	if i > 0 {
		e.write(" ")
	}
}

// exprType returns the Go type of an expression.
func exprType(x definition.Expr) (types.Type, bool) {
	var t definition.Type
	switch x := x.(type) {
	case *definition.Ref:
		t = x.Var.Type
	case *definition.Op:
		t = x.Type
	case *definition.Unary:
		t = x.Type
	case *definition.Binary:
		t = x.Type
	case *definition.Call:
		t = x.Type
	case *definition.Name:
		t = x.Type
	case *definition.Lit:
		t = x.Type
	case *definition.Select:
		t = x.Type
	case *definition.Index:
		t = x.Type
	case *definition.Composite:
		t = x.Type
	case *definition.Builtin:
		t = x.Type
	case *definition.Part:
		t = x.Type
	case *definition.Convert:
		t = x.Type
	case *definition.Source:
		t = x.Type
	}
	u, ok := t.(types.Type)
	return u, ok
}

// call writes a call.
func (e *emitter) call(x *definition.Call) {
	if l, ok := x.Fun.(*definition.Lambda); ok {
		e.write("(")
		e.lambda(l)
		e.write(")")
	} else {
		e.expr(x.Fun, 7)
	}
	f := definition.Callee(x)
	offset := 0
	if s, ok := x.Fun.(*definition.Select); ok && f != nil {
		if c, isExpr := s.X.(*definition.Convert); isExpr && c.X == nil {
			offset = 1
		}
	}
	e.write("(")
	for i, a := range x.Args {
		e.separate(i, a)
		k := definition.KindOf(a)
		if f != nil && i >= offset && i-offset < len(f.Params) {
			k = f.Params[i-offset].Kind
		}
		e.value(a, k)
	}
	if x.Spread {
		e.write("...")
	}
	e.write(")")
}

// part writes a slice of a slice.
func (e *emitter) part(x *definition.Part) {
	e.expr(x.X, 7)
	e.write("[")
	if x.Lo != nil {
		e.expr(x.Lo, 0)
	}
	e.write(":")
	if x.Hi != nil {
		e.expr(x.Hi, 0)
	}
	if x.Max != nil {
		e.write(":")
		e.expr(x.Max, 0)
	}
	e.write("]")
}

// composite writes a literal of a struct, a slice or an array.
func (e *emitter) composite(x *definition.Composite) {
	t := x.Type.(types.Type)
	if x.Addr {
		if !x.Elided {
			e.write("&")
		}
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	if !x.Elided {
		e.write(e.typeText(t, definition.Static))
	}
	e.write("{")
	st, _ := t.Underlying().(*types.Struct)
	unkeyed := st != nil && len(x.Fields) == st.NumFields()
	for i, name := range x.Fields {
		unkeyed = unkeyed && st.Field(i).Name() == name
	}
	if unkeyed && st.NumFields() > 4 {
		unkeyed = false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && (n.Obj().Pkg() != e.Package.types || e.static[n.Obj()]) {
		unkeyed = false
	}
	line := e.line
	for i, elem := range x.Elems {
		e.separate(i, elem)
		k := definition.KindOf(elem)
		switch {
		case st != nil:
			for f := range st.Fields() {
				if f.Name() == x.Fields[i] && e.vars[f] != nil {
					k = e.vars[f].Kind
				}
			}
			if !unkeyed {
				e.write(x.Fields[i] + ": ")
			}
		case x.Keys[i] != nil:
			e.expr(x.Keys[i], 0)
			e.write(": ")
		}
		e.value(elem, k)
	}
	if n, ok := types.Unalias(t).(*types.Named); st != nil && !(ok && isDefn(n.Obj())) {
		e.missing(st, x, unkeyed)
	}
	a, isArray := t.Underlying().(*types.Array)
	if isArray && int(a.Len()) > len(x.Elems) && !slices.ContainsFunc(x.Keys, isSet) {
		if z := e.zero(a.Elem()); z != "" {
			for i := len(x.Elems); i < int(a.Len()); i++ {
				if i > 0 {
					e.write(", ")
				}
				e.write(z)
			}
		}
	}
	if e.line > line {
		e.write(",")
		e.newline()
	}
	e.write("}")
}

func isSet(x definition.Expr) bool { return x != nil }

// missing writes the fields that a literal leaves out and whose zeros are not Go's.
func (e *emitter) missing(st *types.Struct, x *definition.Composite, unkeyed bool) {
	if unkeyed {
		return
	}
	first := len(x.Elems) == 0
	for f := range st.Fields() {
		if slices.Contains(x.Fields, f.Name()) || f.Name() == "_" {
			continue
		}
		z := e.zero(f.Type())
		if v := e.vars[f]; v != nil && v.Kind == definition.Predicate {
			z = e.nx("New") + "(false)"
		}
		if z == "" {
			continue
		}
		if !first {
			e.write(", ")
		}
		first = false
		e.write(f.Name() + ": " + z)
	}
}

// made writes a slice of zeros whose zeros are not Go's, and reports whether the call makes one.
func (e *emitter) made(x *definition.Builtin) bool {
	if x.Func == "new" && x.Of != nil {
		if z := e.zero(x.Of.(types.Type)); z != "" {
			e.write("&" + z)
			return true
		}
	}
	if x.Func != "make" || x.Of == nil || len(x.Args) == 0 {
		return false
	}
	s, ok := x.Of.(types.Type).Underlying().(*types.Slice)
	if l, isLit := x.Args[0].(*definition.Lit); !ok || isLit && constant.Sign(l.Value) == 0 {
		return false
	}
	z := e.zero(s.Elem())
	if z == "" {
		return false
	}
	t := e.typeText(x.Of, definition.Static)
	named := !strings.HasPrefix(t, "[")
	if named {
		e.write(t + "(")
		t = "[]" + e.typeText(s.Elem(), definition.Static)
	}
	e.writef("%s.Repeat(%s{%s}, ", e.importPath("slices"), t, z)
	e.expr(x.Args[0], 0)
	e.write(")")
	if named {
		e.write(")")
	}
	return true
}

// zero returns the zero value of a type as text, "" where it is Go's: a tensor is the number 0, not an absent tensor.
func (e *emitter) zero(t types.Type) string {
	if isTensor(t) {
		return e.nx("New") + "(0)"
	}
	if isPredicateAlias(t) {
		return e.nx("New") + "(false)"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && isDefn(n.Obj()) {
		return "" // for these an absent tensor has a meaning, such as no state
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
			return ""
		}
		var list []string
		for f := range u.Fields() {
			z := e.zero(f.Type())
			if v := e.vars[f]; v != nil && v.Kind == definition.Predicate {
				z = e.nx("New") + "(false)"
			}
			if z != "" && f.Name() != "_" {
				list = append(list, f.Name()+": "+z)
			}
		}
		if len(list) > 0 {
			return e.typeText(t, definition.Static) + "{" + strings.Join(list, ", ") + "}"
		}
	case *types.Array:
		z := e.zero(u.Elem())
		switch {
		case z == "" || u.Len() == 0:
		case u.Len() <= 4:
			list := slices.Repeat([]string{z}, int(u.Len()))
			return e.typeText(t, definition.Static) + "{" + strings.Join(list, ", ") + "}"
		default:
			return fmt.Sprintf("%s(%s.Repeat([]%s{%s}, %d))", e.typeText(t, definition.Static), e.importPath("slices"),
				e.typeText(u.Elem(), definition.Static), z, u.Len())
		}
	}
	return ""
}

// unary writes an operator on a static value, or a negated predicate.
func (e *emitter) unary(x *definition.Unary, precedence int) {
	if x.Op == token.NOT && definition.KindOf(x) == definition.Predicate {
		e.writef("%s(", e.nx("LogicalNot"))
		e.expr(x.X, 0)
		e.write(")")
		return
	}
	if precedence > unaryPrecedence {
		e.write("(")
		defer e.write(")")
	}
	e.write(x.Op.String())
	e.expr(x.X, unaryPrecedence)
}

// binary writes an operator on static values, or on predicates.
func (e *emitter) binary(x *definition.Binary, precedence int) {
	if definition.KindOf(x) == definition.Predicate {
		e.writef("%s(", e.nx(definition.Logical(x.Op)))
		e.operand(x.X)
		e.write(", ")
		e.operand(x.Y)
		e.write(")")
		return
	}
	p := x.Op.Precedence()
	if p < precedence {
		e.write("(")
		defer e.write(")")
	}
	e.expr(x.X, p)
	if p > 4 && precedence > 3 {
		e.write(x.Op.String())
	} else {
		e.write(" " + x.Op.String() + " ")
	}
	e.expr(x.Y, p+1)
}

// lambda writes a function literal.
func (e *emitter) lambda(x *definition.Lambda) {
	f, results, loops := e.f, e.results, e.loops
	e.f, e.results, e.loops = x.Func, "", nil
	e.push()
	e.write("func")
	e.signature(x.Func)
	e.write(" {")
	if r, ok := single(x.Func.Body); ok && len(r.Results) == 1 && len(x.Func.Results) == 1 {
		e.write(" return ")
		e.value(r.Results[0], x.Func.Results[0].Kind)
		e.write(" }")
	} else {
		e.write("\n")
		e.body(x.Func)
		e.write(e.tabs() + "}")
	}
	e.pop()
	e.f, e.results, e.loops = f, results, loops
}

// single returns the return of a body that is nothing else, and that fits into a line.
func single(list []definition.Stmt) (*definition.Return, bool) {
	if len(list) != 1 {
		return nil, false
	}
	r, ok := list[0].(*definition.Return)
	if !ok {
		return nil, false
	}
	for _, x := range r.Results {
		definition.Walk(x, func(x definition.Expr) {
			if _, is := x.(*definition.Lambda); is {
				ok = false
			}
		}, func(*definition.Func) {})
	}
	return r, ok
}
