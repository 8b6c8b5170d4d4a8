package definitions

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/translate"
)

// TestUpToDate fails where a file of this package is not what defn makes of the definitions now.
func TestUpToDate(t *testing.T) {
	results, err := translate.Generate(translate.Options{Dir: ".", Check: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 5 {
		t.Errorf("%d packages", len(results))
	}
	for _, r := range results {
		if r.Stale {
			t.Errorf("%s is stale: run go generate in %s", r.File, r.Package)
		}
	}
}

// TestGeneratedFiles checks that each generated file of the project is marked as such, so that editors, linters and
// reviews leave it out, and that it is formatted.
func TestGeneratedFiles(t *testing.T) {
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_gen.go") && !strings.HasSuffix(path, ".pb.go"):
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return nil
		}
		if !ast.IsGenerated(file) {
			t.Errorf("%s has no line \"// Code generated … DO NOT EDIT.\" above its package clause", path)
		}
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if !bytes.Equal(formatted, text) {
			t.Errorf("%s is not what gofmt writes", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 16 {
		t.Errorf("%d generated files", files)
	}
}
