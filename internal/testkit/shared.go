// Package testkit holds what the tests of several packages need.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns a path inside the folder "shared" that stands beside the
// repository (conformance corpora, benches), and skips the test with a message
// when it is not there.
func Shared(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			tb.Fatal("testkit: no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("skipped: needs ../shared/%s beside the repository", filepath.Join(elem...))
	}
	return path
}
