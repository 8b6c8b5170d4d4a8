// Package testkit holds helpers for the tests of several packages.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// SharedVariable is the environment variable that names the folder of conformance data. The go command tracks
// which tests read a variable, and runs these again when it changes.
const SharedVariable = "NX_SHARED"

// Shared returns a path below the folder of conformance data: the one named by NX_SHARED, or else a folder
// "shared" next to the repository. It skips the test, with a message, when the path does not exist.
func Shared(tb testing.TB, elem ...string) string {
	tb.Helper()
	root := os.Getenv(SharedVariable)
	if root == "" {
		root = filepath.Join(filepath.Dir(Root(tb)), "shared")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("skipped: needs %s of the conformance data, a folder shared next to the repository or named by %s",
			filepath.Join(elem...), SharedVariable)
	}
	return path
}

// Root returns the folder of the module that is tested, or a path below it.
func Root(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(append([]string{dir}, elem...)...)
		}
		if filepath.Dir(dir) == dir {
			tb.Fatal("testkit: no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
