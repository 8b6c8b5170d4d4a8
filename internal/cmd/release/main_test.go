package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestReleased: the modules of the repository have tags, those below internal do not.
func TestReleased(t *testing.T) {
	modules, err := released(testkit.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for _, m := range modules {
		tags[m.tag("v1.2.3")] = true
		if m.folder != "." && m.requires[mainModule] == "" {
			t.Errorf("%s does not require %s", m.path, mainModule)
		}
	}
	for tag, want := range map[string]bool{"v1.2.3": true, "interop/gonum/v1.2.3": true, "serve/grpc/v1.2.3": true,
		"cmd/nx-grpc/v1.2.3": true, "telemetry/otel/v1.2.3": true, "internal/properties/v1.2.3": false} {
		if tags[tag] != want {
			t.Errorf("%s is a tag: %t", tag, tags[tag])
		}
	}
}

// TestRun: a version is refused until the modules require it and the list of changes has it.
func TestRun(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module "+mainModule+"\n\ngo 1.26\n")
	put("a/b/go.mod", "module "+mainModule+"/a/b\n\ngo 1.26\n\nrequire "+mainModule+" v0.0.0\n\n"+
		"replace "+mainModule+" => ../..\n")
	put("CHANGELOG.md", "# Changes\n\n## v0.1.0 - unreleased\n")
	refused := func(version, want string) {
		t.Helper()
		if err := run(root, version, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", version, err, want)
		}
	}
	refused("0.1", "must be like v0.1.0")
	refused("v0.1.0", "must end with the date")
	refused("v0.1.0", "a/b/go.mod requires "+mainModule+" v0.0.0, not v0.1.0")
	refused("v0.2.0", "CHANGELOG.md has no section")
	put("CHANGELOG.md", "# Changes\n\n## v0.1.0 - 2026-12-01\n")
	if err := run(root, "v0.1.0", true); err != nil {
		t.Fatal(err)
	}
	modules, err := released(root)
	if err != nil || len(modules) != 2 || modules[1].requires[mainModule] != "v0.1.0" {
		t.Errorf("the modules are %+v, %v", modules, err)
	}
	put("c/go.mod", "module example.org/c\n")
	refused("v0.1.0", "must have the path "+mainModule+"/c")
}
