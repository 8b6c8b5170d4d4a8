package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLinkedPackages: the program stays small. Nothing in it talks to a network or calls C,
// though a library that it uses may come to.
func TestLinkedPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, p := range []string{"net/http", "crypto/tls", "github.com/ebitengine/purego"} {
		if slices.Contains(linked, p) {
			t.Errorf("cmd/nx links %s", p)
		}
	}
	if !slices.Contains(linked, "github.com/go-nx/nx/cpu") {
		t.Errorf("the compiler is not among %d packages", len(linked))
	}
}
