package learning_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// inRows are names that the rows of other names are about: the types of their options.
var inRows = regexp.MustCompile(`Option$`)

// TestNamesElsewhere: docs/learning.md names every layer, function, option and type of the packages of learning, but
// the values of types, and none that there is not.
func TestNamesElsewhere(t *testing.T) {
	page, err := os.ReadFile("../../../docs/learning.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, p := range []string{"nn", "nn/loss", "nn/metric", "train", "train/progress", "data"} {
		short := p[strings.LastIndex(p, "/")+1:]
		known := map[string]bool{}
		names, values := exported(t, "../../../"+p)
		for _, v := range values {
			known[v] = true
		}
		for _, name := range names {
			known[name] = true
			named := regexp.MustCompile(`\b` + short + `\.(New)?` + name + `\b`)
			if !inRows.MatchString(name) && !named.MatchString(text) {
				t.Errorf("%s.%s is not in docs/learning.md", short, name)
			}
		}
		for _, m := range regexp.MustCompile("[^A-Za-z.]"+short+`\.([A-Z]\w*)`).FindAllStringSubmatch(text, -1) {
			if !known[m[1]] && !elsewhere(short, m[1]) {
				t.Errorf("docs/learning.md has %s.%s, which is not there", short, m[1])
			}
		}
	}
}

// elsewhere says whether a name is one of PyTorch's package nn, or of a struct's field of that name.
func elsewhere(short, name string) bool {
	return short == "nn" && regexp.MustCompile(`^(Module|Sequential|Conv\dd|ConvTranspose\dd|BatchNorm\dd|`+
		`InstanceNorm\dd|PReLU|RMSNorm|AdaptiveAvgPool\dd)$`).MatchString(name)
}

// exported are the exported functions, types, variables and constants of a folder of Go files, but those of tests, and
// the values of exported types.
func exported(t *testing.T, dir string) (names, values []string) {
	t.Helper()
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				if first, ok := d.Specs[0].(*ast.ValueSpec); ok && d.Tok == token.CONST && first.Type != nil &&
					ast.IsExported(fmt.Sprint(first.Type)) {
					for _, s := range d.Specs {
						for _, n := range s.(*ast.ValueSpec).Names {
							values = append(values, n.Name)
						}
					}
					continue
				}
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							names = append(names, s.Name.Name)
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							if n.IsExported() {
								names = append(names, n.Name)
							}
						}
					}
				}
			}
		}
	}
	return names, values
}
