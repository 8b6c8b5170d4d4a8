package npy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
)

// TestFile opens files without reading their data; those in C order and little-endian
// have a section, which holds the elements.
func TestFile(t *testing.T) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	sections := 0
	for _, name := range files {
		want, wantErr := npy.ReadFile(name)
		f, err := npy.Open(name)
		if err != nil {
			if wantErr == nil {
				t.Errorf("%s: %v, but it can be read", name, err)
			}
			continue
		}
		got, err := f.Array()
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %v, reading it at once: %v", name, err, wantErr)
		}
		if err == nil && (!bytes.Equal(got.Data, want.Data) || got.DType != want.DType ||
			f.Header().DType != want.DType) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if s := f.Section(); s != nil && err == nil {
			sections++
			if data, err := io.ReadAll(s); err != nil || !bytes.Equal(data, want.Data) {
				t.Errorf("%s: its section holds %x (%v), want %x", name, data, err, want.Data)
			}
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sections == 0 {
		t.Error("no file has a section")
	}
}

func TestFileWithoutItsData(t *testing.T) {
	var b bytes.Buffer
	if err := npy.Write(&b, npy.New(dtype.F32, []int{3}, make([]byte, 12))); err != nil {
		t.Fatal(err)
	}
	short := b.Bytes()[:b.Len()-1]
	f, err := npy.NewFile(bytes.NewReader(short), int64(len(short)))
	if err != nil {
		t.Fatal(err)
	}
	if f.Section() != nil {
		t.Error("a section of elements that are not there")
	}
	if _, err := f.Array(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if _, err := npy.NewFile(bytes.NewReader(short[:20]), 20); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a header that ends early: %v", err)
	}
	if _, err := npy.Open(filepath.Join(t.TempDir(), "no.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
