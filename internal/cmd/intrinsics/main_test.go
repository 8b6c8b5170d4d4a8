package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUpToDate fails where package defn and those below it differ from package nx and its packages: run
// go generate ./defn.
func TestUpToDate(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	files, err := generateAll(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./defn (%v)", path, err)
		}
	}
}

// TestExports fails for a name of a source that has neither a counterpart nor a reason in the table, and for one in the
// table that is not there.
func TestExports(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, s := range sources {
		from, err := read(filepath.Join(root, filepath.FromSlash(s.dir)))
		if err != nil {
			t.Fatal(err)
		}
		to, err := read(filepath.Join(root, filepath.FromSlash(s.out)))
		if err != nil {
			t.Fatal(err)
		}
		for name := range from.names() {
			reason := excluded[s.name][name]
			if has := to.names()[name]; s.has(name) && !has {
				t.Errorf("%s.%s has no counterpart in %s", s.name, name, s.out)
			} else if has && reason != "" && reason != byHand {
				t.Errorf("%s.%s has a counterpart, and is in the table of those without one", s.name, name)
			}
		}
		for name := range excluded[s.name] {
			if !from.names()[name] {
				t.Errorf("%s has no %s, which is in the table", s.name, name)
			}
		}
	}
}

// TestDocumentedExceptions compares the table of names without a counterpart in docs/defn.md with the one here.
func TestDocumentedExceptions(t *testing.T) {
	byReason := map[string][]string{}
	for _, s := range sources {
		for name, reason := range excluded[s.name] {
			if reason == byHand {
				continue
			}
			if s.name != "nx" {
				name = s.name + "." + name
			}
			byReason[reason] = append(byReason[reason], name)
		}
	}
	want := "| without a counterpart | since it |\n|---|---|\n"
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		slices.Sort(byReason[reason])
		want += "| `" + strings.Join(byReason[reason], "`, `") + "` | " + strings.ReplaceAll(reason, "|", `\|`) + " |\n"
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "defn.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), want) {
		t.Errorf("docs/defn.md does not have the table\n%s", want)
	}
}
