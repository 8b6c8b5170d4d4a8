package conformance

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestStableHLO runs the StableHLO project's own self-checking programs.
func TestStableHLO(t *testing.T) {
	for _, folder := range []string{"testdata", "interpret", "math"} {
		t.Run(folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", folder), "*.mlir"))
			if err != nil {
				t.Fatal(err)
			}
			runFiles(t, files)
		})
	}
}

// runFiles runs each file as a test of its own and logs how many passed.
func runFiles(t *testing.T, files []string) {
	passed := 0
	for _, path := range files {
		name := filepath.Base(path)
		if t.Run(name, func(t *testing.T) {
			if err := RunFile(context.Background(), path, Interp()); err != nil {
				t.Error(clip(err.Error(), 2000))
			}
		}) {
			passed++
		}
	}
	t.Logf("%d of %d programs pass", passed, len(files))
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}
