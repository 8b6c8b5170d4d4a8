package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// README.md contains the actual output of the program.
func TestReadmeTranscript(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	readme, shown := readmeBlock(t, "<!-- transcript:")
	var got strings.Builder
	for line := range strings.Lines(shown) {
		command, ok := strings.CutPrefix(line, "$ nx ")
		if !ok {
			continue
		}
		got.WriteString(line)
		o := nx(strings.Fields(command)...)
		if o.code != exitOK {
			t.Errorf("%sstatus %d, %s", line, o.code, o.stderr)
		}
		got.WriteString(o.stdout)
	}
	sameBlock(t, readme, shown, got.String())
}

// README.md shows the bodies of Examples, whose output is checked, and the definitions that one of them calls.
func TestReadmeExample(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	readme, shown := readmeBlock(t, "<!-- example:")
	sameBlock(t, readme, shown, exampleBody(t, "example_test.go", "Example_load"))
	readme, shown = readmeBlock(t, "<!-- nx example:")
	sameBlock(t, readme, "```go\n"+shown, "```go\n"+exampleBody(t, "examples/option/example_test.go", "Example"))
	readme, shown = readmeBlock(t, "<!-- definition:")
	source, err := os.ReadFile(filepath.Join("examples", "option", "defs", "option.go"))
	if err != nil {
		t.Fatal(err)
	}
	sameBlock(t, readme, "```go\n"+shown, "```go\n"+string(source))
}

// exampleBody returns the body of a function of a file, without its
// comment of the output and one tab less indented.
func exampleBody(t *testing.T, path, name string) string {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name {
			continue
		}
		body := string(src[files.Position(f.Body.Lbrace).Offset+1 : files.Position(f.Body.Rbrace).Offset])
		body, _, _ = strings.Cut(body, "\t// Output:")
		body = strings.ReplaceAll(body, "\n\t", "\n")
		return strings.TrimPrefix(body, "\n")
	}
	t.Fatalf("%s has no function %s", path, name)
	return ""
}

// readmeBlock returns README.md and the code block after the line that starts
// with marker.
func readmeBlock(t *testing.T, marker string) (readme, block string) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme = string(text)
	_, after, ok := strings.Cut(readme, "\n"+marker)
	_, after, open := strings.Cut(after, "\n```")
	_, after, _ = strings.Cut(after, "\n")
	block, _, closed := strings.Cut(after, "```\n")
	if !ok || !open || !closed {
		t.Fatalf("README.md has no code block after %q", marker)
	}
	return readme, block
}

func sameBlock(t *testing.T, readme, shown, want string) {
	t.Helper()
	if shown == want {
		return
	}
	if !testkit.Update() {
		t.Errorf(
			"README.md differs from the actual output; go test ./cmd/internal/command -run Readme -update rewrites it\nhave:\n%s\nwant:\n%s",
			shown, want)
		return
	}
	if err := os.WriteFile("README.md", []byte(strings.Replace(readme, shown, want, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}
