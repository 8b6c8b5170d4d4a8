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

var (
	pageLink    = regexp.MustCompile(`\]\(([^):\s#]*)(?:#([^)\s]*))?\)`)
	pageCode    = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
	pageHeading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_\- ]`)
	namedPage   = regexp.MustCompile(`(?:^|[\s(])docs/[\w/.-]+\.md\b`)
)

// anchors returns the anchors of the headings of a page.
func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for _, m := range pageHeading.FindAllStringSubmatch(page, -1) {
		plain := notInAnchor.ReplaceAllString(strings.ToLower(m[1]), "")
		found[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return found
}

// repositoryFiles calls a function for the files of the repository that are not data of tests.
func repositoryFiles(t *testing.T, each func(path string, text string)) {
	root := testkit.Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (name == ".git" || name == "testdata" || name == "shared") {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		each(path, string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLinks: the links of pages lead to files and headings that exist, and so do the names of pages in Go files.
func TestLinks(t *testing.T) {
	headings := map[string]map[string]bool{}
	anchorsOf := func(path string) map[string]bool {
		if headings[path] == nil {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			headings[path] = anchors(string(text))
		}
		return headings[path]
	}
	links := 0
	repositoryFiles(t, func(path, text string) {
		if filepath.Ext(path) == ".go" {
			for _, page := range namedPage.FindAllString(text, -1) {
				if _, err := os.Stat(testkit.Root(t, strings.TrimLeft(page, "( \t\n"))); err != nil {
					t.Errorf("%s names %s, which does not exist", path, page)
				}
			}
			return
		}
		for _, m := range pageLink.FindAllStringSubmatch(pageCode.ReplaceAllString(text, ""), -1) {
			links++
			target := path
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", path, m[1])
			} else if m[2] != "" && filepath.Ext(target) == ".md" && !anchorsOf(target)[m[2]] {
				t.Errorf("%s links to %s#%s, and the page has no such heading", path, m[1], m[2])
			}
		}
	})
	if links < 300 {
		t.Errorf("only %d links were found: the pattern no longer fits", links)
	}
}

// TestRationaleIndex: docs/rationale/README.md has a line for each question.
func TestRationaleIndex(t *testing.T) {
	folder := testkit.Root(t, "docs", "rationale")
	index, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages in %s, %v", len(pages), folder, err)
	}
	question := regexp.MustCompile(`(?m)^## (.+)$`)
	for _, path := range pages {
		name := filepath.Base(path)
		if name == "README.md" {
			continue
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range question.FindAllStringSubmatch(string(page), -1) {
			if !strings.Contains(string(index), "- ["+m[1]+"]("+name+"#") {
				t.Errorf("docs/rationale/README.md has no line for %q of %s", m[1], name)
			}
		}
	}
}
