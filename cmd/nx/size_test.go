package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLinkedPackages: the program stays small. Of networks it has HTTP, which nx serve needs; it calls no C, though a
// library that it uses may come to.
func TestLinkedPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for _, p := range []string{"google.golang.org/grpc", "golang.org/x/tools/go/packages",
		"github.com/ebitengine/purego"} {
		if slices.Contains(linked, p) {
			t.Errorf("cmd/nx links %s", p)
		}
	}
	if !slices.Contains(linked, "github.com/go-nx/nx/cpu") {
		t.Errorf("the compiler is not among %d packages", len(linked))
	}
}
