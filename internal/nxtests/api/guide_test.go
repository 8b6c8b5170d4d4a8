package api_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestGuide: the code of the guides is that of examples which tests run.
func TestGuide(t *testing.T) {
	for page, sources := range map[string][]string{
		"docs/guide.md":    {"example_test.go"},
		"docs/learning.md": {"internal/nxtests/learning/guide_test.go"},
		"docs/language-models.md": {"token/example_test.go", "transformers/example_test.go",
			"generate/example_test.go", "serve/openai/example_test.go"},
	} {
		text, err := os.ReadFile(testkit.Root(t, page))
		if err != nil {
			t.Fatal(err)
		}
		lines := map[string]bool{}
		for _, source := range sources {
			code, err := os.ReadFile(testkit.Root(t, source))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(code)) {
				lines[strings.TrimSpace(line)] = true
			}
		}
		inside := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "```"):
				inside = line == "```go"
			case inside && !lines[line]:
				t.Errorf("%s: no file of %v has the line %s", page, sources, line)
			}
		}
	}
}
