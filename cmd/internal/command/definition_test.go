package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// definitionsFolder has the definitions of tests, relative to the root of the module.
var definitionsFolder = filepath.Join("internal", "nxtests", "definitions")

// docs/defn.md shows how a definition is tried, with the actual output.
func TestDefinitionTranscript(t *testing.T) {
	page, err := filepath.Abs(filepath.Join("..", "..", "..", "docs", "defn.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join("..", "..", "..", definitionsFolder))
	_, rest, ok := strings.Cut(string(text), "\n<!-- transcript: ")
	_, rest, open := strings.Cut(rest, "\n```\n")
	shown, _, closed := strings.Cut(rest, "\n```\n")
	if !ok || !open || !closed {
		t.Fatal("docs/defn.md has no transcript")
	}
	var got strings.Builder
	for line := range strings.Lines(shown) {
		command, ok := strings.CutPrefix(line, "$ nx ")
		if !ok {
			continue
		}
		o := nx(strings.Fields(strings.ReplaceAll(command, "'", ""))...)
		if o.code != exitOK {
			t.Errorf("%sstatus %d, %s", line, o.code, o.stderr)
		}
		got.WriteString(strings.TrimSuffix(line, "\n") + "\n" + o.stdout)
	}
	want := strings.TrimSuffix(got.String(), "\n")
	switch {
	case shown == want:
	case *update:
		if err := os.WriteFile(page, []byte(strings.Replace(string(text), shown, want, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/defn.md differs from the actual output; -update rewrites it\nhave:\n%s\nwant:\n%s", shown, want)
	}
}

// The errors of definitions name their lines, and the status is not 0.
func TestDefinitionErrors(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", definitionsFolder))
	for _, tt := range []struct {
		args string
		want []string
	}{
		{"run ./defs.Softmax", []string{"defs.Softmax: missing t Tensor", "func Softmax(t Tensor) Tensor", "--in"}},
		{"run ./defs.Softmx --in testdata/t.npy", []string{"no definition defs.Softmx", "Params.Apply", "Softmax"}},
		{"run ./defs.cube --in testdata/t.npy", []string{"defs.cube is not exported"}},
		{"run ./defs.Limit --in testdata/t.npy", []string{"defs.Limit is not a definition"}},
		{"run ./defs.Linear.Back --in testdata/t.npy", []string{"no definition defs.Linear.Back", "Linear.Forward"}},
		{"inspect ./defs.Clip --args f32[2]", []string{"missing limit Tensor"}},
		{"inspect ./defs.Clip --args f32[2] --args f32[2]", []string{"first.go:20", "predicate must be a scalar"}},
		{"inspect ./defs.Clip --args float", []string{`"float"`, "f32[3][4]"}},
		{"inspect ./defs.Filled", []string{"missing n int, d", "--set"}},
		{"inspect ./defs.Filled --set n=3 --set d=F99", []string{"--set d: undefined: F99"}},
		{"inspect ./defs.Filled --set n=3) --set d=f32", []string{"--set n=3)", "not an expression"}},
		{"inspect ./defs.Softmax --args f32[2] --set k=1", []string{"no static parameter k"}},
		{"inspect ./defs.Softmax --args f32[2] --grad --wrt x", []string{"--wrt x", "takes t"}},
		{"inspect ./defs.Softmax --args s32[2] --grad", []string{"no argument is a tensor of real floats"}},
		{"inspect github.com/go-nx/nx/internal/nxtests/none.Softmax", []string{"none"}},
	} {
		o := nx(strings.Fields(tt.args)...)
		if o.code == exitOK || o.stdout != "" {
			t.Errorf("%s: status %d, %s", tt.args, o.code, o.stdout)
		}
		for _, want := range tt.want {
			if !strings.Contains(o.stderr, want) {
				t.Errorf("%s: %s\nwant %q", tt.args, o.stderr, want)
			}
		}
	}
}

// An argument is a definition where no file has its name.
func TestIsDefinition(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", definitionsFolder))
	for arg, want := range map[string]bool{
		"./defs.Softmax": true, "defs.Softmax": true, "./defs.Params.Apply": true, "defs/first.go": false,
		"github.com/go-nx/nx/internal/nxtests/definitions/defs.Softmax": true, "example.com/m/defs.T.M": true,
		"model.mlir": false, "./models/x.onnx": false, "-": false, "models/foo.MLIR": false, "./defs": false,
		".Softmax": true,
	} {
		if got := isDefinition(arg); got != want {
			t.Errorf("%s: %v", arg, got)
		}
	}
}
