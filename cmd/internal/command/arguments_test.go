package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
)

const exported = "../../../internal/model/testdata/static.jaxexport"

// ones returns the elements of an array of ones of f32.
func ones(n int) []byte {
	data := make([]byte, 4*n)
	for i := range n {
		dtype.F32.StoreFloat(data, i, 1)
	}
	return data
}

// TestInputsByName runs an export of JAX with its weights from one file and its
// input from another.
func TestInputsByName(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	tensor := func(name string, shape ...int) safetensors.Tensor {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return safetensors.Tensor{Info: safetensors.Info{Name: name, DType: dtype.F32, Shape: shape}, Data: ones(n)}
	}
	must(safetensors.WriteFile(path("p.safetensors"), []safetensors.Tensor{
		tensor("w1", 3, 4), tensor("p.b1", 4), tensor("p/w2", 4, 2)}, nil))
	must(npy.WriteFile(path("x.npy"), npy.New(dtype.F32, []int{2, 3}, ones(6))))
	o := nx("run", exported, "--in", path("p.safetensors"), "--in", path("x.npy"))
	if o.code != exitOK || !strings.Contains(o.stdout, "out0 result['n'][0] f32\n") ||
		!strings.Contains(o.stdout, "out1 result['y'] f32[2][2]\n  [[3.9973") {
		t.Errorf("got %+v", o)
	}
	must(os.WriteFile(path("names.json"), []byte(`{"x": "input"}`), 0o666))
	must(npy.WriteFile(path("input.npy"), npy.New(dtype.F32, []int{2, 3}, ones(6))))
	renamed := nx("run", exported, "--in", path("p.safetensors"), "--in", path("input.npy"), "--names",
		path("names.json"))
	if renamed != o {
		t.Errorf("by another name: %+v", renamed)
	}
	must(npy.WriteFile(path("x64.npy"), npy.New(dtype.F64, []int{2, 3}, make([]byte, 48))))
	must(os.WriteFile(path("64.json"), []byte(`{"x": "x64"}`), 0o666))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--in", path("p.safetensors")}, "arg3 x: missing: want f32[2][3]"},
		{[]string{"--in", path("p.safetensors"), "--in", path("input.npy")},
			"input: @main has no such argument: it takes arg0 p['b1'], arg1 p['w1'], arg2 p['w2'], arg3 x\n"},
		{[]string{"--in", path("p.safetensors"), "--in", path("x64.npy"), "--names", path("64.json")},
			"save x.astype(np.float32)"},
		{[]string{"--in", path("p.safetensors"), "--names", path("names.json")},
			`no file has the array "input" for the argument "x"`},
		{[]string{"--in", path("none.npy")}, "cannot read"},
		{nil, "arg0 p['b1'] f32[4], arg1 p['w1'] f32[3][4]"},
	} {
		o := nx(append([]string{"run", exported}, c.args...)...)
		if o.code != exitUsage || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%v: %+v, want %q", c.args, o, c.want)
		}
	}
}

// TestInspectNames inspects the names in an export of JAX.
func TestInspectNames(t *testing.T) {
	o := nx("inspect", exported)
	for _, want := range []string{
		"export of JAX\n", "arg1     tensor<3x4xf32>  p['w1']\n", "out1     tensor<2x2xf32>  result['y']\n",
		"ignores [0]['unused'] (unused)\n",
	} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("%q is missing from\n%s", want, o.stdout)
		}
	}
	if o := nx("inspect", "../../../internal/model/testdata/polymorphic.jaxexport"); !strings.Contains(o.stdout,
		"tensor<bx3xf32>  x\n") {
		t.Errorf("got\n%s", o.stdout)
	}
}
