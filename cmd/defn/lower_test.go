package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const trial = `package defs

import (
	"fmt"

	"example.com/m/layersdefs"
	. "github.com/go-nx/nx/defn"
)

type Net struct {
	Layers []layersdefs.Dense
	Name   string
}

func (n Net) Forward(x Tensor) Tensor {
	for _, l := range n.Layers {
		x = l.Apply(x)
	}
	if n.Name == "twice" {
		return 2 * x
	}
	return x
}

func steps(n int) int {
	fmt.Println("steps", n)
	if n > 3 {
		panic("too many steps")
	}
	return n
}

func Repeated(x Tensor, n int) (y Tensor, count int) {
	for range steps(n) {
		x = x * x
	}
	return x, n
}
`

const layers = `package layersdefs

import . "github.com/go-nx/nx/defn"

type Dense struct{ W, B Tensor }

func (d Dense) Apply(x Tensor) Tensor { return Dot(x, d.W) + d.B }
`

// TestLower lowers definitions that use a package of definitions that was never translated, and ordinary Go.
func TestLower(t *testing.T) {
	dir := module(t, trial)
	other := filepath.Join(dir, "layersdefs")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "layers.go"), []byte(layers), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, tt := range []struct {
		args   string
		status int
		out    []string
		errs   []string
	}{
		{"-args n.Layers[0].W=f32[2][3] -args Layers/0/B=f32[3] -args x=f32[5,2] -set Name=twice ./defs.Net.Forward", 0,
			[]string{`loc("n.Layers[0].W")`, "dot_general", "tensor<5x3xf32>", `"layersdefs/layers.go":7:`}, nil},
		{"-args f32 -set n=2 example.com/m/defs.Repeated", 0,
			[]string{`jax.result_info = "y"`, "stablehlo.multiply"}, []string{"steps 2", "count = 2"}},
		{"-args f32 -set n=steps(1)+1 ./defs.Repeated", 0, []string{"multiply"}, []string{"steps 1\nsteps 2"}},
		{"-args f32 -set n=2 -grad -wrt x ./defs.Repeated", 0, []string{`jax.result_info = "x"`}, nil},
		{"-args f32 -set n=4 ./defs.Repeated", 1, nil, []string{"defs/defs.go:28: panic: too many steps"}},
		{"-args f32 -set n=two ./defs.Repeated", 1, nil, []string{"--set n: undefined: two"}},
		{"-args f32 ./defs.Repeated", 1, nil, []string{"missing n int", "func Repeated(x Tensor, n int)"}},
		{"-args f32 -set n=2 -wrt x ./defs.Repeated", 2, nil, []string{"--wrt is for --grad"}},
		{"./defs", 1, nil, []string{"names no definition"}},
		{"./missing.Func", 1, nil, []string{"missing"}},
		{"", 2, nil, []string{"want one definition"}},
		{"-args f32[x] ./defs.Repeated", 2, nil, []string{`"f32[x]"`}},
		{"-set n ./defs.Repeated", 2, nil, []string{"name=expression"}},
	} {
		status, out, errs := command(t, append([]string{"lower"}, strings.Fields(tt.args)...)...)
		if status != tt.status || status != 0 && out != "" {
			t.Errorf("%s: %d %s %s", tt.args, status, out, errs)
		}
		for _, want := range tt.out {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %s\nwant %q", tt.args, out, want)
			}
		}
		for _, want := range tt.errs {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: %s\nwant %q", tt.args, errs, want)
			}
		}
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*", "zz*")); len(found) > 0 {
		t.Errorf("there are files: %q", found)
	}
	for args, want := range map[string]string{
		"1/2*x": "Go divides the integer constants 1/2 to 0 [integer-division]", "x + y": "undefined: y",
	} {
		source := "package defs\n\nimport . \"github.com/go-nx/nx/defn\"\n\nfunc F(x Tensor) Tensor { return " + args + " }\n"
		if err := os.WriteFile(filepath.Join("defs", "defs.go"), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		status, _, errs := command(t, "lower", "-args", "f32", "./defs.F")
		if status != 1 || !strings.Contains(errs, "defs/defs.go:5:") || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}
