package translate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	_ "embed" // of what programs have in common

	"golang.org/x/tools/go/packages"

	"github.com/go-nx/nx/internal/definition"
)

// Call says how a program calls a definition.
type Call struct {
	Args     []Arg             // the tensors that there are
	Settings map[string]string // Go expressions for other parameters and fields
	Grad     bool              // build the derivatives instead of the results
	Wrt      []string          // by these tensors; without any by all of real floats

	// Match finds the names of parameters among those of Args, as positions or -1, and returns those that are left. Key
	// splits a name into words, with dots between them.
	Match func(params, names []string) (at []int, unused []string)
	Key   func(name string) string
	// IsReal reports whether elements of a type are real floats.
	IsReal func(typ string) bool
}

// Arg is the type of a tensor, f32[3,4]. Those without a name are for the parameters in order.
type Arg struct{ Name, Type string }

// Program is a command of Go that builds the graph of a definition, whose files need not exist: they are passed to the
// go command as an overlay.
type Program struct {
	Package string            // its path
	Files   map[string][]byte // by path
	Args    []string          // of the command after the first, which is the file for its result
}

//go:embed program/program.go
var programMain []byte

// programFolder is the folder below that of definitions that a program has its files in.
const programFolder = "zznxprogram"

// callLine begins what does not come from a definition: errors do not name lines after it.
const callLine = "//line nx-call.go:1"

// ProgramOf returns the program that calls a definition: a function of a package as ./folder.Func or path.Func, or a
// method as ./folder.Type.Func. The error is an [Errors] where the package has errors.
func ProgramOf(dir, name string, c Call) (*Program, error) {
	pattern, names, err := splitName(dir, name)
	if err != nil {
		return nil, err
	}
	list, err := load(&packages.Config{Dir: dir}, append([]string{pattern}, related(dir, pattern)...))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(p *Package) bool { return p.matches(dir, pattern) })
	if i < 0 {
		return nil, fmt.Errorf("no package matches %s", pattern)
	}
	p := list[i]
	if !p.Uses() {
		return nil, fmt.Errorf("%s: %w", p.Path, errNoDefinitions)
	}
	main := p.programTarget(dir)
	out := &Program{Package: main.Path, Files: map[string][]byte{}}
	written := map[string]*counterpart{}
	for _, q := range importsFirst(list) {
		q.written = written
		if q == p {
			continue
		}
		t := Target{Dir: filepath.Join(q.Dir, programFolder), Name: programFolder, Path: q.Path + "/" + programFolder,
			absolute: true}
		text, err := Translate(q, t)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(t.Dir, "defs.go")
		out.Files[file] = text
		if written[q.Path], err = counterpartOf(t.Path, text); err != nil {
			return nil, err
		}
	}
	text, err := p.program(main, names, c, out)
	if err != nil {
		return nil, err
	}
	out.Files[filepath.Join(main.Dir, "call.go")] = text
	// A package of its own is compiled once, and not with each change of the definitions.
	out.Files[filepath.Join(main.Dir, "program", "program.go")] = append([]byte(callLine+"\n"), programMain...)
	return out, nil
}

// programTarget returns where the program of a definition is: below the package, so that it may use what is internal
// there, or in the module of the working folder where the package is of another one.
func (p *Package) programTarget(dir string) Target {
	root, module, err := moduleOf(absolute(dir, "."))
	if err != nil || root == p.ModuleDir {
		root, module = p.Dir, p.Path
	}
	return Target{Dir: filepath.Join(root, programFolder), Name: "main", Path: module + "/" + programFolder,
		absolute: true}
}

// matches reports whether a pattern names the package.
func (p *Package) matches(dir, pattern string) bool {
	return p.Path == pattern || isLocal(pattern) && p.Dir == absolute(dir, pattern)
}

func isLocal(pattern string) bool { return strings.HasPrefix(pattern, ".") || filepath.IsAbs(pattern) }

func absolute(dir, pattern string) string {
	if filepath.IsAbs(pattern) {
		return filepath.Clean(pattern)
	}
	return filepath.Join(dir, filepath.FromSlash(pattern))
}

// splitName splits ./defs.Model.Loss into ./defs, and Model and Loss.
func splitName(dir, name string) (pattern string, names []string, err error) {
	pattern = filepath.ToSlash(name)
	for range 2 {
		i := strings.LastIndexByte(pattern, '.')
		if i < 0 || strings.ContainsRune(pattern[i:], '/') || !isIdentifier(pattern[i+1:]) {
			break
		}
		if len(names) > 0 && !ast.IsExported(pattern[i+1:]) {
			break // of a folder or a module
		}
		pattern, names = pattern[:i], append([]string{pattern[i+1:]}, names...)
		if isLocal(pattern) && readFolder(absolute(dir, pattern)).name != "" {
			break
		}
	}
	if len(names) == 0 {
		return "", nil, fmt.Errorf("%s names no definition: write ./folder.Func or path/of/package.Func", name)
	}
	if pattern == "" {
		pattern = "."
	}
	if !isLocal(pattern) && readFolder(absolute(dir, pattern)).name != "" {
		pattern = "./" + pattern
	}
	return pattern, names, nil
}

