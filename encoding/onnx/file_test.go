package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExternalData(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model := func(entries ...string) string {
		w := msg().int(1, 4).int(2, 2).text(8, "w").int(14, 1)
		for i := 0; i < len(entries); i += 2 {
			w.sub(13, msg().text(1, entries[i]).text(2, entries[i+1]))
		}
		return write("m.onnx", msg().int(1, 8).sub(7, msg().sub(5, w)).b)
	}
	write("w.bin", []byte{0, 1, 2, 3, 4, 5})
	elements := func(path string) ([]byte, error) {
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return f.Elements(f.Model.Graph.Initializers[0])
	}
	got, err := elements(model("location", "w.bin", "offset", "2", "length", "4"))
	if err != nil || !bytes.Equal(got, []byte{2, 3, 4, 5}) {
		t.Errorf("%v, %v", got, err)
	}
	f, err := OpenFS(os.DirFS(dir), "m.onnx")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Elements(f.Model.Graph.Initializers[0]); err != nil || !bytes.Equal(got, []byte{2, 3, 4, 5}) {
		t.Errorf("from a file system: %v, %v", got, err)
	}
	if paths, err := f.Model.ExternalPaths(); err != nil || !slices.Equal(paths, []string{"w.bin"}) {
		t.Errorf("paths %v, %v", paths, err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Logf("no links: %v", err)
	} else if _, err := elements(model("location", "link")); err == nil ||
		!strings.Contains(err.Error(), "a link out of") {
		t.Errorf("a link: %v", err)
	}
	for want, entries := range map[string][]string{
		"needs 4 bytes of w.bin from byte 4, which has 6": {"location", "w.bin", "offset", "4"},
		"the model says 9": {"location", "w.bin", "length", "9"},
		"from byte 9223372036854775807": {"location", "w.bin", "offset", "9223372036854775807", "length",
			"4"},
		"no such file": {"location", "none.bin"},
		"which is not in the folder of the model": {"location", "a/../../w.bin"},
	} {
		if _, err := elements(model(entries...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", entries, err, want)
		}
	}
	if _, err := Open(write("bad.onnx", []byte{0xff})); err == nil ||
		!strings.Contains(err.Error(), "bad.onnx: onnx: ") {
		t.Errorf("got %v", err)
	}
}
