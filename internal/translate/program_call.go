package translate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/definition"
)

// caller writes the main function of a program.
type caller struct {
	*emitter
	Call
	label  string
	leaves []string // the names of the tensors that the definition takes

	missing []string // settings
	used    map[string]bool
	rest    int // tensors by position for the first slice of them
	failed  []error
}

func (k *caller) fail(format string, args ...any) {
	k.failed = append(k.failed, fmt.Errorf(format, args...))
}

// write writes the function, and the arguments of the program.
func (k *caller) write(f *definition.Func, out *Program) error {
	s := f.Object.(*types.Func).Signature()
	if len(f.Results) == 0 {
		return fmt.Errorf("%s has no result", k.label)
	}
	values := k.values(f, s)
	if n := k.positional(); n > len(k.leaves) { // for the slices
		k.rest = n - len(k.leaves)
		k.leaves, k.missing, k.failed = nil, nil, nil
		values = k.values(f, s)
	}
	if err := k.arguments(f, s, out); err != nil {
		return err
	}
	e := k.emitter
	tensor := e.importPath(modulePath) + ".Tensor"
	program := e.importPath(e.target.Path + "/program")
	e.endLines()
	e.writef("\nfunc main() {\n\t%s.Main(func(zzIn []%s) (zzOut []%s.Result) {\n\t\t", program, tensor, program)
	for i := range f.Results {
		if i > 0 {
			e.write(", ")
		}
		e.writef("zzR%d", i)
	}
	e.write(" := ")
	if f.Recv != nil {
		e.writef("%s.", values[0])
		values = values[1:]
	}
	e.write(f.Name + "(\n" + strings.Join(values, "") + "\t\t)\n")
	for i, r := range f.Results {
		if r.Kind == definition.Static {
			e.writef("\t\t%s.Static(%q, zzR%d)\n", program, cmpOr(r.Name, "result"), i)
			continue
		}
		e.writef("\t\tzzOut = %s.Append(zzOut, %q, zzR%d)\n", program, strings.Trim(r.Name, "_"), i)
	}
	e.write("\t\treturn zzOut\n\t})\n}\n")
	return nil
}

func cmpOr(a, b string) string {
	if a == "" || a == "_" {
		return b
	}
	return a
}

// endLines ends the lines of definitions.
func (e *emitter) endLines() { e.write("\n" + callLine + "\n") }

// positional counts the tensors that are given by position.
func (k *caller) positional() int {
	n := 0
	for _, a := range k.Args {
		if a.Name == "" || isPosition(a.Name) {
			n++
		}
	}
	return n
}

