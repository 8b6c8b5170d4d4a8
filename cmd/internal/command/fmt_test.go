package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFmt(t *testing.T) {
	const messy = "// The sum.\n\nfunc.func @main(%x: tensor<2xf32>)->tensor<2xf32>{%0=\"stablehlo.add\"(%x,%x):(tensor<2xf32>,tensor<2xf32>)->tensor<2xf32>\nreturn %0:tensor<2xf32>}"
	const pretty = `// The sum.
module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
`
	t.Run("pretty", func(t *testing.T) {
		o := nx("fmt", file(t, "a.mlir", messy))
		if want := (outcome{exitOK, pretty, ""}); o != want {
			t.Errorf("got\n%s%s\nwant\n%s", o.stdout, o.stderr, want.stdout)
		}
	})
	t.Run("standard input", func(t *testing.T) {
		if o := nxWith(t.Context(), messy, "fmt", "-"); o.stdout != pretty {
			t.Errorf("got\n%s", o.stdout)
		}
	})
	t.Run("generic, and back", func(t *testing.T) {
		generic := nx("fmt", "--generic", file(t, "a.mlir", messy)).stdout
		if !strings.Contains(generic, `"stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>`) {
			t.Errorf("got\n%s", generic)
		}
		if o := nx("fmt", "--pretty", file(t, "b.mlir", generic)); o.stdout != pretty {
			t.Errorf("back:\n%s", o.stdout)
		}
	})
	t.Run("in place, twice", func(t *testing.T) {
		path := file(t, "a.mlir", messy)
		for range 2 {
			if o := nx("fmt", "-w", path); o != (outcome{}) {
				t.Errorf("got %+v", o)
			}
			if got, _ := os.ReadFile(path); string(got) != pretty {
				t.Errorf("got\n%s", got)
			}
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("left %v", entries)
		}
	})
	t.Run("parts", func(t *testing.T) {
		path := file(t, "a.mlir", messy+"\n// -----\n"+messy)
		if o := nx("fmt", path); o.stdout != pretty+"\n// -----\n\n"+pretty {
			t.Errorf("got\n%s", o.stdout)
		}
	})
	t.Run("comments inside are not lost in place", func(t *testing.T) {
		text := strings.Replace(messy, "return", "// inside\nreturn", 1)
		path := file(t, "a.mlir", text)
		nx("fmt", "-w", path).want(t, exitUsage, "",
			"not rewritten: 1 comments inside it would be dropped: add --drop-comments to allow that")
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("the file became\n%s", got)
		}
		nx("fmt", "-w", "--drop-comments", path).want(t, exitOK, "", "")
		if got, _ := os.ReadFile(path); string(got) != pretty {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("a file that is wrong stays and does not stop the others", func(t *testing.T) {
		bad, good := file(t, "bad.mlir", "func.func @main( {"), file(t, "good.mlir", messy)
		nx("fmt", "-w", bad, good).want(t, exitUsage, "", "bad.mlir:1:")
		if got, _ := os.ReadFile(bad); string(got) != "func.func @main( {" {
			t.Errorf("the bad file became %q", got)
		}
		if got, _ := os.ReadFile(good); string(got) != pretty {
			t.Errorf("the good file is %q", got)
		}
	})
	t.Run("all that is wrong is told", func(t *testing.T) {
		o := nx("fmt", file(t, "a.mlir", "func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) {\n"+
			"  %0 = \"stablehlo.add\"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n"+
			"  %1 = \"stablehlo.abs\"(%x) : (tensor<2xf32>) -> tensor<3xf32>\n  return\n}\n"))
		if o.code != exitUsage || strings.Count(o.stderr, "\n") < 2 || !strings.Contains(o.stderr, "a.mlir:3:8: ") {
			t.Errorf("got %+v", o)
		}
	})
}

func TestComments(t *testing.T) {
	tests := []struct {
		name, text string
		head       []string
		inside     int
	}{
		{"none", "module {}", nil, 0},
		{"head", " // a  \n\n//b\nmodule {}", []string{"// a", "//b"}, 0},
		{"inside", "// a\nmodule { // b\n} // c", []string{"// a"}, 2},
		{"in a string", `module @m attributes {a = "x // y", b = "\"// z"} {}`, nil, 0},
		{"only comments", "// a", []string{"// a"}, 0},
		{"a slash", "a / b", nil, 0},
		{"an open string", `"// a`, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			head, inside := comments([]byte(tt.text))
			var got []string
			for _, c := range head {
				got = append(got, string(c))
			}
			if !slices.Equal(got, tt.head) || inside != tt.inside {
				t.Errorf("got %q and %d, want %q and %d", got, inside, tt.head, tt.inside)
			}
		})
	}
}

func FuzzComments(f *testing.F) {
	f.Add([]byte("// a\nmodule { // b\n}"))
	f.Add([]byte(`"\`))
	f.Add([]byte("//"))
	f.Fuzz(func(t *testing.T, text []byte) {
		head, inside := comments(text)
		if n := strings.Count(string(text), "//"); len(head)+inside > n {
			t.Errorf("%d comments found where %d could start", len(head)+inside, n)
		}
		for _, c := range head {
			if !strings.HasPrefix(string(c), "//") || strings.Contains(string(c), "\n") {
				t.Errorf("%q is not a comment", c)
			}
		}
	})
}
