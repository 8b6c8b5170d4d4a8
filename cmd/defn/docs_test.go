package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestDocumentedStart makes the module that docs/defn.md begins with, and compares what its program prints. The other
// definitions on the page, before the errors, are a second file of its package.
func TestDocumentedStart(t *testing.T) {
	page, err := filepath.Abs(filepath.Join("..", "..", "docs", "defn.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(text), "\n$ go run .\n")
	shown, _, closed := strings.Cut(shown, "```\n")
	if !found || !closed {
		t.Fatal("docs/defn.md does not run a program")
	}
	examples, _, _ := strings.Cut(string(text), "\n## Errors\n")
	var program, definitions string
	more := "package defs\n\nimport (\n\t. \"github.com/go-nx/nx/defn\"\n\t\"github.com/go-nx/nx/defn/random\"\n)\n"
	count := 0
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(examples, -1) {
		switch {
		case strings.HasPrefix(m[1], "package main"):
			program = m[1]
		case strings.HasPrefix(m[1], "package defs"):
			definitions = m[1]
		default:
			more += "\n" + m[1]
			count++
		}
	}
	if program == "" || definitions == "" || count < 4 {
		t.Fatalf("docs/defn.md has %d examples beside its first ones", count)
	}
	dir := module(t, definitions)
	for name, content := range map[string]string{"defs/more.go": more, "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errs := command(t); status != 0 {
		t.Fatalf("defn: %d\n%s", status, errs)
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	var stderr strings.Builder
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, &stderr)
	}
	got := strings.ReplaceAll(string(out), "\r\n", "\n")
	switch {
	case got == shown:
	case testkit.Update():
		changed := strings.Replace(string(text), "\n$ go run .\n"+shown, "\n$ go run .\n"+got, 1)
		if err := os.WriteFile(page, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the program of docs/defn.md prints\n%s, and the page has\n%s; -update rewrites it", got, shown)
	}
}
