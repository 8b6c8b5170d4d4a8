package api_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestPackageTables: README.md says what every public package is for, and docs/architecture.md what every internal
// one is.
func TestPackageTables(t *testing.T) {
	const module = "github.com/go-nx/nx"
	cmd := exec.Command("go", "list", "./...")
	cmd.Dir = testkit.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	read := func(names ...string) string {
		text, err := os.ReadFile(testkit.Root(t, names...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// table returns the rows of a table.
	table := func(page, header string) string {
		_, rest, ok := strings.Cut(page, header)
		if !ok {
			t.Fatalf("there is no table %q", header)
		}
		rows, _, _ := strings.Cut(rest, "\n\n")
		return rows
	}
	architecture := read("docs", "architecture.md")
	public := table(read("README.md"), "| package | purpose |\n")
	internal := table(architecture, "| internal | what it is |\n")
	packages := 0
	for path := range strings.FieldsSeq(string(out)) {
		name := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
		inside, isInternal := strings.CutPrefix(name, "internal/")
		switch {
		case name == "" || strings.HasPrefix(name, "examples/") || strings.HasPrefix(inside, "cmd/") ||
			strings.HasPrefix(inside, "nxtests") || strings.HasPrefix(inside, "testkit"):
			continue
		case isInternal:
			parent, _, nested := strings.Cut(strings.TrimPrefix(inside, "cpu/"), "/")
			if !strings.Contains(internal, "`"+inside+"`") && !(nested && strings.Contains(internal, parent+"`")) {
				t.Errorf("the table of internal packages in docs/architecture.md does not name `%s`", inside)
			}
		case strings.Contains(name, "internal/"):
			continue
		default:
			packages++
			if !strings.Contains(public, "`"+name+"`") && !strings.HasPrefix(name, "defn/") {
				t.Errorf("the table of packages in README.md does not name `%s`", name)
			}
		}
	}
	if packages < 40 {
		t.Errorf("only %d public packages were found", packages)
	}
}
