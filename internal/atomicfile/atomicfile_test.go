package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// content returns a function that writes s.
func content(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// wantFiles checks that dir holds exactly the given files.
func wantFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := want[e.Name()]; !ok || s != string(got) {
			t.Errorf("%s holds %q, want %q", e.Name(), got, s)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, s := range []string{"first", "", "second"} {
		if err := Write(name, content(s)); err != nil {
			t.Fatal(err)
		}
		wantFiles(t, dir, map[string]string{"a": s})
	}
}

func TestFailureKeepsTheOldContent(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := Write(name, content("old")); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no more numbers")
	err := Write(name, func(w io.Writer) error {
		io.WriteString(w, "new")
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("Write = %v, want %v", err, failure)
	}
	wantFiles(t, dir, map[string]string{"a": "old"})
}

func TestWriteToMissingDirectory(t *testing.T) {
	if err := Write(filepath.Join(t.TempDir(), "none", "a"), content("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Write = %v, want a missing directory", err)
	}
}

func TestWriteThroughLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := Write(link, content("new")); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, map[string]string{"target": "new", "link": "new"})
	info, err := os.Lstat(target)
	if err != nil || info.Mode().Perm()&0o077 != 0o040 {
		t.Errorf("the mode is %v, want that of the old file, 0640", info.Mode())
	}
}

func TestWriteToDevice(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip(err)
	}
	if err := Write(os.DevNull, content("x")); err != nil {
		t.Error(err)
	}
}
