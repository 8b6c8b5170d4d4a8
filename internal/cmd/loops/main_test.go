package main

import (
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// TestUpToDate compares the loops with their file.
func TestUpToDate(t *testing.T) {
	text, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "cpu", "codegen", "portable", "zloops_gen.go")
	testkit.GoldenFile(t, file, text)
}
