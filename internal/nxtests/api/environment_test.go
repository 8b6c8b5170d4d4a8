package api_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestEnvironmentVariables compares the table of docs/debugging.md with the names in the code. Variables between a
// test and its child process, NX_TEST_…, may be absent from it.
func TestEnvironmentVariables(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "debugging.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(NX_[A-Z_]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = false
	}
	quoted := regexp.MustCompile(`"(NX_[A-Z_]+)"|\b(NX_[A-Z_]+)[=}]|\$\{?(NX_[A-Z_]+)`)
	module := os.DirFS(testkit.Root(t))
	err = fs.WalkDir(module, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" && !strings.HasPrefix(path, ".ci") {
			return err
		}
		text, err := fs.ReadFile(module, path)
		if err != nil {
			return err
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			name := m[1] + m[2] + m[3]
			if _, ok := listed[name]; ok {
				listed[name] = true
			} else if !strings.HasPrefix(name, "NX_TEST_") {
				t.Errorf("%s: %s is not in the table of docs/debugging.md", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, found := range listed {
		if !found {
			t.Errorf("docs/debugging.md lists %s, which nothing reads", name)
		}
	}
	if len(listed) < 10 {
		t.Errorf("the table has %d rows, which are too few to be all", len(listed))
	}
}
