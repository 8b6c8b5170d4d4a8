package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	encoding "github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/internal/testkit"
)

// onnxOutOfScope are the reasons for which cases are not run, with the ops that have them.
var onnxOutOfScope = []struct {
	ops    []string
	reason string
}{
	{[]string{"ImageDecoder"}, "it decodes images"},
	{[]string{"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial"},
		"random values are compared exactly"},
	{[]string{"StringConcat", "StringSplit", "StringNormalizer", "RegexFullMatch", "TfIdfVectorizer"},
		"it computes with strings, which are not elements of tensors"},
}

// onnxFailing are cases that fail, by the reason.
var onnxFailing = map[string]string{
	"test_dft_inverse":         "the zero imaginary part of the result is compared with the error of a transform in f32",
	"test_dft_inverse_opset19": "the zero imaginary part of the result is compared with the error of a transform in f32",
}

// TestONNX runs the tests of ONNX: a folder each.
func TestONNX(t *testing.T) {
	dir := os.Getenv("NX_ONNX")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "onnx")
	}
	models, err := filepath.Glob(filepath.Join(dir, "*", "model.onnx"))
	if err != nil || len(models) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	only := regexp.MustCompile(os.Getenv("NX_ONNX_ONLY"))
	passed, failed, out, long := 0, 0, 0, 0
	for _, path := range models {
		name := filepath.Base(filepath.Dir(path))
		if !only.MatchString(name) {
			continue
		}
		if testing.Short() && strings.HasPrefix(name, "light_") {
			long++
			continue
		}
		c := &onnxCase{dir: filepath.Dir(path)}
		err := c.run()
		var skip skipped
		switch {
		case err == nil:
			passed++
		case errors.As(err, &skip):
			out++
			t.Logf("%s: out of scope: %s", name, skip)
		default:
			failed++
			if reason := onnxFailing[name]; reason != "" {
				t.Logf("%s: fails: %s: %v", name, reason, err)
				continue
			}
			t.Errorf("%s: %v", name, err)
		}
	}
	if long > 0 {
		t.Logf("%d whole networks are not run under -short", long)
	}
	t.Logf("onnx: %d passed, %d failed, %d out of scope", passed, failed, out)
}

// skipped is the reason for which a case is not run.
type skipped string

func (s skipped) Error() string { return string(s) }

type onnxCase struct {
	dir   string
	model *encoding.File
}

func (c *onnxCase) run() (err error) {
	path := filepath.Join(c.dir, "model.onnx")
	if c.model, err = encoding.Open(path); err != nil {
		return err
	}
	if reason := c.outOfScope(); reason != "" {
		return skipped(reason)
	}
	p, err := onnx.Open(path)
	if err != nil {
		return err
	}
	sets, err := filepath.Glob(filepath.Join(c.dir, "test_data_set_*"))
	if err != nil || len(sets) == 0 {
		return fmt.Errorf("no data: %v", err)
	}
	for _, set := range sets {
		if err := c.runSet(p, set); err != nil {
			return err
		}
	}
	return nil
}

func (c *onnxCase) outOfScope() string {
	for _, n := range c.model.Model.Graph.Nodes {
		for _, o := range onnxOutOfScope {
			if slices.Contains(o.ops, n.OpType) {
				return n.OpType + ": " + o.reason
			}
		}
	}
	for _, list := range [][]*encoding.Value{c.model.Model.Graph.Inputs, c.model.Model.Graph.Outputs} {
		for _, v := range list {
			if hasStrings(v.Type) {
				return fmt.Sprintf("%q has strings, which are not elements of tensors", v.Name)
			}
		}
	}
	return ""
}

func hasStrings(t *encoding.Type) bool {
	switch {
	case t == nil:
		return false
	case t.Tensor != nil:
		return t.Tensor.Elem == encoding.StringData
	case t.Sequence != nil:
		return hasStrings(t.Sequence)
	case t.Optional != nil:
		return hasStrings(t.Optional)
	}
	return t.Map != nil
}

