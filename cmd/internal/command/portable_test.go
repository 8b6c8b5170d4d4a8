package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const located = `module {
  func.func @main(%x: tensor<2xf32> loc("x")) -> (tensor<2xf32> {jax.result_info = "y"}) {
    %0 = stablehlo.exponential %x : tensor<2xf32> loc("f.py":3:4)
    return %0 : tensor<2xf32>
  }
}
`

// TestProgramsOfAnyForm converts a program to bytecode and back, and runs every command on it.
func TestProgramsOfAnyForm(t *testing.T) {
	text := file(t, "a.mlir", located)
	code := filepath.Join(t.TempDir(), "a.bc")
	if o := nx("fmt", "--portable", "1.0.0", "-o", code, text); o != (outcome{}) {
		t.Fatalf("got %+v", o)
	}
	data, err := os.ReadFile(code)
	if err != nil || !strings.HasPrefix(string(data), "ML\xefR\x0dStableHLO_v1.0.0\x00") {
		t.Fatalf("wrote %.40q (%v)", data, err)
	}
	if o := nx("fmt", code); !strings.Contains(o.stdout, `loc("x")`) || !strings.Contains(o.stdout, `loc("f.py":3:4)`) {
		t.Errorf("locations are lost: %+v", o)
	}
	plain, want := nx("fmt", "--no-locations", code), nx("fmt", "--no-locations", text)
	if strings.Contains(plain.stdout, "loc(") || strings.ReplaceAll(plain.stdout, "%arg0", "%x") != want.stdout {
		t.Errorf("got\n%s%s\nwant\n%s", plain.stdout, plain.stderr, want.stdout)
	}
	for _, args := range [][]string{{"inspect", code}, {"check", code}, {"check", "--verify", code},
		{"inspect", "--stage", "fused", code}} {
		if o := nx(args...); o.code != exitOK {
			t.Errorf("nx %s: %+v", strings.Join(args, " "), o)
		}
	}
	if o := nx("fmt", "-w", code); o.code != exitUsage || !strings.Contains(o.stderr, "the file must be text") {
		t.Errorf("got %+v", o)
	}
}

func TestPortableErrors(t *testing.T) {
	text := file(t, "a.mlir",
		"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.tan %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fmt", "--portable", "1.0.0", text}, "stablehlo.tan: the operation is new in StableHLO 1.4.0"},
		{[]string{"fmt", "--portable", "new", text}, `got "new"`},
		{[]string{"fmt", "--portable", "1.9.0", "--generic", text}, "exclude each other"},
		{[]string{"inspect", file(t, "b", "HloModule f\n")}, "this is HLO text"},
		{[]string{"inspect", file(t, "c.bc", "ML\xefR\x0dStableHLO_v1.0.0\x00")}, "there is no section of strings"},
		{[]string{"inspect", t.TempDir()}, "it is a folder"},
	} {
		if o := nx(c.args...); o.code != exitUsage || !strings.Contains(o.stderr, c.want) {
			t.Errorf("nx %s: %+v, want %q", strings.Join(c.args, " "), o, c.want)
		}
	}
}
