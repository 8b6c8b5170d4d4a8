package command

import (
	"strings"
	"testing"
)

func TestCheckVerify(t *testing.T) {
	const (
		good = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"
		// The violation is in line 3 of each of these.
		bad     = "func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {\n\n  return %x : tensor<2xf32>\n}\n"
		here    = "func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {\n  // expected-error@+1 {{types differ}}\n  return %x : tensor<2xf32>\n}\n"
		wrongly = "func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {\n  // expected-error@-1 {{types differ}}\n  return %x : tensor<2xf32>\n}\n"
	)
	tests := []struct {
		name, text string
		want       outcome // "FILE" stands for the path
	}{
		{"accepted", good, outcome{exitOK, "rejected: 0, with the error at the named line: 0\n1 passed, 0 failed\n", ""}},
		{"rejected at the line", here,
			outcome{exitOK, "rejected: 1, with the error at the named line: 1\n1 passed, 0 failed\n", ""}},
		{"rejected elsewhere", wrongly,
			outcome{exitOK, "rejected: 1, with the error at the named line: 0\n1 passed, 0 failed\n", ""}},
		{"lines of a later part", good + "// -----\n" + here,
			outcome{exitOK, "rejected: 1, with the error at the named line: 1\n1 passed, 0 failed\n", ""}},
		{"wrongly accepted", "// -----\n" + good + "// expected-error@-1 {{must not}}\n",
			outcome{exitFailed,
				"FAIL FILE: 4: accepted, but it must be rejected: must not\nrejected: 0, with the error at the named line: 0\n0 passed, 1 failed\n", ""}},
		{"rejected by the parser", "// expected-error@+1 {{what}}\nfunc.func @f( {\n",
			outcome{exitOK, "rejected: 1, with the error at the named line: 1\n1 passed, 0 failed\n", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t, "a.mlir", tt.text)
			tt.want.stdout = strings.ReplaceAll(tt.want.stdout, "FILE", path)
			if got := nx("check", "--verify", path); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
	t.Run("wrongly rejected", func(t *testing.T) {
		nx("check", "--verify", file(t, "a.mlir", bad)).want(t, exitFailed, "a.mlir: 3:3: ", "")
	})
	t.Run("json", func(t *testing.T) {
		path := file(t, "a.mlir", here)
		want := `{"path":"` + path + `","passed":true,"place":{"rejected":1,"atNamedLine":1}}` + "\n" +
			`{"failed":0,"passed":1,"place":{"rejected":1,"atNamedLine":1}}` + "\n"
		if got := nx("check", "--verify", "--json", path); got != (outcome{exitOK, want, ""}) {
			t.Errorf("got %+v, want %s", got, want)
		}
	})
	t.Run("no program", func(t *testing.T) {
		for _, text := range []string{"", "\n", "// RUN: true\n\n// -----\n"} {
			path := file(t, "a.mlir", text)
			nx("check", path).want(t, exitFailed, "a.mlir: holds no program, not even an empty module\n0 passed, 1 failed\n", "")
			nx("check", "--verify", path).want(t, exitOK, "1 passed, 0 failed\n", "") // is a valid module
		}
		nx("check", file(t, "a.mlir", "module {}\n")).want(t, exitOK, "1 passed, 0 failed\n", "")
	})
	t.Run("nothing to run is told", func(t *testing.T) {
		want := "verified only, as all functions take arguments: 1\n1 passed, 0 failed\n"
		if got := nx("check", file(t, "a.mlir", good)); got != (outcome{exitOK, want, ""}) {
			t.Errorf("got %+v, want %s", got, want)
		}
	})
}