// isPosition reports whether a name is arg0, arg1, …
func isPosition(name string) bool {
	digits, ok := strings.CutPrefix(name, "arg")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// values returns the receiver and the arguments of a call as Go, each argument as lines.
func (k *caller) values(f *definition.Func, s *types.Signature) []string {
	var out []string
	if f.Recv != nil {
		x := k.value(f.Recv.Type.(types.Type), f.Recv.Kind, named(f.Recv.Name))
		if _, ok := types.Unalias(f.Recv.Type.(types.Type)).(*types.Pointer); ok {
			x = "(" + x + ")"
		}
		out = append(out, x)
	}
	for i, p := range f.Params {
		name, t, dots := named(p.Name), p.Type.(types.Type), ""
		if s.Variadic() && i == len(f.Params)-1 {
			dots = "..."
			if _, ok := k.setting(name); !ok && !carries(t) {
				continue
			}
		}
		out = append(out, k.value(t, p.Kind, name)+dots+",\n")
	}
	return out
}

func named(name string) string { return strings.Trim(name, "_") }

// value returns a value of a type: a tensor of the arguments, a container of them, or a setting.
func (k *caller) value(t types.Type, kind definition.Kind, name string) string {
	switch {
	case kind == definition.Tensor || kind == definition.Predicate:
		k.leaves = append(k.leaves, name)
		return fmt.Sprintf("zzIn[%d]", len(k.leaves)-1)
	case !carries(t):
		return k.static(t, kind, name)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var fields []string
		for i := range u.NumFields() {
			f := u.Field(i)
			if !f.Exported() && f.Pkg() != k.Package.types {
				continue
			}
			full := strings.TrimPrefix(name+"."+f.Name(), ".")
			fk := kindOf(f.Type())
			if v := k.vars[f.Origin()]; v != nil {
				fk = v.Kind
			}
			skipped := fk == definition.Static || reflect.StructTag(u.Tag(i)).Get("nx") == "-"
			if _, ok := k.setting(full); !ok && skipped {
				continue // zero, as in Go
			}
			fields = append(fields, f.Name()+": "+k.value(f.Type(), fk, full))
		}
		return k.typeText(t, definition.Static) + "{" + strings.Join(fields, ", ") + "}"
	case *types.Slice:
		return k.elements(t, u.Elem(), name, k.length(u, name))
	case *types.Array:
		return k.elements(t, u.Elem(), name, int(u.Len()))
	}
	return k.static(t, kind, name)
}

// elements returns a slice or an array.
func (k *caller) elements(t, elem types.Type, name string, n int) string {
	var list []string
	for i := range n {
		list = append(list, k.value(elem, kindOf(elem), fmt.Sprintf("%s[%d]", name, i)))
	}
	return k.typeText(t, definition.Static) + "{" + strings.Join(list, ", ") + "}"
}

// length returns how many elements the names of the arguments give a slice, or the number of tensors by position.
func (k *caller) length(t *types.Slice, name string) int {
	n := 0
	key := k.Key(name)
	_, short, _ := strings.Cut(key, ".")
	for _, a := range k.Args {
		for _, prefix := range []string{key, short} {
			rest, ok := strings.CutPrefix(k.Key(a.Name), prefix+".")
			if !ok || prefix == "" {
				continue
			}
			first, _, _ := strings.Cut(rest, ".")
			if i, err := strconv.Atoi(first); err == nil && i >= n && i < maxElements {
				n = i + 1
			}
		}
	}
	if n == 0 && k.rest > 0 && isTensor(t.Elem()) {
		n, k.rest = k.rest, 0
	}
	return n
}

// maxElements bounds the elements that names give a slice.
const maxElements = 1 << 12

// setting returns the setting of a parameter or a field, which may be without its first word.
func (k *caller) setting(name string) (string, bool) {
	for _, n := range []string{name, name[strings.IndexByte(name, '.')+1:]} {
		if s, ok := k.Settings[n]; ok && n != "" {
			k.used[n] = true
			return s, true
		}
	}
	return "", false
}

// static returns the setting of a value that is not a tensor.
func (k *caller) static(t types.Type, kind definition.Kind, name string) string {
	s, ok := k.setting(name)
	if !ok {
		k.missing = append(k.missing, name+" "+types.TypeString(t, types.RelativeTo(k.Package.types)))
		return ""
	}
	x, err := k.expression(s, t, kind)
	if err != nil {
		k.fail("--set %s=%s: %v", name, s, err)
	}
	return fmt.Sprintf("\n//line --set %s:1\n%s", name, x)
}

// expression returns a setting as Go: what the text is of the type, or a Go expression.
func (k *caller) expression(s string, t types.Type, kind definition.Kind) (string, error) {
	u := t.Underlying()
	if b, ok := u.(*types.Basic); ok && b.Info()&types.IsString != 0 && !strings.HasPrefix(s, `"`) &&
		!strings.HasPrefix(s, "`") {
		if _, ok := k.Package.types.Scope().Lookup(s).(*types.Const); !ok {
			return strconv.Quote(s), nil
		}
	}
	elem := types.Type(nil)
	switch u := u.(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	}
	if elem != nil && !strings.ContainsAny(s, "{(") {
		var list []string
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			x, err := k.expression(part, elem, kindOf(elem))
			if err != nil {
				return "", err
			}
			list = append(list, x)
		}
		return k.typeText(t, kind) + "{" + strings.Join(list, ", ") + "}", nil
	}
	x, err := parser.ParseExpr(s)
	if err != nil {
		return "", errors.New("not an expression of Go")
	}
	return k.resolved(s, x, isDType(t)), nil
}

func isDType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Type" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == modulePath+"/dtype"
}

// resolved returns an expression whose names are those of the package of the definition, of package defn, or of a
// package that either may import.
func (k *caller) resolved(text string, x ast.Expr, dtype bool) string {
	at, b := 0, strings.Builder{}
	replace := func(n ast.Node, with string) {
		b.WriteString(text[at:int(n.Pos())-1] + with)
		at = int(n.End()) - 1
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			ast.Inspect(n.Value, visit)
			return false
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				ast.Inspect(n.X, visit)
				return false
			}
			if id.Name == k.Package.Name && k.Package.types.Scope().Lookup(n.Sel.Name) != nil {
				replace(n, k.nameText(n.Sel.Name, false))
			} else if p := k.packageNamed(id.Name); p != "" {
				replace(n, k.importPath(p)+"."+n.Sel.Name)
			}
			return false
		case *ast.Ident:
			replace(n, k.nameText(n.Name, dtype))
		}
		return true
	}
	ast.Inspect(x, visit)
	return b.String() + text[at:]
}

