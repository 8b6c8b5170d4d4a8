package load_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
)

var exports = flag.String("exports", "testdata/exports", "the folder of exported models, which .ci/models makes")

// exportedModel is what .ci/exports/export.py writes of a model.
type exportedModel struct {
	dir               string
	Name              string
	Framework         string
	Route             string
	Versions          map[string]string
	Program           string
	Weights           []string
	WeightNames       map[string]string
	Inputs            []string
	Results           []string
	Tolerance         float64
	Gradients         bool
	GradientTolerance float64
	// The program to be differentiated and the file of its arguments, where the weights
	// come with the other.
	GradientProgram, GradientArguments string
	CompileSeconds                     float64
	RunSeconds                         float64
}

// TestExportedModels loads what frameworks exported, and compares names, results and
// gradients with theirs.
func TestExportedModels(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(*exports, "*", "manifest.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no model in %s (%v)", *exports, err)
	}
	table := os.Stdout
	if !testing.Verbose() {
		table = nil
	}
	row(table, "model", "framework", "route", "versions", "read", "compile", "run", "theirs: compile", "run",
		"memory", "error", "of gradients")
	row(table, slices.Repeat([]string{"---"}, 12)...)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := exportedModel{dir: filepath.Dir(file)}
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		t.Run(e.Name, func(t *testing.T) { e.check(t, table) })
	}
}

func row(w *os.File, cells ...string) {
	if w != nil {
		fmt.Fprintf(io.Writer(w), "| %s |\n", strings.Join(cells, " | "))
	}
}

func (e *exportedModel) path(name string) string {
	return filepath.Join(e.dir, filepath.FromSlash(name))
}

func (e *exportedModel) load(t *testing.T, program string, weights ...string) *nx.Model {
	t.Helper()
	var opts []nx.LoadOption
	for _, w := range weights {
		opts = append(opts, nx.Weights(e.path(w)))
	}
	if len(weights) > 0 && e.WeightNames != nil {
		opts = append(opts, nx.WeightNames(e.WeightNames))
	}
	m, err := nx.Load(context.Background(), e.path(program), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// arrays reads a file of numbered arrays.
func (e *exportedModel) arrays(t *testing.T, file, prefix string) []nx.Tensor {
	t.Helper()
	named := map[string]nx.Tensor{}
	if err := nx.LoadTensors(e.path(file), &named); err != nil {
		t.Fatal(err)
	}
	list := make([]nx.Tensor, len(named))
	for i := range list {
		x, ok := named[fmt.Sprint(prefix, i)]
		if !ok {
			t.Fatalf("%s has no %s%d", file, prefix, i)
		}
		list[i] = x
	}
	return list
}

func (e *exportedModel) check(t *testing.T, table *os.File) {
	before, start := debug.LiveBytes(), time.Now()
	m := e.load(t, e.Program, e.Weights...)
	read := time.Since(start)
	if got := names(m.Inputs()); !slices.Equal(got, e.Inputs) {
		t.Errorf("it takes %q, want %q", got, e.Inputs)
	}
	if got := names(m.Outputs()); !slices.Equal(got, e.Results) {
		t.Errorf("it gives %q, want %q", got, e.Results)
	}
	inputs, want := e.arrays(t, "inputs.npz", "in"), e.arrays(t, "results.npz", "out")
	call := func() []nx.Tensor {
		got, err := m.Call(t.Context(), inputs...)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	start = time.Now()
	got := call()
	first, run := time.Since(start), time.Duration(math.MaxInt64)
	for range 10 {
		start := time.Now()
		call()
		run = min(run, time.Since(start))
	}
	memory := debug.LiveBytes() - before
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d", len(got), len(want))
	}
	var worst float64
	for i := range got {
		if g, w := got[i].Spec().String(), want[i].Spec().String(); g != w {
			t.Errorf("result %d is %s, want %s", i, g, w)
			continue
		}
		worst = max(worst, farthest(got[i], want[i]))
	}
	if !(worst <= e.Tolerance) {
		t.Errorf("the results differ by %.3g of their range, more than %.3g", worst, e.Tolerance)
	}
	gradients := "–"
	if e.Gradients {
		far := e.gradients(t, inputs)
		if !(far <= e.GradientTolerance) {
			t.Errorf("the gradients differ by %.3g of their range, more than %.3g", far, e.GradientTolerance)
		}
		gradients = fmt.Sprintf("%.1g", far)
	}
	var versions []string
	for _, p := range slices.Sorted(maps.Keys(e.Versions)) {
		versions = append(versions, p+" "+e.Versions[p])
	}
	seconds := func(s float64) string {
		return time.Duration(s * float64(time.Second)).Round(time.Microsecond).String()
	}
	row(table, e.Name, e.Framework, e.Route, strings.Join(versions, ", "), read.Round(10*time.Microsecond).String(),
		(first - run).Round(10*time.Microsecond).String(), run.Round(time.Microsecond).String(),
		seconds(e.CompileSeconds), seconds(e.RunSeconds), fmt.Sprintf("%d KiB", memory>>10),
		fmt.Sprintf("%.1g", worst), gradients)
}

func names(list []nx.Parameter) (out []string) {
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}

// farthest returns the largest difference of two tensors, of the larger of one and the
// largest number; NaN and infinities have to be the same.
func farthest(got, want nx.Tensor) float64 {
	g, w := nx.Data[float64](nx.Cast(got, nx.F64)), nx.Data[float64](nx.Cast(want, nx.F64))
	scale, worst := 1.0, 0.0
	for _, x := range w {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			scale = max(scale, math.Abs(x))
		}
	}
	for i := range w {
		switch {
		case g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]):
		case math.IsNaN(g[i]) || math.IsNaN(w[i]):
			return math.Inf(1)
		default:
			worst = max(worst, math.Abs(g[i]-w[i])/scale)
		}
	}
	return worst
}

