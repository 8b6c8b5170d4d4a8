package api_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestGuide: the code of docs/guide.md is that of example_test.go.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(testkit.Root(t, "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(source)) {
		lines[strings.TrimSpace(line)] = true
	}
	code := false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = line != "```"
		case code && !lines[line]:
			t.Errorf("example_test.go has no line %s", line)
		}
	}
}
