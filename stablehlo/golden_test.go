package stablehlo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestGoldenText compares the texts of testdata/text, and their generic forms, with the printer's output.
func TestGoldenText(t *testing.T) {
	files, err := filepath.Glob("testdata/text/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden texts:", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".generic.mlir") {
			continue
		}
		m := parseFile(t, file)
		testkit.GoldenFile(t, file, printed(t, m, stablehlo.PrintOptions{}))
		testkit.GoldenFile(t, strings.TrimSuffix(file, ".mlir")+".generic.mlir",
			printed(t, m, stablehlo.PrintOptions{Generic: true}))
		roundTrip(t, m)
	}
}

func parseFile(tb testing.TB, file string) *stablehlo.Module {
	tb.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := stablehlo.Parse(file, text)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
