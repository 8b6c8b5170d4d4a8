package errors_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestErrorCodes: a code is the target of errors.Is.
func TestErrorCodes(t *testing.T) {
	err := kit.Caught(func() { nx.Reshape(nx.New([]int{1, 2, 3}), 2) })
	if !errors.Is(err, nx.ErrShape) || errors.Is(err, nx.ErrDType) || !errors.As(err, new(*nx.Error)) {
		t.Error(err)
	}
	if e := diag.New(nx.ErrValue, "F", "hint", "%d", 3); e.Detail != "3" || !errors.Is(e, nx.ErrValue) ||
		filepath.Base(e.File) != "codes_and_lines_test.go" {
		t.Errorf("%+v", e)
	}
}

// TestPlacesCanBeOpened: the place of a mistake is a path that exists.
func TestPlacesCanBeOpened(t *testing.T) {
	err := kit.Caught(func() { nx.Reshape(nx.New([]int{1, 2, 3}), 2) })
	file, _, _ := strings.Cut(err.Error(), ":")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if p := diag.Place(filepath.Join(os.TempDir(), "x.go"), 3); p != filepath.Join(os.TempDir(), "x.go")+":3" {
		t.Error(p)
	}
}

func TestMisuseNamesTheCaller(t *testing.T) {
	add := func() (err error) {
		defer nx.Catch(&err)
		nx.Add(nx.Zeros(nx.Shape{2}, nx.F32), nx.Zeros(nx.Shape{3}, nx.F32))
		return nil
	}
	err := add()
	if err == nil || !strings.HasPrefix(err.Error(), "codes_and_lines_test.go:") ||
		!strings.Contains(err.Error(), "sizes 2 and 3") {
		t.Errorf("got %v", err)
	}
	// Packages that call methods and iterators for the user are not the caller.
	two := nx.Zeros(nx.Shape{2}, nx.F32)
	for what, f := range map[string]func() error{
		"json.Unmarshal": func() error {
			return json.Unmarshal([]byte(`{"W":{"dtype":"f32","shape":[-3],"data":[]}}`), &struct{ W nx.Tensor }{})
		},
		"slices.Collect": func() (err error) {
			defer nx.Catch(&err)
			batches := nx.Batches(two, 1)
			nx.Release(two)
			_ = slices.Collect(batches)
			return nil
		},
	} {
		if err := f(); err == nil || !strings.HasPrefix(err.Error(), "codes_and_lines_test.go:") {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
