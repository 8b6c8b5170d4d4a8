package cpu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/stablehlo"
)

// The outputs in docs/architecture.md are those of the compiler: the lines below a command are
// lines of its output, in their order.
func TestArchitecturePage(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	shown, commands := []string(nil), 0 // the rest of the output of the command above
	for number, line := range strings.Split(string(page), "\n") {
		text, isCode := strings.CutPrefix(line, "    ")
		if command, ok := strings.CutPrefix(text, "nx inspect --stage "); isCode && ok {
			stage, path, _ := strings.Cut(command, " ")
			shown = strings.Split(output(t, stage, filepath.Join("..", path)), "\n")
			commands++
			continue
		}
		if !isCode {
			shown = nil
			continue
		}
		if shown == nil {
			continue // code of another kind
		}
		for len(shown) > 0 && strings.TrimSpace(shown[0]) != strings.TrimSpace(text) {
			shown = shown[1:]
		}
		if len(shown) == 0 {
			t.Fatalf("line %d is not what the compiler makes, or not in its order: %s", number+1, text)
		}
		shown = shown[1:]
	}
	if commands < 5 {
		t.Errorf("%d commands are shown", commands)
	}
}

// output returns what nx inspect --stage prints of a file.
func output(t *testing.T, stage, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := cpu.Default().Explain(m, "main", stage)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