func isIdentifier(s string) bool {
	return s != "" && strings.Trim(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// related returns the packages of definitions of the module that a package imports, which are translated with it.
func related(dir, pattern string) []string {
	root, module, err := moduleOf(absolute(dir, "."))
	if err != nil {
		return nil
	}
	folder := absolute(dir, pattern)
	if !isLocal(pattern) {
		rel, ok := strings.CutPrefix(pattern, module+"/")
		if !ok {
			return nil
		}
		folder = filepath.Join(root, filepath.FromSlash(rel))
	}
	var out []string
	seen := map[string]bool{}
	var visit func(folder string)
	visit = func(folder string) {
		for _, p := range readFolder(folder).imports {
			rel, ok := strings.CutPrefix(p, module+"/")
			if !ok || seen[p] || isDefnPath(p) {
				continue
			}
			seen[p] = true
			folder := filepath.Join(root, filepath.FromSlash(rel))
			if f := readFolder(folder); f.usesDefn && !f.isDefn {
				out = append(out, p)
				visit(folder)
			}
		}
	}
	visit(folder)
	return out
}

// program returns the definitions of a package, with a main function that calls one of them.
func (p *Package) program(main Target, names []string, c Call, out *Program) ([]byte, error) {
	u := newUnit(p)
	u.lower()
	if len(u.errors) > 0 {
		return nil, u.errors.sorted()
	}
	f, err := u.find(names)
	if err != nil {
		return nil, err
	}
	for o := range u.syntax {
		if o.Name() == "main" && o.Parent() == u.types.Scope() {
			return nil, fmt.Errorf("%s: a definition has the name main: rename it, or run go generate", p.Path)
		}
	}
	label := p.Name + "." + strings.Join(names, ".")
	failed := error(nil)
	e := newEmitter(u, main)
	e.last = func() { failed = (&caller{emitter: e, Call: c, label: label, used: map[string]bool{}}).write(f, out) }
	text, err := e.writeFile()
	if len(u.errors) > 0 {
		return nil, u.errors.sorted()
	}
	return text, errors.Join(failed, err)
}

// find returns a definition by its name, or the name of a type and that of a method.
func (u *unit) find(names []string) (*definition.Func, error) {
	label := u.Name + "." + strings.Join(names, ".")
	var known []string
	for _, f := range u.order {
		o := f.Object.(*types.Func)
		name := []string{f.Name}
		if t := receiver(o); t != nil {
			name = []string{t.Name(), f.Name}
		}
		generic := o.Signature().TypeParams().Len()+o.Signature().RecvTypeParams().Len() > 0
		if slices.Equal(name, names) {
			switch {
			case generic:
				return nil, fmt.Errorf("%s is generic: call it in a definition that says for which types", label)
			case !isExported(name):
				return nil, fmt.Errorf("%s is not exported: only exported definitions are run", label)
			}
			return f, nil
		}
		if isExported(name) && !generic {
			known = append(known, strings.Join(name, "."))
		}
	}
	for o := range u.static {
		if len(names) == 1 && o.Name() == names[0] && o.Parent() == u.types.Scope() {
			return nil, fmt.Errorf("%s is not a definition: there are no tensors in it", label)
		}
	}
	slices.Sort(known)
	has := "exports no definition"
	if len(known) > 0 {
		has = "has " + strings.Join(known, ", ")
	}
	return nil, fmt.Errorf("there is no definition %s: package %s %s", label, u.Path, has)
}

func isExported(name []string) bool {
	return !slices.ContainsFunc(name, func(s string) bool { return !ast.IsExported(s) })
}

// receiver returns the type that a method belongs to, or nil.
func receiver(o *types.Func) *types.TypeName {
	r := o.Signature().Recv()
	if r == nil {
		return nil
	}
	t := r.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// Message returns what the go command printed when it did not build the program, without what only says that it is one.
func (p *Program) Message(text string, err error) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "exit status ") {
			continue
		}
		if _, setting, ok := strings.Cut(line, "--set "); ok { // the rest of the folder, if it is there, says nothing
			line = "--set " + strings.Replace(setting, ":1: ", ": ", 1)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}