// gradients differentiates the program with its weights left free: the sum of its
// first result times a tensor.
func (e *exportedModel) gradients(t *testing.T, inputs []nx.Tensor) float64 {
	t.Helper()
	read := func(file string, into *map[string]nx.Tensor) {
		if err := nx.LoadTensors(e.path(file), into); err != nil {
			t.Fatal(err)
		}
	}
	var cotangent nx.Tensor
	if err := nx.LoadTensors(e.path("cotangent.npy"), &cotangent); err != nil {
		t.Fatal(err)
	}
	var want map[string]nx.Tensor
	read("gradients.npz", &want)
	all := map[string]nx.Tensor{}
	program, files := e.Program, e.Weights
	if e.GradientProgram != "" {
		program, files = e.GradientProgram, []string{e.GradientArguments}
	} else {
		for i, name := range e.Inputs {
			all[name] = inputs[i]
		}
	}
	for _, file := range files {
		var list map[string]nx.Tensor
		read(file, &list)
		maps.Copy(all, list)
	}
	m := e.load(t, program)
	first := m.Outputs()[0].Name
	got := nx.Jit(nx.Grad(func(p map[string]nx.Tensor) nx.Tensor {
		args := maps.Clone(all)
		maps.Copy(args, p)
		out, err := m.CallNamed(context.Background(), args)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Mul(out[first], cotangent))
	}))(pickNamed(all, slices.Collect(maps.Keys(want))))
	worst := 0.0
	for name, w := range want {
		g, ok := got[name]
		if !ok || g.Spec().String() != w.Spec().String() {
			t.Errorf("the gradient of %s is %s, want %s", name, g.Spec(), w.Spec())
			continue
		}
		worst = max(worst, farthest(g, w))
	}
	return worst
}

func pickNamed(from map[string]nx.Tensor, names []string) map[string]nx.Tensor {
	out := map[string]nx.Tensor{}
	for _, name := range names {
		out[name] = from[name]
	}
	return out
}
