package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// programs are those whose notices are in THIRD_PARTY.txt.
var programs = []string{"./cmd/nx", "./cmd/nx-vet", "./cmd/nx-xla"}

// TestCurrent: THIRD_PARTY.txt has the licences of what the programs contain.
func TestCurrent(t *testing.T) {
	t.Chdir(testkit.Root(t))
	if err := run("THIRD_PARTY.txt", true, programs); err != nil {
		t.Error(err)
	}
}

// TestNotices: a module without a licence is an error, and only its files of terms are copied.
func TestNotices(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("code.go", "package p")
	modules := []linked{{"example.org/p", "v1.0.0", folder}}
	if _, err := notices(programs, modules); err == nil ||
		!strings.Contains(err.Error(), "example.org/p v1.0.0 has no file with a licence") {
		t.Errorf("got %v", err)
	}
	put("LICENSE.md", "\nfirst\r\nsecond\n\n")
	put("notice", "third")
	text, err := notices(programs, modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"example.org/p v1.0.0, LICENSE.md\n", "\n\nfirst\nsecond\n", "\n\nthird\n",
		"The Go Authors"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the notices do not contain %q", want)
		}
	}
	if strings.Contains(string(text), "package p") {
		t.Error("the notices contain code")
	}
}

// TestCheck: a file that is not current is an error that says what to run.
func TestCheck(t *testing.T) {
	t.Chdir(testkit.Root(t))
	old := filepath.Join(t.TempDir(), "old.txt")
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(old, true, programs); err == nil || !strings.Contains(err.Error(), "is not current: run go run") {
		t.Errorf("got %v", err)
	}
}
