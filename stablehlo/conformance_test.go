package stablehlo_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/expect"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestVerifierCorpus reads and verifies the programs of StableHLO's own tests:
// accept-* must be accepted, reject-* rejected, most at the line that they name.
func TestVerifierCorpus(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", "verify"), "*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	const (
		enough       = 0.99 // of all programs
		enoughAtLine = 0.97 // of the rejected ones
	)
	judged, rejected, atLine := 0, 0, 0
	for _, path := range paths {
		name := filepath.Base(path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		err = verify(name, text)
		if accept := strings.HasPrefix(name, "accept-"); accept != (err == nil) {
			t.Logf("%s: %v", name, err)
			continue
		}
		judged++
		if err == nil {
			continue
		}
		rejected++
		if expect.Met(expect.Parse(string(text)), errorLines(err)) {
			atLine++
		} else {
			t.Logf("%s is not rejected at its line but with: %v", name, err)
		}
	}
	t.Logf("%d of %d judged right; %d of %d rejected at their line", judged, len(paths), atLine, rejected)
	if float64(judged) < enough*float64(len(paths)) || float64(atLine) < enoughAtLine*float64(rejected) {
		t.Error("too few programs are judged right")
	}
}

func verify(name string, text []byte) error {
	m, err := stablehlo.Parse(name, text)
	if err != nil {
		return err
	}
	return m.Verify()
}

// errorLines returns the lines of the violations.
func errorLines(err error) []int {
	var e *stablehlo.Error
	if !errors.As(err, &e) || e.Source == nil {
		return nil
	}
	var lines []int
	for _, d := range e.Diagnostics {
		line, _ := e.Source.LineCol(d.Pos)
		lines = append(lines, line)
	}
	return lines
}

// TestVerifyValidPrograms verifies the programs that other tests run: all of
// them are valid.
func TestVerifyValidPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("reads thousands of programs")
	}
	for _, dir := range []string{"stablehlo/testdata", "stablehlo/interpret", "stablehlo/math", "jax"} {
		t.Run(dir, func(t *testing.T) {
			root := testkit.Shared(t, "conformance", filepath.FromSlash(dir))
			err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(path) != ".mlir" {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for _, source := range stablehlo.Split(path, text) {
					m, err := stablehlo.ParseSource(source)
					if err == nil {
						err = m.Verify()
					}
					if err != nil {
						t.Errorf("rejected: %v", err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