// nameText returns a name of the package, or of package defn.
func (k *caller) nameText(name string, dtype bool) string {
	if o := k.Package.types.Scope().Lookup(name); o != nil {
		return k.objectText(o)
	}
	if types.Universe.Lookup(name) != nil && name != "any" {
		return name
	}
	for _, p := range k.Package.types.Imports() {
		if p.Path() != defnPath {
			continue
		}
		upper := name
		if dtype {
			upper = strings.ToUpper(name[:1]) + name[1:]
		}
		o := p.Scope().Lookup(upper)
		if o == nil || !o.Exported() {
			break
		}
		text := k.objectText(o)
		if f, ok := o.(*types.Func); ok {
			if n := intrinsics[home("nx", f.Name())+"."+f.Name()].operands; n > 0 {
				text += "[" + strings.Repeat(", "+k.importPath(modulePath)+".Tensor", n)[2:] + "]"
			}
		}
		return text
	}
	return name
}

// packageNamed returns the path of a package that settings may name.
func (k *caller) packageNamed(name string) string {
	for _, f := range k.files {
		for _, i := range f.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			if isDefnPath(p) {
				continue
			}
			if i.Name != nil && i.Name.Name == name {
				return p
			}
		}
	}
	switch name {
	case "nx", "defn":
		return modulePath
	case "nn", "linalg", "random", "fft":
		return modulePath + "/" + name
	case "math":
		return "math"
	}
	for _, p := range k.Package.types.Imports() {
		if p.Name() == name && !isDefnPath(p.Path()) {
			return p.Path()
		}
	}
	return ""
}

// arguments finds the tensors for the parameters, and reports all that is missing or too much.
func (k *caller) arguments(f *definition.Func, s *types.Signature, out *Program) error {
	var names []string
	for i, a := range k.Args {
		if a.Name == "" {
			a.Name = fmt.Sprintf("arg%d", i)
		}
		names = append(names, a.Name)
	}
	at, unused := k.Match(k.leaves, names)
	for i, n := range at {
		if n < 0 {
			k.missing = append(k.missing, leafLabel(k.leaves[i], i)+" Tensor")
		}
	}
	if len(k.missing) > 0 {
		how := "give the type of a tensor as --args 't=f32[2][3]' or its values with --in, others as --set n=3"
		k.fail("%s: missing %s\n\t%s\n\t%s", k.label, strings.Join(k.missing, ", "), k.signatureLine(f, s), how)
	}
	for _, n := range unused {
		k.fail("%s takes no tensor %s\n\t%s", k.label, n, k.signatureLine(f, s))
	}
	for _, n := range slices.Sorted(maps.Keys(k.Settings)) {
		if !k.used[n] {
			k.fail("%s has no static parameter %s, nor a field of this name\n\t%s", k.label, n, k.signatureLine(f, s))
		}
	}
	if len(k.failed) > 0 {
		return errors.Join(k.failed...)
	}
	mode, err := k.mode(at)
	if err != nil {
		return err
	}
	out.Args = []string{mode}
	for i, n := range at {
		out.Args = append(out.Args, k.leaves[i], k.Args[n].Type)
	}
	return nil
}

func leafLabel(name string, i int) string {
	if name == "" {
		return fmt.Sprintf("arg%d", i)
	}
	return name
}

// signatureLine is the declaration of the function, for messages.
func (k *caller) signatureLine(f *definition.Func, s *types.Signature) string {
	text := f.Name + strings.TrimPrefix(types.TypeString(s, types.RelativeTo(k.Package.types)), "func")
	if f.Recv != nil {
		text = fmt.Sprintf("(%s %s) %s", f.Recv.Name, types.TypeString(f.Recv.Type.(types.Type),
			types.RelativeTo(k.Package.types)), text)
	}
	return "func " + strings.ReplaceAll(text, defnPath+".", "")
}

// mode returns the argument that says by which tensors the program differentiates.
func (k *caller) mode(at []int) (string, error) {
	if !k.Grad {
		return "", nil
	}
	var wrt []string
	chosen := make([]bool, len(at))
	if len(k.Wrt) > 0 {
		found, unused := k.Match(k.leaves, k.Wrt)
		if len(unused) > 0 {
			return "", fmt.Errorf("--wrt %s: %s takes no such tensor: it takes %s", strings.Join(unused, ","), k.label,
				strings.Join(k.leaves, ", "))
		}
		for i, n := range found {
			chosen[i] = n >= 0
		}
	}
	for i, n := range at {
		real := k.IsReal(k.Args[n].Type)
		if chosen[i] && !real {
			return "", fmt.Errorf("--wrt %s: %s, which is not a tensor of real floats", k.leaves[i], k.Args[n].Type)
		}
		if chosen[i] || len(k.Wrt) == 0 && real {
			wrt = append(wrt, strconv.Itoa(i))
		}
	}
	if len(wrt) == 0 {
		return "", fmt.Errorf("%s: no argument is a tensor of real floats: there is no gradient", k.label)
	}
	return "grad=" + strings.Join(wrt, ","), nil
}
