package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/go-nx/nx/internal/files"
)

// whole hides that files can be read at any place.
type whole struct{ fs.FS }

func (w whole) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if d, ok := f.(fs.ReadDirFile); ok {
		return d, err
	}
	return struct{ fs.File }{f}, err
}

// Every function gives the same for a folder of the system and for file systems, whether their files can be read at any
// place or not.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "b"), []byte("some text"), 0o666); err != nil {
		t.Fatal(err)
	}
	memory := fstest.MapFS{"a/b": {Data: []byte("some text")}}
	for what, c := range map[string]struct {
		fsys fs.FS
		root string
	}{"system": {nil, dir}, "folder": {os.DirFS(dir), "."}, "memory": {memory, ""}, "whole": {whole{memory}, "."}} {
		name := filepath.Join(c.root, "a", "b")
		f, err := files.Open(c.fsys, name)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		part := make([]byte, 4)
		if _, err := f.ReadAt(part, 5); err != nil || string(part) != "text" {
			t.Errorf("%s: %q, %v", what, part, err)
		}
		if info, err := f.Stat(); err != nil || info.Size() != 9 {
			t.Errorf("%s: %v, %v", what, info, err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if data, err := files.ReadFile(c.fsys, name); err != nil || string(data) != "some text" {
			t.Errorf("%s: %q, %v", what, data, err)
		}
		if info, err := files.Stat(c.fsys, filepath.Dir(name)); err != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v", what, info, err)
		}
		list, err := files.ReadDir(c.fsys, filepath.Dir(name))
		if err != nil || len(list) != 1 || list[0].Name() != "b" {
			t.Errorf("%s: %v, %v", what, list, err)
		}
		if _, err := files.Open(c.fsys, name+"c"); err == nil {
			t.Errorf("%s: a file that is not there was opened", what)
		}
	}
}
