package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestGlossary checks that each row of docs/glossary.md names files and identifiers that exist, and a source
// that is listed at the end of the page.
func TestGlossary(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables, sources, _ := strings.Cut(string(page), "## Sources")
	code := regexp.MustCompile("`([^`]+)`")
	link := regexp.MustCompile(`\[(\w+)\]`)
	declared := map[string]map[string]bool{} // by folder
	terms := map[string]bool{}
	for line := range strings.Lines(tables) {
		row := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || row[0] == "| term" {
			continue
		}
		if len(row) != 4 {
			t.Errorf("row %q has %d columns, want 4", line, len(row))
			continue
		}
		term := strings.TrimPrefix(row[0], "| ")
		if terms[term] {
			t.Errorf("%q is explained twice", term)
		}
		terms[term] = true
		names := code.FindAllStringSubmatch(row[2], -1)
		if len(names) == 0 {
			t.Errorf("%q names no file or identifier", term)
		}
		for _, name := range names {
			if !exists(t, name[1], declared) {
				t.Errorf("%q: %s does not exist", term, name[1])
			}
		}
		for _, source := range link.FindAllStringSubmatch(row[3], -1) {
			if !strings.Contains(sources, "\n["+source[1]+"]: ") {
				t.Errorf("%q: source %s has no address", term, source[1])
			}
		}
	}
	if len(terms) < 50 {
		t.Errorf("found %d terms, want at least 50", len(terms))
	}
}

// exists reports whether name, a path of a Go file or folder.Name or folder.Type.Member, exists.
func exists(t *testing.T, name string, declared map[string]map[string]bool) bool {
	if strings.HasSuffix(name, ".go") {
		_, err := os.Stat(testkit.Root(t, name))
		return err == nil
	}
	dir, name, _ := strings.Cut(name, ".")
	if declared[dir] == nil {
		declared[dir] = declarations(t, testkit.Root(t, dir))
	}
	return declared[dir][name]
}

// declarations returns the names that the files of dir other than tests declare at package level, for fields
// and methods as Type.Member.
func declarations(t *testing.T, dir string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				addSpecs(names, d.Specs)
			}
		}
	}
	return names
}

// receiver returns the type that d is a method of, followed by a dot.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name + "."
		default:
			return ""
		}
	}
}

func addSpecs(names map[string]bool, specs []ast.Spec) {
	for _, s := range specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			names[s.Name.Name] = true
			if x, ok := s.Type.(*ast.StructType); ok {
				for _, f := range x.Fields.List {
					for _, n := range f.Names {
						names[s.Name.Name+"."+n.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names[n.Name] = true
			}
		}
	}
}