func (c *onnxCase) runSet(p *onnx.Program, set string) error {
	g := c.model.Model.Graph
	initial := map[string]bool{}
	for _, t := range g.Initializers {
		initial[t.Name] = true
	}
	var ins []onnx.Value
	for _, v := range g.Inputs {
		if initial[v.Name] {
			continue
		}
		x, err := onnxData(filepath.Join(set, fmt.Sprintf("input_%d.pb", len(ins))), v.Type)
		if err != nil {
			return fmt.Errorf("input %q: %w", v.Name, err)
		}
		ins = append(ins, x)
	}
	outs, err := p.RunValues(context.Background(), ins, nil)
	if err != nil {
		return err
	}
	for i, v := range g.Outputs {
		want, err := onnxData(filepath.Join(set, fmt.Sprintf("output_%d.pb", i)), v.Type)
		if err != nil {
			return fmt.Errorf("output %q: %w", v.Name, err)
		}
		if err := onnxEqual(outs[i], want); err != nil {
			return fmt.Errorf("output %q: %w", v.Name, err)
		}
	}
	return nil
}

// onnxData reads a file of a value of a type.
func onnxData(path string, t *encoding.Type) (onnx.Value, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return onnx.Value{}, err
	}
	var d *encoding.Data
	switch {
	case t.Sequence != nil:
		d, err = encoding.DecodeSequence(b)
	case t.Optional != nil:
		d, err = encoding.DecodeOptional(b)
	default:
		d = &encoding.Data{}
		d.Tensor, err = encoding.DecodeTensor(b)
	}
	if err != nil {
		return onnx.Value{}, err
	}
	return onnxValue(d)
}

func onnxValue(d *encoding.Data) (onnx.Value, error) {
	switch {
	case d.Tensor != nil:
		t, err := d.Tensor.Type.DType()
		if err != nil {
			return onnx.Value{}, err
		}
		data, err := d.Tensor.Elements()
		if err != nil {
			return onnx.Value{}, err
		}
		shape, _, err := d.Tensor.Shape()
		if err != nil {
			return onnx.Value{}, err
		}
		return onnx.TensorValue(core.FromBytes(data, shape, t)), nil
	case d.IsSequence:
		list := []onnx.Value{}
		for _, e := range d.Sequence {
			v, err := onnxValue(e)
			if err != nil {
				return v, err
			}
			list = append(list, v)
		}
		return onnx.SequenceValue(list...), nil
	}
	return onnx.NoneValue(), nil
}

// onnxEqual compares as the runner of ONNX does: floats by a relative difference of 1e-3 and an absolute one of 1e-7,
// floats of 16 bits and fewer to their last place, others exactly.
func onnxEqual(got, want onnx.Value) error {
	if w, ok := want.List(); ok {
		g, ok := got.List()
		if !ok || len(g) != len(w) {
			return fmt.Errorf("got a sequence of %d, want %d", len(g), len(w))
		}
		for i := range w {
			if err := onnxEqual(g[i], w[i]); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	}
	if want.IsNone() != got.IsNone() {
		return fmt.Errorf("got an absent value: %v, want %v", got.IsNone(), want.IsNone())
	}
	if want.IsNone() {
		return nil
	}
	if got.Tensor().IsZero() {
		return fmt.Errorf("got no tensor, want %v", want.Tensor().Spec())
	}
	return sameTensors(got.Tensor(), want.Tensor())
}

func sameTensors(got, want core.Tensor) error {
	if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("got %v, want %v", got.Spec(), want.Spec())
	}
	d := want.DType()
	if !d.IsFloat() && !d.IsComplex() {
		if g, w := core.Bytes(got), core.Bytes(want); !slices.Equal(g, w) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	}
	rel, abs := 1e-3, 1e-7
	if d.IsFloat() && d.Size() <= 2 && d != dtype.F64 { // one unit in the last place
		rel = math.Ldexp(1, 1-lastPlace(d))
	}
	var g, w []float64
	if d.IsComplex() {
		g = append(core.Data[float64](core.Real(got)), core.Data[float64](core.Imag(got))...)
		w = append(core.Data[float64](core.Real(want)), core.Data[float64](core.Imag(want))...)
	} else {
		g, w = core.Data[float64](got), core.Data[float64](want)
	}
	for i := range w {
		if math.IsNaN(g[i]) && math.IsNaN(w[i]) || g[i] == w[i] {
			continue
		}
		if diff := math.Abs(g[i] - w[i]); !(diff <= abs+rel*math.Abs(w[i])) {
			return fmt.Errorf("element %d of %v is %g, want %g", i, want.Spec(), g[i], w[i])
		}
	}
	return nil
}

// lastPlace is the number of bits of the significand of a narrow float.
func lastPlace(d dtype.Type) int {
	switch d {
	case dtype.F16:
		return 11
	case dtype.BF16:
		return 8
	case dtype.F8E5M2, dtype.F8E5M2FNUZ:
		return 3
	case dtype.F8E4M3FN, dtype.F8E4M3FNUZ:
		return 4
	}
	return 2
}
