package stablehlo_test

import (
	"errors"
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
		enough       = 0.98 // of all programs
		enoughAtLine = 0.85 // of the rejected ones
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
