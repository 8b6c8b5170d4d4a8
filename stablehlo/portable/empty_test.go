package portable_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo/portable"
)

// MLIR writes one element for the constant dense<2.0> of a tensor without elements: the file is what
// StableHLO's serialize_portable_artifact made of one of f32 and one of i1, for version 1.9.0.
func TestEmptySplats(t *testing.T) {
	data, err := os.ReadFile("testdata/empty_splat.bc")
	if err != nil {
		t.Fatal(err)
	}
	m, err := portable.Read("empty", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"constant dense<> : tensor<0x3xf32>", "constant dense<> : tensor<0xi1>"} {
		if got := text(t, m); !strings.Contains(got, want) {
			t.Errorf("it has no %s:\n%s", want, got)
		}
	}
}
