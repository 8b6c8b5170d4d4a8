package learning_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/testkit"
)

// learningCase is a line of FAMILY.jsonl; FORMAT.md of the corpus describes it.
type learningCase struct {
	ID, Family, What, Note string
	Source                 struct{ Library, Version, Symbol string }
	Config                 map[string]any
	Inputs, Outputs, Grads map[string]string
	Tolerance, Tolerance32 *learningTolerance
}

// learningTolerance accepts a difference of rel*|want| + abs*S, S the largest finite |want|, or 1.
type learningTolerance struct{ Rel, Abs float64 }

// learningRun evaluates a case in one element type.
type learningRun struct {
	learningCase
	dtype  nx.DType // F64 or F32
	dir    string   // of the corpus
	arrays map[string]nx.Tensor
}

// learningResults are results and gradients by name.
type learningResults struct{ outputs, grads map[string]nx.Tensor }

// learningFamilies compute the cases of a family: all of the outputs and gradients that the case lists.
var learningFamilies = map[string]func(r *learningRun) learningResults{}

// learningDifferences are the functions whose cases may fail, and why. They are counted as failed.
var learningDifferences = map[string]string{
	"keras.layers.BatchNormalization": "Keras differentiates by the running averages, " +
		"which are constants here and in PyTorch",
	"sparsemax": "Keras sums the cumulative sums of the support; the paper takes the last one",
}

// TestLearning computes the recorded cases of layers, losses, optimisers, schedules, metrics and models, in f64 and in
// f32.
func TestLearning(t *testing.T) {
	dir := os.Getenv("NX_LEARNING")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "learning")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	passed, failed := 0, 0
	for _, file := range files {
		family := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if learningFamilies[family] == nil {
			t.Logf("%s: not run, as it has no runner yet", family)
			continue
		}
		cases, arrays := readLearning(t, file)
		ok := 0
		for _, c := range cases {
			err := c.check(dir, arrays)
			if err == nil {
				ok++
				continue
			}
			failed++
			if reason := c.difference(); reason != "" {
				t.Logf("%s differs: %s (%v)", c.ID, reason, err)
			} else {
				t.Errorf("%s: %v", c.ID, err)
			}
		}
		passed += ok
		t.Logf("%s: %d of %d", family, ok, len(cases))
	}
	t.Logf("learning: %d passed, %d failed", passed, failed)
}

func readLearning(t *testing.T, file string) (cases []learningCase, arrays map[string]nx.Tensor) {
	t.Helper()
	if err := nx.LoadTensors(strings.TrimSuffix(file, ".jsonl")+".safetensors", &arrays); err != nil {
		t.Fatal(err)
	}
	return kit.ReadCases[learningCase](t, file), arrays
}

// check computes a case in f64, and in f32 if it can be compared there.
func (c learningCase) check(dir string, arrays map[string]nx.Tensor) error {
	run, ok := learningFamilies[c.Family]
	if !ok {
		return fmt.Errorf("the family %q has no runner", c.Family)
	}
	for _, p := range []struct {
		dtype nx.DType
		limit *learningTolerance
	}{{nx.F64, c.Tolerance}, {nx.F32, c.Tolerance32}} {
		if p.limit == nil {
			continue
		}
		if err := c.compare(run, &learningRun{c, p.dtype, dir, arrays}, *p.limit); err != nil {
			return fmt.Errorf("in %s: %w", p.dtype, err)
		}
	}
	return nil
}

func (c learningCase) compare(run func(*learningRun) learningResults, r *learningRun,
	limit learningTolerance) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	got := run(r)
	for _, part := range []struct {
		what      string
		got       map[string]nx.Tensor
		wantNames map[string]string
	}{{"", got.outputs, c.Outputs}, {"gradient ", got.grads, c.Grads}} {
		for _, name := range slices.Sorted(maps.Keys(part.wantNames)) {
			g, ok := part.got[name]
			if !ok || g.IsZero() {
				return fmt.Errorf("%s%s was not computed", part.what, name)
			}
			if err := limit.compare(g, r.arrays[part.wantNames[name]]); err != nil {
				return fmt.Errorf("%s%s: %w", part.what, name, err)
			}
		}
	}
	return nil
}

// compare compares all elements of two tensors.
func (l learningTolerance) compare(got, want nx.Tensor) error {
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("shape %v, want %v", got.Shape(), want.Shape())
	}
	g, w := nx.Data[float64](nx.Cast(got, nx.F64)), nx.Data[float64](nx.Cast(want, nx.F64))
	exact := !want.DType().IsFloat()
	scale := 0.0
	for _, v := range w {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			scale = max(scale, math.Abs(v))
		}
	}
	if scale == 0 {
		scale = 1
	}
	worst, at := 0.0, -1
	for i, v := range w {
		d := math.Abs(g[i] - v)
		switch {
		case math.IsNaN(v) && math.IsNaN(g[i]), g[i] == v:
			continue
		case math.IsNaN(v), math.IsInf(v, 0), math.IsNaN(d), exact:
			d = math.Inf(1)
		default:
			d -= l.Rel*math.Abs(v) + l.Abs*scale
		}
		if d > 0 && (at < 0 || d > worst) {
			worst, at = d, i
		}
	}
	if at >= 0 {
		return fmt.Errorf("element %d is %v, want %v", at, g[at], w[at])
	}
	return nil
}

// in returns an input, floats in the type of the run.
func (r *learningRun) in(name string) nx.Tensor {
	array, ok := r.Inputs[name]
	if !ok {
		return nx.Tensor{}
	}
	return r.cast(r.arrays[array])
}

// named returns the inputs whose names begin with a prefix, without it: "state." for the weights of a layer.
func (r *learningRun) named(prefix string) map[string]nx.Tensor {
	all := map[string]nx.Tensor{}
	for name := range r.Inputs {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			all[rest] = r.in(name)
		}
	}
	return all
}

func (r *learningRun) cast(t nx.Tensor) nx.Tensor {
	if t.DType().IsFloat() {
		return nx.Cast(t, r.dtype)
	}
	return t
}

// number returns a number of the configuration, or another one if there is none.
func (r *learningRun) number(key string, other float64) float64 {
	switch v := r.Config[key].(type) {
	case float64:
		return v
	case string:
		switch v {
		case "inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		}
	}
	return other
}

// integer returns an integer of the configuration, or another one if there is none.
func (r *learningRun) integer(key string, other int) int { return int(r.number(key, float64(other))) }

// flag reports whether a boolean of the configuration is set, or another value if there is none.
func (r *learningRun) flag(key string, other bool) bool {
	if v, ok := r.Config[key].(bool); ok {
		return v
	}
	return other
}

// text returns a string of the configuration, or "".
func (r *learningRun) text(key string) string {
	s, _ := r.Config[key].(string)
	return s
}

// integers returns a list of integers of the configuration; a single one is repeated n times; nil if there is none.
func (r *learningRun) integers(key string, n int) []int {
	switch v := r.Config[key].(type) {
	case float64:
		return slices.Repeat([]int{int(v)}, n)
	case []any:
		var list []int
		for _, e := range v {
			if f, ok := e.(float64); ok {
				list = append(list, int(f))
			}
		}
		return list
	}
	return nil
}

// difference is the reason why a case may fail, or "".
func (c learningCase) difference() string {
	if d := learningDifferences[c.Source.Symbol]; d != "" {
		return d
	}
	activation, _ := c.Config["activation"].(string)
	return learningDifferences[activation]
}
