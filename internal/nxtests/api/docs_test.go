package api_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// exported returns the exported names of the package and whether each is a
// function, and the text of the package comment.
func exported(t *testing.T) (names map[string]bool, comment string) {
	p := testkit.Documentation(t, testkit.Root(t), "github.com/go-nx/nx")
	names = map[string]bool{}
	funcs := p.Funcs
	values := slices.Concat(p.Consts, p.Vars)
	for _, typ := range p.Types {
		names[typ.Name] = false
		funcs = append(funcs, typ.Funcs...)
		values = slices.Concat(values, typ.Consts, typ.Vars)
		undocumented(t, typ.Name, typ.Doc)
		for _, m := range typ.Methods {
			undocumented(t, typ.Name+"."+m.Name, m.Doc)
		}
	}
	for _, v := range values {
		for _, n := range v.Names {
			names[n] = false
		}
	}
	for _, f := range funcs {
		names[f.Name] = true
		undocumented(t, f.Name, f.Doc)
	}
	return names, p.Doc
}

func undocumented(t *testing.T, name, doc string) {
	if !strings.Contains(doc, ".") && name != "DType" {
		t.Errorf("%s has no comment", name)
	}
}

// TestRosetta: every exported function is in docs/rosetta.md, and what the page
// names exists.
func TestRosetta(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "rosetta.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, _ := exported(t)
	packages := map[string]map[string]bool{"nx": names}
	for _, dir := range []string{"dtype", "learn", "linalg", "nxtest", "random", "viz"} {
		packages[dir] = map[string]bool{}
		for _, f := range parsedPackage(t, dir) {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						packages[dir][d.Name.Name] = d.Name.IsExported()
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							packages[dir][s.Name.Name] = false
						case *ast.ValueSpec:
							for _, n := range s.Names {
								packages[dir][n.Name] = false
							}
						}
					}
				}
			}
		}
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)`).FindAllStringSubmatch(string(page), -1) {
		named[m[0]] = true
		if list, ok := packages[m[1]]; ok {
			if _, ok := list[m[2]]; !ok {
				t.Errorf("%s is in docs/rosetta.md and does not exist", m[0])
			}
		}
	}
	for dir, list := range packages {
		for name, isFunc := range list {
			if isFunc && !named[dir+"."+name] && dir != "dtype" {
				t.Errorf("%s.%s is not in docs/rosetta.md", dir, name)
			}
		}
	}
}

// TestRosettaOfNx: every function of Nx whose calls were recorded is in the page.
func TestRosettaOfNx(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "nx"), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded calls of Nx in the folder: ", err)
	}
	page, err := os.ReadFile(testkit.Root(t, "docs", "rosetta.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|"); len(cells) == 5 {
			for _, name := range regexp.MustCompile(`[a-z][a-z0-9_]*[?!]?`).FindAllString(cells[2], -1) {
				named[name] = true
			}
		}
	}
	for _, file := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".jsonl"), ".")
		if !named[name] {
			t.Errorf("%s is in no row of docs/rosetta.md", strings.TrimSuffix(filepath.Base(file), ".jsonl"))
		}
	}
}

// TestTour: the code of the package comment is that of an example, which runs.
func TestTour(t *testing.T) {
	_, comment := exported(t)
	examples, err := os.ReadFile(testkit.Root(t, "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for line := range strings.Lines(comment) {
		code, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		if !indented {
			continue
		}
		shown++
		if !strings.Contains(string(examples), "\t"+code+"\n") {
			t.Errorf("no example has the line of the package comment\n%s", code)
		}
	}
	if shown == 0 {
		t.Error("the package comment shows no code")
	}
}

// documented is what the comment of a function of tensors tells.
var documented = []string{"Shapes:", "DTypes:", "Gradient:", "Accuracy:"}

// sourced are the functions of package nx that compute what a paper or a standard says; those of
// linalg and random all do.
var sourced = []string{"AssociativeScan", "BesselI0e", "Conv", "Cov", "Digamma", "DotGeneral", "Einsum", "Erf",
	"ErfInv", "Erfc", "FFT", "FFT2", "FFTN", "Gelu", "GeluTanh", "IFFT", "IFFT2", "IFFTN", "IRFFT", "LayerNorm",
	"Lgamma",
	"LogSoftmax", "LogSumExp", "Quantile", "RFFT", "Silu", "Softmax", "Std", "Var",
	"WeightedLogSumExp"}

// TestFunctionsAreDocumented: every exported function that gives a tensor tells its shapes, element
// types, gradient and accuracy, itself and not by another's comment, where it computes what others
// have written of the source, and has an example of its own; every other one is called by an example.
func TestFunctionsAreDocumented(t *testing.T) {
	for _, dir := range []string{".", "linalg", "random"} {
		examples, called := examplesOf(t, dir)
		for _, f := range parsedPackage(t, dir) {
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Recv != nil || !d.Name.IsExported() {
					continue
				}
				name := d.Name.Name
				if !givesTensor(d.Type) {
					if !called[name] {
						t.Errorf("no example of %s calls %s", dir, name)
					}
					continue
				}
				words := documented
				if dir == "." && slices.Contains(sourced, name) || dir == "random" {
					words = append(words[:len(words):len(words)], "Source:")
				}
				for _, word := range words {
					if !strings.Contains(strings.Join(strings.Fields(d.Doc.Text()), " "), word) {
						t.Errorf("the comment of %s.%s does not tell its %s", dir, name, strings.TrimSuffix(word, ":"))
					}
				}
				if !examples[name] {
					t.Errorf("%s.%s has no example", dir, name)
				}
			}
		}
	}
}

// examplesOf returns what the examples of a package are of, and what they call.
func examplesOf(t *testing.T, dir string) (of, called map[string]bool) {
	files, err := filepath.Glob(testkit.Root(t, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	of, called = map[string]bool{}, map[string]bool{}
	fset := token.NewFileSet()
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range doc.Examples(f) {
			if e.Output == "" && !e.EmptyOutput {
				continue // it does not run
			}
			name, _, _ := strings.Cut(e.Name, "_")
			of[name] = true
			ast.Inspect(e.Code, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					called[s.Sel.Name] = true
				}
				return true
			})
		}
	}
	return of, called
}

// givesTensor reports whether a function returns a tensor, or some of them.
func givesTensor(f *ast.FuncType) bool {
	found := false
	if f.Results != nil {
		for _, r := range f.Results.List {
			typ := r.Type
			if list, ok := typ.(*ast.ArrayType); ok {
				typ = list.Elt
			}
			switch typ := typ.(type) {
			case *ast.Ident:
				found = found || typ.Name == "Tensor"
			case *ast.SelectorExpr:
				found = found || typ.Sel.Name == "Tensor"
			}
		}
	}
	return found
}
