package command

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/payload"
)

// A base of another processor does not run here: the bundle has no code, which is said, and is complete.
func TestBundleForAnotherProcessor(t *testing.T) {
	base, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	const machine, sparc = 18, 2
	binary.LittleEndian.PutUint16(base[machine:], sparc)
	other := filepath.Join(t.TempDir(), "nx")
	if err := os.WriteFile(other, base, 0o777); err != nil {
		t.Fatal(err)
	}
	server, o := bundle(t, "--base", other, classifier)
	if o.code != exitOK || !strings.Contains(o.stderr, "no compiled code inside: the program does not run here") {
		t.Fatalf("%d %s", o.code, o.stderr)
	}
	f, err := os.Open(server)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := payload.Open(f)
	if err == nil {
		err = p.Verify()
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(classifier)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(p, "models/classifier/classifier.onnx"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := fs.Stat(p, "code"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("code: %v", err)
	}
	if _, o := bundle(t, "--base", other, "--size", "width=8", classifier); o.code == exitOK {
		t.Error("a model that does not load is in a bundle")
	}
}
