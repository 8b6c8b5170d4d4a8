package stablehlo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		golden(t, file, printed(t, m, stablehlo.PrintOptions{}))
		golden(t, strings.TrimSuffix(file, ".mlir")+".generic.mlir",
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

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			t.Errorf("%s: %d lines printed, not %d", file, len(a), len(b))
			return
		}
		if !bytes.Equal(a[i], b[i]) {
			t.Errorf("%s:%d:\n got %s\nwant %s", file, i+1, a[i], b[i])
		}
	}
}
