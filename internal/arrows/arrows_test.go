package arrows

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/go-nx/nx"

// importsOf maps a package ("stablehlo", "." for the root), or "package [test]"
// for its test files, to what it imports outside the standard library.
type importsOf map[string]map[string]bool

func (m importsOf) add(pkg string, imports ...string) {
	if m[pkg] == nil {
		m[pkg] = map[string]bool{}
	}
	for _, i := range imports {
		m[pkg][i] = true
	}
}

// The imports are read with go/parser rather than from go list, so that the
// test cache sees the files this result depends on.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	have, err := readImports(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("arrows.txt")
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := parseArrows(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range compare(have, allowed) {
		t.Error(problem)
	}
}

func TestArrowsAreChecked(t *testing.T) {
	allowed, err := parseArrows("a: b\na [test]: kit\nb:\ncmd/x: github.com/spf13/cobra b\n")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		have importsOf
		want string // part of the only problem; "" for none
	}{
		{"allowed", importsOf{"a": {"b": true}}, ""},
		{"test may import what its package may", importsOf{"a [test]": {"b": true, "a": true, "kit": true}}, ""},
		{"arrow upwards", importsOf{"b": {"a": true}}, `b imports a`},
		{"code imports what only tests may", importsOf{"a": {"kit": true}}, `a imports kit`},
		{"package without a line", importsOf{"c": {}}, `c has no line`},
		{"third party in the core", importsOf{"b": {"github.com/spf13/cobra": true}},
			`b imports github.com/spf13/cobra`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(compare(tt.have, allowed), "; ")
			if tt.want == "" && got != "" || tt.want != "" && !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Third-party code is for the programs in cmd and examples: everything a user's program can
// import depends only on the standard library and golang.org/x, except for package xla,
// which calls plugins by purego, and train/progress, which draws its bar by a library.
func TestThirdPartyOnlyInCommands(t *testing.T) {
	text, err := os.ReadFile("arrows.txt")
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := parseArrows(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for pkg, imports := range allowed {
		for i := range imports {
			first, _, _ := strings.Cut(i, "/")
			program := strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "examples/")
			if pkg == pureIn && i == pure || pkg == "train/progress" && i == "github.com/schollz/progressbar/v3" {
				continue
			}
			if i != "." && strings.Contains(first, ".") && first != "golang.org" && !program {
				t.Errorf("arrows.txt lets %s import %s; only programs may import outside the standard library and golang.org/x",
					pkg, i)
			}
		}
	}
}

// Importing purego makes a program link dynamically, so that one package imports it, and
// through the arrows only one of those that a user imports.
const (
	pure   = "github.com/ebitengine/purego"
	pureIn = "internal/pjrt/ffi"
)

// A program that does not import package xla never links purego.
func TestOnlyXLALinksPurego(t *testing.T) {
	have, err := readImports(os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range have {
		_, isTest := strings.CutSuffix(pkg, " [test]")
		mayHave := isTest || strings.HasPrefix(pkg, "internal/pjrt") || pkg == "xla" ||
			strings.HasPrefix(pkg, "xla/") ||
			pkg == "cmd/nx-xla" || pkg == "examples/softmax" // which import it
		if linked := reaches(have, pkg, pure, map[string]bool{}); linked && !mayHave {
			t.Errorf("a program that imports %s links purego", pkg)
		} else if pkg == "internal/pjrt" && !linked {
			t.Error("internal/pjrt does not reach purego: this test sees nothing")
		}
	}
}

// reaches says whether a package imports another, itself or through others.
func reaches(have importsOf, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for i := range have[from] {
		if reaches(have, i, to, seen) {
			return true
		}
	}
	return false
}

// compare lists the imports that are not allowed, sorted.
func compare(have, allowed importsOf) []string {
	var problems []string
	for pkg, imports := range have {
		base, isTest := strings.CutSuffix(pkg, " [test]")
		if _, ok := allowed[base]; !ok {
			problems = append(problems, fmt.Sprintf("%s has no line in arrows.txt", base))
			continue
		}
		for i := range imports {
			if !allowed[base][i] && !(isTest && (allowed[pkg][i] || i == base)) {
				problems = append(problems, fmt.Sprintf("%s imports %s, which arrows.txt does not allow", pkg, i))
			}
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

func parseArrows(text string) (importsOf, error) {
	arrows := importsOf{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		pkg, list, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("arrows.txt:%d: want \"package: imports\", got %q", i+1, line)
		}
		arrows.add(strings.TrimSpace(pkg), strings.Fields(list)...)
	}
	return arrows, nil
}

// readImports reads the imports of every Go file of the module, whatever its
// build constraints.
func readImports(module fs.FS) (importsOf, error) {
	have := importsOf{}
	err := fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(module, path.Join(name, "go.mod")); name != "." && err == nil {
				return fs.SkipDir // a module of its own, which nothing here can import
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		return readFile(have, module, name)
	})
	return have, err
}

func readFile(have importsOf, fsys fs.FS, name string) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return err
	}
	pkg := path.Dir(name)
	if strings.HasSuffix(name, "_test.go") {
		pkg += " [test]"
	}
	have.add(pkg)
	for _, spec := range file.Imports {
		imp := strings.Trim(spec.Path.Value, "`\"")
		first, _, _ := strings.Cut(imp, "/")
		switch {
		case imp == module:
			have.add(pkg, ".")
		case strings.HasPrefix(imp, module+"/"):
			have.add(pkg, strings.TrimPrefix(imp, module+"/"))
		case strings.Contains(first, "."):
			have.add(pkg, imp)
		}
	}
	return nil
}

func TestReadImports(t *testing.T) {
	have, err := readImports(os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	if !have["stablehlo"]["dtype"] {
		t.Errorf("did not see that stablehlo imports dtype; saw %v", slices.Sorted(maps.Keys(have["stablehlo"])))
	}
}
