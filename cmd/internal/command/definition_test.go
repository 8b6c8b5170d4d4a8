package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/testkit"
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
	case testkit.Update():
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
		{"inspect ./none.Softmax", []string{"neither a file ./none.Softmax nor a package", "folder ./none"}},
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

// A definition that was run takes arrays by the names of its parameters, writes its results, and shows its hooks.
func TestDefinitionRun(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", definitionsFolder))
	x := array("x", dtype.F32, []int{1}, 0, 0, 0x80, 0x3f) // 1
	out := filepath.Join(t.TempDir(), "out.npz")
	o := nx("run", "defs.Watched", "--in", archive(t, x), "--out", out)
	o.want(t, exitOK, "", "%middle = tensor<1xf32>")
	entries, err := npy.ReadZipFile(out)
	if err != nil || len(entries) != 1 || entries[0].Name != "out0" ||
		!bytes.Equal(entries[0].Data, []byte{0, 0, 0x20, 0x41}) { // 10
		t.Errorf("got %v, error %v", entries, err)
	}
	renamed := file(t, "names.json", `{"x": "other"}`)
	x.Name = "other"
	o = nx("run", "./defs.Watched", "--in", archive(t, x), "--names", renamed, "--grad")
	o.want(t, exitOK, "grad0 x f32[1]\n  [8.0]\n", "%middle")
}

// --wrt chooses among the derivatives of a program, and inspect shows the program of the derivatives.
func TestWithRespectTo(t *testing.T) {
	program := file(t, "mul.mlir", `func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
`)
	in := archive(t, array("x", dtype.F32, nil, 0, 0, 0, 0x40), array("y", dtype.F32, nil, 0, 0, 0x40, 0x40)) // 2, 3
	nx("run", program, "--in", in, "--grad", "--wrt", "y").want(t, exitOK, "grad1 f32\n  2.0\n", "")
	o := nx("run", program, "--in", in, "--grad", "--wrt", "z")
	o.want(t, exitUsage, "", "no such argument: it takes arg0, arg1")
	nx("run", program, "--in", in, "--wrt", "y").want(t, exitUsage, "", "--wrt is for --grad")
	nx("run", program, "--in", in, "--set", "n=1").want(t, exitUsage, "", "for definitions")
	nx("inspect", program, "--grad", "--wrt", "y").want(t, exitOK, "1 op, 0 flops", "")
	nx("inspect", program, "--grad", "--stage", "parsed").want(t, exitOK, "return %y, %x", "")
}
