package translate

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestDocumentedErrors checks that docs/defn.md has a section for each code, and that the example in it is refused with
// that code.
func TestDocumentedErrors(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "defn.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, errors, _ := strings.Cut(string(page), "\n## Errors\n")
	sections := map[string]string{}
	for _, s := range strings.Split(errors, "\n### ")[1:] {
		name, text, _ := strings.Cut(s, "\n")
		sections[name] = text
	}
	for _, code := range codesInSource(t) {
		if _, ok := sections[code]; !ok {
			t.Errorf("docs/defn.md has no section %s", code)
		}
	}
	example := regexp.MustCompile("(?s)```go\n(.*?)```")
	overlay, patterns := map[string][]byte{}, []string{}
	folders := map[string]string{}
	for code, text := range sections {
		m := example.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		dir := filepath.Join("testdata", "documented", strings.ReplaceAll(code, "-", ""))
		abs, err := filepath.Abs(filepath.Join(dir, "a.go"))
		if err != nil {
			t.Fatal(err)
		}
		source := "package a\n\nimport (\n"
		for _, p := range []string{"fmt", "math"} {
			if strings.Contains(m[1], p+".") {
				source += fmt.Sprintf("\t%q\n", p)
			}
		}
		source += "\t. \"github.com/go-nx/nx/defn\"\n)\n\n" + m[1]
		overlay[abs] = []byte(source)
		patterns = append(patterns, "./"+filepath.ToSlash(dir))
		folders[filepath.Dir(abs)] = code
	}
	ps, err := load(&packages.Config{Dir: ".", Overlay: overlay}, patterns)
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 25 {
		t.Errorf("%d examples", len(ps))
	}
	for _, p := range ps {
		code := folders[p.Dir]
		found := Check(p)
		if len(found) == 0 {
			t.Errorf("the example of %s is accepted", code)
		}
		for _, d := range found {
			if d.Code != code {
				t.Errorf("the example of %s is refused as\n%s", code, d)
			}
		}
	}
}

// codesInSource are the codes that reports have.
func codesInSource(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, g := range []string{"*.go", "../definition/*.go"} {
		list, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	call := regexp.MustCompile(`(?s)(?:report|problem)\([^"]*?"([a-z]+(?:-[a-z]+)*)",`)
	var codes []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			codes = append(codes, m[1])
		}
	}
	if len(codes) < 30 {
		t.Errorf("%d codes", len(codes))
	}
	return codes
}
