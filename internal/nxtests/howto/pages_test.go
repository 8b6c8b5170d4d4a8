package howto_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// maxLines is the maximum length of a page.
const maxLines = 80

// step is an edit of a file, or commands.
type step struct {
	file  string // "" for commands
	place string // "create", "append", or the text of the line that the block follows
	block string
}

var (
	markedBlock = regexp.MustCompile("(?ms)^ *<!-- (edit: [^\n]*|run) -->\n( *)```\\w*\n(.*?)^ *```$")
	editMark    = regexp.MustCompile(`^edit: (\S+) (?:(create|append)|after: (.+))$`)
)

// stepsOf returns the marked blocks of a page.
func stepsOf(page string) ([]step, error) {
	var steps []step
	for _, m := range markedBlock.FindAllStringSubmatch(page, -1) {
		mark, indent, block := m[1], m[2], m[3]
		var text strings.Builder
		for line := range strings.Lines(block) {
			text.WriteString(strings.TrimPrefix(line, indent))
		}
		if mark == "run" {
			steps = append(steps, step{block: text.String()})
			continue
		}
		e := editMark.FindStringSubmatch(mark)
		if e == nil {
			return nil, fmt.Errorf("the mark %q is not an edit", mark)
		}
		steps = append(steps, step{file: e[1], place: e[2] + e[3], block: text.String()})
	}
	if n := strings.Count(page, "<!-- "); n != len(steps) {
		return nil, fmt.Errorf("%d marks, and %d blocks behind them", n, len(steps))
	}
	return steps, nil
}

// do makes the edit in a copy of the repository, or runs the commands there.
func (s step) do(t *testing.T, root string) {
	t.Helper()
	if s.file == "" {
		for line := range strings.Lines(s.block) {
			run(t, root, strings.Fields(strings.ReplaceAll(line, "'", "")))
		}
		return
	}
	path := filepath.Join(root, filepath.FromSlash(s.file))
	if s.place == "create" {
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s exists already", s.file)
		}
		write(t, path, s.block)
		return
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.place == "append" {
		write(t, path, string(old)+s.block)
		return
	}
	before, rest, ok := strings.Cut(string(old), s.place)
	line, after, _ := strings.Cut(rest, "\n")
	if !ok {
		t.Fatalf("%s has no line with %q", s.file, s.place)
	}
	write(t, path, before+s.place+line+"\n"+s.block+after)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder. Paths in the copy are trimmed, so that it shares what the build cache has of the
// packages that are not edited.
func run(t *testing.T, root string, args []string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath")
	out, err := cmd.CombinedOutput()
	if err != nil {
		const most = 4000
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out[max(0, len(out)-most):])
	}
	if bytes.Contains(out, []byte("no tests to run")) && !strings.Contains(strings.Join(args, " "), "-update") {
		t.Errorf("%s ran no test", strings.Join(args, " "))
	}
}

// copyOf returns a copy of the sources of the main module.
func copyOf(t *testing.T) string {
	t.Helper()
	from, to := testkit.Root(t), t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func pagesOf(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(testkit.Root(t, "docs", "howto", "*.md"))
	if err != nil || len(pages) < 9 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// TestPages: the pages are short and numbered, are in the index, and name files and tests that exist.
func TestPages(t *testing.T) {
	index, err := os.ReadFile(testkit.Root(t, "docs", "howto", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := declaredTests(t)
	file := regexp.MustCompile("`((?:internal|cpu|cmd|stablehlo|encoding|xla|docs|\\.ci)/[\\w./*-]+)`")
	test := regexp.MustCompile(`\bTest[A-Z]\w*`)
	for _, path := range pagesOf(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page, name := string(text), filepath.Base(path)
		if n := strings.Count(page, "\n"); n > maxLines {
			t.Errorf("%s has %d lines, at most %d", name, n, maxLines)
		}
		if name != "README.md" {
			if !strings.Contains(string(index), "("+name+")") {
				t.Errorf("docs/howto/README.md does not name %s", name)
			}
			if !strings.Contains(page, "\n1. ") || !strings.Contains(page, "\n3. ") {
				t.Errorf("%s has no numbered steps", name)
			}
		}
		for _, m := range file.FindAllStringSubmatch(page, -1) {
			if found, err := filepath.Glob(testkit.Root(t, m[1])); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
		for _, m := range test.FindAllString(page, -1) {
			if !tests[m] {
				t.Errorf("%s names %s, which does not exist", name, m)
			}
		}
	}
}

// declaredTests returns the names of the tests of the repository.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(testkit.Root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestWalk follows the pages that have edits, in copies of the repository.
func TestWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the compiler again")
	}
	walked := 0
	for _, path := range pagesOf(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := stepsOf(string(text))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if len(steps) == 0 {
			continue
		}
		walked++
		t.Run(strings.TrimSuffix(filepath.Base(path), ".md"), func(t *testing.T) {
			root := copyOf(t)
			for _, s := range steps {
				s.do(t, root)
			}
		})
	}
	if walked < 2 {
		t.Errorf("%d pages have edits", walked)
	}
}
