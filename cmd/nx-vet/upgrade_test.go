package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUpgrade(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const old = "package p\n\nimport \"github.com/go-nx/nx\"\n\nvar f = nx.FFT\n"
	const now = "package p\n\nimport (\n\t\"github.com/go-nx/nx/fft\"\n)\n\nvar f = fft.FFT\n"
	inside, vendored := write("a/b.go", old), write("vendor/c.go", old)
	broken := write("d.go", "package p; func {")
	var stdout, stderr bytes.Buffer
	if status := upgrade([]string{dir + "/..."}, &stdout, &stderr); status != 1 ||
		!strings.Contains(stderr.String(), broken) {
		t.Errorf("the status is %d, the errors are %q", status, stderr.String())
	}
	if want := inside + ":5:9: nx.FFT is fft.FFT\n"; stdout.String() != want {
		t.Errorf("printed is %q, want %q", stdout.String(), want)
	}
	for path, want := range map[string]string{inside: now, vendored: old} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", path, got, err)
		}
	}
	if status := upgrade([]string{filepath.Join(dir, "none")}, &stdout, &stderr); status != 1 {
		t.Error("no error for a folder that does not exist")
	}
}
