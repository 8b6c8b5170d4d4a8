package mapped_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/internal/mapped"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("some bytes"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := mapped.Open(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	if err != nil || string(m.Data) != "some bytes" {
		t.Fatalf("%q, %v", m.Data, err)
	}
	m.Data[0] = 'S' // stays in memory
	if data, err := os.ReadFile(path); err != nil || string(data) != "some bytes" {
		t.Errorf("the file holds %q (%v)", data, err)
	}
	if _, err := mapped.Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := mapped.Open(path); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an empty file: %v", err)
	}
}
