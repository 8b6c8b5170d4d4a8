package stablehlo

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEveryFormIsGolden checks that the golden texts contain every op with its own form; those of a family
// share one.
func TestEveryFormIsGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/text/*.mlir")
	seen := map[OpCode]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		for op := range m.Walk() {
			seen[op.Code] = true
		}
	}
	for code, text := range formats {
		if code := OpCode(code); text != "" && !seen[code] {
			t.Errorf("%s is in no golden text", code)
		}
	}
}

// A mistake in a line of formats panics when its form is first used.
func TestEveryFormCompiles(t *testing.T) {
	for code := range Ops() {
		newForm(code)
	}
	for name := range listDirectives() {
		if listParsers()[name] == nil {
			t.Errorf("$%s has no parser", name)
		}
	}
}
