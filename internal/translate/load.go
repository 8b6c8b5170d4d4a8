// Package translate turns numerical definitions, Go functions on the tensors of package defn, into Go over the public
// API of package nx.
//
// The steps are functions of unit, one package of definitions: collect finds the declarations, build makes the
// intermediate form of package definition (build*.go), infer finds out which bools are predicates (infer.go),
// definition.Lower replaces control flow by predicates, and emit writes the file (emit*.go).
package translate

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	modulePath = "github.com/go-nx/nx"
	defnPath   = modulePath + "/defn"
)

// Package is a package of definitions, loaded and type-checked.
type Package struct {
	Path, Name string
	Dir        string
	Module     string // the path of its module, "" without one
	ModuleDir  string
	fset       *token.FileSet
	files      []*ast.File
	types      *types.Package
	info       *types.Info
	written    map[string]*counterpart // of other packages that are not in files
}

// Load loads the packages that patterns name, as the go command has them.
func Load(dir string, patterns ...string) ([]*Package, error) {
	return load(&packages.Config{Dir: dir}, patterns)
}

func load(c *packages.Config, patterns []string) ([]*Package, error) {
	c.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule
	list, err := packages.Load(c, patterns...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	var out []*Package
	var failed Errors
	for _, p := range list {
		if missing := importErrors(p); len(missing) > 0 {
			failed = append(failed, missing...)
		} else {
			failed = append(failed, goErrors(p.Errors)...)
		}
		if len(p.GoFiles) == 0 {
			continue
		}
		q := &Package{Path: p.PkgPath, Name: p.Name, Dir: filepath.Dir(p.GoFiles[0]), fset: p.Fset, files: p.Syntax,
			types: p.Types, info: p.TypesInfo}
		if p.Module != nil {
			q.Module, q.ModuleDir = p.Module.Path, p.Module.Dir
		}
		out = append(out, q)
	}
	if len(failed) > 0 {
		return nil, failed.sorted()
	}
	if len(out) == 0 {
		return nil, errors.New("no Go files")
	}
	slices.SortFunc(out, func(a, b *Package) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// importErrors are the errors of imports that are not there: all else that is wrong follows from them.
func importErrors(p *packages.Package) Errors {
	var out Errors
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		if q := p.Imports[path]; len(q.GoFiles) == 0 {
			out = append(out, goErrors(q.Errors)...)
		}
	}
	return out
}

// goErrors are the errors of the go command and the type checker. What the go command says of a package whose types are
// wrong is left out, as the type checker says it, too.
func goErrors(list []packages.Error) Errors {
	var out Errors
	seen := map[string]bool{}
	typed := slices.ContainsFunc(list, func(e packages.Error) bool {
		return e.Kind == packages.TypeError || e.Kind == packages.ParseError
	})
	for _, e := range list {
		if typed && e.Kind == packages.ListError || strings.HasPrefix(e.Msg, "\t") || seen[e.Pos+e.Msg] {
			continue
		}
		seen[e.Pos+e.Msg] = true
		d := Diagnostic{Message: e.Msg}
		parts := strings.Split(e.Pos, ":")
		if len(parts) >= 3 {
			d.Position.Filename = strings.Join(parts[:len(parts)-2], ":")
			fmt.Sscan(parts[len(parts)-2], &d.Position.Line)
			fmt.Sscan(parts[len(parts)-1], &d.Position.Column)
			d.End = d.Position
		}
		out = append(out, d)
	}
	return out
}

// OfTypes returns a package that was loaded by other means, to [Check] it.
func OfTypes(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *Package {
	return &Package{Path: pkg.Path(), Name: pkg.Name(), fset: fset, files: files, types: pkg, info: info}
}

// Uses reports whether a package imports defn, or a package below it, and is not one of these itself.
func (p *Package) Uses() bool {
	if isDefnPath(p.Path) {
		return false
	}
	for _, q := range p.types.Imports() {
		if isDefnPath(q.Path()) && !strings.Contains(q.Path(), "/internal/") {
			return true
		}
	}
	return false
}
